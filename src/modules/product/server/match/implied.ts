import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { ALWAYS } from '../../contract.ts';
import { costsOfListings } from './costs.ts';
import { lockMatches } from './listing-costs.ts';

/**
 * Before a product is renamed: listings that stood for it by their name alone are matched to it, so that they go on to.
 */
export async function keepImpliedMatches(ctx: Ctx, productId: string, sku: string): Promise<void> {
  await lockMatches(ctx);
  const { rows } = await sql<{ accountId: string; marketplaceId: string; msku: string }>`
    WITH made AS (
      INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, valid_from, way, updated_by_name)
      SELECT l.company_id, l.account_id, l.marketplace_id, l.seller_sku, ${ALWAYS}::date, 'rename', ${ctx.userName}
        FROM listing.product AS l
       WHERE l.company_id = ${ctx.companyId} AND l.product_key = lower(btrim(${sku}))
         AND NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = l.company_id AND m.account_id = l.account_id
                           AND m.marketplace_id = l.marketplace_id AND m.msku = l.seller_sku)
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, marketplace_id, msku), lines AS (
      INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
      SELECT ${ctx.companyId}, id, ${productId}, 1 FROM made)
    SELECT account_id AS "accountId", marketplace_id AS "marketplaceId", msku FROM made`.execute(ctx.db);
  await costsOfListings(ctx, rows);
}
