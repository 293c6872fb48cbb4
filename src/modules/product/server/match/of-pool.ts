import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What one unit of a SKU in a stock that sites share is made of. */
interface PoolPart {
  account_id: string;
  pool: string;
  seller_sku: string;
  product_id: string;
  qty: number;
}

/**
 * SELECT of PoolPart for the matches in force on a day: sites that share a stock tell the same pieces, so the match of one of
 * them holds, the newest. `stocks[n]` is the stock that the site `sites[n]` sells from. SKUs without a match are absent.
 */
export function poolPartsSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  day: string,
  sites: readonly string[],
  stocks: readonly string[],
): RawBuilder<PoolPart> {
  return sql<PoolPart>`
    SELECT c.account_id, c.pool, c.msku AS seller_sku, n.product_id, n.qty
      FROM (SELECT DISTINCT ON (m.account_id, p.stock, m.msku) m.account_id, p.stock AS pool, m.msku, m.id
              FROM product.sku_match AS m
              JOIN unnest(${[...sites]}::text[], ${[...stocks]}::text[]) AS p (site, stock) ON p.site = m.marketplace_id
             WHERE m.company_id = ${companyId} AND m.period @> ${day}::date
             ORDER BY m.account_id, p.stock, m.msku, m.valid_from DESC, m.marketplace_id) AS c
      JOIN product.sku_match_line AS n ON n.company_id = ${companyId} AND n.match_id = c.id`;
}
