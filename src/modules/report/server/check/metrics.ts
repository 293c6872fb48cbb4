import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { AccountRef, Fetched, LandCounts, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { businessDay, localToInstant } from '#modules/marketplace/server/index.ts';

const DAY_SEC = 86_400;
const MINUTE_MS = 60_000;

/** Stream of what Amazon itself counts of a site's days. */
export const ORDER_METRICS = 'report.orderMetrics';

/** Amounts are decimals in the model; the service is seen to send plain numbers as well. */
interface Metric {
  interval: string;
  unitCount: number;
  orderItemCount: number;
  orderCount: number;
  totalSales: { amount: string | number; currencyCode: string };
}

/** A day of a site by Amazon's own count. */
export interface MetricDay {
  /** "yyyy-MM-dd" in the site's zone. */
  day: string;
  orders: number;
  items: number;
  units: number;
  /** Ordered product sales before tax and shipping, in `currency`. */
  sales: string;
  currency: string;
  /** ISO instant up to which orders are counted: the day's end, or when it was asked for during the day. */
  readTo: string;
}

/** An instant on the wall clock of an IANA zone with that clock's offset: "2026-11-16T00:00:00+01:00". */
export function spelledIn(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    at,
  );
  const wall = parts.replace(' ', 'T');
  const ahead = Math.round((Date.parse(`${wall}Z`) - at) / MINUTE_MS);
  if (ahead === 0) return `${wall}Z`;
  const clock = new Date(Math.abs(ahead) * MINUTE_MS).toISOString().slice(11, 16);
  return `${wall}${ahead < 0 ? '-' : '+'}${clock}`;
}

/** The instant, epoch ms, at which the day of an instant begins in a zone. */
function beginningOfDay(zone: string, at: number): number {
  return localToInstant(Date.parse(`${businessDay(at, zone)}T00:00:00Z`), zone);
}

/** Days of an answer; the last one may be cut off where the question ended. */
export function daysOf(metrics: readonly Metric[], zone: string): MetricDay[] {
  return metrics.map((metric) => {
    const [from = '', to = ''] = metric.interval.split('--');
    return {
      day: businessDay(from, zone),
      orders: metric.orderCount,
      items: metric.orderItemCount,
      units: metric.unitCount,
      sales: new Decimal(String(metric.totalSales.amount)).toFixed(),
      currency: metric.totalSales.currencyCode,
      readTo: new Date(to).toISOString(),
    };
  });
}

/**
 * Writes days that are new or differ; a later count of a day stands in for an earlier one, and a count of more of the day
 * for one of less.
 */
async function land(ctx: Ctx, account: AccountRef, site: string, days: readonly MetricDay[]): Promise<LandCounts> {
  const { rows } = await sql<{ inserted: boolean }>`
    INSERT INTO report.order_metric AS m
           (company_id, account_id, marketplace_id, day, orders, items, units, sales, currency, read_to)
    SELECT ${ctx.companyId}, ${account.id}, ${site}, d.day, d.orders, d.items, d.units, d.sales, d.currency, d.read_to
      FROM unnest(${days.map((d) => d.day)}::date[], ${days.map((d) => d.orders)}::int[], ${days.map((d) => d.items)}::int[],
                  ${days.map((d) => d.units)}::int[], ${days.map((d) => d.sales)}::numeric[],
                  ${days.map((d) => d.currency)}::text[], ${days.map((d) => d.readTo)}::timestamptz[])
           AS d (day, orders, items, units, sales, currency, read_to)
    ON CONFLICT (company_id, account_id, marketplace_id, day) DO UPDATE
       SET orders = excluded.orders, items = excluded.items, units = excluded.units, sales = excluded.sales,
           currency = excluded.currency, read_to = excluded.read_to
     WHERE m.read_to <= excluded.read_to
       AND (m.orders, m.items, m.units, m.sales, m.currency, m.read_to)
           IS DISTINCT FROM (excluded.orders, excluded.items, excluded.units, excluded.sales, excluded.currency, excluded.read_to)
    RETURNING (xmax = 0) AS inserted`.execute(ctx.db);
  const inserted = rows.filter((row) => row.inserted).length;
  return { rowsIn: days.length, inserted, updated: rows.length - inserted, unchanged: days.length - rows.length };
}

async function fetch({ account, marketplaceId, window, api }: StreamRun): Promise<Fetched> {
  const zone = marketplaceOf(marketplaceId ?? '')?.timeZone;
  if (marketplaceId === undefined || zone === undefined) throw new Error(`no zone for marketplace ${marketplaceId}`);
  const from = beginningOfDay(zone, Date.parse(window.from));
  const to = Math.floor(Date.parse(window.to) / MINUTE_MS) * MINUTE_MS;
  if (to <= from) return { land: async () => ({ rowsIn: 0, inserted: 0, updated: 0, unchanged: 0 }) };
  const { body } = await api.call<{ payload?: Metric[] }>({
    operation: 'getOrderMetrics',
    method: 'GET',
    path: '/sales/v1/orderMetrics',
    query: {
      marketplaceIds: [marketplaceId],
      interval: `${spelledIn(zone, from)}--${spelledIn(zone, to)}`,
      granularity: 'Day',
      granularityTimeZone: zone,
    },
  });
  const days = daysOf(body.payload ?? [], zone);
  return { land: (ctx) => land(ctx, account, marketplaceId, days) };
}

/**
 * What Amazon counts of each site's days, hourly: the second opinion that 销售核对 holds our own count against. One call
 * brings every day since five weeks ago, because cancellations and prices of pending orders change days that are over; the
 * first one brings as much of the past as orders are kept of, less a day so that no clock makes it too much.
 */
export const orderMetrics: StreamDef = {
  code: ORDER_METRICS,
  title: '销售核对（平台口径）',
  scope: 'marketplace',
  cadenceSec: 3600,
  overlapSec: 35 * DAY_SEC,
  safetyLagSec: 180,
  maxWindowSec: 800 * DAY_SEC,
  historySec: (config) => (config.orderHistoryDays - 1) * DAY_SEC,
  priority: 58,
  sloMin: 150,
  fetch,
};
