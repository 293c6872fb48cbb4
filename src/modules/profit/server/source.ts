import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ListingKey } from '#modules/listing/server/index.ts';
import { FIGURE_KEYS, FIGURES } from '../contract/figures.ts';
import { type Dimension, type Goods, isGoods } from '../contract/report.ts';
import { figureSql } from './columns.ts';
import { type RateRow, ratesOf } from './fx.ts';
import { movedListings, withGoods } from './goods.ts';
import { rollupSql } from './rollup.ts';
import { dayColumn, type Scope, within } from './scope.ts';

/** Currencies that occur in the scope. Only a question about some goods reads the rollup itself. */
async function currenciesOf(ctx: Ctx, scope: Scope): Promise<string[]> {
  const isAll = scope.skus.length === 0 && !scope.listings && !scope.late;
  const table = sql.table(isAll ? 'profit.currency_day' : 'profit.profit_daily');
  const { rows } = await sql<{ currency: string }>`
    SELECT DISTINCT p.currency FROM ${table} AS p WHERE ${within(ctx, scope, 'p', isAll ? 'date' : dayColumn(scope))} ORDER BY 1`.execute(
    ctx.db,
  );
  return rows.map((row) => row.currency);
}

export interface Conversion {
  /** Currency of the result; undefined: each row keeps its own. */
  target: string | undefined;
  currencies: string[];
  missing: string[];
  presets: string[];
  /**
   * What the months of each currency are worth: relation fx(currency, month, factor, cost_factor). `factor` makes the result's
   * currency of an amount, `cost_factor` of CNY; null where a rate is missing.
   */
  table: RawBuilder<unknown>;
  /** Whether the company has costs of its own at all, and closed months: who has none does not pay for them. */
  fees: boolean;
  closed: boolean;
  /** First days of the months whose days have moved since they were added up. */
  stale: string[];
  /** Listings that changed hands within the scope: each of their days has its own owner. */
  moved: readonly ListingKey[];
}

/** What of a company's rows need looking at beyond their amounts. */
async function peculiarities(ctx: Ctx): Promise<Pick<Conversion, 'fees' | 'closed' | 'stale'>> {
  const { rows } = await sql<Pick<Conversion, 'fees' | 'closed' | 'stale'>>`
    SELECT EXISTS (SELECT FROM costshare.cost_line WHERE company_id = ${ctx.companyId}) AS fees,
           EXISTS (SELECT FROM profit.period WHERE company_id = ${ctx.companyId}) AS closed,
           ARRAY(SELECT DISTINCT month::text FROM profit.month_stale WHERE company_id = ${ctx.companyId} ORDER BY 1) AS stale`.execute(
    ctx.db,
  );
  return rows[0] ?? { fees: true, closed: true, stale: [] };
}

/** The rates of a conversion as a relation, worked out once for each currency and month and not once for each row. */
function rateTable(rates: readonly RateRow[], missing: readonly string[], target: string | undefined) {
  const unknown = missing.map((key) => {
    const [currency, month] = key.split(' ');
    return { currency, month: `${month}-01`, to_cny: null };
  });
  const known = rates.map(({ currency, month, rate }) => ({ currency, month, to_cny: rate }));
  const all = sql`jsonb_to_recordset(${JSON.stringify([...known, ...unknown])}::jsonb)`;
  const typed = sql`(currency text, month date, to_cny numeric)`;
  return sql`(
    SELECT s.currency, s.month, CASE WHEN s.currency = t.currency THEN 1 ELSE s.to_cny / t.to_cny END AS factor,
           CASE WHEN t.currency = 'CNY' THEN 1 ELSE 1 / t.to_cny END AS cost_factor
      FROM ${all} AS s${typed}
      JOIN ${all} AS t${typed} ON t.month = s.month AND t.currency = ${target === undefined ? sql`s.currency` : sql`${target}::text`}) AS fx`;
}

/** How amounts of some currencies in the months of a period become one, or stay as they are. */
export async function convertedOf(
  ctx: Ctx,
  { currency, from, to }: Pick<Scope, 'currency' | 'from' | 'to'>,
  currencies: string[],
  single: boolean,
): Promise<Omit<Conversion, 'fees' | 'closed' | 'stale' | 'moved'>> {
  const target =
    currency !== 'ORIGINAL' ? currency : single ? (currencies.length === 1 ? currencies[0] : 'CNY') : undefined;
  const needed = [...new Set([...currencies, ...(target === undefined ? [] : [target])])];
  const { rates, missing } = await ratesOf(ctx, needed, from, to);
  const presets = [...new Set(rates.filter((rate) => rate.preset).map((rate) => rate.currency))];
  return { target, currencies, missing, presets, table: rateTable(rates, missing, target) };
}

