import { type RawBuilder, sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { ratio } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { containing } from '#kit/server/list/words.ts';
import { returnRowsSelect } from '#modules/inventory/server/index.ts';
import { atSites, ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { skuDaysSelect } from '#modules/sales/server/index.ts';
import { COUNTED_MONEY, IS_REFUND } from '#modules/settlement/server/index.ts';
import { MATURE_DAYS, type SkuReturnFilter, SkuReturnRow, USUAL_DAYS } from '../contract/skus.ts';
import { orderOf } from './rows.ts';

interface SkuSums {
  key: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  units: number;
  shipped: number;
  returned: number;
  cohort: number;
  sellable: number;
  defective: number;
  damaged: number;
  unknown: number;
  refund: string | null;
  currency: string | null;
  name?: string | null;
  image?: string | null;
  asin?: string | null;
}

/** The days of a report; today's is the company's. */
export function periodOf(ctx: Ctx, dates: SkuReturnFilter['dates']): Period {
  const to = dates?.to ?? ctx.clock.today();
  return { from: dates?.from ?? dayAfter(to, 1 - USUAL_DAYS), to };
}

/**
 * Rows of one figure each, by account, marketplace and SKU: what was sold, what came back in the period, what came back of
 * what was bought in it, and what was refunded. They are added up once, so that a SKU with only one of them has its row too.
 */
function parts(ctx: Ctx, period: Period): RawBuilder<unknown> {
  const within = (day: string) => sql`${sql.ref(day)} BETWEEN ${period.from}::date AND ${period.to}::date`;
  const rows = sql`(${returnRowsSelect()}) AS f`;
  const mine = sql`f.company_id = ${ctx.companyId}`;
  const pieces = (condition: RawBuilder<unknown>) => sql`CASE WHEN ${condition} THEN f.quantity ELSE 0 END`;
  const site = sql`coalesce(o.marketplace_id, f.marketplace_id)`;
  return sql`
    SELECT d.account_id, d.marketplace_id, d.seller_sku, d.units, d.shipped_units AS shipped, 0 AS returned, 0 AS cohort,
           0 AS sellable, 0 AS defective, 0 AS damaged, 0 AS unknown, NULL::numeric AS refund, NULL::text AS currency
      FROM (${skuDaysSelect(ctx, [period])}) AS d
    UNION ALL
    SELECT f.account_id, ${site}, f.seller_sku, 0, 0, f.quantity, 0, ${pieces(sql`f.disposition = 'SELLABLE'`)},
           ${pieces(sql`f.disposition = 'DEFECTIVE'`)}, ${pieces(sql`f.disposition NOT IN ('SELLABLE', 'DEFECTIVE', '')`)},
           ${pieces(sql`f.disposition = ''`)}, NULL, NULL
      FROM ${rows} LEFT JOIN LATERAL (${orderOf(ctx, sql`o.marketplace_id`)}) AS o ON true
     WHERE ${mine} AND ${within('f.day')}
    UNION ALL
    SELECT f.account_id, o.marketplace_id, f.seller_sku, 0, 0, 0, f.quantity, 0, 0, 0, 0, NULL, NULL
      FROM ${rows}
      JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = f.order_id
       AND o.account_id = f.account_id AND ${within('o.local_date')}
     WHERE ${mine} AND f.day >= ${period.from}::date
    UNION ALL
    SELECT m.account_id, m.marketplace_id, m.sku, 0, 0, 0, 0, 0, 0, 0, 0, -m.amount, m.currency
      FROM ${COUNTED_MONEY}
     WHERE m.company_id = ${ctx.companyId} AND m.sku <> '' AND ${within('m.posted_date')} AND ${IS_REFUND}`;
}

function sumsSelect(ctx: Ctx, filter: SkuReturnFilter, period: Period): RawBuilder<SkuSums> {
  const { sites, keyword, skus } = filter;
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (sites?.length) all.push(atSites('x', sites));
  if (skus?.length) all.push(sql`x.seller_sku = ANY (${skus}::text[])`);
  if (keyword?.trim()) {
    all.push(sql`(x.seller_sku ILIKE ${containing(keyword)} OR EXISTS (
      SELECT FROM listing.product AS p WHERE ${ofListing(ctx, 'x')} AND p.asin ILIKE ${containing(keyword)}))`);
  }
  return sql<SkuSums>`
    SELECT concat_ws('|', x.account_id, x.marketplace_id, x.seller_sku) AS key, x.account_id, x.marketplace_id, x.seller_sku,
           sum(x.units)::int AS units, sum(x.shipped)::int AS shipped, sum(x.returned)::int AS returned,
           sum(x.cohort)::int AS cohort, sum(x.sellable)::int AS sellable, sum(x.defective)::int AS defective,
           sum(x.damaged)::int AS damaged, sum(x.unknown)::int AS unknown,
           CASE WHEN count(DISTINCT x.currency) = 1 THEN sum(x.refund) END AS refund,
           CASE WHEN count(DISTINCT x.currency) = 1 THEN min(x.currency) END AS currency
      FROM (${parts(ctx, period)}) AS x WHERE ${sql.join(all, sql` AND `)}
     GROUP BY x.account_id, x.marketplace_id, x.seller_sku`;
}

interface Figures {
  units: number;
  shipped: number;
  returned: number;
  cohort: number;
}

function ratesOf({ units, shipped, returned, cohort }: Figures) {
  return { periodRate: ratio(returned, units), cohortRate: ratio(cohort, shipped) };
}

async function listOf(ctx: Ctx, filter: SkuReturnFilter): Promise<ListDef<SkuSums, SkuReturnRow>> {
  const period = periodOf(ctx, filter.dates);
  const stores = await storeNames(ctx);
  const maturity = dayAfter(period.to, MATURE_DAYS) > ctx.clock.today() ? 'young' : 'ripe';
  return {
    row: SkuReturnRow,
    query: relation(ctx, sumsSelect(ctx, filter, period)),
    around: (rows: Query<SkuSums>) =>
      relation(
        ctx,
        sql<SkuSums>`
        SELECT f.*, p.name, p.image, p.asin FROM (${rows}) AS f
          LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`,
      ),
    sort: {
      product: 'f.seller_sku',
      units: 'f.units',
      returned: 'f.returned',
      periodRate: 'f.returned::numeric / nullif(f.units, 0)',
      cohort: 'f.cohort',
      cohortRate: 'f.cohort::numeric / nullif(f.shipped, 0)',
      refund: 'f.refund',
    },
    order: [
      ['f.returned', 'desc'],
      ['f.units', 'desc'],
    ],
    key: 'f.key',
    map: (row) => ({
      id: row.key,
      product: { name: row.name ?? '', code: row.seller_sku, image: row.image ?? null, extra: row.asin ?? null },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      units: row.units,
      returned: row.returned,
      cohort: row.cohort,
      ...ratesOf(row),
      maturity,
      refund: row.refund,
      currency: row.currency,
      sellable: row.sellable,
      defective: row.defective,
      damaged: row.damaged,
      unknown: row.unknown,
    }),
  };
}

type Whole = Figures & Record<'rows' | 'sellable' | 'defective' | 'damaged' | 'unknown', number>;

async function wholeOf(ctx: Ctx, filter: SkuReturnFilter): Promise<Whole> {
  const fields = ['units', 'shipped', 'returned', 'cohort', 'sellable', 'defective', 'damaged', 'unknown'];
  const sums = fields.map((name) => `coalesce(sum(f.${name}), 0)::int AS ${name}`).join(', ');
  const { rows } = await sql<Whole>`
    SELECT count(*)::int AS rows, ${sql.raw(sums)} FROM (${sumsSelect(ctx, filter, periodOf(ctx, filter.dates))}) AS f`.execute(
    ctx.db,
  );
  const [whole] = rows;
  if (!whole) throw new Error('a sum has one row');
  return whole;
}

/** One page of SKUs with their rates in a period, most returned first; rates of the totals are those of their sums. */
export async function skuPage(ctx: Ctx, request: PageRequest<SkuReturnFilter>): Promise<PageOf<SkuReturnRow>> {
  const { rows, shipped, ...figures } = await wholeOf(ctx, request.filter);
  return page(ctx, request, {
    ...(await listOf(ctx, request.filter)),
    count: async () => rows,
    totals: async () => ({ ...figures, ...ratesOf({ ...figures, shipped }) }),
  });
}

/** The same as a file. */
export function exportSkus(open: OpenCtx, request: ExportRequest<SkuReturnFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const { from, to } = periodOf(ctx, request.filter.dates);
    return {
      name: `退货率 ${from}至${to}`,
      sheet: '退货率',
      format: request.format,
      columns: exportColumns(ctx, SkuReturnRow, request.columns),
      rows: streamed(ctx, request, await listOf(ctx, request.filter)),
      audit: { action: '导出退货率', resource: 'returns.order', filter: request.filter },
    };
  });
}
