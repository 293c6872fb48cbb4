import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { ALL_GROUPS } from '../contract/figures.ts';
import { nextMonth } from './booking.ts';
import { dayColumn, hasSpans, type Scope, within } from './scope.ts';

/** Numbers of a rollup row that add up over days. */
export const MEASURES = [
  'units',
  'orders',
  'refund_units',
  'cost_units',
  'cost_cny',
  'fee_cny',
  'settled_size',
  'open_size',
] as const;

/** All columns that months add up of days. */
export const SUMMED_COLUMNS: readonly string[] = [...ALL_GROUPS, ...MEASURES];

const DAY_MS = 86_400_000;
/** More pieces than this are slower than the days themselves. */
const MOST_STALE = 6;

const shifted = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const firstOf = (day: string) => `${day.slice(0, 7)}-01`;

/** What a report reads of the rollup. */
export interface Reading {
  /** First days of the company's months that are not added up, or not as their days are. */
  stale: readonly string[];
  /** Rows keep their days. */
  byDay: boolean;
  /** What a difference takes away from another month's doubts is none of this month's. */
  onlyAbove: boolean;
}

const COLUMNS = sql.raw(
  ['account_id', 'marketplace_id', 'sku', 'currency', 'scope', ...SUMMED_COLUMNS].map((name) => `p.${name}`).join(', '),
);

/** The day of a row, or the first one of its month, and its doubts: pieces without a cost, and sizes proved and not. */
function doubtsSql(scope: Scope, { onlyAbove }: Reading, monthly: boolean): RawBuilder<unknown> {
  const doubt = (plain: string, above: string) => (onlyAbove ? above : plain);
  const above = (value: string) => `greatest(${value}, 0)`;
  return sql.raw(
    [
      `p.${dayColumn(scope)} AS day`,
      `${doubt('p.units - p.cost_units', monthly ? 'p.missing_units' : above('p.units - p.cost_units'))} AS missing_units`,
      `${doubt('p.settled_size', monthly ? 'p.sure_size' : above('p.settled_size'))} AS sure_size`,
      `${doubt('p.open_size', monthly ? 'p.unsure_size' : above('p.open_size'))} AS unsure_size`,
    ].join(', '),
  );
}

/** The whole months of a scope from the rollup by month, what is left of it at both ends and what has moved by days. */
function piecesOf(ctx: Ctx, scope: Scope, reading: Reading): RawBuilder<unknown>[] {
  const days = (part: Scope, also = sql``) =>
    sql`SELECT ${COLUMNS}, ${doubtsSql(scope, reading, false)} FROM profit.profit_daily AS p WHERE ${within(ctx, part)} ${also}`;
  const first = scope.from === firstOf(scope.from) ? scope.from : nextMonth(firstOf(scope.from));
  const last = shifted(firstOf(shifted(scope.to, 1)), -1);
  // Money that came late is booked after the month it is of: a stale month may be one before the scope.
  const stale = reading.stale.filter((month) => month <= last && (scope.basis === 'BOOKED' || month >= first));
  if (reading.byDay || hasSpans(scope) || first > last || stale.length > MOST_STALE) return [days(scope)];
  const whole = { ...scope, from: first, to: last };
  return [
    sql`SELECT ${COLUMNS}, ${doubtsSql(scope, reading, true)} FROM profit.profit_monthly AS p
         WHERE ${within(ctx, whole)} ${stale.length > 0 ? sql`AND p.date <> ALL(${stale}::date[])` : sql``}`,
    ...stale.map((month) => days(whole, sql`AND p.date >= ${month}::date AND p.date < ${nextMonth(month)}::date`)),
    ...(scope.from < first ? [days({ ...scope, to: shifted(first, -1) })] : []),
    ...(last < scope.to ? [days({ ...scope, from: shifted(last, 1) })] : []),
  ];
}

/** Rows of a scope as a relation `p`: the columns of profit.profit_daily with `day` and their doubts. */
export function rollupSql(ctx: Ctx, scope: Scope, reading: Reading): RawBuilder<unknown> {
  return sql`(${sql.join(piecesOf(ctx, scope, reading), sql` UNION ALL `)}) AS p`;
}
