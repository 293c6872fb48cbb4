import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { packedSizes } from '#modules/product/server/index.ts';
import type { LocationRow, modifyLocation } from '../../contract/base.ts';

const MM_PER_CM = 10;
const CM3_PER_M3 = 1_000_000;

/** Changes what a location is for, its size and its place in the picker's way. @throws refused B0836 for 暂存 or an area */
export async function modify(ctx: Ctx, input: z.output<typeof modifyLocation.body>): Promise<{ id: string }> {
  const before = await ctx.db
    .selectFrom('warehouse.location')
    .select(['code', 'type', 'pick_sequence', 'length_mm', 'width_mm', 'height_mm'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound('库位不存在或已删除');
  if (before.type === 'STAGING' || before.type === 'AREA') throw refused('暂存位和区域不能修改', 'B0836');
  const side = (cm: number | undefined) => (cm === undefined ? null : cm * MM_PER_CM);
  const after = {
    type: input.type,
    pick_sequence: input.pickSequence,
    length_mm: side(input.lengthCm),
    width_mm: side(input.widthCm),
    height_mm: side(input.heightCm),
  };
  await ctx.db
    .updateTable('warehouse.location')
    .set(after)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  await audit(ctx, { action: '修改库位', resource: 'warehouse.location', resourceId: input.id, before, after });
  return { id: input.id };
}

interface Lying {
  location: string;
  product: string;
  qty: number;
}

/** What lies in locations, by product. */
async function lyingIn(ctx: Ctx, rows: readonly LocationRow[]): Promise<Lying[]> {
  const found = await sql<Lying>`
    SELECT location_id AS location, product_id AS product, sum(qty)::int AS qty FROM warehouse.stock_balance
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ANY (${[...new Set(rows.map((row) => row.warehouseId))]}::uuid[])
       AND location_id = ANY (${rows.map((row) => row.id)}::uuid[])
       AND status NOT IN ('EXPECTED', 'IN_TRANSIT') AND qty > 0 GROUP BY 1, 2`.execute(ctx.db);
  return found.rows;
}

/**
 * Rows with the share of their space that is used: volume of what lies there over the volume of the location, 0.5 for a
 * half. Null where the location, or one of its products, has no size.
 */
export async function withUse(ctx: Ctx, rows: readonly LocationRow[]): Promise<LocationRow[]> {
  const sized = rows.filter((row) => row.volume !== null && new Decimal(row.volume).gt(0));
  if (sized.length === 0) return [...rows];
  const lying = await lyingIn(ctx, sized);
  const sizes = await packedSizes(
    ctx,
    lying.map((one) => one.product),
  );
  return rows.map((row) => {
    if (!sized.includes(row)) return row;
    const mine = lying.filter((one) => one.location === row.id);
    if (mine.some((one) => (sizes.get(one.product)?.volume ?? null) === null)) return row;
    const filled = mine.reduce(
      (total, { product, qty }) => total.plus(new Decimal(sizes.get(product)?.volume ?? 0).times(qty)),
      new Decimal(0),
    );
    return { ...row, used: filled.div(new Decimal(row.volume ?? 0).times(CM3_PER_M3)).toFixed(4) };
  });
}
