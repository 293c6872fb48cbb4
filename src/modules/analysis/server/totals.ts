import { sql } from 'kysely';
import { ratio } from '#kit/contract/decimal.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import type { WallFilter } from '../contract/wall.ts';
import { rowsOf } from './relation.ts';

/** Fields of the row to columns that are added up over all currencies. */
const PIECES = {
  listings: 'listings',
  units7: 'units7',
  units15: 'units15',
  units30: 'units30',
  orders30: 'orders30',
  returns30: 'returns30',
  sessions7: 'sessions7',
  pageViews7: 'page_views7',
  impressions7: 'impressions7',
  clicks7: 'clicks7',
  adOrders7: 'ad_orders7',
  costMissing30: 'cost_missing30',
  trafficUnits: 'traffic_units7',
  featuredBase: 'featured_base7',
} as const;
const STOCK = ['fulfillable', 'sellable', 'inbound'] as const;
const MONEY = {
  sales7: 'sales7',
  sales30: 'sales30',
  adSpend7: 'ad_spend7',
  adSales7: 'ad_sales7',
  netSales30: 'net_sales30',
  platformNet30: 'platform_net30',
  cogs30: 'cogs30',
  profit30: 'profit30',
} as const;
type MoneyField = keyof typeof MONEY;
type Pieces = Record<keyof typeof PIECES | (typeof STOCK)[number], number | null>;
type Row = { currency: string; n: number; featured: string | null; shared: boolean } & Pieces &
  Record<MoneyField, string | null>;

/** Sums of a filter by currency. */
interface Sums {
  n: number;
  totals: Totals;
}

const plain = (view: WallFilter['view']) => view === undefined || view === 'msku';

/** Pieces for sale, those of a stock that sites share once. */
async function stockOnce(ctx: Ctx, filter: WallFilter): Promise<Record<(typeof STOCK)[number], number | null>> {
  const { rows } = await sql<Record<(typeof STOCK)[number], number | null>>`
    SELECT sum(fulfillable)::float8 AS fulfillable, sum(sellable)::float8 AS sellable, sum(inbound)::float8 AS inbound
      FROM (SELECT DISTINCT m.account_id, m.pool, m.seller_sku, m.fulfillable, m.sellable, m.inbound,
                   CASE WHEN m.pool_sites = 1 THEN m.marketplace_id END AS site
              FROM ${rowsOf(ctx, filter)}) AS each`.execute(ctx.db);
  return rows[0] ?? { fulfillable: null, sellable: null, inbound: null };
}

async function byCurrency(ctx: Ctx, filter: WallFilter): Promise<Row[]> {
  const own = plain(filter.view);
  const columns = [
    ...Object.entries(PIECES).map(([name, column]) =>
      own && name === 'listings' ? `count(*)::float8 AS "${name}"` : `sum(m.${column})::float8 AS "${name}"`,
    ),
    ...Object.entries(MONEY).map(([name, column]) => `sum(m.${column}) AS "${name}"`),
    ...STOCK.map((name) => `sum(m.${name})::float8 AS ${name}`),
  ].join(', ');
  const { rows } = await sql<Row>`
    SELECT m.currency, count(*)::int AS n, sum(m.featured_views7) AS featured, max(m.pool_sites) > 1 AS shared,
           ${sql.raw(columns)}
      FROM ${rowsOf(ctx, filter)} GROUP BY m.currency ORDER BY m.currency`.execute(ctx.db);
  return rows;
}

const added = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Pieces for sale over the filter, a stock that sites share once. Groups of listings do not tell what they share: null. */
async function stockTotals(ctx: Ctx, filter: WallFilter, rows: readonly Row[]): Promise<Totals> {
  if (!rows.some((row) => row.shared)) {
    return Object.fromEntries(STOCK.map((name) => [name, added(rows.map((row) => row[name]))]));
  }
  return plain(filter.view) ? stockOnce(ctx, filter) : { fulfillable: null, sellable: null, inbound: null };
}

const over = (part: string | number | null | undefined, whole: string | number | null | undefined): string | null =>
  part == null || whole == null ? null : ratio(part, whole);

/** Sums over the whole filter, money by currency, ratios of the sums; those of money over several currencies converted. */
export async function wallTotals(ctx: Ctx, filter: WallFilter): Promise<Sums> {
  const rows = await byCurrency(ctx, filter);
  const names = Object.keys(PIECES) as (keyof typeof PIECES)[];
  const sums = Object.fromEntries(names.map((name) => [name, added(rows.map((row) => row[name]))])) as Pieces;
  const { trafficUnits, featuredBase, ...pieces } = sums;
  const money = await moneyTotals<MoneyField>(ctx, rows, Object.keys(MONEY) as MoneyField[]);
  const one = (field: MoneyField) => (rows.length > 1 ? money[`${field}.base`] : money[field]);
  const net = one('netSales30');
  const number = (values: (string | null)[]) => added(values.map((value) => (value === null ? null : Number(value))));
  return {
    n: rows.reduce((sum, row) => sum + row.n, 0),
    totals: {
      ...money,
      ...pieces,
      ...(await stockTotals(ctx, filter, rows)),
      returnRate: over(pieces.returns30, pieces.units30),
      conversion7: over(trafficUnits, pieces.sessions7),
      featured7: over(number(rows.map((row) => row.featured)), featuredBase),
      ctr7: over(pieces.clicks7, pieces.impressions7),
      cvr7: over(pieces.adOrders7, pieces.clicks7),
      acos7: over(one('adSpend7'), one('adSales7')),
      acoas7: over(one('adSpend7'), one('sales7')),
      margin30: net != null && Number(net) > 0 ? over(one('profit30'), net) : null,
    },
  };
}