/** What the scope's amounts need to become one currency. `single` insists on one even where rows keep their own. */
export async function conversionOf(ctx: Ctx, scope: Scope, single: boolean): Promise<Conversion> {
  const converted = await convertedOf(ctx, scope, await currenciesOf(ctx, scope), single);
  return { ...converted, ...(await peculiarities(ctx)), moved: await movedListings(ctx, scope) };
}

/** What sums are kept apart by; `document_id` is a column of rows of settlements only. */
export type Key = 'sku' | 'store_key' | 'date' | 'month' | 'account_id' | 'document_id';
const DIMENSION_KEYS: Record<Exclude<Dimension, Goods>, readonly Key[]> = {
  sku: ['sku'],
  msku: ['sku', 'store_key'],
  store: ['store_key'],
  day: ['date'],
  month: ['month'],
};
/** One row for every listing, with what names it. */
const LISTING_KEYS: readonly Key[] = ['sku', 'store_key', 'account_id'];

const listingName = ({ accountId, marketplaceId, sellerSku }: ListingKey): string =>
  `${accountId} ${marketplaceId} ${sellerSku}`;

const FIGURE_COLUMNS = sql.raw(
  FIGURE_KEYS.map(
    // Summing skips what has no rate; then the whole figure is unknown.
    (key) => `CASE WHEN bool_and(f.factor IS NOT NULL) THEN sum(${figureSql(FIGURES[key])} * f.factor) END AS "${key}"`,
  ).join(', '),
);
/** The same where every amount is in the currency of the result already. */
const PLAIN_FIGURE_COLUMNS = sql.raw(
  FIGURE_KEYS.map((key) => `sum(${figureSql(FIGURES[key])}) AS "${key}"`).join(', '),
);
const SUM_OF_ALL = sql.raw(FIGURE_KEYS.map((key) => `g."${key}"`).join(' + '));

/** Whether all amounts of the scope are in the currency of the result already. */
export function isPlain({ target, currencies }: Conversion): boolean {
  return target === undefined || currencies.every((currency) => currency === target);
}

interface Rates {
  columns: RawBuilder<unknown>;
  joins: RawBuilder<unknown>;
  missing: RawBuilder<unknown>;
}

/** What converts a rollup row `p` by its row `f` of the rates: see `Conversion.table`. */
function ratesSql(conversion: Conversion): Rates {
  const isOwn = isPlain(conversion);
  return {
    columns: isOwn ? PLAIN_FIGURE_COLUMNS : FIGURE_COLUMNS,
    joins: sql`LEFT JOIN fx AS f ON f.currency = p.currency AND f.month = date_trunc('month', p.day)::date`,
    missing: isOwn ? sql`false` : sql`bool_or(f.factor IS NULL)`,
  };
}

/**
 * Sums by some keys of a relation `p` with the columns of profit.profit_daily, `day` and its doubts (see rollupSql); `cost` is
 * positive, null where a rate is missing.
 */
export function sumsSql(from: RawBuilder<unknown>, conversion: Conversion, keys: readonly Key[]): RawBuilder<unknown> {
  const { target, table } = conversion;
  const key = (name: Key, expression: string) =>
    keys.includes(name) ? sql.raw(`${expression} AS ${name}`) : sql.raw(`NULL::text AS ${name}`);
  const by = [
    ...(keys.includes('sku') ? ['p.sku'] : []),
    ...(keys.includes('store_key') ? ['p.account_id', 'p.marketplace_id'] : []),
    ...(keys.includes('date') ? ['p.day'] : []),
    ...(keys.includes('month') ? ["date_trunc('month', p.day)"] : []),
    ...(keys.includes('document_id') ? ['p.document_id'] : []),
    ...(target === undefined ? ['p.currency'] : []),
  ];
  const rates = ratesSql(conversion);
  return sql`(
      WITH fx AS MATERIALIZED (SELECT * FROM ${table})
      SELECT ${key('sku', 'p.sku')}, ${key('store_key', "p.marketplace_id || '-' || p.account_id")},
             ${keys.includes('date') ? sql`p.day` : sql`NULL::date AS day`},
             ${key('month', "to_char(date_trunc('month', p.day), 'YYYY-MM')")}, NULL::text AS goods, NULL::text AS first,
             ${keys.includes('document_id') ? sql`p.document_id,` : sql``}
             ${keys.includes('account_id') ? sql`p.account_id, p.marketplace_id, p.sku AS seller_sku,` : sql``}
             ${target === undefined ? sql`p.currency` : sql`${target}::text`} AS currency,
             min(p.marketplace_id || '-' || p.account_id) AS any_store, ${rates.columns},
             ${rates.missing} AS fx_missing,
             sum(p.units)::bigint AS units, sum(p.orders)::bigint AS orders,
             sum(p.refund_units)::bigint AS refund_units,
             sum(p.missing_units)::bigint AS cost_missing,
             sum(p.cost_units)::bigint AS cost_units, ${inResult('cost_cny', 'cost', target)},
             ${conversion.fees ? inResult('fee_cny', 'fee', target) : sql`0::numeric AS fee`},
             sum(p.sure_size) AS settled_size, sum(p.sure_size + p.unsure_size) AS total_size
        FROM ${from}
        ${rates.joins}
       ${by.length === 0 ? sql`` : sql.raw(`GROUP BY ${by.join(', ')}`)})`;
}

