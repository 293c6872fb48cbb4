import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ListingRef, MatchWay } from '../../contract/match.ts';
import { ALWAYS } from '../../contract.ts';
import { costsOfListings } from './costs.ts';

/** A pairing that is to be. */
export interface NewMatch extends ListingRef {
  parts: readonly { productId: string; qty: number }[];
  way: MatchWay;
  ruleId?: string | null;
}

/**
 * Pairs listings from a day on (always where left out), under lockMatches(). One that is paired in that time already stays as
 * it is. Answers those that were paired.
 */
export async function writeMatches(ctx: Ctx, items: readonly NewMatch[], from = ALWAYS): Promise<ListingRef[]> {
  if (items.length === 0) return [];
  const column = <K extends keyof NewMatch>(key: K) => items.map((item) => item[key]);
  const { rows } = await sql<ListingRef>`
    WITH given AS (
      SELECT * FROM unnest(${column('accountId')}::uuid[], ${column('marketplaceId')}::text[], ${column('msku')}::text[],
                           ${items.map((item) => JSON.stringify(item.parts))}::jsonb[], ${column('way')}::text[],
                           ${items.map((item) => item.ruleId ?? null)}::uuid[])
        AS g(account_id, marketplace_id, msku, parts, way, rule_id)
    ), made AS (
      INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, valid_from, way, rule_id, updated_by_name)
      SELECT ${ctx.companyId}, account_id, marketplace_id, msku, ${from}::date, way, rule_id, ${ctx.userName} FROM given
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, marketplace_id, msku
    ), lines AS (
      INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
      SELECT ${ctx.companyId}, made.id, p."productId", p.qty FROM made JOIN given USING (account_id, marketplace_id, msku)
       CROSS JOIN LATERAL jsonb_to_recordset(given.parts) AS p("productId" uuid, qty int))
    SELECT account_id AS "accountId", marketplace_id AS "marketplaceId", msku FROM made`.execute(ctx.db);
  await costsOfListings(ctx, rows);
  return rows;
}
