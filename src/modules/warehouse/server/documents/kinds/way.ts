import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { localProducts, packedSizes } from '#modules/product/server/index.ts';
import type { Held } from '../../ledger/reserve.ts';
import type { Move } from '../../ledger/types.ts';
import { type CommandInput, type Effect, requireState, step } from '../core/act.ts';
import { draw, reserveLines } from '../core/draw.ts';
import { hold, holdings, letGo, postEvent, seenBefore } from '../core/events.ts';
import { addDone, addShort, sumBy } from '../core/lines.ts';
import { type Line, locked, type StockDocument, type StockKind } from '../core/load.ts';
import { atRest, requireMove, type Warehouse, warehouseOf } from '../core/places.ts';
import { requireOtherApprover } from '../core/setting.ts';
import { feesOf, putFees, shareFees } from './fees.ts';

// What documents between two warehouses have in common: pieces are held, leave, are on their way, arrive or are lost.

/** States in which pieces are held at home. */
const HOLDING: readonly string[] = ['allocating', 'packing'];

/** Where the pieces go, the id of a warehouse. */
export function goal(doc: StockDocument): string {
  if (doc.toWarehouse === null) throw new Error('way without a target');
  return doc.toWarehouse;
}

/** 待入库 at the target comes up or goes again; a memo, no stock. */
function memo(doc: StockDocument, line: Line, way: 'up' | 'back'): Move {
  const there = { warehouse: goal(doc), status: 'EXPECTED' } as const;
  const sides = way === 'up' ? { from: 'SUPPLIER' as const, to: there } : { from: there, to: 'SUPPLIER' as const };
  return { product: line.product, qty: line.qty, ...sides };
}

/** How the fees fall on the lines. @throws refused B0828 where they cannot be shared so */
async function feesByLine(ctx: Ctx, doc: StockDocument): Promise<Map<string, string>> {
  const ids = doc.lines.map((line) => line.product);
  const products = await localProducts(ctx, ids);
  const sizes = ['WEIGHT', 'VOLUME'].includes(doc.feeSplit) ? await packedSizes(ctx, ids) : undefined;
  return shareFees(feesOf(doc), doc.feeSplit, doc.lines, sizes, (id) => products.get(id)?.sku ?? '');
}

/** Refuses what could not be shared later. @throws refused B0828 */
export const submitWay: Effect = async (ctx, doc) => {
  await feesByLine(ctx, doc);
};

/** Holds what leaves; what cannot be held is looked at only. */
export async function allot(ctx: Ctx, doc: StockDocument): Promise<void> {
  const from = await warehouseOf(ctx, doc.warehouse);
  if (from.quality === 'GOOD') await hold(ctx, doc, reserveLines(doc));
  else await draw(ctx, from, atRest(from), doc.lines);
}

/** Holds the pieces and announces them at the other end. @throws refused B0820 by its maker, B0801 not enough */
export const approveWay =
  (kind: StockKind): Effect =>
  async (ctx, doc) => {
    requireMove(ctx, doc.warehouse);
    await requireOtherApprover(ctx, kind, doc);
    await allot(ctx, doc);
    await postEvent(
      ctx,
      doc,
      'expect',
      doc.lines.map((line) => memo(doc, line, 'up')),
    );
  };

interface Leaving {
  line: string;
  lot: string;
  move: Move;
}

/** @throws refused B0826 where somebody gave back what the document held, or its time was over */
function requireHeld(doc: StockDocument, holds: readonly Held[]): void {
  const held = sumBy(
    holds,
    (one) => one.line,
    (one) => one.held,
  );
  if (doc.lines.some((line) => (held.get(line.id) ?? 0) < line.qty)) {
    throw refused('占用的库存已释放，请撤销后重新提交', 'B0826');
  }
}

