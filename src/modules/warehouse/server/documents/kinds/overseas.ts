import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { overseas, type TotalsInput } from '../../../contract/documents/overseas.ts';
import type { Move } from '../../ledger/types.ts';
import { type Effect, requireState, step } from '../core/act.ts';
import { draw } from '../core/draw.ts';
import { postEvent } from '../core/events.ts';
import { addDone } from '../core/lines.ts';
import { locked, type StockDocument, type StockKind } from '../core/load.ts';
import { atRest, requireMove, warehouseOf } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requirePacked } from './boxes.ts';
import {
  approveWay,
  arrivals,
  cancelWay,
  closeWay,
  goal,
  noteReceived,
  onTheWay,
  type Piece,
  type Receipt,
  receiveWay,
  shipWay,
  submitWay,
} from './way.ts';

export const overseasKind: StockKind = { name: 'overseas', def: overseas, audit: 'erp:wh:oversea:audit' };
/** What the way across the sea costs is the first leg. */
const COMPONENT = 'firstLeg';
const ABROAD: readonly string[] = ['OVERSEAS', 'THIRD_PARTY'];

export const checkOverseas: Check = (_input, from, to) => {
  if (!to || !ABROAD.includes(to.kind)) return '请选择海外仓';
  return from.quality === 'GOOD' && to.quality === 'GOOD' ? undefined : '海外备货在正品仓之间进行';
};

const ship: Effect = async (ctx, doc, input) => {
  if (doc.carrier === '') throw refused('请先填写物流商', 'B0829');
  await requirePacked(ctx, doc);
  await shipWay(COMPONENT)(ctx, doc, input);
};

export const overseasEffects: Record<string, Effect> = {
  submit: submitWay,
  approve: approveWay(overseasKind),
  ship,
  close: closeWay,
  cancel: cancelWay,
};

/** One receipt abroad, see `receiveWay`. @throws refused B0825 more than is on its way */
export const receiveOverseas = (ctx: Ctx, input: Receipt): Promise<Outcome> => receiveWay(ctx, overseasKind, input);

interface Change {
  lineId: string;
  qty: number;
}

/** How far the totals are from what was received before, by line. @throws refused B0825 for a line of another document */
function changesOf(doc: StockDocument, lines: readonly { lineId: string; total: number }[]): Change[] {
  return lines.flatMap(({ lineId, total }) => {
    const line = doc.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B0825');
    const qty = total - line.doneQty;
    return qty === 0 ? [] : [{ lineId, qty }];
  });
}

/** Moves of pieces that were received and never came: they are on their way again. @throws refused B0801 used since */
async function departures(ctx: Ctx, doc: StockDocument, pieces: Piece[], back: readonly Change[]): Promise<Move[]> {
  const to = await warehouseOf(ctx, goal(doc));
  const wanted = back.flatMap(({ lineId, qty }) => {
    const product = doc.lines.find((one) => one.id === lineId)?.product ?? '';
    let rest = -qty;
    return pieces.toReversed().flatMap((piece) => {
      const now = piece.line === lineId ? Math.min(rest, piece.qty - piece.open) : 0;
      piece.open += now;
      rest -= now;
      return now > 0 ? [{ id: lineId, product, qty: now, location: null, lot: piece.lot }] : [];
    });
  });
  return (await draw(ctx, to, atRest(to), wanted)).map(({ product, qty, location, lot }) => ({
    product,
    qty,
    from: { warehouse: to.id, status: atRest(to), location, lot },
    to: { warehouse: to.id, status: 'IN_TRANSIT', lot },
  }));
}

/**
 * Sets how much of each line has arrived altogether, as a warehouse abroad reports it: the difference to before is
 * posted, more as a receipt, less back into transit. The same totals again change nothing.
 * @throws refused B0825 more than left, B0801 pieces to take back that were used since
 */
export async function receiveTotals(ctx: Ctx, input: z.output<typeof TotalsInput>): Promise<Outcome> {
  const doc = await locked(ctx, overseasKind, input.id);
  const changes = changesOf(doc, input.lines);
  if (changes.length === 0) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(overseasKind, doc, 'receive');
  requireFresh(doc, input.version);
  requireMove(ctx, goal(doc));
  const change = new Map(changes.map(({ lineId, qty }) => [lineId, qty]));
  const complete = doc.lines.every((line) => line.doneQty + (change.get(line.id) ?? 0) >= line.qty);
  return step(ctx, overseasKind, doc, complete ? 'receiveAll' : 'receive', async () => {
    const pieces = await onTheWay(ctx, doc);
    const to = await warehouseOf(ctx, goal(doc));
    const more = changes.filter(({ qty }) => qty > 0);
    const less = changes.filter(({ qty }) => qty < 0);
    const moves = [...arrivals(doc, to, pieces, more), ...(await departures(ctx, doc, pieces, less))];
    await postEvent(ctx, doc, 'totals', moves, { lines: input.lines });
    await noteReceived(ctx, pieces);
    await addDone(ctx, change);
  });
}
