import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { stocktake } from '../../../contract/documents/stocktake.ts';
import { type FreezeScope, freeze, unfreeze } from '../../ledger/gate.ts';
import type { Move } from '../../ledger/types.ts';
import { act, type CommandInput, type Effect, requireState, step } from '../core/act.ts';
import { addAmounts, postEvent } from '../core/events.ts';
import { type Line, locked, type StockDocument, type StockKind } from '../core/load.ts';
import { atRest, requireMove, warehouseOf } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover, settingOf } from '../core/setting.ts';
import { lastCosts } from '../read/stock.ts';
import { type CountCell, cellKey, cellsOf } from './cells.ts';

export const stocktakeKind: StockKind = { name: 'stocktake', def: stocktake, audit: 'erp:wh:stocktake:audit' };
const OPEN = ['counting', 'recounting', 'pending'];

export const checkStocktake: Check = (input, from) =>
  input.type === 'OVERSEAS' && !['OVERSEAS', 'THIRD_PARTY'].includes(from.kind) ? '海外盘点须选择海外仓' : undefined;

function freezing(doc: StockDocument) {
  return { type: 'warehouse.stocktake', id: doc.id, number: doc.number };
}

/** Smallest set of freezes that covers what is counted. */
function freezeScopes(doc: StockDocument): FreezeScope[] {
  const { products = [], locations = [] } = doc.scope;
  const places = locations.length > 0 ? locations : [undefined];
  const goods = products.length > 0 ? products : [undefined];
  return places.flatMap((location) => goods.map((product) => ({ warehouse: doc.warehouse, location, product })));
}

/** @throws conflict where another open count has one of the places */
async function requireAlone(ctx: Ctx, doc: StockDocument, cells: readonly CountCell[]): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    SELECT d.number FROM warehouse.document AS d
      JOIN warehouse.document_line AS l ON l.company_id = d.company_id AND l.document_id = d.id
      JOIN jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) AS c(product uuid, location uuid, lot uuid)
        ON (l.product_id, l.location_id, l.lot_id) = (c.product, c.location, c.lot)
     WHERE d.company_id = ${ctx.companyId} AND d.kind = 'stocktake' AND d.warehouse_id = ${doc.warehouse}
       AND d.state = ANY (${OPEN}) AND d.id <> ${doc.id} LIMIT 1`.execute(ctx.db);
  if (rows[0]) throw conflict(`盘点范围与进行中的盘点（${rows[0].number}）重叠`);
}

/** Products that were asked for and are not on the books are looked for all the same, at the place of arrival. */
function nothingThere(doc: StockDocument, cells: readonly CountCell[]): CountCell[] {
  const found = new Set(cells.map((cell) => cell.product));
  const place = doc.scope.locations?.[0] ?? doc.warehouse;
  return (doc.scope.products ?? [])
    .filter((product) => !found.has(product))
    .map((product) => ({ product, location: place, lot: product, lotNo: '', qty: 0, bound: 0, seq: 0 }));
}

/** Adds lines for places at the end of the sheet. */
export async function addCells(ctx: Ctx, doc: StockDocument, cells: readonly CountCell[]): Promise<void> {
  await sql`
    INSERT INTO warehouse.document_line (company_id, document_id, line_no, product_id, location_id, lot_id, lot_no, book_qty,
      book_seq)
    SELECT ${ctx.companyId}, ${doc.id}, ${doc.lines.length}::int + c.n, c.product, c.location, c.lot, c."lotNo", c.qty, c.seq
      FROM jsonb_to_recordset(${JSON.stringify(cells.map((cell, index) => ({ ...cell, n: index + 1 })))}::jsonb)
        AS c(n int, product uuid, location uuid, lot uuid, "lotNo" text, qty int, seq bigint)`.execute(ctx.db);
}

const start: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  // Two counts that begin at once see each other.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`warehouse.count:${doc.warehouse}`}, 0))`.execute(ctx.db);
  await unscoped(ctx, async () => {
    if (doc.mode === 'FREEZE') await freeze(ctx, freezing(doc), freezeScopes(doc));
    const books = (await cellsOf(ctx, doc)).filter((cell) => cell.qty !== 0);
    const cells = [...books, ...nothingThere(doc, books)];
    if (cells.length === 0) throw refused('盘点范围内没有库存', 'B0829');
    await requireAlone(ctx, doc, cells);
    await addCells(ctx, doc, cells);
  });
};

/** Pieces that the count found, or undefined for a line that nobody counted. */
export function found(line: Pick<Line, 'countedQty' | 'recountQty' | 'skipped'>): number | undefined {
  return line.skipped ? undefined : (line.recountQty ?? line.countedQty ?? undefined);
}

/** What the books lack, against what they said at the moment of the count; 0 for a line that nobody counted. */
export function difference(line: Pick<Line, 'countedQty' | 'recountQty' | 'skipped' | 'bookQty'>): number {
  const pieces = found(line);
  return pieces === undefined ? 0 : pieces - (line.bookQty ?? 0);
}

/**
 * What approving a count would book, CNY by line: gains at the last cost of a piece, or what was entered; losses at that
 * price too, while the ledger will take them from the oldest layers. Lines without a difference or a price are left out.
 */
