import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { addDays } from './days.ts';
import type { Scope, Span } from './scope.ts';

/** One day (or half hour) of a site in one currency. */
export interface SourceRow {
  account_id: string;
  marketplace_id: string;
  day: string;
  time: string;
  currency: string;
  current: boolean;
  closed: boolean;
  orders: number;
  units: number;
  net_sales: string;
  estimated: string;
}

/**
 * Values in SQL of the spans, as `p`. `read_from` and `read_to` are the marketplace days that half hours of other clocks may
 * fall on: reckoned here, because row-level security lets an index be read by plain columns only.
 */
export function spansSql(spans: readonly Span[]) {
  const column = (pick: (span: Span) => string) => spans.map(pick);
  return sql`unnest(${column((s) => s.marketplaceId)}::text[], ${column((s) => s.zone)}::text[],
    ${column((s) => s.today)}::date[], ${column((s) => s.from)}::date[], ${column((s) => s.to)}::date[],
    ${column((s) => s.previousFrom)}::date[], ${column((s) => s.previousTo)}::date[], ${column((s) => s.cut)}::time[],
    ${column((s) => addDays(s.previousFrom, -1))}::date[], ${column((s) => addDays(s.to, 1))}::date[])
    AS p (marketplace_id, zone, today, day_from, day_to, previous_from, previous_to, cut, read_from, read_to)`;
}

/** Condition on the accounts of a filter. */
export function ofAccounts(alias: string, accountIds: readonly string[]): RawBuilder<boolean> {
  const column = sql.ref(`${alias}.account_id`);
  return accountIds.length > 0 ? sql<boolean>`${column} = ANY (${accountIds}::uuid[])` : sql<boolean>`true`;
}

const SUMS = sql`s.orders, s.units, s.product_sales - s.discount AS net_sales, s.estimated_sales AS estimated`;

/** Site days from the day rollup: whole days, none of them running. */
function byDay(ctx: Ctx, scope: Scope): RawBuilder<SourceRow> {
  return sql<SourceRow>`
    SELECT s.account_id, s.marketplace_id, s.local_date AS day, '00:00'::time AS time, s.currency,
           s.local_date >= p.day_from AS current, true AS closed, ${SUMS}
      FROM ${spansSql(scope.spans)}
      JOIN sales.store_day AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
       AND s.local_date BETWEEN p.previous_from AND p.day_to
     WHERE ${ofAccounts('s', scope.filter.accountIds)}`;
}

/**
 * Days of any clock from the half hours. These also tell how much of a running day is complete: it and its counterpart
 * in the period before are `closed` up to the same time of day.
 */
export function bySlot(ctx: Ctx, scope: Scope): RawBuilder<SourceRow> {
  return sql<SourceRow>`
    SELECT x.account_id, x.marketplace_id, x.at::date AS day, x.at::time AS time, x.currency,
           x.at::date >= x.day_from AS current, x.orders, x.units, x.net_sales, x.estimated,
           (x.day, x.at::time) < (x.today, x.cut) AS closed
      FROM (SELECT s.account_id, s.marketplace_id, s.currency, t.at, p.day_from, p.day_to, p.previous_from, p.today,
                   p.cut, CASE WHEN t.at::date >= p.day_from THEN t.at::date
                               ELSE t.at::date + (p.day_to - p.day_from + 1) END AS day, ${SUMS}
              FROM ${spansSql(scope.spans)}
              JOIN sales.slot AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
               AND s.local_date BETWEEN p.read_from AND p.read_to
             CROSS JOIN LATERAL (SELECT s.slot_start AT TIME ZONE p.zone AS at) AS t
             WHERE ${ofAccounts('s', scope.filter.accountIds)}) AS x
     WHERE x.at::date BETWEEN x.previous_from AND x.day_to`;
}

/** Rows of both periods, `current` or not; `closed` marks what may be compared. */
export function sourceOf(ctx: Ctx, scope: Scope): RawBuilder<SourceRow> {
  return scope.zone === 'site' && !scope.unfinished ? byDay(ctx, scope) : bySlot(ctx, scope);
}
