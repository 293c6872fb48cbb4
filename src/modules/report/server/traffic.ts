import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import { type FactDef, factLoader, int, money, text } from '#modules/inventory/server/index.ts';
import type { FileReader, ReportPlan } from '#modules/marketplace/server/index.ts';
import { salesAndTraffic } from '#modules/marketplace/server/index.ts';

type Row = typeof salesAndTraffic extends FileReader<infer R> ? R : never;

/** Visits of an account's products changed in the transaction that tells it. */
export const trafficTouched = event<{ accountId: string }>('report.trafficTouched');

const traffic: FactDef<Row> = {
  changed: (ctx: Ctx, accountId) => emit(ctx, trafficTouched, { accountId }),
  reader: salesAndTraffic,
  table: 'report.traffic',
  mode: 'period',
  about: 'site',
  day: (row) => row.day,
  isNamed: () => true,
  pieces: (row) => (row.level === 'site' ? row.units : 0),
  columns: [
    text('level', (row) => row.level, true),
    text('seller_sku', (row) => row.sku, true),
    text('asin', (row) => row.asin, true),
    text('parent_asin', (row) => row.parentAsin, true),
    text('currency', (row) => row.currency),
    money('sales', (row) => row.sales),
    money('sales_b2b', (row) => row.salesB2B),
    int('units', (row) => row.units),
    int('units_b2b', (row) => row.unitsB2B),
    int('items', (row) => row.items),
    int('items_b2b', (row) => row.itemsB2B),
    int('refunded', (row) => row.refunded),
    int('shipped', (row) => row.shipped),
    int('sessions', (row) => row.sessions),
    int('browser_sessions', (row) => row.browserSessions),
    int('page_views', (row) => row.pageViews),
    int('browser_page_views', (row) => row.browserPageViews),
    money('featured', (row) => row.featured),
  ],
};

export const trafficLoader = factLoader(traffic);

/** One day per report, as its figures of products are sums over it; ten days are read again, because they are restated. */
export const trafficPlan: ReportPlan = {
  code: 'report.traffic',
  title: '销售与流量',
  reportType: salesAndTraffic.type,
  how: 'window',
  per: 'site',
  wholeDays: true,
  windowDays: 1,
  historyDays: 14,
  overlapDays: 10,
  priority: 62,
  cadenceSec: 24 * 3600,
  sloMin: 50 * 60,
  inBackground: true,
};
