import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What a listing stands for today, as one value that can be compared. */
interface StandsFor {
  account_id: string;
  marketplace_id: string;
  msku: string;
  /** [{"productId", "qty"}] in the order of the ids. */
  parts: unknown;
  product_ids: string[];
  /** Whether it is paired, and does not only have the name of its product. */
  paired: boolean;
}

/**
 * SELECT of StandsFor for `listings`, a table or subquery of (account_id, marketplace_id, msku): what each is paired with
 * today, else the product of the same SKU; one that stands for nothing is absent.
 */
export function standsFor(ctx: Ctx, listings: RawBuilder<unknown>): RawBuilder<StandsFor> {
  const parts = sql`jsonb_agg(jsonb_build_object('productId', n.product_id, 'qty', n.qty) ORDER BY n.product_id)`;
  return sql<StandsFor>`
    SELECT m.account_id, m.marketplace_id, m.msku, ${parts} AS parts, array_agg(n.product_id ORDER BY n.product_id) AS product_ids,
           true AS paired
      FROM ${listings} AS k
      JOIN product.sku_match AS m ON m.company_id = ${ctx.companyId} AND m.msku = k.msku AND m.account_id = k.account_id
       AND m.marketplace_id = k.marketplace_id AND m.period @> ${ctx.clock.today()}::date
      JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
     GROUP BY m.account_id, m.marketplace_id, m.msku
    UNION ALL
    SELECT k.account_id, k.marketplace_id, k.msku, jsonb_build_array(jsonb_build_object('productId', p.id, 'qty', 1)), ARRAY[p.id], false
      FROM ${listings} AS k
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku_key = lower(btrim(k.msku)) AND NOT p.is_spelling
     WHERE NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = ${ctx.companyId} AND m.msku = k.msku
             AND m.account_id = k.account_id AND m.marketplace_id = k.marketplace_id AND m.period @> ${ctx.clock.today()}::date)`;
}
