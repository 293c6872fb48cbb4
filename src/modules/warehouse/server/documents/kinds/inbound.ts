import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { inbound } from '../../../contract/documents/inbound.ts';
import type { Outside } from '../../../contract/stock.ts';
import type { Move } from '../../ledger/types.ts';
import { type CommandInput, type Effect, requireState, step } from '../core/act.ts';
import { addAmounts, postEvent, seenBefore, takeBack } from '../core/events.ts';
import { addDone, addShort, clearDone, sumBy } from '../core/lines.ts';
import { type Line, locked, type StockDocument, type StockKind } from '../core/load.ts';
import { lotOf } from '../core/lots.ts';
import { atRest, requireMove, warehouseOf } from '../core/places.ts';
import { requireOtherApprover, settingOf } from '../core/setting.ts';

export const inboundKind: StockKind = { name: 'inbound', def: inbound, audit: 'erp:wh:in:audit' };

/** Where the pieces come from. */
function origin(doc: StockDocument): Outside {
  return doc.type === 'RETURN' ? 'CUSTOMER' : 'SUPPLIER';
}

/** 待入库 comes up or goes again; a memo, no stock. */
function memo(doc: StockDocument, line: Pick<Line, 'product'>, qty: number, way: 'up' | 'back'): Move {
  const here = { warehouse: doc.warehouse, status: 'EXPECTED' } as const;
  return {
    product: line.product,
    qty,
    ...(way === 'up' ? { from: origin(doc), to: here } : { from: here, to: origin(doc) }),
  };
}

const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, inboundKind, doc);
  await postEvent(
    ctx,
    doc,
    'expect',
    doc.lines.map((line) => memo(doc, line, line.qty, 'up')),
  );
};

/** What was ordered and has not come is waited for no longer. */
const giveUp: Effect = async (ctx, doc, { reason }) => {
  requireMove(ctx, doc.warehouse);
  const open = doc.lines.filter((line) => line.doneQty < line.qty);
  if (open.length === 0 || !['receiving', 'partial'].includes(doc.state)) return;
  const moves = open.map((line) => memo(doc, line, line.qty - line.doneQty, 'back'));
  await postEvent(ctx, doc, 'giveUp', moves, { note: reason });
  await addShort(ctx, new Map(open.map((line) => [line.id, line.qty - line.doneQty])));
};

const undo: Effect = async (ctx, doc, { reason }) => {
  requireMove(ctx, doc.warehouse);
  await takeBack(ctx, doc, reason);
  await clearDone(ctx, doc);
};

export const inboundEffects: Record<string, Effect> = { approve, close: giveUp, cancel: giveUp, reverse: undo };

interface Arrived {
  lineId: string;
  qty: number;
  locationId?: string | null | undefined;
  lotNo?: string | undefined;
  expiresAt?: string | null | undefined;
}

interface Receipt extends CommandInput {
  clientId?: string | undefined;
  lines: readonly Arrived[];
}

/** Pieces by line that come with this receipt. @throws refused B0825 for a line of another document, or more than ordered */
async function arrivalsOf(ctx: Ctx, doc: StockDocument, lines: readonly Arrived[]): Promise<Map<string, number>> {
  const { receiveTolerance } = await settingOf(ctx);
  const sums = sumBy(
    lines,
    (line) => line.lineId,
    (line) => line.qty,
  );
  for (const [lineId, qty] of sums) {
    const line = doc.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B0825');
    const most = new Decimal(receiveTolerance).plus(1).times(line.qty).floor().toNumber();
    if (line.doneQty + qty > most) throw refused(`收货数量超过应收 ${Math.max(0, line.qty - line.doneQty)}`, 'B0825');
  }
  return sums;
}

async function receiveMoves(ctx: Ctx, doc: StockDocument, lines: readonly Arrived[]) {
  const status = atRest(await warehouseOf(ctx, doc.warehouse));
  const moves: Move[] = [];
  const lineOf: (string | undefined)[] = [];
  const waiting = new Map(doc.lines.map((line) => [line.id, Math.max(0, line.qty - line.doneQty)]));
  for (const arrived of lines) {
    const line = doc.lines.find((one) => one.id === arrived.lineId);
    if (!line) continue;
    const awaited = Math.min(arrived.qty, waiting.get(line.id) ?? 0);
    waiting.set(line.id, (waiting.get(line.id) ?? 0) - awaited);
    if (awaited > 0) {
      moves.push(memo(doc, line, awaited, 'back'));
      lineOf.push(undefined);
    }
    moves.push({
      product: line.product,
      qty: arrived.qty,
      from: origin(doc),
      to: {
        warehouse: doc.warehouse,
        status,
        location: arrived.locationId ?? line.location ?? undefined,
        lot: await lotOf(ctx, line.product, arrived.lotNo ?? line.lotNo, arrived.expiresAt ?? line.expiresAt),
      },
      cost: line.unitCost === null ? undefined : { unit: line.unitCost },
    });
    lineOf.push(line.id);
  }
  return { moves, lineOf };
}

/**
 * One receipt. The document is done with the last piece. A receipt that came before by its `clientId` changes nothing.
 * @throws refused B0825 more than ordered with the company's tolerance
 */
export async function receive(ctx: Ctx, input: Receipt): Promise<Outcome> {
  const doc = await locked(ctx, inboundKind, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(inboundKind, doc, 'receive');
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  const arrivals = await arrivalsOf(ctx, doc, input.lines);
  const complete = doc.lines.every((line) => line.doneQty + (arrivals.get(line.id) ?? 0) >= line.qty);
  return step(ctx, inboundKind, doc, complete ? 'receiveAll' : 'receive', async () => {
    const { moves, lineOf } = await receiveMoves(ctx, doc, input.lines);
    const posting = await postEvent(ctx, doc, 'receive', moves, { clientId: input.clientId, lines: input.lines });
    await addAmounts(ctx, posting, lineOf, 'in');
    await addDone(ctx, arrivals);
  });
}
