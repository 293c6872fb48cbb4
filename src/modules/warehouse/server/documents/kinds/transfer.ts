import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { localProducts, packedSizes } from '#modules/product/server/index.ts';
import { type TransferType, transfer, WAYS } from '../../../contract/documents/transfer.ts';
import type { Move } from '../../ledger/types.ts';
import { type CommandInput, DONE_BEFORE, type Effect, outcome, requireFresh, requireState, step } from '../core/act.ts';
import { draw, reserveLines } from '../core/draw.ts';
import { hold, holdings, letGo, postEvent, seenBefore } from '../core/events.ts';
import { addDone, addShort, sumBy } from '../core/lines.ts';
import { type Line, locked, type StockDocument, type StockKind } from '../core/load.ts';
import { atRest, requireMove, warehouseOf } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover } from '../core/setting.ts';
import { feesOf, putFees, shareFees } from './fees.ts';

export const transferKind: StockKind = { name: 'transfer', def: transfer, audit: 'erp:wh:transfer:audit' };

export const checkTransfer: Check = (input, from, to) => {
  const way = WAYS[input.type as TransferType];
  if (!to) return '请选择调入仓库';
  if (!way.from.includes(from.quality) || !way.to.includes(to.quality)) return way.words;
  const abroad = ['OVERSEAS', 'THIRD_PARTY'].includes(from.kind);
  return input.type === 'RETURN' && (!abroad || to.kind !== 'LOCAL') ? way.words : undefined;
};

/** Where the pieces go. */
function goal(doc: StockDocument): string {
  if (doc.toWarehouse === null) throw new Error('transfer without a target');
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

const submit: Effect = async (ctx, doc) => {
  await feesByLine(ctx, doc);
};

/** Holds what leaves; what cannot be held is looked at only. */
async function allot(ctx: Ctx, doc: StockDocument): Promise<void> {
  const from = await warehouseOf(ctx, doc.warehouse);
  if (from.quality === 'GOOD') await hold(ctx, doc, reserveLines(doc));
  else await draw(ctx, from, atRest(from), doc.lines);
}

const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, transferKind, doc);
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
  return (await holdings(ctx, doc)).map(({ id, line, product, location, lot, held }) => ({
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

/** Everything leaves: on its way to the target, with the fees in its layers. */
async function send(ctx: Ctx, doc: StockDocument, expected: boolean): Promise<void> {
  const gone = await leaving(ctx, doc);
  const memos = expected ? doc.lines.map((line) => memo(doc, line, 'back')) : [];
  const posting = await postEvent(ctx, doc, 'ship', [...gone.map(({ move }) => move), ...memos]);
  await notePieces(ctx, doc, gone);
  const fees = await feesByLine(ctx, doc);
  await putFees(
    ctx,
    doc,
    posting,
    fees,
    gone.map(({ line, move }) => ({ line, qty: move.qty })),
  );
  await noteFees(ctx, fees);
}

const ship: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await send(ctx, doc, true);
};

interface Piece {
  line: string;
  lot: string;
  open: number;
}

async function onTheWay(ctx: Ctx, doc: StockDocument): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    SELECT line_id AS line, lot_id AS lot, qty - received_qty AS open FROM warehouse.document_piece
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} AND qty > received_qty
     ORDER BY line_id, lot_id FOR UPDATE`.execute(ctx.db);
  return rows;
}

interface Arrived {
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

async function takeIn(ctx: Ctx, doc: StockDocument, lines: readonly Arrived[], clientId?: string): Promise<void> {
  const to = await warehouseOf(ctx, goal(doc));
  const pieces = await onTheWay(ctx, doc);
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
  await postEvent(ctx, doc, 'receive', moves, { clientId, lines });
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

async function noteReceived(ctx: Ctx, pieces: readonly Piece[]): Promise<void> {
  await sql`
    UPDATE warehouse.document_piece AS p SET received_qty = p.qty - v.open
      FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) AS v(line uuid, lot uuid, open int)
     WHERE p.company_id = ${ctx.companyId} AND p.line_id = v.line AND p.lot_id = v.lot`.execute(ctx.db);
}

/** What has not come is lost, with its value. */
const close: Effect = async (ctx, doc, { reason }) => {
  const pieces = await onTheWay(ctx, doc);
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

const cancel: Effect = async (ctx, doc) => {
  if (doc.state !== 'allocating') return;
  requireMove(ctx, doc.warehouse);
  await letGo(ctx, doc);
  await postEvent(
    ctx,
    doc,
    'giveUp',
    doc.lines.map((line) => memo(doc, line, 'back')),
  );
};

/** Sending and receiving at once, for who keeps both ends. */
const direct: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  requireMove(ctx, goal(doc));
  if (doc.state === 'pending') {
    await requireOtherApprover(ctx, transferKind, doc);
    await allot(ctx, doc);
  }
  await send(ctx, doc, doc.state === 'allocating');
  await takeIn(
    ctx,
    doc,
    doc.lines.map((line) => ({ lineId: line.id, qty: line.qty })),
  );
};

export const transferEffects: Record<string, Effect> = { submit, approve, ship, close, cancel, direct };

interface Receipt extends CommandInput {
  clientId?: string | undefined;
  lines: readonly Arrived[];
}

/**
 * One receipt at the target; the document is done with the last piece. A receipt that came before by its `clientId`
 * changes nothing. @throws refused B0825 more than is on its way
 */
export async function receiveTransfer(ctx: Ctx, input: Receipt): Promise<Outcome> {
  const doc = await locked(ctx, transferKind, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(transferKind, doc, 'receive');
  requireFresh(doc, input.version);
  requireMove(ctx, goal(doc));
  const come = sumBy(
    input.lines,
    (line) => line.lineId,
    (line) => line.qty,
  );
  const complete = doc.lines.every((line) => line.doneQty + (come.get(line.id) ?? 0) >= line.qty);
  return step(ctx, transferKind, doc, complete ? 'receiveAll' : 'receive', () =>
    takeIn(ctx, doc, input.lines, input.clientId),
  );
}
