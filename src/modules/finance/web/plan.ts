import { dayAfter, mondayOf } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { DueDay, PlanRow } from '../contract/due.ts';

/** Weeks of the plan that are told one by one; what is due later is one line. */
const WEEKS = 12;

/** Days that are due together: from and to, both inclusive; open at an end that is undefined. */
export interface Span {
  title: string;
  from?: string;
  to?: string;
}

export const NO_DAY = '未定到期日';

/**
 * The part of the plan that a due day belongs to: what is overdue, the rest of this week, the weeks after it from Monday to
 * Sunday, all that is later, and what has no day.
 */
export function spanOf(day: string | null, today: string): Span {
  if (day === null) return { title: NO_DAY };
  if (day < today) return { title: '已逾期', to: dayAfter(today, -1) };
  const monday = mondayOf(day);
  const to = dayAfter(monday, 6);
  if (monday === mondayOf(today)) return { title: `本周（至 ${to.slice(5)}）`, from: today, to };
  const beyond = dayAfter(mondayOf(today), 7 * WEEKS);
  if (monday >= beyond) return { title: `${beyond} 起`, from: beyond };
  return { title: `${monday} 至 ${to.slice(5)}`, from: monday, to };
}

const plus = (one: string, other: string): string => new Decimal(one).plus(other).toFixed();

/** A line of the plan, and the days that it stands for. */
export type Planned = PlanRow & { span: Span };

/** The plan by week and currency, in the order of the days. */
export function planOf(days: readonly DueDay[], today: string): Planned[] {
  const rows = new Map<string, Planned>();
  for (const { day, currency, count, open, asked, worth } of days) {
    const span = spanOf(day, today);
    const id = `${span.title} ${currency}`;
    const row = rows.get(id);
    rows.set(id, {
      id,
      span,
      week: span.title,
      currency,
      count: (row?.count ?? 0) + count,
      open: plus(row?.open ?? '0', open),
      asked: plus(row?.asked ?? '0', asked),
      left: plus(row?.left ?? '0', new Decimal(open).minus(asked).toFixed()),
      worth: worth === null || row?.worth === null ? null : plus(row?.worth ?? '0', worth),
    });
  }
  return [...rows.values()];
}

/** What is due within a span in CNY, of currencies whose rate is known. */
export function worthWithin(days: readonly DueDay[], within: (day: string) => boolean): string {
  const found = days.filter(({ day }) => day !== null && within(day));
  return found.reduce((sum, { worth }) => plus(sum, worth ?? '0'), '0');
}
