import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { COST } from '../../../contract/documents/fields.ts';
import { type CommandInput, touch } from '../core/act.ts';
import { noteEvent, seenBefore } from '../core/events.ts';
import { type Line, locked, type StockDocument } from '../core/load.ts';
import { requireMove } from '../core/places.ts';
import { type CountCell, cellKey, cellsOf } from './cells.ts';
import { addCells, stocktakeKind } from './stocktake.ts';

interface Counted {
  lineId?: string | undefined;
  productId?: string | undefined;
  locationId?: string | null | undefined;
  counted?: number | null | undefined;
  skipped: boolean;
  unitCost?: string | null | undefined;
  reason?: string | undefined;
}

export interface CountCommand extends CommandInput {
  clientId?: string | undefined;
  lines: readonly Counted[];
}

function requireCounting(doc: StockDocument, state: 'counting' | 'recounting'): void {
  if (doc.state === state) return;
  const title = stocktakeKind.def.states[doc.state]?.title ?? doc.state;
  throw conflict(`单据状态为【${title}】，不能执行【${state === 'counting' ? '录入' : '复盘'}】`);
}

/** @throws refused B0832 for a product or a place that the count does not cover */
async function requireInScope(ctx: Ctx, doc: StockDocument, product: string, location: string): Promise<void> {
  const { products = [], locations = [] } = doc.scope;
  const inside =
    (products.length === 0 || products.includes(product)) && (locations.length === 0 || locations.includes(location));
  if (!inside) throw refused('不在本次盘点范围内', 'B0832');
  if (!(await localProducts(ctx, [product])).has(product)) throw refused('产品不存在或已删除', 'B0822');
  const place = await ctx.db
    .selectFrom('warehouse.location')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', doc.warehouse)
    .where('id', '=', location)
    .executeTakeFirst();
  if (!place) throw refused('库位不属于所选仓库', 'B0802');
}

/** The line that was counted; something found that is not on the sheet gets a line of its own. */
async function lineFor(ctx: Ctx, doc: StockDocument, counted: Counted): Promise<Line | CountCell> {
  if (counted.lineId !== undefined) {
    const line = doc.lines.find((one) => one.id === counted.lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B0825');
    return line;
  }
  if (counted.productId === undefined) throw refused('请选择产品', 'B0832');
  const location = counted.locationId ?? doc.warehouse;
  const known = doc.lines.find(
    (one) => one.product === counted.productId && one.location === location && one.lot === counted.productId,
  );
  if (known) return known;
  await requireInScope(ctx, doc, counted.productId, location);
  return { product: counted.productId, location, lot: counted.productId, lotNo: '', qty: 0, bound: 0, seq: 0 };
}

async function withNewLines(ctx: Ctx, doc: StockDocument, lines: readonly Counted[]) {
  const targets: (Line | CountCell)[] = [];
  for (const counted of lines) targets.push(await lineFor(ctx, doc, counted));
  const fresh = targets.filter((one): one is CountCell => !('id' in one));
  if (fresh.length === 0) return { doc, targets: targets as Line[] };
  const once = [...new Map(fresh.map((cell) => [cellKey(cell), cell])).values()];
  await addCells(ctx, doc, once);
  const grown = await locked(ctx, stocktakeKind, doc.id);
  const byCell = new Map(
    grown.lines.map((line) => [
      cellKey({ product: line.product, location: line.location ?? '', lot: line.lot ?? '' }),
      line,
    ]),
  );
  const settled = targets.map((one) => ('id' in one ? one : byCell.get(cellKey(one))));
  return { doc: grown, targets: settled.filter((one): one is Line => one !== undefined) };
}

/** What the books say now, by place: a live count is held against the moment of its entry. */
async function booksNow(ctx: Ctx, doc: StockDocument, lines: readonly Line[]): Promise<Map<string, CountCell>> {
  if (doc.mode !== 'LIVE') return new Map();
  const cells = await unscoped(ctx, () =>
    cellsOf(
      ctx,
      { ...doc, scope: {} },
      lines.map((line) => line.product),
    ),
  );
  return new Map(cells.map((cell) => [cellKey(cell), cell]));
}

async function write(ctx: Ctx, doc: StockDocument, state: string, lines: readonly Counted[], targets: readonly Line[]) {
  const books = await booksNow(ctx, doc, targets);
  const rows = lines.map((counted, index) => {
    const line = targets[index];
    const book =
      line && books.get(cellKey({ product: line.product, location: line.location ?? '', lot: line.lot ?? '' }));
    return {
      id: line?.id,
      counted: counted.skipped ? null : (counted.counted ?? null),
      skipped: counted.skipped,
      reason: counted.reason ?? null,
      cost: can(ctx, COST) ? (counted.unitCost ?? null) : null,
      book: doc.mode === 'LIVE' ? (book?.qty ?? 0) : null,
      seq: doc.mode === 'LIVE' ? (book?.seq ?? 0) : null,
    };
  });
  const first = state === 'counting';
  await sql`
    UPDATE warehouse.document_line AS l
       SET counted_qty = CASE WHEN ${first} THEN r.counted ELSE l.counted_qty END,
           recount_qty = CASE WHEN ${first} THEN l.recount_qty ELSE r.counted END,
           skipped = CASE WHEN ${first} THEN r.skipped ELSE l.skipped END,
           reason = coalesce(r.reason, l.reason), unit_cost = coalesce(r.cost, l.unit_cost),
           book_qty = coalesce(r.book, l.book_qty), book_seq = coalesce(r.seq, l.book_seq),
           counted_by_name = ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(id uuid, counted int, skipped boolean, reason text, cost numeric, book int, seq bigint)
     WHERE l.company_id = ${ctx.companyId} AND l.id = r.id`.execute(ctx.db);
}

/**
 * Writes down what was found, the first time or again; entries of one `clientId` count once. It changes no state: several
 * people enter at the same time. @throws refused B0832 out of scope
 */
export async function enterCount(ctx: Ctx, state: 'counting' | 'recounting', input: CountCommand): Promise<Outcome> {
  const doc = await locked(ctx, stocktakeKind, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireCounting(doc, state);
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  const { doc: grown, targets } = await withNewLines(ctx, doc, input.lines);
  if (state === 'recounting' && targets.some((line) => !line.again)) throw refused('该行不需要复盘', 'B0832');
  await write(ctx, grown, state, input.lines, targets);
  await noteEvent(ctx, doc, state === 'counting' ? 'count' : 'recount', {
    clientId: input.clientId,
    lines: input.lines,
  });
  await touch(ctx, doc.id);
  return outcome(doc, `已录入 ${input.lines.length} 行`);
}
