import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import type { adjustExternal, bindExternal, saveExternal } from '../../contract/external.ts';
import { draw } from '../documents/core/draw.ts';
import { requireMove, type Warehouse, warehouseOf } from '../documents/core/places.ts';
import { post } from '../ledger/post.ts';
import type { Move } from '../ledger/types.ts';
import { differences } from './list.ts';

/** Source of the postings that bring our books to what a third-party warehouse says. */
export const RECONCILED = 'warehouse.reconciliation';

/** @throws refused B0861 for a warehouse that is not run by somebody else */
async function thirdParty(ctx: Ctx, id: string): Promise<Warehouse> {
  requireMove(ctx, id);
  const warehouse = await warehouseOf(ctx, id);
  if (warehouse.kind !== 'THIRD_PARTY') throw refused('只有第三方海外仓可以对账', 'B0861');
  return warehouse;
}

/** Replaces the mirror of a warehouse by its newest list. A SKU that was bound to a product by hand stays bound. */
export async function saveList(ctx: Ctx, input: z.output<typeof saveExternal.body>) {
  const warehouse = await thirdParty(ctx, input.warehouseId);
  const bySku = new Map(input.lines.map((line) => [line.sku, line]));
  const known = await productIdsBySku(ctx, [...bySku.keys()]);
  const rows = JSON.stringify([...bySku.values()].map((line) => ({ ...line, product: known.get(line.sku) ?? null })));
  await sql`
    DELETE FROM warehouse.external_stock WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse.id}
       AND sku <> ALL (${[...bySku.keys()]}::text[])`.execute(ctx.db);
  await sql`
    INSERT INTO warehouse.external_stock AS x (company_id, warehouse_id, sku, product_id, available, locked, in_transit, fetched_at)
    SELECT ${ctx.companyId}, ${warehouse.id}, r.sku, r.product, r.available, r.locked, r."inTransit", kit.now()
      FROM jsonb_to_recordset(${rows}::jsonb)
        AS r(sku text, product uuid, available int, locked int, "inTransit" int) ORDER BY r.sku
    ON CONFLICT (company_id, warehouse_id, sku) DO UPDATE
       SET product_id = coalesce(x.product_id, excluded.product_id), available = excluded.available,
           locked = excluded.locked, in_transit = excluded.in_transit, fetched_at = excluded.fetched_at`.execute(
    ctx.db,
  );
  const { rows: counted } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM warehouse.external_stock
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse.id} AND product_id IS NULL`.execute(ctx.db);
  const result = { rows: bySku.size, unknown: counted[0]?.n ?? 0 };
  const after = { warehouse: warehouse.name, ...result };
  await audit(ctx, { action: '写入三方仓库存', resource: RECONCILED, resourceId: warehouse.id, after });
  return result;
}

/** Says which product a SKU of theirs is. @throws refused B0822 for no product of ours, notFound for no SKU of theirs */
export async function bind(ctx: Ctx, input: z.output<typeof bindExternal.body>): Promise<{ productId: string }> {
  const warehouse = await thirdParty(ctx, input.warehouseId);
  const productId = (await productIdsBySku(ctx, [input.ownSku])).get(input.ownSku);
  if (productId === undefined) throw refused(`产品【${input.ownSku}】不存在`, 'B0822');
  const row = await ctx.db
    .updateTable('warehouse.external_stock')
    .set({ product_id: productId })
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', warehouse.id)
    .where('sku', '=', input.sku)
    .returning('sku')
    .executeTakeFirst();
  if (!row) throw notFound('对方SKU不存在，请刷新后重试');
  const after = { warehouse: warehouse.name, sku: input.sku, ownSku: input.ownSku };
  await audit(ctx, { action: '绑定三方仓SKU', resource: RECONCILED, resourceId: warehouse.id, after });
  return { productId };
}

/** Gains come in at what the last layer cost; losses leave by the order of an issue. */
async function movesOf(
  ctx: Ctx,
  warehouse: Warehouse,
  found: Awaited<ReturnType<typeof differences>>,
): Promise<Move[]> {
  const gains = found.filter((one) => one.difference > 0);
  const losses = found.filter((one) => one.difference < 0);
  const lines = losses.map((one) => ({ id: one.product, product: one.product, qty: -one.difference, location: null }));
  const drawn = await draw(ctx, warehouse, 'AVAILABLE', lines);
  return [
    ...gains.map(
      (one): Move => ({
        product: one.product,
        qty: one.difference,
        from: 'ADJUSTMENT',
        to: { warehouse: warehouse.id, status: 'AVAILABLE' },
      }),
    ),
    ...drawn.map(
      ({ product, location, lot, qty }): Move => ({
        product,
        qty,
        from: { warehouse: warehouse.id, status: 'AVAILABLE', location, lot },
        to: 'ADJUSTMENT',
      }),
    ),
  ];
}

async function bookedBefore(ctx: Ctx, clientId: string) {
  const { rows } = await sql<{ number: string; gained: number; lost: number }>`
    SELECT p.source_number AS number, coalesce(sum(e.qty) FILTER (WHERE e.qty > 0), 0)::int AS gained,
           coalesce(-sum(e.qty) FILTER (WHERE e.qty < 0), 0)::int AS lost
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id AND e.status <> 'OUTSIDE'
     WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${RECONCILED} AND p.source_id = ${clientId}
     GROUP BY p.id, p.source_number`.execute(ctx.db);
  return rows[0];
}

/**
 * 校正单: brings our books of some products to what the other side says. The same `clientId` a second time changes nothing.
 * @throws refused B0862 where nothing differs, B0801 where less is free than is missing over there
 */
export async function adjust(ctx: Ctx, input: z.output<typeof adjustExternal.body>) {
  const before = await bookedBefore(ctx, input.clientId);
  if (before) {
    ctx.audited = true;
    return { ...before, repeated: true };
  }
  const warehouse = await thirdParty(ctx, input.warehouseId);
  const found = await differences(ctx, warehouse.id, input.productIds);
  if (found.length === 0) throw refused('所选产品没有差异', 'B0862');
  const moves = await movesOf(ctx, warehouse, found);
  const number = await nextNumber(ctx, 'DZ{yyMMdd}{seq:4}', ctx.clock.today());
  await post(ctx, {
    source: { type: RECONCILED, id: input.clientId, event: 'adjust', number },
    moves,
    note: input.reason,
  });
  const total = (sign: 1 | -1) => found.reduce((sum, one) => sum + Math.max(0, sign * one.difference), 0);
  const result = { number, gained: total(1), lost: total(-1), repeated: false };
  const after = { ...result, warehouse: warehouse.name, reason: input.reason };
  await audit(ctx, { action: '生成校正单', resource: RECONCILED, resourceId: input.clientId, after });
  return result;
}
