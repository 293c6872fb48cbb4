import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { actionsOf } from '#kit/contract/document.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { BookingRow, QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import type { orderBooking, quoteGoods, quoteRequestDetail } from '../../contract/quote-request/calls.ts';
import { type QuoteGoodsRow, type QuoteRequestRow, quoteRequest } from '../../contract/quote-request/request.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { shipmentNosOf } from '../shipment/of-order.ts';
import { notAskable } from './ask.ts';
import { cardRows } from './cards.ts';
import { orderGoods } from './goods.ts';
import { requestRow } from './list.ts';
import { type Answer, answersOf, bookingOf, loadedRequest, type QuoteRequest } from './load.ts';
import { compared } from './rules/compare.ts';
import { differs, specWords } from './rules/goods.ts';
import { questionText } from './text.ts';

/** The request as its list shows it. @throws notFound for one out of reach */
export async function requestRowOf(ctx: Ctx, id: string): Promise<QuoteRequestRow> {
  const row = await requestRow(ctx, id);
  if (!row) throw notFound('物流询价不存在');
  return row;
}

const headOf = async (ctx: Ctx, order: ShipOrder, stores: ReadonlyMap<string, string>) => ({
  orderId: order.id,
  order: order.number,
  orderState: order.state as QuoteGoodsRow['orderState'],
  store: { name: stores.get(order.account) ?? '—', country: countryOf(order.marketplaceId) },
  shipmentNos: (await shipmentNosOf(ctx, order)).join('、'),
});

/** Goods of orders as a request would take them now. @throws notFound */
export async function goodsNow(ctx: Ctx, ids: readonly string[], divisor: number): Promise<Reply<typeof quoteGoods>> {
  const stores = await storeNames(ctx);
  const rows: Reply<typeof quoteGoods> = [];
  for (const id of new Set(ids)) {
    const order = await loaded(ctx, id);
    const { estimated, specs, ...goods } = await orderGoods(ctx, order, divisor);
    rows.push({
      ...(await headOf(ctx, order, stores)),
      ...goods,
      basis: estimated ? 'ESTIMATED' : 'PACKED',
      specs: specWords(specs),
      why: notAskable(order) ?? '',
    });
  }
  return rows;
}

/** Goods as they were when forwarders were asked, and what they are now where that differs. */
async function goodsRows(ctx: Ctx, request: QuoteRequest): Promise<QuoteGoodsRow[]> {
  const stores = await storeNames(ctx);
  const rows: QuoteGoodsRow[] = [];
  for (const { order: id, estimated, specs, ...goods } of request.orders) {
    const order = await loaded(ctx, id);
    const now = await orderGoods(ctx, order, request.divisor);
    const changed = differs({ ...goods, specs }, now);
    rows.push({
      ...(await headOf(ctx, order, stores)),
      ...goods,
      basis: estimated ? 'ESTIMATED' : 'PACKED',
      specs: specWords(specs),
      changed,
      now: changed ? `${now.boxes} 箱 ${now.pieces} 件，${now.weight ?? '—'} kg，${now.volume ?? '—'} m³` : '',
    });
  }
  return rows;
}

/** CNY of an answer; one that had no rate on its day may have one by now. */
async function inCny(ctx: Ctx, { totalCny, total, currency, answeredOn }: Answer): Promise<string | null> {
  if (totalCny !== null) return totalCny;
  const rate = (await knownRate(ctx, currency, answeredOn))?.rate;
  return rate === undefined ? null : round(new Decimal(total).times(rate), 2);
}

async function answerRows(ctx: Ctx, request: QuoteRequest, chosenId: string | undefined): Promise<QuoteAnswerRow[]> {
  const today = ctx.clock.today();
  const rows: QuoteAnswerRow[] = [];
  for (const one of await answersOf(ctx, request.id)) {
    const { answeredOn, days, ...answer } = one;
    const totalCny = await inCny(ctx, one);
    const expired = one.validUntil !== null && one.validUntil < today;
    const why = [
      one.superseded ? '已有新的报价' : '',
      expired ? '报价已失效' : '',
      one.late ? '截止后收到' : '',
      totalCny === null ? `没有 ${one.currency} ${answeredOn} 的汇率` : '',
    ];
    rows.push({
      ...answer,
      kind: 'ANSWER',
      totalCny,
      days: days === null ? '' : String(days),
      above: null,
      cheapest: false,
      fastest: false,
      expired,
      chosen: one.id === chosenId,
      why: why.filter(Boolean).join('；'),
    });
  }
  return rows;
}