export async function estimated(ctx: Ctx, doc: StockDocument): Promise<Map<string, string>> {
  const diffs = doc.lines.filter((line) => difference(line) !== 0);
  const costs = await lastCosts(
    ctx,
    diffs.map((line) => line.product),
  );
  return new Map(
    diffs.flatMap((line) => {
      const cost = costs.get(line.product) ?? line.unitCost;
      return cost === null ? [] : [[line.id, new Decimal(cost).times(difference(line)).toFixed(4)]];
    }),
  );
}

/** Lines whose difference is above both limits of the company. */
async function doubtful(ctx: Ctx, doc: StockDocument): Promise<string[]> {
  const { recountShare, recountAmount } = await settingOf(ctx);
  const costs = await lastCosts(
    ctx,
    doc.lines.map((line) => line.product),
  );
  return doc.lines
    .filter((line) => {
      const diff = Math.abs(difference(line));
      const cost = costs.get(line.product) ?? line.unitCost ?? '0';
      return (
        new Decimal(diff).gt(new Decimal(recountShare).times(line.bookQty ?? 0)) &&
        new Decimal(diff).times(cost).gt(recountAmount)
      );
    })
    .map((line) => line.id);
}

/**
 * Hands a count in: to be counted again where differences are large, else to whoever approves.
 * @throws refused B0829 with lines that are neither counted nor marked 未盘
 */
export async function submitCount(ctx: Ctx, input: CommandInput): Promise<Outcome> {
  const doc = await locked(ctx, stocktakeKind, input.id);
  const name = doc.state === 'recounting' ? 'recounted' : 'submit';
  if (doc.state === 'pending') return act(ctx, stocktakeKind, name, input);
  requireState(stocktakeKind, doc, name);
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  const open = doc.lines.filter((line) =>
    name === 'recounted' ? line.again && line.recountQty === null : found(line) === undefined && !line.skipped,
  );
  if (open.length > 0)
    throw refused(`还有 ${open.length} 行未${name === 'recounted' ? '复盘' : '盘点'}，请录入或标记为未盘`, 'B0829');
  if (name === 'recounted') return step(ctx, stocktakeKind, doc, name);
  const again = await doubtful(ctx, doc);
  if (again.length === 0) return step(ctx, stocktakeKind, doc, name);
  return step(ctx, stocktakeKind, doc, 'recount', async () => {
    await sql`
      UPDATE warehouse.document_line SET again = true
       WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} AND id = ANY (${again}::uuid[])`.execute(ctx.db);
  });
}

/** @throws refused B0830 where fewer pieces were found than are promised, B0831 for a gain without a cost */
async function requirePostable(
  ctx: Ctx,
  doc: StockDocument,
  diffs: readonly Line[],
  costs: ReadonlyMap<string, string>,
) {
  const products = await localProducts(
    ctx,
    diffs.map((line) => line.product),
  );
  const books = new Map((await cellsOf(ctx, doc)).map((cell) => [cellKey(cell), cell]));
  for (const line of diffs) {
    const sku = products.get(line.product)?.sku ?? '';
    const book = books.get(cellKey({ product: line.product, location: line.location ?? '', lot: line.lot ?? '' }));
    if ((book?.qty ?? 0) + difference(line) < (book?.bound ?? 0)) {
      throw refused(`SKU【${sku}】盘点数小于待出库 ${book?.bound ?? 0}，请先撤销相关单据`, 'B0830');
    }
    if (difference(line) > 0 && !costs.has(line.product) && line.unitCost === null) {
      throw refused(`SKU【${sku}】没有成本记录，请填写盘盈单价`, 'B0831');
    }
  }
}

const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, stocktakeKind, doc);
  await unscoped(ctx, async () => {
    const diffs = doc.lines.filter((line) => difference(line) !== 0);
    const costs = await lastCosts(
      ctx,
      diffs.map((line) => line.product),
    );
    await requirePostable(ctx, doc, diffs, costs);
    const status = atRest(await warehouseOf(ctx, doc.warehouse));
    const moves = diffs.map((line): Move => {
      const qty = Math.abs(difference(line));
      const here = {
        warehouse: doc.warehouse,
        status,
        location: line.location ?? undefined,
        lot: line.lot ?? undefined,
      };
      if (difference(line) < 0) return { product: line.product, qty, from: here, to: 'ADJUSTMENT' };
      const unit = costs.has(line.product) ? undefined : (line.unitCost ?? undefined);
      return {
        product: line.product,
        qty,
        from: 'ADJUSTMENT',
        to: here,
        cost: unit === undefined ? undefined : { unit },
      };
    });
    if (moves.length > 0) {
      const posting = await postEvent(ctx, doc, 'adjust', moves);
      const lineOf = diffs.map((line) => line.id);
      await addAmounts(ctx, posting, lineOf, 'in');
      await addAmounts(ctx, posting, lineOf, 'out', -1);
    }
    await unfreeze(ctx, freezing(doc));
  });
};

const reject: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await sql`
    UPDATE warehouse.document_line SET again = false, recount_qty = NULL
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id}`.execute(ctx.db);
};

const cancel: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await unscoped(ctx, () => unfreeze(ctx, freezing(doc)));
};

export const stocktakeEffects: Record<string, Effect> = { start, approve, reject, cancel };
