import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';

/**
 * What Amazon takes for sending one piece of a SKU, by its newest preview of fees, in the currency that is asked for; null
 * where none is known in it.
 */
export async function fulfilmentFee(
  ctx: Ctx,
  of: { accountId: string; marketplaceId: string; sellerSku: string; currency: string },
): Promise<string | null> {
  const { rows } = await sql<{ fee: string }>`
    SELECT fulfilment::text AS fee FROM inventory.fee_preview
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND seller_sku = ${of.sellerSku}
       AND currency = ${of.currency} AND fulfilment IS NOT NULL
       AND (marketplace_id = ${of.marketplaceId} OR stock = ${stockOf(of.marketplaceId)})
     ORDER BY marketplace_id = ${of.marketplaceId} DESC, day DESC LIMIT 1`.execute(ctx.db);
  return rows[0]?.fee ?? null;
}
