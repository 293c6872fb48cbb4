import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/**
 * Id of a lot of a product by its number, made where it is new; undefined for the default lot. @throws refused B0821 where
 * the lot is known with another expiry
 */
export async function lotOf(
  ctx: Ctx,
  product: string,
  lotNo: string,
  expiresAt: string | null,
): Promise<string | undefined> {
  if (lotNo === '') return undefined;
  await sql`
    INSERT INTO warehouse.lot (company_id, product_id, lot_no, expires_at)
    VALUES (${ctx.companyId}, ${product}, ${lotNo}, ${expiresAt}) ON CONFLICT (company_id, product_id, lot_no) DO NOTHING`.execute(
    ctx.db,
  );
  const row = await ctx.db
    .selectFrom('warehouse.lot')
    .select(['id', 'expires_at'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', product)
    .where('lot_no', '=', lotNo)
    .executeTakeFirstOrThrow();
  if (expiresAt !== null && row.expires_at !== null && row.expires_at !== expiresAt) {
    throw refused(`批次【${lotNo}】的效期为 ${row.expires_at}，与填写的 ${expiresAt} 不一致`, 'B0821');
  }
  return row.id;
}
