import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { bomOf, localProducts, partPieces } from '#modules/product/server/index.ts';
import { assembly } from '../../../contract/documents/assembly.ts';
import type { Move } from '../../ledger/types.ts';
import type { Effect } from '../core/act.ts';
import { reserveLines } from '../core/draw.ts';
import { addAmounts, hold, holdings, letGo, postEvent, takeBack } from '../core/events.ts';
import { addDone, clearDone } from '../core/lines.ts';
import type { StockDocument, StockKind } from '../core/load.ts';
import { requireMove } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover } from '../core/setting.ts';
import { availableOf, lastCosts } from '../read/stock.ts';

export const assemblyKind: StockKind = { name: 'assembly', def: assembly, audit: 'erp:wh:assembly:audit' };

export const checkAssembly: Check = (input, from) => {
  if (from.quality !== 'GOOD') return '加工须选择正品仓';
  return input.lines.some((line) => line.productId === input.productId) ? '主产品不能同时是子件' : undefined;
};

interface Main {
  product: string;
  qty: number;
}

function mainOf(doc: StockDocument): Main {
  if (doc.product === null || doc.qty === null) throw new Error('assembly without a product');
  return { product: doc.product, qty: doc.qty };
}

const takesApart = (doc: StockDocument) => doc.type === 'DISASSEMBLE';

const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, assemblyKind, doc);
  const { product, qty } = mainOf(doc);
  const main = [{ line: doc.id, product, qty, warehouse: doc.warehouse }];
  await hold(ctx, doc, takesApart(doc) ? main : reserveLines(doc));
};

const start: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  const held = await holdings(ctx, doc);
  const needed = takesApart(doc) ? mainOf(doc).qty : doc.lines.reduce((sum, line) => sum + line.qty, 0);
  // Lines hold what they need or less, so the sums tell.
  if (held.reduce((sum, one) => sum + one.held, 0) < needed) {
    throw refused('占用的用料已释放，请撤销后重新提交，或从其他单据改派', 'B0826');
  }
  const moves = held.map(
    ({ id, product, location, lot, held: qty }): Move => ({
      product,
      qty,
      reservation: id,
      from: { warehouse: doc.warehouse, status: 'RESERVED', location, lot },
      to: { warehouse: doc.warehouse, status: 'PROCESSING', location, lot },
    }),
  );
  await postEvent(ctx, doc, 'start', moves);
};

interface Cell {
  product: string;
  location: string;
  lot: string;
  qty: number;
}

/** What the document has in work, as its own posting says. */
async function inWork(ctx: Ctx, doc: StockDocument): Promise<Cell[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<Cell>`
      SELECT e.product_id AS product, e.location_id AS location, e.lot_id AS lot, e.qty
        FROM warehouse.document_event AS d
        JOIN warehouse.stock_entry AS e ON e.company_id = d.company_id AND e.posting_id = d.posting_id
         AND e.status = 'PROCESSING' AND e.qty > 0
       WHERE d.company_id = ${ctx.companyId} AND d.document_id = ${doc.id} AND d.event = 'start'
       ORDER BY e.seq`.execute(ctx.db),
  );
  return rows;
}

function usedUp(doc: StockDocument, cells: readonly Cell[]): Move[] {
  return cells.map(({ product, location, lot, qty }) => ({
    product,
    qty,
    group: 1,
    from: { warehouse: doc.warehouse, status: 'PROCESSING', location, lot },
    to: 'ASSEMBLY',
  }));
}

/** How the value of what is taken apart falls on the parts: by what they last cost, by pieces where one has no cost. */
async function weights(ctx: Ctx, doc: StockDocument): Promise<string[]> {
  const costs = await lastCosts(
    ctx,
    doc.lines.map((line) => line.product),
  );
  const known = doc.lines.every((line) => new Decimal(costs.get(line.product) ?? 0).gt(0));
  return doc.lines.map((line) =>
    known ? new Decimal(costs.get(line.product) ?? 0).times(line.qty).toFixed() : String(line.qty),
  );
}

async function made(ctx: Ctx, doc: StockDocument): Promise<Move[]> {
  const here = { warehouse: doc.warehouse, status: 'AVAILABLE' } as const;
  const plus = doc.otherFee;
  if (!takesApart(doc)) {
    return [{ ...mainOf(doc), group: 1, from: 'ASSEMBLY', to: here, cost: { sum: true, plus } }];
  }
  const shares = await weights(ctx, doc);
  return doc.lines.map((line, index) => ({
    product: line.product,
    qty: line.qty,
    group: 1,
    from: 'ASSEMBLY',
    to: here,
    cost: { sum: true, weight: shares[index] ?? '1', ...(index === 0 ? { plus } : {}) },
  }));
}

const finish: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  const used = usedUp(doc, await inWork(ctx, doc));
  const result = await made(ctx, doc);
  const posting = await postEvent(ctx, doc, 'finish', [...used, ...result]);
  const lineBy = (product: string) => doc.lines.find((line) => line.product === product)?.id;
  const lineOf = [...used, ...result].map((move) => lineBy(move.product));
  await addAmounts(ctx, posting, lineOf, takesApart(doc) ? 'in' : 'out');
  await addDone(ctx, new Map(doc.lines.map((line) => [line.id, line.qty])));
};

const cancel: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  if (doc.state !== 'processing') return letGo(ctx, doc);
  const moves = (await inWork(ctx, doc)).map(
    ({ product, location, lot, qty }): Move => ({
      product,
      qty,
      from: { warehouse: doc.warehouse, status: 'PROCESSING', location, lot },
      to: { warehouse: doc.warehouse, status: 'AVAILABLE', location, lot },
    }),
  );
  await postEvent(ctx, doc, 'giveUp', moves);
};

const undo: Effect = async (ctx, doc, { reason }) => {
  requireMove(ctx, doc.warehouse);
  await takeBack(ctx, doc, reason);
  await clearDone(ctx, doc);
};

export const assemblyEffects: Record<string, Effect> = { approve, start, finish, cancel, reverse: undo };

/** The parts of a product by its list in force for a number of sets, whole pieces; none where it has no list. */
export async function partsFor(ctx: Ctx, productId: string, qty: number, warehouseId: string) {
  const bom = await bomOf(ctx, productId);
  const ids = (bom?.lines ?? []).map((line) => line.componentId);
  const products = await localProducts(ctx, ids);
  const stock = await availableOf(ctx, warehouseId, ids);
  return (bom?.lines ?? []).flatMap((line) => {
    const product = products.get(line.componentId);
    if (!product) return [];
    return [
      {
        productId: product.id,
        product: product.cell,
        qtyPer: line.qtyPer,
        qty: partPieces(line, qty),
        available: stock.get(product.id)?.available ?? 0,
      },
    ];
  });
}
