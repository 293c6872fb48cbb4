import { sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import type { QuoteRow } from '../../contract/transport/compare.ts';
import { compare } from '../transport/compare/compare.ts';
import { reaches } from '../transport/rules/zone.ts';
import type { QuoteRequest } from './load.ts';

const rowOf = (quote: QuoteRow): QuoteAnswerRow => ({
  id: `card ${quote.channelId}`,
  kind: 'CARD',
  carrierId: null,
  carrier: quote.carrier,
  channelId: quote.channelId,
  channel: quote.channel,
  mode: quote.mode,
  round: null,
  unit: quote.billUnit,
  price: quote.price,
  quantity: quote.quantity,
  freight: quote.freight,
  tax: null,
  otherFee: quote.total === null ? null : sum([quote.fuelFee ?? '0', quote.fees ?? '0']),
  total: quote.total,
  currency: quote.currency,
  totalCny: quote.totalCny,
  above: null,
  days: quote.days,
  validUntil: null,
  cheapest: false,
  fastest: false,
  late: false,
  expired: false,
  superseded: false,
  chosen: false,
  why: quote.why ?? '',
  remark: '',
  at: null,
  byName: '',
});

/**
 * 价目表: what our price cards ask today for the goods of a request, as one shipment; of the way that was asked for alone, and
 * without channels that do not go to its centres. Amounts in the card's currency.
 */
export async function cardRows(ctx: Ctx, request: QuoteRequest): Promise<QuoteAnswerRow[]> {
  const boxes = request.orders.flatMap(({ specs }) => specs);
  if (boxes.length === 0) return [];
  const { country, postalCode, mode } = request;
  const centers = [...new Set(request.orders.flatMap(({ center }) => center.split(',')).filter(Boolean))];
  const goals = (centers.length > 0 || postalCode === '' ? centers : ['']).map((code) => ({
    code,
    postalCode,
    country,
  }));
  const { quotes } = await compare(ctx, { orderId: null, boxes, country, zone: '', day: null });
  return quotes
    .filter((quote) => (mode === null || quote.mode === mode) && goals.every((goal) => reaches(quote.zone, goal)))
    .map(rowOf);
}
