import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { stockDaysSelect } from '#modules/inventory/server/index.ts';
import { isCensored } from './engine/clean.ts';
import { at, type Days } from './engine/series.ts';
import { daysBetween, type Stock } from './stocks.ts';

/** Days whose mean a day's sales are held against, to tell a lack of stock from a lack of buyers. */
const TRAILING_DAYS = 28;

/** Sales of a SKU in a stock by day, from the first day of its stock to the cut-off. */
export interface History {
  sku: string;
  /** The marketplace that sold most of it. */
  site: string;
  /** What was sold, gifts left out, orders of other channels included. */
  units: Days;
  /** The same for models: unknown (NaN) on days that say less than the demand was. */
  demand: Days;
  /** 1 on days without stock. */
  out: Uint8Array;
}

/** SKUs of a stock that sold within its history, or of which somebody said something, in the order of their names. */
export async function skusOf(ctx: Ctx, stock: Stock): Promise<string[]> {
  const { accountId, sites, fulfilledBy, pool, cutoff } = stock;
  const { rows } = await sql<{ sku: string }>`
    SELECT seller_sku AS sku FROM sales.sku_day
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ANY (${sites}::text[])
       AND fulfilled_by = ${fulfilledBy} AND local_date BETWEEN ${stock.from}::date AND ${cutoff}::date
       AND units + mcf_units > 0
    UNION
    SELECT seller_sku FROM forecast.care
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND pool = ${pool} AND reference_skus <> '{}'
    ORDER BY 1`.execute(ctx.db);
  return rows.map(({ sku }) => sku);
}

interface Sold {
  sku: string;
  site: string;
  days: number[];
  units: number[];
}

async function soldOf(ctx: Ctx, stock: Stock, skus: readonly string[]): Promise<Sold[]> {
  const { accountId, sites, fulfilledBy, from, cutoff } = stock;
  // Gifts are no demand; orders of other channels are, since they leave the same stock.
  const { rows } = await sql<Sold>`
    WITH each AS (
      SELECT seller_sku, marketplace_id, local_date - ${from}::date AS day,
             sum(greatest(0, units - zero_price_units) + mcf_units)::int AS units
        FROM sales.sku_day
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ANY (${sites}::text[])
         AND seller_sku = ANY (${skus}::text[]) AND local_date BETWEEN ${from}::date AND ${cutoff}::date
         AND fulfilled_by = ${fulfilledBy}
       GROUP BY 1, 2, 3)
    SELECT seller_sku AS sku, marketplace_id AS site, array_agg(day) AS days, array_agg(units) AS units FROM each GROUP BY 1, 2`.execute(
    ctx.db,
  );
  return rows;
}

interface Lying {
  sku: string;
  days: number[];
  pieces: number[];
}

/** Pieces for sale by day, told once however many sites of a stock tell them. */
async function lyingOf(ctx: Ctx, stock: Stock, skus: readonly string[]): Promise<Lying[]> {
  if (stock.fulfilledBy === 'MERCHANT') return [];
  const { from } = stock;
  const { rows } = await sql<Lying>`
    SELECT seller_sku AS sku, array_agg(day) AS days, array_agg(pieces) AS pieces
      FROM (SELECT d.seller_sku, d.day - ${from}::date AS day, max(d.fulfillable)::int AS pieces
              FROM (${stockDaysSelect(ctx, { accountId: stock.accountId, from, skus })}) AS d
             WHERE d.marketplace_id = ANY (${stock.sites}::text[]) AND d.day <= ${stock.cutoff}::date GROUP BY 1, 2) AS x
     GROUP BY 1`.execute(ctx.db);
  return rows;
}

const spread = (length: number, days: readonly number[], values: readonly number[], target: Days): Days => {
  days.forEach((day, n) => {
    if (day >= 0 && day < length)
      target[day] = (Number.isNaN(at(target, day)) ? 0 : at(target, day)) + (values[n] ?? 0);
  });
  return target;
};

/** Days of which the stock was read at both ends, and which therefore may be called days without stock. */
function marked(units: Days, pieces: Days): Pick<History, 'demand' | 'out'> {
  const demand = units.slice();
  const out = new Uint8Array(units.length);
  let sum = 0;
  let count = 0;
  for (let day = 1; day < units.length; day += 1) {
    const [before, after] = [at(pieces, day - 1), at(pieces, day)];
    const left = day - 1 - TRAILING_DAYS;
    if (left >= 0 && !Number.isNaN(at(demand, left))) {
      sum -= at(demand, left);
      count -= 1;
    }
    if (!Number.isNaN(at(demand, day - 1))) {
      sum += at(demand, day - 1);
      count += 1;
    }
    if (Number.isNaN(before) || Number.isNaN(after)) continue;
    const availability = (Number(before > 0) + Number(after > 0)) / 2;
    if (isCensored({ availability, before, after }, at(units, day), count === 0 ? 0 : sum / count))
      demand[day] = Number.NaN;
    if (before <= 0 && after <= 0) out[day] = 1;
  }
  return { demand, out };
}

/** Histories of some SKUs of a stock, in the order in which they are named. */
export async function historiesOf(ctx: Ctx, stock: Stock, skus: readonly string[]): Promise<History[]> {
  const length = daysBetween(stock.from, stock.cutoff) + 1;
  const sold = Map.groupBy(await soldOf(ctx, stock, skus), (row) => row.sku);
  const lying = new Map((await lyingOf(ctx, stock, skus)).map((row) => [row.sku, row]));
  return skus.map((sku) => {
    const sites = sold.get(sku) ?? [];
    const units = new Float64Array(length);
    for (const one of sites) spread(length, one.days, one.units, units);
    const there = lying.get(sku);
    const pieces = spread(length, there?.days ?? [], there?.pieces ?? [], new Float64Array(length).fill(Number.NaN));
    const total = (one: Sold) => one.units.reduce((sum, value) => sum + value, 0);
    const most = sites.toSorted((a, b) => total(b) - total(a) || a.site.localeCompare(b.site))[0];
    return { sku, site: most?.site ?? stock.sites[0] ?? '', units, ...marked(units, pieces) };
  });
}
