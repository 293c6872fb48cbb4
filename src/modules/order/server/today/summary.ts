import { sql } from 'kysely';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AMOUNTS } from '../../contract/orders.ts';
import type { TodayFilter, TodaySite } from '../../contract/today.ts';
import { nowThere, ordersAsOf } from '../freshness.ts';
import { COUNTED, LINES, PRICE } from '../measures.ts';
import { BEFORE_CLOSED, clockOf, narrowed, type SiteClock, siteRows, sitesOf } from './days.ts';

interface Figures {
  marketplaceId: string;
  currency: string | null;
  orders: number;
  units: number;
  sales: string;
  estimated: string;
  closed: number;
  yesterday: number;
  lastWeek: number;
  pastClosed: number;
  pastAll: number;
}

/** Complete days that a projection rests on. */
const PAST_DAYS = 28;

async function figures(ctx: Ctx, clocks: readonly SiteClock[], filter: TodayFilter): Promise<Figures[]> {
  const { rows } = await sql<Figures>`
    SELECT l.marketplace_id AS "marketplaceId", max(l.currency) FILTER (WHERE l.local_date = site.today) AS currency,
           count(DISTINCT (o.selling_partner_id, o.amazon_order_id))
             FILTER (WHERE l.local_date = site.today AND l.quantity > 0) AS orders,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today), 0)::int AS units,
           coalesce(sum(${PRICE}) FILTER (WHERE l.local_date = site.today), 0) AS sales,
           coalesce(sum(l.estimated_price) FILTER (WHERE l.local_date = site.today AND l.item_price IS NULL), 0) AS estimated,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today AND ${BEFORE_CLOSED}), 0)::int AS closed,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today - 1 AND ${BEFORE_CLOSED}), 0)::int AS yesterday,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today - 7 AND ${BEFORE_CLOSED}), 0)::int AS "lastWeek",
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date < site.today AND ${BEFORE_CLOSED}), 0)::int AS "pastClosed",
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date < site.today), 0)::int AS "pastAll"
      FROM ${siteRows(clocks)} JOIN ${LINES} ON l.marketplace_id = site.marketplace_id
     WHERE l.local_date BETWEEN site.today - ${PAST_DAYS}::int AND site.today AND ${COUNTED} AND ${narrowed(ctx, filter)}
     GROUP BY l.marketplace_id`.execute(ctx.db);
  return rows;
}

/** The first marketplace day with an order, per marketplace: a shorter past is no base for a projection. */
async function beginnings(ctx: Ctx, filter: TodayFilter): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; day: string }>`
    SELECT marketplace_id AS id, min(local_date) AS day FROM "order".order_day
     WHERE company_id = ${ctx.companyId}
       ${filter.accountIds?.length ? sql`AND account_id = ANY(${filter.accountIds}::uuid[])` : sql``}
     GROUP BY marketplace_id`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.day]));
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

/** (now - then) / then; null without a base. */
function change(now: number, then: number): string | null {
  return ratio(now - then, then);
}

/**
 * Units of the whole day: what was sold in the hours that are over, divided by their share of the last 28 days (sum of
 * the pieces sold in those hours by sum of all pieces).
 */
export function projected(closed: number, pastClosed: number, pastAll: number): number | null {
  const share = ratio(pastClosed, pastAll);
  if (share === null || new Decimal(share).isZero()) return null;
  return new Decimal(closed).times(pastAll).div(pastClosed).toDecimalPlaces(0).toNumber();
}

function siteOf(clock: SiteClock, found: Figures | undefined, began: string | undefined, amounts: boolean): TodaySite {
  const { units = 0, orders = 0, closed = 0, yesterday = 0, lastWeek = 0, sales = '0' } = found ?? {};
  const settled = began !== undefined && began <= daysBefore(clock.today, PAST_DAYS);
  return {
    marketplaceId: clock.id,
    country: clock.known?.country ?? clock.id,
    name: clock.known?.name ?? clock.id,
    timeZone: clock.zone,
    localTime: clock.time,
    localDate: clock.today,
    closedTime: clock.closed,
    currency: found?.currency ?? clock.known?.currency ?? 'XXX',
    orders,
    units,
    productSales: amounts ? sales : null,
    estimated: amounts ? (found?.estimated ?? '0') : null,
    unitsPerOrder: ratio(units, orders),
    averagePrice: amounts ? ratio(sales, units) : null,
    closedUnits: closed,
    yesterdayUnits: yesterday,
    lastWeekUnits: lastWeek,
    vsYesterday: change(closed, yesterday),
    vsLastWeek: change(closed, lastWeek),
    projection: settled && found ? projected(closed, found.pastClosed, found.pastAll) : null,
  };
}

/** The day so far of every marketplace of the filter, the busiest first. */
export async function todaySummary(
  ctx: Ctx,
  filter: TodayFilter,
): Promise<{ sites: TodaySite[]; asOf: string | null }> {
  const now = await nowThere(ctx.runtime);
  const clocks = (await sitesOf(ctx, filter)).map((id) => clockOf(id, now));
  const asOf = await ordersAsOf(ctx, filter.accountIds);
  if (clocks.length === 0) return { sites: [], asOf };
  const found = new Map((await figures(ctx, clocks, filter)).map((row) => [row.marketplaceId, row]));
  const began = await beginnings(ctx, filter);
  const amounts = can(ctx, AMOUNTS);
  const sites = clocks.map((clock) => siteOf(clock, found.get(clock.id), began.get(clock.id), amounts));
  return { sites: sites.sort((a, b) => b.units - a.units), asOf };
}
