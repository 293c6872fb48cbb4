import { sql } from 'kysely';
import type { z } from 'zod';
import type { Command, Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { shipOrder } from '../../contract/order.ts';
import type { bookQuote, QuoteStep } from '../../contract/quote-request/calls.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import { bookedName, locked, type ShipOrder } from '../order/load.ts';
import { putWay } from '../order/way.ts';
import { stepRequest } from './choose.ts';
import { answersOf, type Booking, bookingOf, lockedRequest, type QuoteRequest } from './load.ts';

/** @throws conflict where no answer is chosen */
async function requireBooking(ctx: Ctx, request: QuoteRequest): Promise<Booking> {
  const booking = await bookingOf(ctx, request.id);
  if (booking) return booking;
  const { title } = quoteRequest.states[request.state as keyof typeof quoteRequest.states];
  throw conflict(`询价单状态为【${title}】，还没有选中报价`);
}

/** @throws refused B1375 for days that do not fit together */
function requireInOrder({ cargoCutoff, portCutoff, handoverOn }: z.output<typeof bookQuote.body>): void {
  if (cargoCutoff && portCutoff && cargoCutoff > portCutoff) throw refused('截货日不能晚于截港日', 'B1375');
  if (handoverOn && cargoCutoff && handoverOn > cargoCutoff) throw refused('交货日期不能晚于截货日', 'B1375');
}

/**
 * 订舱: what the forwarder said of the booking; once more to change it.
 * @throws conflict where no answer is chosen or for a stale version, refused B1375
 */
export async function book(ctx: Ctx, input: z.output<typeof bookQuote.body>): Promise<Outcome> {
  const request = await lockedRequest(ctx, input.id);
  requireFresh(request, input.version);
  const booking = await requireBooking(ctx, request);
  requireInOrder(input);
  await sql`
    UPDATE shipping.quote_booking
       SET state = 'booked', booking_no = ${input.bookingNo}, vessel = ${input.vessel}, cargo_cutoff = ${input.cargoCutoff}::date,
           port_cutoff = ${input.portCutoff}::date, handover = ${input.handover}, handover_on = ${input.handoverOn}::date,
           place = ${input.place}, contact = ${input.contact}, remark = ${input.remark}, updated_by_name = ${ctx.userName},
           updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${booking.id}`.execute(ctx.db);
  const body = [input.bookingNo, input.vessel, input.cargoCutoff && `截货 ${input.cargoCutoff}`]
    .filter(Boolean)
    .join('，');
  for (const { order } of request.orders) {
    await note(ctx, shipOrder.name, order, { kind: 'note', title: '订舱', body });
  }
  return stepRequest(ctx, request, 'book', body);
}

interface Held {
  order: string;
  carrier: string;
  channelId: string | null;
  transport: ShipOrder['transport'];
}

async function heldOf(ctx: Ctx, booking: Booking): Promise<Held[]> {
  const { rows } = await sql<Held>`
    SELECT order_id AS "order", was_carrier AS carrier, was_channel_id AS "channelId", was_transport AS transport
      FROM shipping.quote_request_order
     WHERE company_id = ${ctx.companyId} AND booking_id = ${booking.id} ORDER BY order_id`.execute(ctx.db);
  return rows;
}

const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];

/** Puts the orders' way back to what it was, unless people have changed it since. @throws refused B1375 for one that has left */
async function free(ctx: Ctx, request: QuoteRequest, booking: Booking): Promise<void> {
  const answer = (await answersOf(ctx, request.id)).find(({ id }) => id === booking.answerId);
  const held = await heldOf(ctx, booking);
  const orders: ShipOrder[] = [];
  for (const { order } of held) orders.push(await locked(ctx, order));
  const gone = orders.find((order) => LEFT.includes(order.state));
  if (gone) throw refused(`发货单 ${gone.number} 已出库，不能取消订舱`, 'B1375');
  await sql`
    UPDATE shipping.quote_request_order
       SET booking_id = NULL, freight = NULL, tax = NULL, other_fee = NULL, quantity = NULL, was_carrier = NULL,
           was_channel_id = NULL, was_transport = NULL
     WHERE company_id = ${ctx.companyId} AND booking_id = ${booking.id}`.execute(ctx.db);
  for (const [index, order] of orders.entries()) {
    const was = held[index];
    const isOurs = answer && order.channelId === answer.channelId && order.carrier === bookedName(answer);
    if (!was || !isOurs || order.state === 'cancelled') continue;
    const { id, shipmentNo, trackingNo } = order;
    await putWay(ctx, { id, shipmentNo, trackingNo, ...was, channelId: was.channelId });
  }
}

/** 取消订舱 and 关闭. @throws conflict, refused B1375 for an order that has left */
export async function actRequest(ctx: Ctx, name: QuoteStep, input: Command): Promise<Outcome> {
  const request = await lockedRequest(ctx, input.id);
  requireFresh(request, input.version);
  if (name === 'close') return stepRequest(ctx, request, 'close', input.reason);
  const booking = await requireBooking(ctx, request);
  await free(ctx, request, booking);
  await sql`
    UPDATE shipping.quote_booking SET state = 'cancelled', cancelled_why = ${input.reason ?? ''}, updated_by_name = ${ctx.userName},
           updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${booking.id}`.execute(ctx.db);
  return stepRequest(ctx, request, 'unbook', input.reason);
}