interface AskedCarrier {
  carrierId: string;
  carrier: string;
  contact: string;
  answered: boolean;
}

/** Who is asked, by name. */
export async function askedOf(ctx: Ctx, requestId: string): Promise<AskedCarrier[]> {
  const { rows } = await sql<AskedCarrier>`
    SELECT k.id AS "carrierId", k.name AS carrier, k.contact, EXISTS (
             SELECT FROM shipping.quote_answer AS a
              WHERE a.company_id = q.company_id AND a.request_id = q.request_id AND a.carrier_id = q.carrier_id) AS answered
      FROM shipping.quote_ask AS q
      JOIN shipping.carrier AS k ON k.company_id = q.company_id AND k.id = q.carrier_id
     WHERE q.company_id = ${ctx.companyId} AND q.request_id = ${requestId} ORDER BY k.name`.execute(ctx.db);
  return rows;
}

/** The question to one forwarder, in words. */
export const textFor = (row: QuoteRequestRow, goods: readonly QuoteGoodsRow[], asked: AskedCarrier): string =>
  questionText({ ...row, ...asked, from: row.warehouse, estimated: row.basis === 'ESTIMATED', goods });

const BOOKING = sql`b.id, b.state, k.name AS carrier, coalesce(c.name, '') AS channel, a.mode, b.booking_no AS "bookingNo", b.vessel,
  b.cargo_cutoff AS "cargoCutoff", b.port_cutoff AS "portCutoff", b.handover, b.handover_on AS "handoverOn", b.place, b.contact,
  b.remark, b.cancelled_why AS why, b.updated_by_name AS "byName", b.updated_at AS at
  FROM shipping.quote_booking AS b
  JOIN shipping.quote_answer AS a ON a.company_id = b.company_id AND a.id = b.answer_id
  JOIN shipping.carrier AS k ON k.company_id = a.company_id AND k.id = a.carrier_id
  LEFT JOIN shipping.channel AS c ON c.company_id = a.company_id AND c.id = a.channel_id`;

async function bookingRows(ctx: Ctx, requestId: string): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    SELECT ${BOOKING} WHERE b.company_id = ${ctx.companyId} AND b.request_id = ${requestId}
     ORDER BY b.id DESC`.execute(ctx.db);
  return rows;
}

/** Everything that the page of a request shows. @throws notFound */
export async function requestDetail(ctx: Ctx, id: string): Promise<Reply<typeof quoteRequestDetail>> {
  const row = await requestRowOf(ctx, id);
  const request = await loadedRequest(ctx, id);
  const goods = await goodsRows(ctx, request);
  const booking = await bookingOf(ctx, id);
  const answers = [...(await answerRows(ctx, request, booking?.answerId)), ...(await cardRows(ctx, request))];
  const codes = Object.values(quoteRequest.transitions).map((rule) => rule.permission);
  return {
    request: row,
    goods,
    answers: compared(answers),
    asked: (await askedOf(ctx, id)).map((one) => ({ ...one, text: textFor(row, goods, one) })),
    bookings: await bookingRows(ctx, id),
    actions: actionsOf(quoteRequest, request.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, quoteRequest.name, id),
  };
}

/** How an order is booked, and the requests that it stands on. @throws notFound for one out of reach */
export async function bookingOfOrder(ctx: Ctx, orderId: string): Promise<Reply<typeof orderBooking>> {
  await loaded(ctx, orderId);
  const { rows: bookings } = await sql<BookingRow>`
    SELECT ${BOOKING}
      JOIN shipping.quote_request_order AS r ON r.company_id = b.company_id AND r.booking_id = b.id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${orderId}`.execute(ctx.db);
  const { rows: requests } = await sql<{ id: string; number: string; chosen: boolean }>`
    SELECT q.id, q.number, r.booking_id IS NOT NULL AS chosen FROM shipping.quote_request_order AS r
      JOIN shipping.quote_request AS q ON q.company_id = r.company_id AND q.id = r.request_id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${orderId} ORDER BY q.id DESC LIMIT 20`.execute(ctx.db);
  return { booking: bookings[0] ?? null, requests };
}
