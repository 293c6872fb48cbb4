import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { actionsOf } from '#kit/contract/document.ts';
import type { Product } from '#kit/contract/field.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { EntryRow, LineRow } from '../../../contract/documents/fields.ts';
import { StockStatus } from '../../../contract/stock.ts';
import { holdings } from '../core/events.ts';
import { type Line, loaded, type StockDocument, type StockKind } from '../core/load.ts';
import { warehouses } from '../core/places.ts';
import { difference, estimated, found } from '../kinds/stocktake.ts';
import { eventTitle } from './events.ts';
import { rowOf } from './list.ts';
import { availableOf } from './stock.ts';

const UNKNOWN: Product = { name: '—', code: '—' };

/** Book and difference are not told to those who count blind. */
function isBlind(doc: StockDocument): boolean {
  return doc.blind && ['counting', 'recounting'].includes(doc.state);
}

function countOf(doc: StockDocument, line: Line) {
  const hidden = isBlind(doc) || doc.kind !== 'stocktake';
  return {
    bookQty: hidden ? null : line.bookQty,
    countedQty: line.countedQty,
    recountQty: line.recountQty,
    diff: hidden || found(line) === undefined ? null : difference(line),
  };
}

async function locationCodes(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await unscoped(ctx, () =>
    ctx.db
      .selectFrom('warehouse.location')
      .select(['id', 'code'])
      .where('company_id', '=', ctx.companyId)
      .where('id', 'in', [...new Set(ids)])
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, row.code]));
}

interface OnHold {
  picked: number;
  /** Where a picker goes, e.g. 「A-01×3、B-02×1」. */
  places: string[];
}

/** What is held for each line, and where it lies. */
async function heldFor(ctx: Ctx, doc: StockDocument): Promise<Map<string, OnHold>> {
  if (!['outbound', 'transfer', 'overseas'].includes(doc.kind)) return new Map();
  const held = await holdings(ctx, doc);
  const codes = await locationCodes(
    ctx,
    held.map((one) => one.location),
  );
  const lines = new Map<string, OnHold>();
  for (const one of held) {
    const line = lines.get(one.line) ?? { picked: 0, places: [] };
    line.picked += one.picked;
    line.places.push(`${codes.get(one.location) ?? ''}×${one.held}`);
    lines.set(one.line, line);
  }
  return lines;
}

/** A count whose differences are not booked yet: who approves it reads what they come to. */
function awaitsApproval(doc: StockDocument): boolean {
  return doc.kind === 'stocktake' && doc.state === 'pending';
}

/** The lines of a document as people read them. A count that waits for its approval says what it would book. */
export async function lineRows(ctx: Ctx, doc: StockDocument): Promise<LineRow[]> {
  const ids = doc.lines.flatMap((line) => [line.product, ...(line.toProduct ? [line.toProduct] : [])]);
  const products = await localProducts(ctx, ids);
  const stock = await availableOf(ctx, doc.warehouse, ids);
  const codes = await locationCodes(
    ctx,
    doc.lines.flatMap((line) => line.location ?? []),
  );
  const held = await heldFor(ctx, doc);
  const amounts = awaitsApproval(doc) ? await estimated(ctx, doc) : await amountsOf(ctx, doc.id);
  return doc.lines.map((line) => ({
    id: line.id,
    lineNo: line.lineNo,
    productId: line.product,
    product: products.get(line.product)?.cell ?? UNKNOWN,
    toProductId: line.toProduct,
    toProduct: line.toProduct ? (products.get(line.toProduct)?.cell ?? UNKNOWN) : null,
    qty: line.qty,
    doneQty: line.doneQty,
    pickedQty: held.get(line.id)?.picked ?? 0,
    shortQty: line.shortQty,
    lotNo: line.lotNo,
    expiresAt: line.expiresAt,
    locationId: line.location,
    location: held.get(line.id)?.places.join('、') ?? (line.location ? (codes.get(line.location) ?? null) : null),
    qtyPer: line.qtyPer,
    unitCost: line.unitCost,
    fee: line.fee,
    amount: amounts.get(line.id) ?? null,
    ...countOf(doc, line),
    skipped: line.skipped,
    countedByName: '',
    reason: line.again ? `需复盘${line.reason ? `；${line.reason}` : ''}` : line.reason,
    available: stock.get(line.product)?.available ?? 0,
    toAvailable: line.toProduct ? (stock.get(line.toProduct)?.available ?? 0) : null,
  }));
}

