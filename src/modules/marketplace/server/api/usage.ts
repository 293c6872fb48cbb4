import { type RawBuilder, sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { type UsageFilter, UsageRow, type usageChart } from '../../contract/usage.ts';

const HOURS = { day: 24, week: 7 * 24 } as const;
const CLOSEST = 8;
/** Less than a hundredth of a limit is no news. */
const WORTH = 0.01;

interface DbRow {
  id: string;
  store: string | null;
  caller: string | null;
  region: Region | null;
  operation: string;
  calls: number;
  throttled: number;
  failed: number;
  average_ms: number;
  per_day: number | null;
  share: string | null;
  rate: number | null;
  tokens: number | null;
  burst: number | null;
  blocked_until: string | null;
}

const hoursOf = ({ period = 'day' }: UsageFilter): number => HOURS[period];

/** Hours of the log h within a filter; the hour that runs is one of them. */
function within(ctx: Ctx, filter: UsageFilter, hours: number): RawBuilder<unknown> {
  const { authid, operation } = filter;
  const like = operation ? containing(operation) : undefined;
  return sql`h.company_id = ${ctx.companyId} AND h.hour > kit.now() - make_interval(hours => ${hours})
    ${authid?.length ? sql`AND h.account_id = ANY (${authid}::uuid[])` : sql``}
    ${like ? sql`AND h.operation ILIKE ${like}` : sql``}`;
}

/**
 * What accounts used of each operation. The limit is that of the bucket that all workers share; calls about advertising, whose
 * limits nobody publishes, and those about the application itself have none.
 */
function usage(ctx: Ctx, filter: UsageFilter): RawBuilder<DbRow> {
  return sql<DbRow>`(
    SELECT u.account_id || ' ' || u.operation AS id, s.name AS store, u.caller, a.region, u.operation, u.calls, u.throttled, u.failed,
           u.average_ms, round(b.rate * 86400)::int AS per_day,
           round((u.today / nullif(b.rate * 86400, 0))::numeric, 4) AS share, b.rate,
           floor(least(b.burst, b.tokens + b.rate * greatest(0, extract(epoch FROM kit.instant() - b.refilled_at))))::int
             AS tokens,
           b.burst::int AS burst, CASE WHEN b.blocked_until > kit.instant() THEN b.blocked_until END AS blocked_until
      FROM (SELECT h.account_id, h.operation, max(h.caller) AS caller, sum(h.calls)::int AS calls, sum(h.throttled)::int AS throttled,
                   sum(h.failed)::int AS failed, (sum(h.ms) / nullif(sum(h.calls), 0))::int AS average_ms,
                   coalesce(sum(h.calls) FILTER (WHERE h.hour > kit.now() - interval '24 hours'), 0)::int AS today
              FROM marketplace.call_hour AS h WHERE ${within(ctx, filter, hoursOf(filter))}
             GROUP BY h.account_id, h.operation
             ${filter.throttledOnly ? sql`HAVING sum(h.throttled) > 0` : sql``}) AS u
      LEFT JOIN marketplace.seller_account AS a ON a.company_id = ${ctx.companyId} AND a.id = u.account_id
      LEFT JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
      LEFT JOIN marketplace.rate_bucket AS b
        ON b.application_id = a.application_id AND b.seller_key = a.selling_partner_id || '/' || a.region
       AND b.operation = u.operation)`;
}

const storeOf = ({ store, caller, region }: Pick<DbRow, 'store' | 'caller' | 'region'>): string =>
  store === null ? (caller ?? '—') : `${store}-${region === null ? '' : REGION_NAMES[region]}`;

function rowOf(row: DbRow): UsageRow {
  return {
    id: row.id,
    store: storeOf(row),
    operation: row.operation,
    calls: row.calls,
    throttled: row.throttled,
    failed: row.failed,
    averageMs: row.average_ms,
    perDay: row.per_day,
    share: row.share,
    rate: row.rate === null ? null : String(row.rate),
    tokens: row.tokens,
    burst: row.burst,
    blockedUntil: row.blocked_until,
  };
}

/** Accounts and operations with what they used, the busiest first. */
export function usagePage(ctx: Ctx, request: PageRequest<UsageFilter>): Promise<PageOf<UsageRow>> {
  const query = ctx.db.selectFrom(usage(ctx, request.filter).as('u')).selectAll('u');
  return page<DbRow, UsageRow>(ctx, request, {
    row: UsageRow,
    query: listQuery<DbRow>(query),
    sort: {
      operation: 'u.operation',
      calls: 'u.calls',
      throttled: 'u.throttled',
      failed: 'u.failed',
      averageMs: 'u.average_ms',
      share: 'u.share',
    },
    order: [['u.calls', 'desc']],
    key: 'u.id',
    map: rowOf,
  });
}

/** The same as pictures: calls by hour, and who comes closest to what is allowed. */
export async function usageChartOf(ctx: Ctx, filter: UsageFilter): Promise<Reply<typeof usageChart>> {
  const hours = hoursOf(filter);
  const course = await sql<Reply<typeof usageChart>['hours'][number]>`
    SELECT at AS hour, coalesce(sum(h.calls), 0)::int AS calls, coalesce(sum(h.throttled), 0)::int AS throttled,
           coalesce(sum(h.failed), 0)::int AS failed
      FROM generate_series(date_bin('1 hour', kit.now(), timestamptz '2000-01-01 00:00:00+00')
                           - make_interval(hours => ${hours - 1}),
                           kit.now(), interval '1 hour') AS at
      LEFT JOIN marketplace.call_hour AS h ON h.hour = at AND ${within(ctx, filter, hours)}
     GROUP BY at ORDER BY at`.execute(ctx.db);
  const closest = await sql<DbRow>`
    SELECT * FROM ${usage(ctx, filter)} AS u WHERE u.share >= ${WORTH} ORDER BY u.share DESC, u.id LIMIT ${CLOSEST}`.execute(
    ctx.db,
  );
  return {
    hours: course.rows,
    closest: closest.rows.map((row) => ({ store: storeOf(row), operation: row.operation, share: row.share ?? '0' })),
  };
}
