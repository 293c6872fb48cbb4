import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Scope } from './scope.ts';
import { conversionOf, reportSql } from './source.ts';

/** What a member's listings brought in a month, in CNY; an amount is null where a rate is missing, as in the report. */
export interface OwnerMonth {
  /** Member who answered for the listings on each day; '' is what nobody answered for. */
  owner: string;
  /** "yyyy-MM". */
  month: string;
  units: number;
  refundUnits: number;
  netSales: string | null;
  /** Negative where ads cost something. */
  ads: string | null;
  profit: string | null;
}

/**
 * The profit report by 负责人 for each of some months ("yyyy-MM", ascending, without gaps), by the days on which money is booked, so that closed
 * months stay as they are. One reading per month; all rows of a month add up to the report of that month.
 */
export async function ownerMonths(ctx: Ctx, months: readonly string[]): Promise<OwnerMonth[]> {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const whole: Scope = {
    from: `${first}-01`,
    to: lastDayOf(last),
    stores: [],
    skus: [],
    currency: 'CNY',
    basis: 'BOOKED',
  };
  const conversion = await conversionOf(ctx, whole, true);
  const found: OwnerMonth[] = [];
  for (const month of months) {
    const scope: Scope = { ...whole, from: `${month}-01`, to: lastDayOf(month) };
    const { rows } = await sql<OwnerMonth>`
      SELECT r.goods AS owner, ${month}::text AS month, r.units, r.refund_units AS "refundUnits", r.net_sales AS "netSales",
             r.ads, r.profit
        FROM ${reportSql(ctx, scope, conversion, 'owner')} AS r`.execute(ctx.db);
    found.push(...rows);
  }
  return found;
}