/** Sums of rollup rows by some keys. */
function keyedSql(ctx: Ctx, scope: Scope, conversion: Conversion, keys: readonly Key[]): RawBuilder<unknown> {
  const reading = {
    stale: conversion.stale,
    byDay: keys.includes('date'),
    onlyAbove: scope.basis === 'BOOKED' && conversion.closed,
  };
  return sumsSql(rollupSql(ctx, scope, reading), conversion, keys);
}

/**
 * A column of CNY of rollup rows `p`, positive as a cost; null where a rate is missing. It asks for the amount and not for
 * pieces: a cost that changes after its month was closed is a row of no piece.
 */
function inResult(column: 'cost_cny' | 'fee_cny', name: string, target: string | undefined): RawBuilder<unknown> {
  if (target === 'CNY') return sql.raw(`sum(p.${column}) AS ${name}`);
  return sql.raw(`CASE WHEN bool_or(p.${column} <> 0 AND f.cost_factor IS NULL) THEN NULL
                  ELSE coalesce(sum(p.${column} * f.cost_factor) FILTER (WHERE p.${column} <> 0), 0) END AS ${name}`);
}

const SUMMED = sql.raw(
  [
    // One row without a rate makes the whole figure unknown, as it does when rollup rows are summed.
    ...[...FIGURE_KEYS.map((key) => `"${key}"`), 'cost', 'fee'].map(
      (name) => `CASE WHEN count(*) = count(${name}) THEN sum(${name}) END AS ${name}`,
    ),
    ...['units', 'orders', 'refund_units', 'cost_missing', 'cost_units'].map(
      (name) => `sum(${name})::bigint AS ${name}`,
    ),
    'sum(settled_size) AS settled_size',
    'sum(total_size) AS total_size',
  ].join(', '),
);

/**
 * Sums by listing: the rollup is summed before anything is joined, then each of them is looked up once. By owner those that changed
 * hands within the scope keep their days, few as they are.
 */
function listingsSql(ctx: Ctx, scope: Scope, conversion: Conversion, by: Goods): RawBuilder<unknown> {
  const { moved } = conversion;
  if (by !== 'owner' || moved.length === 0) return keyedSql(ctx, scope, conversion, LISTING_KEYS);
  const names = new Set(moved.map(listingName));
  const whole = keyedSql(ctx, { ...scope, without: moved }, conversion, LISTING_KEYS);
  const kept = scope.listings?.filter((one) => names.has(listingName(one))) ?? moved;
  if (kept.length === 0) return whole;
  const days = keyedSql(ctx, { ...scope, listings: kept }, conversion, [...LISTING_KEYS, 'date']);
  return sql`SELECT * FROM ${whole} AS whole UNION ALL SELECT * FROM ${days} AS days`;
}

/** Sums of rollup rows by the dimension, or of all of them. */
function groupedSql(
  ctx: Ctx,
  scope: Scope,
  conversion: Conversion,
  dimension: Dimension | undefined,
): RawBuilder<unknown> {
  if (dimension === undefined) return keyedSql(ctx, scope, conversion, []);
  if (!isGoods(dimension)) return keyedSql(ctx, scope, conversion, DIMENSION_KEYS[dimension]);
  const listings = listingsSql(ctx, scope, conversion, dimension);
  return sql`(
      SELECT NULL::text AS sku, NULL::text AS store_key, NULL::date AS day, NULL::text AS month, k.goods_key AS goods,
             min((k.any_store || chr(9) || k.seller_sku) COLLATE "C") AS first, k.currency, min(k.any_store) AS any_store,
             bool_or(k.fx_missing) AS fx_missing, ${SUMMED}
        FROM (${withGoods(ctx, dimension, listings, scope.to)}) AS k GROUP BY k.goods_key, k.currency)`;
}

