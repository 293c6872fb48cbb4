import { sql } from 'kysely';
import { ratio } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type TodayFilter, TodayRow } from '../../contract/today.ts';
import { nowThere, ordersAsOf } from '../freshness.ts';
import { COUNTED, LINES, PRICE } from '../measures.ts';
import { BEFORE_CLOSED, clockOf, narrowed, type SiteClock, siteRows, sitesOf } from './days.ts';

interface DbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  asin: string | null;
  title: string | null;
  image: string | null;
  currency: string;
  orders: number;
  units: number;
  sales: string;
  net: string;
  closed: number;
  y_units: number;
  y_sales: string;
  ya_units: number;
  ya_sales: string;
  w_units: number;
  w_sales: string;
}

const NET = sql`${PRICE} - coalesce(l.item_discount, 0)`;

/** Pieces and net sales of one day, whole or up to the closed time. */
function day(ago: number, name: string, closedOnly: boolean) {
  const when = sql`l.local_date = site.today - ${ago}::int ${closedOnly ? sql`AND ${BEFORE_CLOSED}` : sql``}`;
  return sql`coalesce(sum(l.quantity) FILTER (WHERE ${when}), 0)::int AS ${sql.raw(`${name}_units`)},
             coalesce(sum(${NET}) FILTER (WHERE ${when}), 0) AS ${sql.raw(`${name}_sales`)}`;
}

function skus(ctx: Ctx, clocks: readonly SiteClock[], filter: TodayFilter) {
  return sql<DbRow>`(
    SELECT l.account_id || ':' || l.marketplace_id || ':' || l.seller_sku AS id, l.account_id, l.marketplace_id,
           l.seller_sku, max(s.asin) AS asin, coalesce(max(s.title), max(p.name)) AS title, max(p.image) AS image, max(l.currency) AS currency,
           count(DISTINCT (o.selling_partner_id, o.amazon_order_id))
             FILTER (WHERE l.local_date = site.today AND l.quantity > 0) AS orders,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today), 0)::int AS units,
           coalesce(sum(${PRICE}) FILTER (WHERE l.local_date = site.today), 0) AS sales,
           coalesce(sum(${NET}) FILTER (WHERE l.local_date = site.today), 0) AS net,
           coalesce(sum(l.quantity) FILTER (WHERE l.local_date = site.today AND ${BEFORE_CLOSED}), 0)::int AS closed,
           ${day(1, 'y', true)}, ${day(1, 'ya', false)}, ${day(7, 'w', true)}
      FROM ${siteRows(clocks)} JOIN ${LINES} ON l.marketplace_id = site.marketplace_id
      LEFT JOIN "order".sold_sku s ON s.company_id = l.company_id AND s.account_id = l.account_id
       AND s.marketplace_id = l.marketplace_id AND s.seller_sku = l.seller_sku
      LEFT JOIN listing.product p ON p.company_id = l.company_id AND p.account_id = l.account_id
       AND p.marketplace_id = l.marketplace_id AND p.seller_sku = l.seller_sku
     WHERE l.local_date IN (site.today, site.today - 1, site.today - 7) AND ${COUNTED} AND ${narrowed(ctx, filter)}
     GROUP BY l.account_id, l.marketplace_id, l.seller_sku)`;
}

function rowOf(row: DbRow, stores: ReadonlyMap<string, string>): TodayRow {
  return {
    id: row.id,
    product: { name: row.title ?? row.seller_sku, code: row.seller_sku, image: row.image, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    currency: row.currency,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    orders: row.orders,
    units: row.units,
    netSales: row.net,
    averagePrice: ratio(row.sales, row.units),
    yesterdayUnits: row.y_units,
    yesterdaySales: row.y_sales,
    vsYesterday: ratio(row.closed - row.y_units, row.y_units),
    yesterdayAllUnits: row.ya_units,
    yesterdayAllSales: row.ya_sales,
    lastWeekUnits: row.w_units,
    lastWeekSales: row.w_sales,
    vsLastWeek: ratio(row.closed - row.w_units, row.w_units),
  };
}

const SORT = {
  orders: 't.orders',
  units: 't.units',
  netSales: 't.net',
  yesterdayUnits: 't.y_units',
  yesterdayAllUnits: 't.ya_units',
  lastWeekUnits: 't.w_units',
};

/** SKUs that were sold today, yesterday or a week ago, the most sold today first. */
export async function todayList(ctx: Ctx, asked: PageRequest<TodayFilter>): Promise<PageOf<TodayRow>> {
  const now = await nowThere(ctx.runtime);
  const clocks = (await sitesOf(ctx, asked.filter)).map((id) => clockOf(id, now));
  const asOf = await ordersAsOf(ctx, asked.filter.accountIds);
  if (clocks.length === 0) return { records: [], total: 0, asOf };
  const stores = await storeNames(ctx);
  const query = ctx.db.selectFrom(skus(ctx, clocks, asked.filter).as('t')).selectAll();
  return page<DbRow, TodayRow>(ctx, asked, {
    row: TodayRow,
    query: query as unknown as ListDef<DbRow, TodayRow>['query'],
    sort: SORT,
    order: [
      ['t.units', 'desc'],
      ['t.y_units', 'desc'],
    ],
    key: 't.id',
    map: (row) => rowOf(row, stores),
    asOf: async () => asOf,
    totals: async () => {
      const row = await query
        .clearSelect()
        .select([
          sql<number>`coalesce(sum(units), 0)::int`.as('units'),
          sql<number>`coalesce(sum(y_units), 0)::int`.as('yesterdayUnits'),
          sql<number>`coalesce(sum(ya_units), 0)::int`.as('yesterdayAllUnits'),
          sql<number>`coalesce(sum(w_units), 0)::int`.as('lastWeekUnits'),
        ])
        .executeTakeFirstOrThrow();
      return { ...row };
    },
  });
}
