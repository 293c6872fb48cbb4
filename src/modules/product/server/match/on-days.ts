import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What one unit of a listing was made of on a day. */
interface DayPart {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  day: string;
  product_id: string;
  qty: number;
}

/**
 * SELECT of DayPart: what listings stood for on days, the match of that day before the product of the same SKU. A listing that
 * stood for nothing is absent.
 * @param asked FROM item without alias whose rows have account_id, marketplace_id, seller_sku and day, each once
 */
export function partsOnDaysSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  asked: RawBuilder<unknown>,
): RawBuilder<DayPart> {
  return sql<DayPart>`
    SELECT a.account_id, a.marketplace_id, a.seller_sku, a.day, n.product_id, n.qty
      FROM ${asked} AS a
      JOIN product.sku_match AS m ON m.company_id = ${companyId} AND m.account_id = a.account_id
       AND m.marketplace_id = a.marketplace_id AND m.msku = a.seller_sku AND m.period @> a.day
      JOIN product.sku_match_line AS n ON n.company_id = ${companyId} AND n.match_id = m.id
    UNION ALL
    SELECT a.account_id, a.marketplace_id, a.seller_sku, a.day, p.id, 1
      FROM ${asked} AS a
      JOIN product.local_product AS p ON p.company_id = ${companyId} AND p.sku_key = lower(btrim(a.seller_sku)) AND NOT p.is_spelling
     WHERE NOT EXISTS (
       SELECT FROM product.sku_match AS m
        WHERE m.company_id = ${companyId} AND m.account_id = a.account_id AND m.marketplace_id = a.marketplace_id
          AND m.msku = a.seller_sku AND m.period @> a.day)`;
}
