import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { dayRatesSelect } from '#modules/finance/server/index.ts';

/** Amounts of a row as they are read: decimal text, null where not known. */
export interface MoneyCells {
  currency: string;
  sales: string | null;
  ship_fee: string | null;
  commission: string | null;
  commission_rate: string | null;
  cost: string | null;
  margin: string | null;
  margin_rate: string | null;
}

/** Rows are told in CNY, each amount by the rate of its own day, or in the currency in which they were sold. */
export type Told = 'CNY' | 'ORIGINAL';

/** Factors of amounts in the currency of the sale and of costs in CNY, with the rate of the day as `f.rate`. */
export function factors(told: Told): { amount: RawBuilder<unknown>; cost: RawBuilder<unknown> } {
  return told === 'CNY' ? { amount: sql`f.rate`, cost: sql`1` } : { amount: sql`1`, cost: sql`(1 / f.rate)` };
}

/** A sum that is known only if all of it is. */
export const wholeSum = (value: RawBuilder<unknown>) =>
  sql`CASE WHEN count(${value}) = count(*) THEN round(sum(${value}), 4) END`;

/** Columns that follow from the amounts of a row `r`. */
export const FOLLOWS = sql`
  round(r.commission / nullif(r.sales, 0), 4) AS commission_rate,
  r.sales - r.ship_fee - r.commission - r.cost AS margin,
  round((r.sales - r.ship_fee - r.commission - r.cost) / nullif(r.sales, 0), 4) AS margin_rate`;

/** Sums of rows `r` that have all these columns: what is known, and rates as ratios of sums over the rows that have both. */
export const SUMS = sql`
  sum(r.sales) AS sales, sum(r.ship_fee) AS ship_fee, sum(r.commission) AS commission, sum(r.cost) AS cost, sum(r.margin) AS margin,
  round(sum(r.commission) / nullif(sum(r.sales) FILTER (WHERE r.commission IS NOT NULL), 0), 4) AS commission_rate,
  round(sum(r.margin) / nullif(sum(r.sales) FILTER (WHERE r.margin IS NOT NULL), 0), 4) AS margin_rate`;

/** Amounts that are summed by currency, and their sums as text. */
export const SUMMED = ['sales', 'shipFee', 'commission', 'cost', 'margin'] as const;
export type CurrencySum = { currency: string } & Record<(typeof SUMMED)[number], string | null>;
export const SUMS_AS_TEXT = sql`
  sum(r.sales)::text AS sales, sum(r.ship_fee)::text AS "shipFee", sum(r.commission)::text AS commission, sum(r.cost)::text AS cost,
  sum(r.margin)::text AS margin`;

/** The fields of a row or of totals. */
export function moneyOf(cells: MoneyCells) {
  return {
    sales: cells.sales,
    shipFee: cells.ship_fee,
    commission: cells.commission,
    commissionRate: cells.commission_rate,
    cost: cells.cost,
    margin: cells.margin,
    marginRate: cells.margin_rate,
  };
}

export const MONEY_COLUMNS: Record<string, string> = {
  sales: 'r.sales',
  shipFee: 'r.ship_fee',
  commission: 'r.commission',
  commissionRate: 'r.commission_rate',
  cost: 'r.cost',
  margin: 'r.margin',
  marginRate: 'r.margin_rate',
};

export interface Dates {
  from: string;
  to: string;
}

/** Currencies in which something was sold on these days. */
async function currenciesOf(ctx: Ctx, { from, to }: Dates): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    SELECT DISTINCT k.currency FROM channel.sold_day AS k
     WHERE k.company_id = ${ctx.companyId} AND k.via = 'sold' AND k.day BETWEEN ${from}::date AND ${to}::date
    UNION
    SELECT DISTINCT l.currency FROM channel.platform_order AS o
      JOIN channel.platform_line AS l ON l.company_id = o.company_id AND l.shop_id = o.shop_id AND l.order_no = o.order_no
     WHERE o.company_id = ${ctx.companyId} AND o.day BETWEEN ${from}::date AND ${to}::date`.execute(ctx.db);
  return rows.map(({ currency }) => currency);
}

/** The rates of the days as a relation (currency, day, rate), CNY for one unit. */
export async function ratesOf(ctx: Ctx, dates: Dates): Promise<RawBuilder<unknown>> {
  return dayRatesSelect(ctx, await currenciesOf(ctx, dates), dates.from, dates.to);
}
