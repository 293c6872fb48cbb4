import { type RawBuilder, sql } from 'kysely';

/** Where a sale is found in a query: expressions of its account, marketplace, SKU and day. */
export interface SoldAt {
  accountId: RawBuilder<unknown>;
  marketplaceId: RawBuilder<unknown>;
  sku: RawBuilder<unknown>;
  date: RawBuilder<unknown>;
}

/**
 * Joins that give a sale its purchase cost as `c.unit_cost` (CNY a piece, null where none is known): a listing that is
 * matched to products costs what they cost together on that day, any other one what its SKU costs. The
 * joins use the names m, s and c; the sale's own table must have another one.
 */
export function unitCostOf(companyId: string, { accountId, marketplaceId, sku, date }: SoldAt): RawBuilder<unknown> {
  return sql`
      LEFT JOIN LATERAL (
        SELECT own, unit_cost FROM product.listing_cost AS m
         WHERE m.company_id = ${companyId} AND m.account_id = ${accountId} AND m.marketplace_id = ${marketplaceId}
           AND m.msku = ${sku} AND m.valid_from <= ${date}
         ORDER BY m.valid_from DESC LIMIT 1) AS m ON true
      LEFT JOIN LATERAL (
        SELECT m.unit_cost WHERE m.own
        UNION ALL
        (SELECT s.unit_cost FROM product.sku_cost AS s
          WHERE m.own IS NOT TRUE AND s.company_id = ${companyId} AND s.sku = ${sku} AND s.valid_from <= ${date}
          ORDER BY s.valid_from DESC LIMIT 1)) AS c ON true`;
}
