import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { transition } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { chooseQuote } from '../../contract/quote-request/calls.ts';
import { type QuoteRequestRow, quoteRequest } from '../../contract/quote-request/request.ts';
import { shareOver } from '../freight/rules/share.ts';
import { locked, type ShipOrder } from '../order/load.ts';
import { putWay } from '../order/way.ts';
import { notAskable } from './ask.ts';
import { type Answer, answersOf, bookingOf, lockedRequest, type QuoteRequest, REQUESTS } from './load.ts';
import { shareWeights } from './rules/goods.ts';

export type AnyQuoteStep = keyof typeof quoteRequest.transitions;

/** Takes a step of a request that is locked. */
export async function stepRequest(
  ctx: Ctx,
  request: QuoteRequest,
  name: AnyQuoteStep,
  reason: string | undefined,
): Promise<Outcome> {
  const kind = {
    def: quoteRequest,
    table: REQUESTS,
    load: async () => request,
    held: request,
    stamp: { updated_by_name: sql`${ctx.userName}`, updated_at: sql`kit.now()` },
  };
  const state = await transition(ctx, kind, request.id, name, { reason });
  const message = `物流询价${request.number}${quoteRequest.transitions[name].title}成功`;
  return outcome({ ...request, state, version: request.version + 1 }, message);
}

/** The forwarder of the answer that is chosen already, for whoever comes second. @throws conflict */
async function requireAsking(ctx: Ctx, request: QuoteRequest): Promise<void> {
  if (request.state === 'asking') return;
  const booking = await bookingOf(ctx, request.id);
  const chosen = booking && (await answersOf(ctx, request.id)).find(({ id }) => id === booking.answerId);
  if (chosen) throw conflict(`询价单已选中【${chosen.carrier}】的报价，请刷新后查看`);
  const { title } = quoteRequest.states[request.state as keyof typeof quoteRequest.states];
  throw conflict(`询价单状态为【${title}】，不能选中报价`);
}

/** @throws notFound, refused B1374 for an answer that a later one replaced or that holds no more */
async function choosable(ctx: Ctx, request: QuoteRequest, id: string): Promise<Answer> {
  const answer = (await answersOf(ctx, request.id)).find((one) => one.id === id);
  if (!answer) throw notFound('报价不存在');
  if (answer.superseded) throw refused(`物流商【${answer.carrier}】已有新的报价，请选择最新的`, 'B1374');
  if (answer.validUntil !== null && answer.validUntil < ctx.clock.today()) {
    throw refused(`物流商【${answer.carrier}】的报价已于 ${answer.validUntil} 失效，不能选中`, 'B1374');
  }
  return answer;
}

/** Locks the orders in the order of their ids. @throws refused B1372 for one that left or is over, conflict for one that is booked */
async function freeOrders(ctx: Ctx, request: QuoteRequest): Promise<Map<string, ShipOrder>> {
  const orders = new Map<string, ShipOrder>();
  for (const id of request.orders.map(({ order }) => order).sort()) orders.set(id, await locked(ctx, id));
  for (const order of orders.values()) {
    const why = notAskable(order);
    if (why) throw refused(`${why.split('，')[0]}，不能选中`, 'B1372');
  }
  const { rows } = await sql<{ order: string; number: string }>`
    SELECT o.number AS "order", q.number FROM shipping.quote_request_order AS r
      JOIN shipping.quote_request AS q ON q.company_id = r.company_id AND q.id = r.request_id
      JOIN shipping.ship_order AS o ON o.company_id = r.company_id AND o.id = r.order_id
     WHERE r.company_id = ${ctx.companyId} AND r.booking_id IS NOT NULL AND r.order_id = ANY (${[...orders.keys()]}::uuid[])
     ORDER BY o.number LIMIT 1`.execute(ctx.db);
  const [other] = rows;
  if (other) throw conflict(`发货单 ${other.order} 已在询价单 ${other.number} 选定物流商，请先取消那里的订舱`);
  return orders;
}

/** What of an answer is each order's, in the order of the request's lines; the parts add up to the answer. */
function sharesOf(request: QuoteRequest, answer: Answer) {
  const weights = shareWeights(request.orders, answer.unit);
  const [freight, tax, otherFee, quantity] = [
    shareOver(answer.freight, weights, 2),
    shareOver(answer.tax, weights, 2),
    shareOver(answer.otherFee, weights, 2),
    shareOver(answer.quantity, weights, 3),
  ];
  return request.orders.map(({ order }, n) => ({
    order,
    freight: freight[n],
    tax: tax[n],
    otherFee: otherFee[n],
    quantity: quantity[n],
  }));
}

async function hold(ctx: Ctx, request: QuoteRequest, answer: Answer, orders: ReadonlyMap<string, ShipOrder>) {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO shipping.quote_booking (company_id, request_id, answer_id, state, created_by_name, updated_by_name)
    VALUES (${ctx.companyId}, ${request.id}, ${answer.id}, 'waiting', ${ctx.userName}, ${ctx.userName})
    RETURNING id`.execute(ctx.db);
  const lines = sharesOf(request, answer).map((share) => {
    const { carrier = '', channelId = null, transport = null } = orders.get(share.order) ?? {};
    return { ...share, carrier, channelId, transport };
  });
  await sql`
    UPDATE shipping.quote_request_order AS q
       SET booking_id = ${rows[0]?.id ?? null}, freight = r.freight, tax = r.tax, other_fee = r."otherFee", quantity = r.quantity,
           was_carrier = r.carrier, was_channel_id = r."channelId", was_transport = r.transport
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS r("order" uuid, freight numeric, tax numeric,
        "otherFee" numeric, quantity numeric, carrier text, "channelId" uuid, transport text)
     WHERE q.company_id = ${ctx.companyId} AND q.request_id = ${request.id} AND q.order_id = r."order"`.execute(ctx.db);
}

/**
 * 选中: the answer's forwarder, channel and way go onto the orders, what it comes to is what their freight is expected to be,
 * and a booking waits for the forwarder's word. Of two people the first one wins.
 * @throws conflict for a request or an order that is chosen already or a stale version, refused B1372 an order that has left,
 *   B1374 an answer that is over; notFound, forbidden
 */
export async function choose(ctx: Ctx, input: z.output<typeof chooseQuote.body>): Promise<Outcome> {
  const request = await lockedRequest(ctx, input.id);
  await requireAsking(ctx, request);
  requireFresh(request, input.version);
  const answer = await choosable(ctx, request, input.answerId);
  const orders = await freeOrders(ctx, request);
  await hold(ctx, request, answer, orders);
  for (const order of orders.values()) {
    const { id, shipmentNo, trackingNo } = order;
    const { carrier, channelId, mode: transport } = answer;
    await putWay(ctx, { id, shipmentNo, trackingNo, carrier, channelId, transport });
  }
  const words = [answer.carrier, answer.channel].filter(Boolean).join(' ');
  return stepRequest(ctx, request, 'choose', `${words}：${answer.currency} ${answer.total}`);
}

/** State as lists show it: a request that asks and whose day is over is told apart. */
export const shownState = ({ state, until }: Pick<QuoteRequest, 'state' | 'until'>, today: string) =>
  (state === 'asking' && until < today ? 'expired' : state) as QuoteRequestRow['state'];
