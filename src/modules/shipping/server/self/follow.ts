import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import type { LabelState } from '../../contract/self/label-state.ts';
import { step } from './act.ts';
import { locked, orderRef, type SelfDoc } from './load.ts';
import { standsOf } from './mark.ts';
import { openOf } from './open.ts';
import { tell } from './tell.ts';

/** States in which something may still come of an order. */
export const FOLLOWED: readonly string[] = ['pending', 'short', 'printing', 'ready', 'held', 'out', 'trouble'];

/** Labels of which nobody knows yet what becomes. */
const PENDING: readonly LabelState[] = ['asking', 'unknown', 'voiding'];

interface OrderNow {
  ref: string;
  number: string;
  status: string;
}

async function ordersNow(ctx: Ctx, doc: SelfDoc): Promise<OrderNow[]> {
  const keys = doc.orders.map(({ sellingPartnerId, orderId }) => ({ seller: sellingPartnerId, number: orderId }));
  const { rows } = await sql<OrderNow>`
    SELECT o.selling_partner_id || '~' || o.amazon_order_id AS ref, o.amazon_order_id AS number, o.status
      FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k(seller text, number text)
      JOIN "order".amazon_order o ON o.company_id = ${ctx.companyId} AND o.selling_partner_id = k.seller
       AND o.amazon_order_id = k.number ORDER BY 2`.execute(ctx.db);
  return rows;
}

const names = (orders: readonly OrderNow[]): string => orders.map(({ number }) => number).join('、');

/** Says why a document does not go on; the same words again change nothing. */
async function fail(ctx: Ctx, doc: SelfDoc, problem: string): Promise<void> {
  if (doc.problem === problem) return;
  if (doc.state === 'trouble') await note(ctx, selfDoc.name, doc.id, { kind: 'note', title: '异常', body: problem });
  else await step(ctx, doc, 'fail', { reason: problem });
  await sql`UPDATE shipping.self_doc SET problem = ${problem.slice(0, 500)}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  await tell(ctx, doc, 'trouble', problem);
}

const WORDS: Readonly<Record<string, string>> = {
  refused: '平台拒绝标记发货',
  unknown: '标记发货结果未知，请在「接口提交」核实',
  cancelled: '标记发货已撤销',
};

/** What has left: until the platform shows all of its parcel, or says why it does not. */
async function followSent(ctx: Ctx, doc: SelfDoc, orders: readonly OrderNow[]): Promise<void> {
  const stands = await standsOf(ctx, doc.orders);
  const status = new Map(orders.map((order) => [order.ref, order]));
  const open = doc.orders.filter((order) => {
    const shown = status.get(orderRef(order))?.status === 'SHIPPED';
    return !shown && stands.get(order.write ?? '')?.state !== 'confirmed';
  });
  if (open.length === 0) {
    await step(ctx, doc, 'confirm');
    return;
  }
  const gone = orders.filter((order) => order.status === 'CANCELLED');
  if (gone.length > 0) return fail(ctx, doc, `订单 ${names(gone)} 已取消，货物已出库，请追回后做异常退回`);
  for (const order of open) {
    const { state = '', problem = null } = stands.get(order.write ?? '') ?? {};
    const words = WORDS[state];
    if (words) return fail(ctx, doc, `订单 ${order.orderId}：${words}${problem ? `，${problem}` : ''}`);
  }
}

/** What has not left: off with a cancelled order, and with people where the platform shows the goods as sent. */
async function followWaiting(ctx: Ctx, doc: SelfDoc, orders: readonly OrderNow[]): Promise<void> {
  const gone = orders.filter((order) => order.status === 'CANCELLED' || order.status === 'UNFULFILLABLE');
  if (gone.length > 0) {
    const others = orders.length > gone.length ? '，其余订单回到待建单' : '';
    const words = `平台订单 ${names(gone)} 已取消${others}`;
    // What becomes of its label is told first, and this once more then.
    if (PENDING.includes(doc.labelState)) return;
    await step(ctx, doc, 'cancel', { reason: words });
    await sql`UPDATE shipping.self_doc SET problem = ${words}
       WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
    await tell(ctx, doc, 'cancelled', words);
    return;
  }
  // Bought labels are why their orders show as sent, and those of which nobody knows may be.
  if (doc.labelState === 'bought' || PENDING.includes(doc.labelState)) return;
  const sent = orders.filter((order) => order.status === 'SHIPPED');
  const open = new Map(
    (await openOf(ctx, doc.orders, doc.id)).map((line) => [`${orderRef(line)} ${line.orderItemId}`, line.open]),
  );
  const isLess = doc.lines.some((line) => line.qty > (open.get(`${orderRef(line)} ${line.orderItemId}`) ?? 0));
  if (sent.length === 0 && !isLess) return;
  const which = sent.length > 0 ? names(sent) : names(orders);
  await fail(ctx, doc, `订单 ${which} 已在平台发货：货物从本仓发出的请出库，否则请不发货`);
}

/**
 * Takes over what became of the orders of a document and of the packages that were reported of it. Whatever is told how
 * often, the same state stands at the end.
 */
export async function follow(ctx: Ctx, id: string): Promise<void> {
  const doc = await locked(ctx, id);
  if (!FOLLOWED.includes(doc.state) || doc.origin === 'OFFLINE') return;
  const orders = await ordersNow(ctx, doc);
  if (doc.posting !== null) await followSent(ctx, doc, orders);
  else await followWaiting(ctx, doc, orders);
}
