import { Decimal } from '#kit/contract/decimal.ts';
import type { QuoteAnswerRow } from '../../../contract/quote-request/answer.ts';

/** The last day of "16–22", for the mark; without a promise the slowest. */
const slowest = (days: string) => (days === '' ? Number.POSITIVE_INFINITY : Number(days.split('–').at(-1)));

/** 0: can be chosen, 1: a price card, 2: has a price in a currency without a rate, 3: over or replaced, 4: no price. */
function rankOf({ total, totalCny, kind, expired, superseded }: QuoteAnswerRow): number {
  if (total === null) return 4;
  if (superseded || expired) return 3;
  if (totalCny === null) return 2;
  return kind === 'CARD' ? 1 : 0;
}

/**
 * Answers in the order in which they are chosen from: those that count by their sum in CNY, of equal ones the fastest, then
 * price cards, then what cannot be compared or chosen any more. The cheapest and the fastest of those that count are marked,
 * all of them where several are; `above` is how much more than the cheapest one costs, as a share of that, with 4 places.
 */
export function compared(rows: readonly QuoteAnswerRow[]): QuoteAnswerRow[] {
  const able = rows.filter((row) => rankOf(row) === 0);
  const least = able
    .map(({ totalCny }) => new Decimal(totalCny ?? 0))
    .reduce<Decimal | undefined>((a, b) => (a === undefined ? b : Decimal.min(a, b)), undefined);
  const soonest = Math.min(...able.map(({ days }) => slowest(days)));
  const sorted = [...rows].sort((a, b) => {
    const byRank = rankOf(a) - rankOf(b);
    if (byRank !== 0) return byRank;
    const byTotal = new Decimal(a.totalCny ?? 0).comparedTo(b.totalCny ?? 0);
    if (byTotal !== 0) return byTotal;
    return slowest(a.days) === slowest(b.days)
      ? a.carrier.localeCompare(b.carrier, 'zh-CN')
      : slowest(a.days) - slowest(b.days);
  });
  return sorted.map((row) => {
    const counts = rankOf(row) === 0;
    const above =
      row.totalCny === null || least === undefined || least.isZero()
        ? null
        : new Decimal(row.totalCny).minus(least).div(least).toDecimalPlaces(4).toFixed();
    return {
      ...row,
      above,
      cheapest: counts && least?.eq(row.totalCny ?? 0) === true,
      fastest: counts && row.days !== '' && slowest(row.days) === soonest,
    };
  });
}