/** Adds what is reckoned from the sums: results and ratios. */
export function nettedSql(grouped: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT n.*, concat_ws('~', n.sku, n.store_key, n.day, n.month, n.goods, n.currency) AS row_key, n.platform_net - n.counted_cost - n.fee AS profit, -n.fee AS fees,
           CASE WHEN n.net_sales > 0 THEN (n.platform_net - n.counted_cost - n.fee) / n.net_sales END AS margin,
           CASE WHEN n.counted_cost > 0 THEN (n.platform_net - n.counted_cost - n.fee) / n.counted_cost END AS roi,
           CASE WHEN n.units > 0 THEN n.refund_units::numeric / n.units END AS refund_rate,
           CASE WHEN n.total_size > 0 THEN n.settled_size / n.total_size END AS settled_share
      FROM (
        SELECT g.*, g.sales + g.promotion + g.refund AS net_sales, ${SUM_OF_ALL} AS platform_net,
               -- pieces without any known cost have no cost to show; none sold cost nothing
               CASE WHEN g.cost_units = 0 AND g.cost_missing > 0 AND g.cost = 0 THEN NULL ELSE -g.cost END AS cogs,
               g.cost AS counted_cost
          FROM ${grouped} AS g) AS n)`;
}

/**
 * The report as a relation: one row per value of the dimension (and currency, where rows keep theirs), all figures
 * converted day by day and then summed. `dimension` undefined gives one row of everything. A missing rate makes every
 * converted figure of its row null, never zero.
 */
export function reportSql(
  ctx: Ctx,
  scope: Scope,
  conversion: Conversion,
  dimension: Dimension | undefined,
): RawBuilder<unknown> {
  return nettedSql(groupedSql(ctx, scope, conversion, dimension));
}

/** Whether all rows of a report have one currency. */
export function isSingle({ target, currencies }: Conversion): boolean {
  return target !== undefined || currencies.length === 1;
}

/**
 * Sums and what is reckoned from them with, in every row, the number of all its rows (`row_count`) and the row of
 * everything (`whole`: a json object of texts, because numbers of json would lose digits): the money is read once for all
 * three. Rows of several currencies have no whole, which is null.
 */
export function withTotalSql(grouped: RawBuilder<unknown>, conversion: Conversion): RawBuilder<unknown> {
  const sums = sql`(
    SELECT NULL::text AS sku, NULL::text AS store_key, NULL::date AS day, NULL::text AS month, NULL::text AS goods,
           NULL::text AS first, min(currency) AS currency, min(any_store) AS any_store, bool_or(fx_missing) AS fx_missing, ${SUMMED} FROM part)`;
  const whole = isSingle(conversion)
    ? sql`(SELECT (SELECT jsonb_object_agg(field.key, field.value #>> '{}') FROM jsonb_each(to_jsonb(w)) AS field)
             FROM ${nettedSql(sums)} AS w)`
    : sql`NULL::jsonb`;
  return sql`(
    WITH part AS MATERIALIZED (SELECT * FROM ${grouped} AS parts),
    whole AS MATERIALIZED (SELECT ${whole} AS whole, (SELECT count(*) FROM part) AS row_count)
    SELECT rows.*, whole.whole, whole.row_count FROM ${nettedSql(sql`part`)} AS rows CROSS JOIN whole)`;
}

/** The report with the number of its rows and the row of everything: see withTotalSql(). */
export function reportWithTotalSql(
  ctx: Ctx,
  scope: Scope,
  conversion: Conversion,
  dimension: Dimension,
): RawBuilder<unknown> {
  return withTotalSql(groupedSql(ctx, scope, conversion, dimension), conversion);
}

/** Columns of `reportSql` besides the figures. */
export interface ReportRow extends Record<(typeof FIGURE_KEYS)[number], string | null> {
  sku: string | null;
  store_key: string | null;
  day: string | null;
  /** "yyyy-MM". */
  month: string | null;
  /** Key of a goods dimension; '' is what belongs to nothing. */
  goods: string | null;
  /** "<store>\t<sku>" of one listing of a row of goods. */
  first: string | null;
  currency: string;
  any_store: string;
  fx_missing: boolean;
  units: number;
  orders: number;
  refund_units: number;
  cost_missing: number;
  cost_units: number;
  settled_size: string;
  net_sales: string | null;
  platform_net: string | null;
  cogs: string | null;
  fees: string | null;
  profit: string | null;
  margin: string | null;
  roi: string | null;
  refund_rate: string | null;
  settled_share: string | null;
}

/** What `reportWithTotalSql` adds to every row. */
export interface WithTotal {
  row_count: number;
  /** Null where rows have several currencies. */
  whole: Record<keyof ReportRow, string | null> | null;
}

/** The row of everything, of its texts; undefined where rows have several currencies. */
export function wholeOf({ whole }: WithTotal): ReportRow | undefined {
  if (!whole) return undefined;
  const count = (key: keyof ReportRow) => Number(whole[key]);
  return {
    ...(whole as Record<keyof ReportRow, string>),
    fx_missing: whole.fx_missing === 'true',
    units: count('units'),
    orders: count('orders'),
    refund_units: count('refund_units'),
    cost_missing: count('cost_missing'),
    cost_units: count('cost_units'),
  };
}