async function leaving(ctx: Ctx, doc: StockDocument): Promise<Leaving[]> {
  const from = await warehouseOf(ctx, doc.warehouse);
  const to = (lot: string) => ({ warehouse: goal(doc), status: 'IN_TRANSIT', lot }) as const;
  if (from.quality !== 'GOOD') {
    const status = atRest(from);
    return (await draw(ctx, from, status, doc.lines)).map(({ line, product, location, lot, qty }) => ({
      line,
      lot,
      move: { product, qty, from: { warehouse: from.id, status, location, lot }, to: to(lot) },
    }));
  }
  const holds = await holdings(ctx, doc);
  requireHeld(doc, holds);
  return holds.map(({ id, line, product, location, lot, held }) => ({
    line,
    lot,
    move: {
      product,
      qty: held,
      reservation: id,
      from: { warehouse: from.id, status: 'RESERVED', location, lot },
      to: to(lot),
    },
  }));
}

async function notePieces(ctx: Ctx, doc: StockDocument, gone: readonly Leaving[]): Promise<void> {
  const sums = sumBy(
    gone,
    (one) => `${one.line} ${one.lot}`,
    (one) => one.move.qty,
  );
  await ctx.db
    .insertInto('warehouse.document_piece')
    .values(
      [...sums].map(([key, qty]) => {
        const [line = '', lot = ''] = key.split(' ');
        return { company_id: ctx.companyId, document_id: doc.id, line_id: line, lot_id: lot, qty };
      }),
    )
    .execute();
}

async function noteFees(ctx: Ctx, fees: ReadonlyMap<string, string>): Promise<void> {
  const list = [...fees].map(([line, fee]) => ({ line, fee }));
  await sql`
    UPDATE warehouse.document_line AS l SET fee = v.fee
      FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS v(line uuid, fee numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.line`.execute(ctx.db);
}

/**
 * Everything leaves: on its way to the target, with the fees in its layers under `component`. `expected`: the memo at the
 * target goes with it.
 */
export async function send(ctx: Ctx, doc: StockDocument, component: string, expected: boolean): Promise<void> {
  const gone = await leaving(ctx, doc);
  const memos = expected ? doc.lines.map((line) => memo(doc, line, 'back')) : [];
  const posting = await postEvent(ctx, doc, 'ship', [...gone.map(({ move }) => move), ...memos]);
  await notePieces(ctx, doc, gone);
  const fees = await feesByLine(ctx, doc);
  await putFees(
    ctx,
    doc,
    { posting, component },
    fees,
    gone.map(({ line, move }) => ({ line, qty: move.qty })),
  );
  await noteFees(ctx, fees);
}

/** Sends what is held. */
export const shipWay =
  (component: string): Effect =>
  async (ctx, doc) => {
    requireMove(ctx, doc.warehouse);
    await send(ctx, doc, component, true);
  };

/** Pieces of a line and lot that left: how many, and how many of them are still on their way. */
export interface Piece {
  line: string;
  lot: string;
  qty: number;
  open: number;
}

