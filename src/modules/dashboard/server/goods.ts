import { sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import type { HomeFilter, Ranking, topGoods } from '../contract.ts';
import { conversionOf } from './fx.ts';
import { type Scope, scopeOf } from './scope.ts';
import { ofAccounts, spansSql } from './source.ts';

interface GoodsRow {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  currency: string;
  units: number;
  previous: number;
  net_sales: string;
  fulfillable: number | null;
}

/** Sales are compared in one currency: by the rate of the month in which the period ends, 0 where there is none. */
async function rankSql(ctx: Ctx, scope: Scope, by: Ranking) {
  if (by === 'units') return sql`g.units DESC`;
  if (by === 'growth') return sql`g.units - g.previous DESC, g.units DESC`;
  if (by === 'decline') return sql`g.units - g.previous, g.previous DESC`;
  const { rows } = await sql<{ currency: string }>`
    SELECT DISTINCT s.currency FROM sales.store_day AS s WHERE s.company_id = ${ctx.companyId}
       AND s.local_date BETWEEN ${scope.range.from}::date - 1 AND ${scope.range.to}::date + 1`.execute(ctx.db);
  const codes = rows.map((row) => row.currency);
  const conversion = await conversionOf(ctx, codes, 'CNY');
  const month = scope.range.to.slice(0, 7);
  const rates = codes.map((currency) => conversion.convert('1', { currency, month }) ?? '0');
  return sql`g.net_sales * coalesce((SELECT r.rate FROM unnest(${codes}::text[], ${rates}::numeric[]) AS r (code, rate)
                                      WHERE r.code = g.currency), 0) DESC`;
}

function wantedRows(by: Ranking) {
  if (by === 'growth') return sql`g.units > g.previous`;
  if (by === 'decline') return sql`g.units < g.previous`;
  return sql`g.units > 0`;
}

/** The best (or most changed) SKUs of the period, from the SKU days. */
export async function topGoodsOf(
  ctx: Ctx,
  asked: HomeFilter,
  by: Ranking,
  limit: number,
): Promise<Reply<typeof topGoods>> {
  const scope = await scopeOf(ctx, { ...asked, zone: 'site' });
  const { rows } = await sql<GoodsRow>`
    SELECT g.*, f.fulfillable FROM (
      SELECT s.account_id, s.marketplace_id, s.seller_sku, s.currency,
             coalesce(sum(s.units) FILTER (WHERE s.local_date >= p.day_from), 0)::int AS units,
             coalesce(sum(s.units) FILTER (WHERE s.local_date < p.day_from), 0)::int AS previous,
             coalesce(sum(s.product_sales - s.discount) FILTER (WHERE s.local_date >= p.day_from), 0) AS net_sales
        FROM ${spansSql(scope.spans)}
        JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
         AND s.local_date BETWEEN p.previous_from AND p.day_to
       WHERE ${ofAccounts('s', asked.accountIds)}
       GROUP BY 1, 2, 3, 4) AS g
      LEFT JOIN LATERAL (
        SELECT sum(k.fulfillable)::int AS fulfillable FROM inventory.fba_stock AS k
         WHERE k.company_id = ${ctx.companyId} AND k.account_id = g.account_id AND k.marketplace_id = g.marketplace_id
           AND k.seller_sku = g.seller_sku) AS f ON true
     WHERE ${wantedRows(by)} ORDER BY ${await rankSql(ctx, scope, by)}, g.seller_sku, g.account_id, g.marketplace_id
     LIMIT ${limit}`.execute(ctx.db);
  const keys = rows.map((row) => ({
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.seller_sku,
  }));
  const products = await productInfo(ctx, keys);
  const stores = await storeNames(ctx);
  return {
    range: scope.range,
    rows: rows.map((row, index) => ({
      id: `${row.account_id}|${row.marketplace_id}|${row.seller_sku}|${row.currency}`,
      product: products.get(productKey(keys[index] ?? { accountId: '', marketplaceId: '', sellerSku: '' })) ?? {
        name: row.seller_sku,
        code: row.seller_sku,
      },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      accountId: row.account_id,
      marketplaceId: row.marketplace_id,
      units: row.units,
      previous: row.previous,
      // A day that is not over has no counterpart here.
      change: scope.unfinished ? null : changeOf(row.units, row.previous),
      currency: row.currency,
      netSales: can(ctx, AMOUNTS) ? row.net_sales : null,
      fulfillable: row.fulfillable,
    })),
  };
}
