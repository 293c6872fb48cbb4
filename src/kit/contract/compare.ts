import { z } from 'zod';
import { metaOf } from './columns.ts';
import { dayAfter } from './day.ts';
import { Decimal, ratio } from './decimal.ts';
import { Choice, Day, Quantity, Rate } from './field.ts';

/** What a period is held against: the same length of time right before it, or the same days a year ago. */
export const Comparison = Choice({ previous: '环比上期', year: '同比去年' }, '对比');
export type Comparison = z.infer<typeof Comparison>;

/** Days "yyyy-MM-dd", both included. */
export interface Period {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Days of a period. */
export const lengthOf = ({ from, to }: Period): number => (at(to) - at(from)) / DAY_MS + 1;

const isWholeMonths = ({ from, to }: Period): boolean => from.endsWith('-01') && dayAfter(to, 1).endsWith('-01');

/** The same day so many months before; the last of the month where that is shorter. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10);
}

function wholeMonthsBefore({ from, to }: Period, months: number): Period {
  const end = dayAfter(to, 1);
  return { from: monthsBefore(from, months), to: dayAfter(monthsBefore(end, months), -1) };
}

/**
 * The period that one is held against. Whole months are held against whole months, whatever their lengths; other days
 * against as many days before, or against the same dates of the year before (29 February: the 28th).
 */
export function comparedPeriod(period: Period, how: Comparison): Period {
  const { from, to } = period;
  if (isWholeMonths(period)) {
    const end = dayAfter(to, 1);
    const months =
      (Number(end.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(end.slice(5, 7)) - Number(from.slice(5, 7));
    return wholeMonthsBefore(period, how === 'year' ? 12 : months);
  }
  if (how === 'year') return { from: monthsBefore(from, 12), to: monthsBefore(to, 12) };
  return { from: dayAfter(from, -lengthOf(period)), to: dayAfter(from, -1) };
}

/** (now − before) ÷ before as a ratio; null without a base. Both decimal texts or numbers. */
export function changeOf(now: number | string, before: number | string): string | null {
  return ratio(new Decimal(now).minus(before).toFixed(), String(before));
}

type Compared<K extends string, F extends z.ZodType> = { [P in K | `${K}Before`]: z.ZodNullable<F> } & {
  [P in `${K}Change`]: z.ZodNullable<typeof Rate>;
};

/**
 * Three columns of a row from one measure: of the period, of the one that it is held against, and the change as a ratio.
 * Null: nothing was told of the period; the change is null without a base, too.
 */
export function compared<K extends string, F extends z.ZodType>(key: K, field: F, width = 96): Compared<K, F> {
  const { title = '', permission, good } = metaOf(field);
  const more = { ...(permission ? { permission } : {}), ...(good ? { good } : {}) };
  return {
    [key]: field.nullable(),
    [`${key}Before`]: field.nullable().meta({ title: `对比期${title}`, width: width + 20 }),
    [`${key}Change`]: Rate.nullable().meta({ title: `${title}变化`, width, tip: '（本期 − 对比期）÷ 对比期', ...more }),
  } as unknown as Compared<K, F>;
}

const Figures = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Both periods day by day or month by month, at the same places; null is what nobody told, which is not zero. */
export const ComparedTrend = z.object({
  period: z.object({ from: Day, to: Day }),
  before: z.object({ from: Day, to: Day }),
  /** Days or months of the periods that the source has told. */
  told: z.object({ now: Quantity, before: Quantity }),
  /** Currency of the amounts; null where there are several, whose amounts have no sum. */
  currency: z.string().nullable(),
  points: z.array(z.object({ day: Day.nullable(), dayBefore: Day.nullable(), now: Figures, before: Figures })),
});
export type ComparedTrend = z.infer<typeof ComparedTrend>;
