import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { among, type FactList, factsOf, withText } from '#modules/inventory/server/index.ts';
import { type SearchQueryFilter, SearchQueryRow } from '../contract/search-queries.ts';

type Figure = Exclude<keyof SearchQueryRow, 'id' | 'day' | 'store' | 'asin' | 'itemName' | 'query' | 'currency'>;

/** Figures of a row and the columns that they stand in. */
const COLUMNS = {
  score: 'score',
  volume: 'volume',
  shownTotal: 'shown_total',
  shownOwn: 'shown_own',
  shownShare: 'shown_share',
  clicksTotal: 'clicks_total',
  clicksOwn: 'clicks_own',
  clicksShare: 'clicks_share',
  clicksTotalPrice: 'clicks_total_price',
  clicksOwnPrice: 'clicks_own_price',
  cartsTotal: 'carts_total',
  cartsOwn: 'carts_own',
  cartsShare: 'carts_share',
  cartsTotalPrice: 'carts_total_price',
  cartsOwnPrice: 'carts_own_price',
  boughtTotal: 'bought_total',
  boughtOwn: 'bought_own',
  boughtShare: 'bought_share',
  boughtTotalPrice: 'bought_total_price',
  boughtOwnPrice: 'bought_own_price',
} as const satisfies Record<Figure, string>;

type Query = { [F in Figure as (typeof COLUMNS)[F]]: SearchQueryRow[F] } & {
  query: string;
  currency: string;
  item_name: string | null;
};

const figuresOf = (row: Query) =>
  Object.fromEntries(Object.entries(COLUMNS).map(([figure, column]) => [figure, row[column]])) as Pick<
    SearchQueryRow,
    Figure
  >;

/** The report names no SKU: what the store calls the ASIN there. */
const ITEM_NAME = sql<string | null>`(SELECT p.name FROM listing.product AS p
  WHERE p.company_id = f.company_id AND p.account_id = f.account_id AND p.marketplace_id = f.marketplace_id
    AND p.asin = f.asin ORDER BY p.seller_sku LIMIT 1)`;

/** Search queries by week, the newest first, each week by the rank of the query for its product. */
export function searchQueryList(
  ctx: Ctx,
  { query, asin, ...filter }: SearchQueryFilter,
): FactList<Query, SearchQueryRow> {
  let rows = withText(factsOf(ctx, 'report.search_query', filter), 'query', query);
  if (asin?.trim()) rows = among(rows, 'asin', asin.trim().toUpperCase());
  return {
    title: '搜索词表现',
    resource: 'report.searchQuery',
    row: SearchQueryRow,
    query: rows.select(ITEM_NAME.as('item_name')),
    order: [
      ['f.day', 'desc'],
      ['f.score', 'asc'],
    ],
    sort: {
      day: 'f.day',
      // Prices of several currencies have no order.
      ...Object.fromEntries(
        Object.entries(COLUMNS).flatMap(([figure, column]) =>
          figure.endsWith('Price') ? [] : [[figure, `f.${column}`]],
        ),
      ),
    },
    // Totals of a query stand beside each product that it finds: only what is the product's own can be added up.
    sums: { shownOwn: 'shown_own', clicksOwn: 'clicks_own', cartsOwn: 'carts_own', boughtOwn: 'bought_own' },
    map: (row, { id, day, store }) => ({
      id,
      day,
      store,
      asin: row.asin ?? '',
      itemName: row.item_name ?? '',
      query: row.query,
      currency: row.currency,
      ...figuresOf(row),
    }),
  };
}
