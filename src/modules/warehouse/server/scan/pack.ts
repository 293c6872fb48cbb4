import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { codesOf, localProducts } from '#modules/product/server/index.ts';
import type { LineRow } from '../../contract/documents/fields.ts';
import type { PackLine, ScanKind, ScanPack } from '../../contract/scan.ts';
import type { StockKind } from '../documents/core/load.ts';
import { atRest, requireMove, warehouseOf } from '../documents/core/places.ts';
import { inboundKind } from '../documents/kinds/inbound.ts';
import { outboundKind } from '../documents/kinds/outbound.ts';
import { overseasKind } from '../documents/kinds/overseas.ts';
import { stocktakeKind } from '../documents/kinds/stocktake.ts';
import { transferKind } from '../documents/kinds/transfer.ts';
import { detailOf } from '../documents/read/detail.ts';
import { picksOf } from './picks.ts';
import type { OwnKind } from './tasks.ts';

export const SCAN_KINDS: Record<OwnKind, StockKind> = {
  inbound: inboundKind,
  outbound: outboundKind,
  transfer: transferKind,
  overseas: overseasKind,
  stocktake: stocktakeKind,
};

/** More places or cells than a phone should hold are left out, the nearest to the picker's way first. */
const MOST = 10_000;

function piecesOf(kind: OwnKind, state: string, line: LineRow): Pick<PackLine, 'want' | 'done'> {
  if (kind === 'stocktake')
    return { want: null, done: (state === 'recounting' ? line.recountQty : line.countedQty) ?? 0 };
  if (kind === 'outbound') return { want: line.qty - line.shortQty, done: line.pickedQty };
  return { want: line.qty, done: line.doneQty };
}

async function taskOf(ctx: Ctx, kind: OwnKind, id: string): Promise<ScanPack['task']> {
  const { document, lines } = await detailOf(ctx, SCAN_KINDS[kind], id);
  const head = document as { number: string; partner?: string; state: string };
  const rows = lines.map((line) => ({
    lineId: line.id,
    productId: line.productId,
    locationId: line.locationId,
    place: line.location ?? '',
    ...piecesOf(kind, head.state, line),
  }));
  return {
    id,
    kind,
    number: head.number,
    partner: head.partner ?? '',
    state: head.state,
    skus: new Set(rows.map((row) => row.productId)).size,
    qty: lines.reduce((sum, line) => sum + line.qty, 0),
    done: rows.reduce((sum, row) => sum + row.done, 0),
    lines: rows,
  };
}

async function placesOf(ctx: Ctx, warehouse: string): Promise<ScanPack['locations']> {
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT id, code FROM warehouse.location
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse} AND type <> 'AREA' AND NOT frozen
     ORDER BY type <> 'STAGING', pick_sequence, path LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

async function freeCells(ctx: Ctx, warehouse: string, status: string): Promise<ScanPack['cells']> {
  const { rows } = await sql<{ productId: string; locationId: string; qty: number }>`
    SELECT b.product_id AS "productId", b.location_id AS "locationId", sum(b.qty)::int AS qty
      FROM warehouse.stock_balance AS b
      JOIN warehouse.location AS l ON l.company_id = b.company_id AND l.id = b.location_id
     WHERE b.company_id = ${ctx.companyId} AND b.warehouse_id = ${warehouse} AND b.status = ${status} AND b.qty > 0
     GROUP BY 1, 2, l.pick_sequence, l.path ORDER BY l.pick_sequence, l.path, 1 LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

/**
 * Everything that a task needs while there is no network: places, products with the codes of their labels, and what lies
 * where; of a document its lines. @throws forbidden for a warehouse out of the caller's data rights, notFound for a
 * document that is not there or of another warehouse
 */
export async function pack(
  ctx: Ctx,
  query: { warehouseId: string; kind?: ScanKind | undefined; id?: string | undefined },
): Promise<ScanPack> {
  requireMove(ctx, query.warehouseId);
  const warehouse = await warehouseOf(ctx, query.warehouseId);
  const task = query.kind && query.id ? await placed(ctx, query.kind, query.id, warehouse.id) : null;
  const cells = await freeCells(ctx, warehouse.id, atRest(warehouse));
  const ids = [...new Set([...(task?.lines ?? cells).map((one) => one.productId)])];
  const products = await localProducts(ctx, ids);
  const codes = await codesOf(ctx, ids);
  return {
    warehouseId: warehouse.id,
    warehouse: warehouse.name,
    locations: await placesOf(ctx, warehouse.id),
    products: [...products.values()].map(({ id, cell }) => ({ id, product: cell, codes: codes.get(id) ?? [] })),
    cells: task ? cells.filter((cell) => products.has(cell.productId)) : cells,
    task,
  };
}

/** A task in the warehouse where it is worked at. @throws notFound for one that is not there or of another warehouse */
async function placed(ctx: Ctx, kind: ScanKind, id: string, warehouse: string): Promise<ScanPack['task']> {
  if (kind === 'ship' || kind === 'self') {
    const found = await picksOf(ctx)
      .find((one) => one.kind === kind)
      ?.task(ctx, id);
    if (found?.warehouseId !== warehouse) throw notFound();
    return found.task;
  }
  const task = await taskOf(ctx, kind, id);
  if (!(await isOf(ctx, id, warehouse))) throw notFound();
  return task;
}

/** Whether pieces of a document are handled in a warehouse. */
async function isOf(ctx: Ctx, id: string, warehouse: string): Promise<boolean> {
  const { rows } = await sql<{ here: boolean }>`
    SELECT CASE WHEN kind IN ('transfer', 'overseas') THEN to_warehouse_id ELSE warehouse_id END = ${warehouse} AS here
      FROM warehouse.document WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  return rows[0]?.here ?? false;
}
