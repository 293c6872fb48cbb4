import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { outbound } from '../../../contract/documents/outbound.ts';
import type { Outside } from '../../../contract/stock.ts';
import { type Held, pick as pickHeld } from '../../ledger/reserve.ts';
import type { Move } from '../../ledger/types.ts';
import { type CommandInput, type Effect, requireState, step } from '../core/act.ts';
import { draw, reserveLines } from '../core/draw.ts';
import { addAmounts, hold, holdings, letGo, noteEvent, postEvent, seenBefore, takeBack } from '../core/events.ts';
import { addDone, addShort, clearDone, sumBy } from '../core/lines.ts';
import { locked, type StockDocument, type StockKind } from '../core/load.ts';
import { atRest, requireMove, type Warehouse, warehouseOf } from '../core/places.ts';
import { shareProducts } from '../core/products.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover } from '../core/setting.ts';

export const outboundKind: StockKind = { name: 'outbound', def: outbound, audit: 'erp:wh:out:audit' };

interface Way {
  quality: Warehouse['quality'];
  to: Outside;
  words: string;
  overseas?: boolean;
}

/** What each type takes, and where it goes. */
const WAYS: Record<string, Way> = {
  GOOD: { quality: 'GOOD', to: 'CUSTOMER', words: '正品出库须选择正品仓' },
  CUSTOMER: { quality: 'GOOD', to: 'CUSTOMER', words: '客户出库须选择正品仓' },
  OVERSEAS: { quality: 'GOOD', to: 'CUSTOMER', words: '海外出库须选择海外正品仓', overseas: true },
  SCRAP: { quality: 'DEFECTIVE', to: 'SCRAP', words: '废品出库须选择次品仓' },
  QC: { quality: 'QC', to: 'SUPPLIER', words: '验收退供须选择待检仓' },
};

export const checkOutbound: Check = (input, from) => {
  const way = WAYS[input.type];
  if (!way) return '出库类型不存在';
  const abroad = ['OVERSEAS', 'THIRD_PARTY'].includes(from.kind);
  return from.quality !== way.quality || (way.overseas && !abroad) ? way.words : undefined;
};

const goal = (doc: StockDocument): Outside => WAYS[doc.type]?.to ?? 'CUSTOMER';

const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, outboundKind, doc);
  const warehouse = await warehouseOf(ctx, doc.warehouse);
  // Only what is 可用 can be held; the rest is looked at now and taken when it leaves.
  if (warehouse.quality === 'GOOD') await hold(ctx, doc, reserveLines(doc));
  else await draw(ctx, warehouse, atRest(warehouse), doc.lines);
};

/** Moves out of the house, each with its line. */
async function shipMoves(ctx: Ctx, doc: StockDocument): Promise<{ move: Move; line: string }[]> {
  const warehouse = await warehouseOf(ctx, doc.warehouse);
  if (warehouse.quality !== 'GOOD') {
    const drawn = await draw(ctx, warehouse, atRest(warehouse), doc.lines);
    return drawn.map(({ line, product, location, lot, qty }) => ({
      line,
      move: {
        product,
        qty,
        from: { warehouse: doc.warehouse, status: atRest(warehouse), location, lot },
        to: goal(doc),
      },
    }));
  }
  return (await holdings(ctx, doc)).map(({ id, line, product, location, lot, held }) => ({
    line,
    move: {
      product,
      qty: held,
      reservation: id,
      from: { warehouse: doc.warehouse, status: 'RESERVED', location, lot },
      to: goal(doc),
    },
  }));
}

const ship: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  const out = await shipMoves(ctx, doc);
  if (out.length === 0) throw refused('没有可出库的数量，请撤销单据', 'B0826');
  const posting = await postEvent(
    ctx,
    doc,
    'ship',
    out.map(({ move }) => move),
  );
  await addAmounts(
    ctx,
    posting,
    out.map(({ line }) => line),
    'out',
  );
  await addDone(
    ctx,
    sumBy(
      out,
      (one) => one.line,
      (one) => one.move.qty,
    ),
  );
};

const cancel: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await letGo(ctx, doc);
};

const undo: Effect = async (ctx, doc, { reason }) => {
  requireMove(ctx, doc.warehouse);
  await takeBack(ctx, doc, reason);
  await clearDone(ctx, doc);
};

export const outboundEffects: Record<string, Effect> = { approve, ship, cancel, reverse: undo };

interface Scan {
  lineId: string;
  qty: number;
  short: boolean;
}

/** Puts scanned pieces on the holdings of a line, nearest first. @throws refused B0827 beyond what is to be picked */
async function scan(ctx: Ctx, held: readonly Held[], { lineId, qty }: Scan): Promise<void> {
  const mine = held.filter((one) => one.line === lineId);
  const open = mine.reduce((total, one) => total + one.held - one.picked, 0);
  if (qty > open) throw refused(`拣货数量超过待拣 ${open}`, 'B0827');
  let rest = qty;
  for (const one of mine) {
    const now = Math.min(rest, one.held - one.picked);
    if (now <= 0) continue;
    one.picked = await unscoped(ctx, () => pickHeld(ctx, one.id, now));
    rest -= now;
  }
}

/** What of a line is not to be found goes back to 可用. */
async function giveBack(ctx: Ctx, doc: StockDocument, held: Held[], lineIds: readonly string[]): Promise<void> {
  const missing = held.filter((one) => lineIds.includes(one.line) && one.held > one.picked);
  if (missing.length === 0) return;
  const moves = missing.map(
    ({ id, product, location, lot, held: all, picked }): Move => ({
      product,
      qty: all - picked,
      reservation: id,
      from: { warehouse: doc.warehouse, status: 'RESERVED', location, lot },
      to: { warehouse: doc.warehouse, status: 'AVAILABLE', location, lot },
    }),
  );
  await postEvent(ctx, doc, 'short', moves);
  await addShort(
    ctx,
    sumBy(
      missing,
      (one) => one.line,
      (one) => one.held - one.picked,
    ),
  );
  for (const one of missing) one.held = one.picked;
}

interface Picked extends CommandInput {
  clientId?: string | undefined;
  lines: readonly Scan[];
}

/**
 * Scans of a picker. The document is 已拣货 when all that it holds is picked; a scan that came before by its `clientId`
 * changes nothing. @throws refused B0827 more than there is to pick
 */
export async function pick(ctx: Ctx, input: Picked): Promise<Outcome> {
  const doc = await locked(ctx, outboundKind, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireState(outboundKind, doc, 'pick');
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  await shareProducts(ctx, doc, 'pick');
  const held = await holdings(ctx, doc);
  if (held.length === 0) throw refused('该类型出库无需拣货，请直接出库', 'B0827');
  for (const line of input.lines) await scan(ctx, held, line);
  const short = input.lines.filter((line) => line.short).map((line) => line.lineId);
  await noteEvent(ctx, doc, 'pick', { clientId: input.clientId, lines: input.lines });
  await giveBack(ctx, doc, held, short);
  const complete = held.every((one) => one.picked === one.held);
  return step(ctx, outboundKind, doc, complete ? 'pickAll' : 'pick');
}
