import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { TransitionRules } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { LEFT_OF_LINE, lockOrders, UNREPORTED_OF_LINE, whyNotShip } from '#modules/order/server/index.ts';
import type { Held } from '#modules/warehouse/server/index.ts';
import type { selfDoc } from '../../contract/self/doc.ts';
import type { LabelState } from '../../contract/self/label-state.ts';
import { type Carried, hold, holdings, letGo, postEvent } from './events.ts';
import { callBack } from './label/void.ts';
import { orderRef, type SelfDoc } from './load.ts';
import { openOf } from './open.ts';

type Rules = Partial<Record<keyof typeof selfDoc.transitions, TransitionRules<SelfDoc>>>;

/** Orders whose buyer asked Amazon to call them off: sending them would only bring the goods back. */
export async function cancelAsked(ctx: Ctx, doc: SelfDoc): Promise<string[]> {
  const numbers = doc.orders.map(({ orderId }) => orderId);
  const { rows } = await sql<{ id: string }>`
    SELECT amazon_order_id AS id FROM "order".amazon_order
     WHERE company_id = ${ctx.companyId} AND amazon_order_id = ANY (${numbers}::text[]) AND buyer_cancel_requested
     ORDER BY 1`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** The platform has, or had, a label of the document: what it shows as sent is this parcel. */
const LABELLED: readonly LabelState[] = ['bought', 'voided'];

/**
 * Why a document may not be sent: an order that is no more to be sent, or of which less is open than it holds. The orders
 * are locked, so that nobody sends the same pieces beside it.
 */
export async function obstacle(ctx: Ctx, doc: SelfDoc): Promise<string | undefined> {
  if (doc.origin === 'OFFLINE') return undefined;
  for (const order of (await lockOrders(ctx, doc.orders.map(orderRef))).values()) {
    // One that the platform shows as sent has its own step, and a label that was bought is why it does.
    const isKnown = doc.state === 'trouble' || LABELLED.includes(doc.labelState);
    const why = order.status === 'SHIPPED' && isKnown ? undefined : whyNotShip(order);
    if (why) return `订单 ${order.amazon_order_id}：${why}`;
  }
  const asked = await cancelAsked(ctx, doc);
  if (asked.length > 0) return `订单 ${asked.join('、')}：买家申请取消，请先在卖家后台处理`;
  if (doc.state === 'trouble' || doc.labelState === 'bought') return undefined;
  // Of a label that was called back the platform may still show a parcel, which is none; any other one that was reported counts.
  const left = doc.labelState === 'voided' ? UNREPORTED_OF_LINE : LEFT_OF_LINE;
  const open = new Map(
    (await openOf(ctx, doc.orders, doc.id, left)).map((line) => [`${orderRef(line)} ${line.orderItemId}`, line]),
  );
  for (const line of doc.lines) {
    const left = open.get(`${orderRef(line)} ${line.orderItemId}`)?.open ?? 0;
    if (line.qty > left) return `订单 ${line.orderId} 的【${line.msku}】还可发货 ${left} 件，不能发 ${line.qty} 件`;
  }
  return undefined;
}

/** @throws refused B1402 where less is held than the document asks for, B1403 where only some of it was picked */
function requireReady(doc: SelfDoc, held: readonly Held[]): void {
  const byPart = Map.groupBy(held, (one) => one.line);
  const quantity = new Map(doc.lines.map((line) => [line.id, line.qty]));
  for (const part of doc.parts) {
    const wanted = (quantity.get(part.line) ?? 0) * part.qtyPer;
    const has = (byPart.get(part.id) ?? []).reduce((total, one) => total + one.held, 0);
    if (has !== wanted) throw refused('占用的库存已释放，请反审核后重新审核', 'B1402');
  }
  const picked = held.reduce((total, one) => total + one.picked, 0);
  const left = held.reduce((total, one) => total + one.held - one.picked, 0);
  // Where nobody scanned anything, the sheet was walked on paper and nothing was missing.
  if (picked > 0 && left > 0) throw refused(`还有 ${left} 件未拣，请拣完后出库`, 'B1403');
}

/** All that is held leaves to the customer, with its cost, in one posting. */
async function send(ctx: Ctx, doc: SelfDoc): Promise<void> {
  const held = await holdings(ctx, doc);
  requireReady(doc, held);
  const moves = held.map(({ id, product, warehouse, location, lot, held: qty }) => ({
    product,
    qty,
    reservation: id,
    from: { warehouse, status: 'RESERVED', location, lot } as const,
    to: 'CUSTOMER' as const,
  }));
  const lines = held.map(({ line: part, product, lot, held: qty }): Carried => ({ part, product, lot, qty }));
  doc.posting = await postEvent(ctx, doc, 'ship', moves, lines);
  await sql`UPDATE shipping.self_doc SET posting_id = ${doc.posting}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/** What stands in the way while nobody knows what becomes of a label. */
function labelPending({ labelState }: SelfDoc): string | undefined {
  if (labelState === 'asking') return '运单申请中，请等待结果';
  if (labelState === 'unknown') return '运单结果未知，请先核实';
  return labelState === 'voiding' ? '面单作废中，请等待结果' : undefined;
}

/** Gives back what is held, and the label with it. */
async function callOff(ctx: Ctx, doc: SelfDoc): Promise<void> {
  await letGo(ctx, doc);
  if (doc.labelState === 'bought') await callBack(ctx, doc);
}

const notOut = async (_ctx: Ctx, doc: SelfDoc) => (doc.posting === null ? '还没有出库' : undefined);

/** What each step does beside changing the state. */
export const selfRules: Rules = {
  approve: { guard: obstacle, run: hold },
  unapprove: {
    guard: async (_ctx, doc) =>
      labelPending(doc) ?? (doc.labelState === 'bought' ? '已有面单，请先作废面单' : undefined),
    run: letGo,
  },
  ship: {
    guard: async (ctx, doc) => (doc.posting === null ? (labelPending(doc) ?? obstacle(ctx, doc)) : '货物已出库'),
    run: send,
  },
  mark: {
    guard: async (ctx, doc) => (doc.origin === 'OFFLINE' ? '线下订单无需标记发货' : notOut(ctx, doc)),
  },
  cancel: {
    guard: async (_ctx, doc) => (doc.posting === null ? labelPending(doc) : '货物已出库，请用异常退回'),
    run: callOff,
  },
  sendBack: { guard: notOut },
};
