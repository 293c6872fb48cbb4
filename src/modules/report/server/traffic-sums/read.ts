import { type RawBuilder, sql } from 'kysely';
import { either, inside, type MonthPart, monthParts, type Periods } from '#kit/server/list/compared/index.ts';
import type { Facts } from '#modules/inventory/server/index.ts';
import { type DirtyMonths, dirtyRelation } from './dirty.ts';
import { MEASURES } from './measures.ts';

/** Where figures are read: days, their sums by month, and what months have come to by each of their days. */
export interface Sources {
  days: Facts;
  runs: Facts;
  months: Facts;
  dirty: DirtyMonths;
}

const NAMES = Object.entries(MEASURES);
const SHOWN = sql.raw('f.account_id, f.marketplace_id, f.currency, f.seller_sku, f.asin');

type Side = 'now' | 'before';

/** The measures of one period by `value`, and nothing in the columns of the other one; all parts have the same order. */
const columnsOf = (side: Side, value: (column: string) => string): RawBuilder<unknown> =>
  sql.raw(
    NAMES.map(([name, { column, kind }]) => {
      const none = `NULL::${kind === 'integer' ? 'int' : 'numeric'}`;
      const [now, before] = side === 'now' ? [value(column), none] : [none, value(column)];
      return `${now} AS "${name}", ${before} AS "${name}Before"`;
    }).join(', '),
  );

/** Rows whose sums hold; `day` is a day of their month. */
const clean = (dirty: DirtyMonths, day: string): RawBuilder<boolean> =>
  dirty.months.length === 0
    ? sql`true`
    : sql`NOT EXISTS (SELECT FROM ${dirtyRelation(dirty)}
        WHERE x.account_id = f.account_id AND x.marketplace_id = f.marketplace_id
          AND x.month = date_trunc('month', ${sql.raw(day)})::date)`;

/** Days of the marked months, read one month after the other by its days. */
const daysOfDirty = ({ days, dirty }: Pick<Sources, 'days' | 'dirty'>): RawBuilder<unknown> => sql`
  ${dirtyRelation(dirty)} CROSS JOIN LATERAL (
    SELECT d.* FROM (${days.selectAll('f')}) AS d
     WHERE d.account_id = x.account_id AND d.marketplace_id = x.marketplace_id
       AND d.day >= x.month AND d.day < x.month + interval '1 month') AS f`;

/** Whole months, from their sums. */
const wholeMonths = (
  side: Side,
  months: readonly string[],
  { months: sums, dirty }: Sources,
): RawBuilder<unknown> => sql`
  SELECT ${SHOWN}, ${columnsOf(side, (column) => `f.${column}`)} FROM (${sums.selectAll('f')}) AS f
   WHERE f.month = ANY (${months}::date[]) AND ${clean(dirty, 'f.month')}`;

/**
 * Some days of a month: what it had come to by the last of them, less what it had come to before the first. A product without
 * a row on these days has none here either.
 */
const daysOfMonth = (side: Side, { month, from, to }: MonthPart, { runs, dirty }: Sources): RawBuilder<unknown> => {
  const value = (column: string) => `f.${column}[i.upto] - coalesce(f.${column}[i.before], 0)`;
  return sql`
    SELECT ${SHOWN}, ${columnsOf(side, value)} FROM (${runs.selectAll('f')}) AS f
     CROSS JOIN LATERAL (SELECT width_bucket(${to}::smallint, f.days) AS upto,
                                width_bucket(${from - 1}::smallint, f.days) AS before OFFSET 0) AS i
     WHERE f.month = ${month}::date AND i.upto > i.before AND ${clean(dirty, 'f.month')}`;
};

/** The days of marked months, each in the columns of its period. */
const marked = (periods: Periods, sources: Sources): RawBuilder<unknown> => {
  const values = NAMES.flatMap(([name, { of }]) => [
    sql`CASE WHEN ${inside(periods.now)} THEN ${sql.raw(of)} END AS ${sql.ref(name)}`,
    sql`CASE WHEN ${inside(periods.before)} THEN ${sql.raw(of)} END AS ${sql.ref(`${name}Before`)}`,
  ]);
  return sql`SELECT ${SHOWN}, ${sql.join(values)} FROM ${daysOfDirty(sources)} WHERE ${either(periods)}`;
};

/**
 * SELECT of parts of the sums of both periods: whole months from the sums by month, the ends of a period from the packed days,
 * and months that are marked from the days themselves.
 */
export function trafficParts(periods: Periods, sources: Sources): RawBuilder<unknown> {
  const parts = (['now', 'before'] as const).flatMap((side) => {
    const months = monthParts(periods[side]);
    const whole = months.filter((part) => part.whole).map((part) => part.month);
    return [
      ...(whole.length > 0 ? [wholeMonths(side, whole, sources)] : []),
      ...months.filter((part) => !part.whole).map((part) => daysOfMonth(side, part, sources)),
    ];
  });
  const all = sources.dirty.months.length > 0 ? [...parts, marked(periods, sources)] : parts;
  return sql.join(all, sql` UNION ALL `);
}

/** SELECT of the sums of all products by site and day, from the days themselves in marked months. */
export function trafficPoints(
  periods: Periods,
  { sums, ...sources }: Pick<Sources, 'days' | 'dirty'> & { sums: Facts },
): RawBuilder<unknown> {
  const of = (value: (measure: { column: string; of: string }) => string) =>
    sql.raw(NAMES.map(([name, measure]) => `${value(measure)} AS "${name}"`).join(', '));
  const kept = sql`SELECT f.day, f.currency, ${of(({ column }) => `f.${column}`)} FROM (${sums.selectAll('f')}) AS f
                    WHERE ${either(periods)} AND ${clean(sources.dirty, 'f.day')}`;
  if (sources.dirty.months.length === 0) return kept;
  return sql`${kept} UNION ALL
    SELECT f.day, f.currency, ${of((measure) => measure.of)} FROM ${daysOfDirty(sources)} WHERE ${either(periods)}`;
}
