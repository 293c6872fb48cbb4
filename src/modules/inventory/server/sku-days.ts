import { type RawBuilder, sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import type { Ctx } from '#kit/server/context.ts';

/** Days of an account's SKUs: from a business day on (YYYY-MM-DD), of all SKUs where none are named. */
export interface SkuDays {
  accountId: string;
  from: string;
  skus?: readonly string[] | undefined;
}

/** One day of a SKU's stock at Amazon in a marketplace. */
interface StockDay {
  marketplace_id: string;
  seller_sku: string;
  day: string;
  fulfillable: number;
}

/** SELECT of the stock by day that could be sold; a day that was not read has no row. */
export function stockDaysSelect(ctx: Pick<Ctx, 'companyId'>, { accountId, from, skus }: SkuDays): RawBuilder<StockDay> {
  return sql<StockDay>`
    SELECT d.marketplace_id, d.seller_sku, d.day, sum(d.fulfillable)::int AS fulfillable
      FROM inventory.fba_stock_day AS d
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.day >= ${from}::date
       ${skus ? sql`AND d.seller_sku = ANY (${skus}::text[])` : sql``}
     GROUP BY 1, 2, 3`;
}

/** Pieces that a buyer sent back. The report names no marketplace: it is that of the order. */
interface ReturnedPieces {
  order_id: string;
  seller_sku: string;
  day: string;
  quantity: number;
}

/** SELECT of what buyers sent back to Amazon's warehouses. */
export function returnsSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, from, skus }: SkuDays,
): RawBuilder<ReturnedPieces> {
  return sql<ReturnedPieces>`
    SELECT order_id, seller_sku, day, quantity FROM inventory.customer_return
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND day >= ${from}::date
       ${skus ? sql`AND seller_sku = ANY (${skus}::text[])` : sql``}`;
}

/** SELECT of one row: whether an account's returns are known at all. */
export function returnsKnownSelect(ctx: Pick<Ctx, 'companyId'>, accountId: string): RawBuilder<{ known: boolean }> {
  return sql<{ known: boolean }>`
    SELECT EXISTS (SELECT FROM inventory.customer_return
                    WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}) AS known`;
}

/** The same of every account within some days. `marketplace_id` is that of the report's stock: for orders that are not known. */
export function returnedSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { from, to }: Period,
): RawBuilder<ReturnedPieces & { account_id: string; marketplace_id: string; asin: string }> {
  return sql`
    SELECT account_id, marketplace_id, order_id, seller_sku, asin, day, quantity FROM inventory.customer_return
     WHERE company_id = ${ctx.companyId} AND day BETWEEN ${from}::date AND ${to}::date`;
}
