import { allocate, currencyScale, Decimal, round } from '#kit/contract/decimal.ts';

const DAY_MS = 86_400_000;

/** Days from one to another, both counted, "yyyy-MM-dd". */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** A part of a document that falls on one day; decimal text, in its currency and in CNY. */
export interface DayPart {
  rowNo: number;
  day: string;
  amount: string;
  amountCny: string;
}

/**
 * Spreads rows evenly over the days of a period and converts what comes of it: the days of a row add up to the row, and the
 * CNY of all of them to the amount of all rows at that rate, rounded to a cent; no unit is lost. Days that get nothing are left out.
 */
export function partsOf(
  rows: readonly { rowNo: number; amount: string }[],
  period: { from: string; to: string },
  { currency, rate }: { currency: string; rate: string },
): DayPart[] {
  const even = new Map(daysOf(period.from, period.to).map((day) => [day, '1']));
  const parts = rows.flatMap(({ rowNo, amount }) =>
    [...(allocate(amount, even, currencyScale(currency)) ?? [])].map(([day, part]) => ({ rowNo, day, amount: part })),
  );
  const keyOf = ({ rowNo, day }: { rowNo: number; day: string }) => `${String(rowNo).padStart(6, '0')} ${day}`;
  const total = Decimal.sum(0, ...rows.map(({ amount }) => amount)).times(rate);
  const cny = allocate(round(total, 2), new Map(parts.map((part) => [keyOf(part), part.amount])), 2);
  return parts
    .map((part) => ({ ...part, amountCny: cny?.get(keyOf(part)) ?? '0' }))
    .filter(({ amount, amountCny }) => !new Decimal(amount).isZero() || !new Decimal(amountCny).isZero());
}