/** What left with a document, its rows locked. */
export async function onTheWay(ctx: Ctx, doc: StockDocument): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    SELECT line_id AS line, lot_id AS lot, qty, qty - received_qty AS open FROM warehouse.document_piece
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} ORDER BY line_id, lot_id FOR UPDATE`.execute(
    ctx.db,
  );
  return rows;
}

export interface Arrived {
  lineId: string;
  qty: number;
  locationId?: string | null | undefined;
}

/** Takes pieces that are on their way for a line, lot by lot. @throws refused B0825 more than are on their way */
function arriving(pieces: Piece[], { lineId, qty }: Arrived): { lot: string; qty: number }[] {
  const mine = pieces.filter((piece) => piece.line === lineId);
  const open = mine.reduce((total, piece) => total + piece.open, 0);
  if (qty > open) throw refused(`收货数量超过应收 ${open}`, 'B0825');
  let rest = qty;
  return mine.flatMap((piece) => {
    const now = Math.min(rest, piece.open);
    piece.open -= now;
    rest -= now;
    return now > 0 ? [{ lot: piece.lot, qty: now }] : [];
  });
}

/** Takes pieces in at the target. @throws refused B0825 more than are on their way */
export async function takeIn(
  ctx: Ctx,
  doc: StockDocument,
  lines: readonly Arrived[],
  clientId?: string,
): Promise<void> {
  const to = await warehouseOf(ctx, goal(doc));
  const pieces = await onTheWay(ctx, doc);
  await postEvent(ctx, doc, 'receive', arrivals(doc, to, pieces, lines), { clientId, lines });
  await noteReceived(ctx, pieces);
  await addDone(
    ctx,
    sumBy(
      lines,
      (line) => line.lineId,
      (line) => line.qty,
    ),
  );
}

/** Moves of pieces that arrive; what is open of `pieces` goes down. @throws refused B0825 */
export function arrivals(doc: StockDocument, to: Warehouse, pieces: Piece[], lines: readonly Arrived[]): Move[] {
  const moves: Move[] = [];
  for (const line of lines) {
    const product = doc.lines.find((one) => one.id === line.lineId)?.product;
    if (product === undefined) throw refused('明细行不存在，请刷新后重试', 'B0825');
    for (const { lot, qty } of arriving(pieces, line)) {
      moves.push({
        product,
        qty,
        from: { warehouse: to.id, status: 'IN_TRANSIT', lot },
        to: { warehouse: to.id, status: atRest(to), lot, location: line.locationId ?? undefined },
      });
    }
  }
  return moves;
}

/** Writes down how much of each lot has arrived. */
export async function noteReceived(ctx: Ctx, pieces: readonly Piece[]): Promise<void> {
  await sql`
    UPDATE warehouse.document_piece AS p SET received_qty = p.qty - v.open
      FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) AS v(line uuid, lot uuid, open int)
     WHERE p.company_id = ${ctx.companyId} AND p.line_id = v.line AND p.lot_id = v.lot`.execute(ctx.db);
}

/** What has not come is lost, with its value. */
export const closeWay: Effect = async (ctx, doc, { reason }) => {
  const pieces = (await onTheWay(ctx, doc)).filter(({ open }) => open > 0);
  const moves = pieces.flatMap(({ line, lot, open }): Move[] => {
    const product = doc.lines.find((one) => one.id === line)?.product;
    return product
      ? [{ product, qty: open, from: { warehouse: goal(doc), status: 'IN_TRANSIT', lot }, to: 'LOST' }]
      : [];
  });
  await postEvent(ctx, doc, 'close', moves, { note: reason });
  await addShort(
    ctx,
    sumBy(
      pieces,
      (piece) => piece.line,
      (piece) => piece.open,
    ),
  );
};

/** Gives back what is held, if anything is. */
export const cancelWay: Effect = async (ctx, doc) => {
  if (!HOLDING.includes(doc.state)) return;
  requireMove(ctx, doc.warehouse);
  await letGo(ctx, doc);
  await postEvent(
    ctx,
    doc,
    'giveUp',
    doc.lines.map((line) => memo(doc, line, 'back')),
  );
};

export interface Receipt extends CommandInput {
  clientId?: string | undefined;
  lines: readonly Arrived[];
}

/**
 * One receipt at the target; the document is done with the last piece. A receipt that came before by its `clientId`
 * changes nothing. @throws refused B0825 more than is on its way
 */
export async function receiveWay(ctx: Ctx, kind: StockKind, input: Receipt): Promise<Outcome> {
  const doc = await locked(ctx, kind, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(kind, doc, 'receive');
  requireFresh(doc, input.version);
  requireMove(ctx, goal(doc));
  const come = sumBy(
    input.lines,
    (line) => line.lineId,
    (line) => line.qty,
  );
  const complete = doc.lines.every((line) => line.doneQty + (come.get(line.id) ?? 0) >= line.qty);
  return step(ctx, kind, doc, complete ? 'receiveAll' : 'receive', () => takeIn(ctx, doc, input.lines, input.clientId));
}
