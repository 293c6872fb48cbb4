import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ComparedList } from '#kit/server/list/compared/index.ts';
import { allOf, among, factsOf, goodsCompared } from '#modules/inventory/server/index.ts';
import { type TrafficSumFilter, TrafficSumRow } from '../../contract/reports.ts';
import { dirtyMonths } from './dirty.ts';
import { MEASURES } from './measures.ts';
import { trafficParts, trafficPoints } from './read.ts';

/** Columns that name a product; visits know no FNSKU. */
const NAMES = ['seller_sku', 'asin'];

/**
 * Visits and sales of products over two periods, of one level only (see trafficList). Conversion is Σunits ÷ Σsessions and the
 * featured share Σ(share × views) ÷ Σviews of the days that tell a share (handbook 5.4).
 */
export async function trafficSumList(
  ctx: Ctx,
  { level = 'sku', dates: _, ...filter }: TrafficSumFilter,
): Promise<ComparedList> {
  const of = (table: string) =>
    among(factsOf(ctx, table, filter, 'f.seller_sku, f.asin, f.parent_asin'), 'level', level);
  const days = of('report.traffic');
  const dirty = await dirtyMonths(ctx);
  // Sums of all products by day know no product.
  const isAll = !filter.keyword?.trim() && !filter.skus?.length;
  return goodsCompared(
    ctx,
    {
      title: '流量汇总对比',
      resource: 'report.traffic',
      row: TrafficSumRow,
      facts: allOf(days),
      parts: (periods) =>
        trafficParts(periods, { days, runs: of('report.traffic_run'), months: of('report.traffic_month'), dirty }),
      ...(isAll
        ? { points: (periods) => trafficPoints(periods, { days, sums: of('report.traffic_day'), dirty }) }
        : {}),
      told: sql`SELECT account_id, marketplace_id, day FROM report.traffic
               WHERE company_id = ${ctx.companyId} AND level = 'site'`,
      by: NAMES,
      measures: MEASURES,
      ratios: { featured: ['featuredViews', 'sharedViews'], conversion: ['units', 'sessions'] },
      step: 'day',
      charted: ['sessions', 'units', 'conversion', 'trafficSales'],
      first: 'sessions',
    },
    NAMES,
  );
}
