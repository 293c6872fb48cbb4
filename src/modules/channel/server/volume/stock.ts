import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { bundlesOf, listingsOfProducts, localStocks } from '#modules/product/server/index.ts';
import type { Bundles } from '../../contract/volume.ts';

export interface Stock {
  local: number;
  amazon: number;
}

/** Available pieces of products in our own warehouses, by id. */
async function localOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const source of extensionsOf(ctx.runtime.modules, localStocks)) {
    for (const [id, pieces] of await source(ctx, ids)) found.set(id, (found.get(id) ?? 0) + pieces);
  }
  return found;
}

/** Pieces of products that Amazon has for sale, by id; sites that share a stock tell it each, and it counts once. */
async function amazonOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, number>> {
  const listings = await listingsOfProducts(ctx, ids);
  if (listings.length === 0) return new Map();
  const { rows } = await sql<{ n: number; pieces: number }>`
    SELECT k.n::int AS n, sum(f.fulfillable)::int AS pieces
      FROM unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
                  ${listings.map((one) => one.msku)}::text[]) WITH ORDINALITY AS k (account_id, marketplace_id, seller_sku, n)
      JOIN inventory.fba_stock AS f ON f.company_id = ${ctx.companyId} AND f.account_id = k.account_id
       AND f.marketplace_id = k.marketplace_id AND f.seller_sku = k.seller_sku
     GROUP BY k.n`.execute(ctx.db);
  const byPool = new Map<string, { productId: string; pieces: number }>();
  for (const { n, pieces } of rows) {
    const one = listings[n - 1];
    if (!one) continue;
    const key = JSON.stringify([one.productId, one.accountId, stockOf(one.marketplaceId), one.msku]);
    const known = byPool.get(key)?.pieces ?? 0;
    byPool.set(key, { productId: one.productId, pieces: Math.max(known, pieces * one.qty) });
  }
  const found = new Map<string, number>();
  for (const { productId, pieces } of byPool.values()) found.set(productId, (found.get(productId) ?? 0) + pieces);
  return found;
}

/** What there is of products to sell, by id; taken apart, with the pieces that lie in bundles, and of a bundle itself nothing. */
export async function stocksOf(ctx: Ctx, ids: readonly string[], bundles: Bundles): Promise<Map<string, Stock>> {
  if (ids.length === 0) return new Map();
  const inside = bundles === 'apart' ? await bundlesOf(ctx, ids) : [];
  const all = [...new Set([...ids, ...inside.map(({ bundleId }) => bundleId)])];
  const local = await localOf(ctx, all);
  const atAmazon = await amazonOf(ctx, all);
  const stocks = new Map(ids.map((id) => [id, { local: local.get(id) ?? 0, amazon: atAmazon.get(id) ?? 0 }]));
  for (const { bundleId, partId, qty } of inside) {
    const stock = stocks.get(partId);
    if (!stock) continue;
    const pieces = (of: Map<string, number>) => new Decimal(of.get(bundleId) ?? 0).times(qty).floor().toNumber();
    stock.local += pieces(local);
    stock.amazon += pieces(atAmazon);
  }
  return stocks;
}
