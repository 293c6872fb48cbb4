import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { among, type ComparedList, factsOf } from '#modules/inventory/server/index.ts';
import { type TrafficSumFilter, TrafficSumRow } from '../contract/reports.ts';

/**
 * Visits and sales of products over two periods, of one level only (see trafficList). Conversion is Σunits ÷ Σsessions and the
 * featured share Σ(share × views) ÷ Σviews of the days that tell a share (handbook 5.4).
 */
export const trafficSumList = (
  ctx: Ctx,
  { level = 'sku', dates: _, view: __, compare: ___, ...filter }: TrafficSumFilter,
): ComparedList => ({
  title: '流量汇总对比',
  resource: 'report.traffic',
  row: TrafficSumRow,
  facts: among(factsOf(ctx, 'report.traffic', filter, 'f.seller_sku, f.asin, f.parent_asin'), 'level', level),
  told: sql`SELECT account_id, marketplace_id, day FROM report.traffic
             WHERE company_id = ${ctx.companyId} AND level = 'site'`,
  by: ['seller_sku', 'asin'],
  measures: {
    sessions: { of: 'f.sessions', kind: 'integer' },
    pageViews: { of: 'f.page_views', kind: 'integer' },
    units: { of: 'f.units', kind: 'integer' },
    items: { of: 'f.items', kind: 'integer' },
    trafficSales: { of: 'f.sales', kind: 'money' },
    featuredViews: { of: 'f.featured * f.page_views / 100', kind: 'decimal' },
    sharedViews: { of: 'CASE WHEN f.featured IS NOT NULL THEN f.page_views END', kind: 'integer' },
  },
  ratios: { featured: ['featuredViews', 'sharedViews'], conversion: ['units', 'sessions'] },
  step: 'day',
  charted: ['sessions', 'units', 'conversion', 'trafficSales'],
  first: 'sessions',
});
