import { dayAfter, lastDayOf } from '#kit/contract/day.ts';
import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import type { DuePart } from '#modules/finance/server/index.ts';
import type { TermStage } from './order/suppliers.ts';

/** Days from which terms count, yyyy-MM-dd. */
export interface Anchors {
  /** The order went out; null for what no order stands behind. */
  placed: string | null;
  /** The goods came, or the work was done. */
  came: string;
}

/**
 * The day by which a stage is to be paid. What is due before shipment is due when the goods are there; the day of the
 * supplier's invoice is taken to be that of the goods. 月结N: the end of the month of the goods and N days (handbook of
 * purchasing 5.7).
 */
export function dueDay({ anchor, days }: Pick<TermStage, 'anchor' | 'days'>, { placed, came }: Anchors): string {
  switch (anchor) {
    case 'order':
      return dayAfter(placed ?? came, days);
    case 'before_shipment':
      return came;
    case 'monthly':
      return dayAfter(lastDayOf(came), days);
    default:
      return dayAfter(came, days);
  }
}

/**
 * A debt by the days on which its parts are due, to the smallest unit of the currency. Without terms all of it is due when the
 * goods came.
 */
export function dueParts(terms: readonly TermStage[], anchors: Anchors, amount: string, currency: string): DuePart[] {
  if (terms.length === 0) return [{ amount, dueOn: anchors.came }];
  const shares = new Map(terms.map((stage, index) => [String(index), stage.share]));
  const amounts = allocate(amount, shares, currencyScale(currency));
  const days = new Map<string, string>();
  for (const [index, stage] of terms.entries()) {
    const day = dueDay(stage, anchors);
    days.set(day, sum([days.get(day) ?? '0', amounts?.get(String(index)) ?? '0']));
  }
  return [...days].flatMap(([dueOn, part]) => (new Decimal(part).isZero() ? [] : [{ amount: part, dueOn }]));
}