async function amountsOf(ctx: Ctx, id: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; amount: string }>`
    SELECT id, amount::text AS amount FROM warehouse.document_line
     WHERE company_id = ${ctx.companyId} AND document_id = ${id} AND amount IS NOT NULL`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.amount]));
}

interface Entry {
  id: string;
  at: string;
  event: string;
  product: string;
  warehouse: string;
  location: string;
  lotNo: string;
  status: StockStatus;
  qty: number;
  after: number;
  amount: string | null;
  by: string;
}

/** What the document moved in warehouses that the caller may see, newest first; at most 500 entries. */
async function entriesOf(ctx: Ctx, doc: StockDocument): Promise<EntryRow[]> {
  const { rows } = await sql<Entry>`
    SELECT e.seq::text AS id, e.posted_at AS at, p.source_event AS event, e.product_id AS product, e.warehouse_id AS warehouse,
           l.code AS location, o.lot_no AS "lotNo", e.status, e.qty, e.balance_after AS after, e.amount, p.operator_name AS by
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id AND e.status <> 'OUTSIDE'
      JOIN warehouse.location AS l ON l.company_id = e.company_id AND l.id = e.location_id
      JOIN warehouse.lot AS o ON o.company_id = e.company_id AND o.id = e.lot_id
     WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${`warehouse.${doc.kind}`} AND p.source_id = ${doc.id}
     ORDER BY e.seq DESC LIMIT 500`.execute(ctx.db);
  const products = await localProducts(
    ctx,
    rows.map((row) => row.product),
  );
  const names = await warehouses(ctx);
  const titles = StockStatus.meta()?.states;
  return rows.map(({ product, ...row }) => ({
    ...row,
    event: eventTitle(row.event),
    productId: product,
    product: products.get(product)?.cell ?? UNKNOWN,
    warehouse: names.get(row.warehouse)?.name ?? '',
    status: titles?.[row.status]?.title ?? row.status,
  }));
}

/** Actions that the caller may take now. */
function offered(ctx: Ctx, kind: StockKind, doc: StockDocument) {
  const codes = [...new Set(Object.values(kind.def.transitions).map((rule) => rule.permission))];
  return actionsOf(kind.def, doc.state, new Set(codes.filter((code) => can(ctx, code))));
}

/** The head of a document that the caller may see. @throws notFound */
export async function headOf(ctx: Ctx, kind: StockKind, id: string) {
  const document = await rowOf(ctx, kind, id);
  if (!document) throw notFound();
  return document;
}

/** Gains and losses of a count apart, CNY, both without a sign. */
function gainAndLoss(lines: readonly LineRow[]): { gainAmount: string; lossAmount: string } {
  const amounts = lines.map(({ amount }) => new Decimal(amount ?? 0));
  const total = (sign: 1 | -1) => {
    const parts = amounts.filter((amount) => amount.times(sign).gt(0));
    return new Decimal(sum(parts.map((part) => part.abs().toFixed()))).toFixed(4);
  };
  return { gainAmount: total(1), lossAmount: total(-1) };
}

/** Everything that the page of a document shows. @throws notFound */
export async function detailOf(ctx: Ctx, kind: StockKind, id: string) {
  const head = await headOf(ctx, kind, id);
  const doc = await loaded(ctx, kind, id);
  const lines = await lineRows(ctx, doc);
  const document = awaitsApproval(doc) ? { ...head, ...gainAndLoss(lines) } : head;
  return {
    document,
    lines,
    entries: isBlind(doc) ? [] : await entriesOf(ctx, doc),
    actions: offered(ctx, kind, doc),
    timeline: await timelineOf(ctx, kind.def.name, id),
  };
}
