import type { Outcome } from '#kit/contract/document-calls.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { OVER_RECEIVE } from '../../contract/fields.ts';
import type { OverTreatment } from '../../contract/surplus.ts';
import { touch } from '../order/act.ts';
import { headOf, locked, type Order } from '../order/load.ts';
import { mostOf } from '../order/quantities.ts';
import { settle } from '../order/settle.ts';
import { keepSurplus, type Surplus } from '../surplus/keep.ts';
import { type Papers, type Taken, takeIn } from './take-in.ts';

interface Arrived {
  lineId: string;
  qty: number;
  inspect: boolean;
  over?: OverTreatment | undefined;
}

export interface Arrival extends Papers {
  id: string;
  lines: readonly Arrived[];
}

type Received = Outcome & { receiptId: string | null };

/** Whether that arrival was registered before: its receipt, or null where all of it was held. */
async function before(ctx: Ctx, order: Order, clientId: string | undefined): Promise<string | null | undefined> {
  if (clientId === undefined) return undefined;
  const receipt = await ctx.db
    .selectFrom('purchase.receipt')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (receipt) return receipt.id;
  const held = await ctx.db
    .selectFrom('purchase.surplus')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return held ? null : undefined;
}

/** @throws refused B1031 before placing, B1032 for a line of another order */
function requireArrivals(order: Order, lines: readonly Arrived[]): void {
  if (order.state !== 'ordered') throw refused('订单未下单或已作废，不能收货', 'B1031');
  if (new Set(lines.map((line) => line.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1032');
  const strange = lines.some(({ lineId }) => !order.lines.some((one) => one.id === lineId));
  if (strange) throw refused('明细行不存在，请刷新后重试', 'B1032');
}

interface Split {
  pieces: Taken[];
  surplus: Surplus[];
}

/**
 * What of an arrival is taken in and what is beyond: the limit holds over all receipts together.
 * @throws refused B1032 beyond it without a treatment, forbidden for who may not receive more
 */
function splitOf(ctx: Ctx, order: Order, lines: readonly Arrived[]): Split {
  const split: Split = { pieces: [], surplus: [] };
  for (const { lineId, qty, inspect, over: treatment } of lines) {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) continue;
    const most = mostOf(line);
    const beyond = Math.max(0, qty - most);
    if (beyond > 0 && !treatment) throw refused(`超出允收数量，最多还可收${most}`, 'B1032', { line: line.id, most });
    if (beyond > 0 && !can(ctx, OVER_RECEIVE)) throw forbidden(OVER_RECEIVE);
    const over = treatment === 'payable' ? beyond : 0;
    const usual = qty - beyond + over;
    if (usual > 0) split.pieces.push({ lineId, qty: usual, over, free: false, inspect });
    if (beyond === 0 || !treatment) continue;
    if (treatment === 'free') split.pieces.push({ lineId, qty: beyond, over: 0, free: true, inspect });
    split.surplus.push({ line, qty: beyond, treatment });
  }
  return split;
}

/**
 * Goods of an order came. What may come is taken in; what is beyond it is taken over at the order's price or for
 * nothing, or held until somebody decides. @throws refused B1031 not placed, B1032 beyond the tolerance over all receipts
 */
export async function receive(ctx: Ctx, input: Arrival): Promise<Received> {
  const order = await locked(ctx, input.id);
  const earlier = await before(ctx, order, input.clientId);
  if (earlier !== undefined) {
    ctx.audited = true;
    return { ...outcome(order, DONE_BEFORE, true), receiptId: earlier };
  }
  requireMove(ctx, order.warehouse);
  requireArrivals(order, input.lines);
  const { pieces, surplus } = splitOf(ctx, order, input.lines);
  const receipt = pieces.length > 0 ? await takeIn(ctx, order, pieces, input) : undefined;
  const numbers = await keepSurplus(ctx, order, surplus, { receiptId: receipt?.id ?? null, clientId: input.clientId });
  if (!receipt) await touch(ctx, order);
  // Money that was paid ahead may have been used for it meanwhile.
  const now = { ...(await headOf(ctx, order.id, false)), lines: (receipt?.order ?? order).lines };
  const ended = await settle(ctx, now);
  const words = [
    ...(receipt ? [`${receipt.number} 已登记`] : []),
    ...numbers.map((number) => `超收单 ${number} 已记录`),
  ];
  return { ...outcome({ ...now, ...ended }, words.join('，')), receiptId: receipt?.id ?? null };
}
