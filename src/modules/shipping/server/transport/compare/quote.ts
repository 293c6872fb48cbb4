import { Decimal, round } from '#kit/contract/decimal.ts';
import type { QuoteRow } from '../../../contract/transport/compare.ts';
import { charge } from '../rules/charge.ts';
import type { scalesOf } from '../rules/weigh.ts';
import type { PricedChannel } from './cards.ts';

const daysText = (min: number | null, max: number | null): string => {
  if (min === null || max === null) return String(min ?? max ?? '');
  return min === max ? String(min) : `${min}–${max}`;
};

/**
 * What a channel asks for the boxes on the scales on a day, with the sum in CNY by `rates` (CNY for one unit). A channel without a card that
 * counts, boxes that were not measured and quantities outside of its tiers have no price but a reason.
 */
export function quoteOf(
  channel: PricedChannel,
  scales: ReturnType<typeof scalesOf>,
  day: string,
  rates: ReadonlyMap<string, string>,
): QuoteRow {
  const { card } = channel;
  const row: QuoteRow = {
    channelId: channel.id,
    versionId: null,
    carrier: channel.carrier,
    channel: channel.name,
    mode: channel.mode,
    zone: channel.zone,
    days: daysText(channel.daysMin, channel.daysMax),
    billUnit: channel.billUnit,
    billable: null,
    quantity: null,
    price: null,
    freight: null,
    fuelFee: null,
    fees: null,
    total: null,
    currency: card?.currency ?? 'CNY',
    totalCny: null,
    cheapest: false,
    fastest: false,
    why: null,
  };
  if (!card) return { ...row, why: '没有价卡' };
  if (card.validTo !== null && card.validTo < day) return { ...row, why: `价卡已于 ${card.validTo} 到期` };
  const weighed = scales(channel);
  if ('why' in weighed) return { ...row, ...weighed };
  const found = charge(card, weighed, channel);
  const { billable } = weighed;
  if ('why' in found) return { ...row, billable, ...found };
  const rate = rates.get(card.currency);
  return {
    ...row,
    ...found,
    versionId: card.id,
    billable,
    totalCny: rate === undefined ? null : round(new Decimal(found.total).times(rate), 2),
    why: rate === undefined ? `没有 ${card.currency} 的汇率，未参与排序` : null,
  };
}

/** The last day of a channel's time, for the order and the mark; channels that promise none come last. */
const slowest = (days: string) => (days === '' ? Number.POSITIVE_INFINITY : Number(days.split('–').at(-1)));

/**
 * Quotes in the order in which they are chosen from: by their sum in CNY, equal ones by their days, those that cannot be
 * compared or have no price at the end. The cheapest and the fastest of those with a sum are marked, all of them where
 * several are.
 */
export function ranked(quotes: readonly QuoteRow[]): QuoteRow[] {
  const able = quotes.filter((quote) => quote.totalCny !== null);
  const least = able
    .map(({ totalCny }) => new Decimal(totalCny ?? 0))
    .reduce((a, b) => Decimal.min(a, b), new Decimal('1e30'));
  const soonest = Math.min(...able.map(({ days }) => slowest(days)));
  const sorted = [...quotes].sort((a, b) => {
    const byState = rankOf(a) - rankOf(b);
    if (byState !== 0) return byState;
    const byTotal = new Decimal(a.totalCny ?? 0).comparedTo(b.totalCny ?? 0);
    if (byTotal !== 0) return byTotal;
    const [one, other] = [slowest(a.days), slowest(b.days)];
    return one === other
      ? a.carrier.localeCompare(b.carrier, 'zh-CN') || a.channel.localeCompare(b.channel, 'zh-CN')
      : one - other;
  });
  return sorted.map((quote) => ({
    ...quote,
    cheapest: quote.totalCny !== null && least.eq(quote.totalCny),
    fastest: quote.totalCny !== null && quote.days !== '' && slowest(quote.days) === soonest,
  }));
}

/** 0: can be compared, 1: has a price in a currency without a rate, 2: has none. */
function rankOf({ totalCny, total }: QuoteRow): number {
  if (totalCny !== null) return 0;
  return total === null ? 2 : 1;
}
