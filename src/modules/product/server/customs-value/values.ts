import { type RawBuilder, sql } from 'kysely';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';

/** A listing with what is declared for it; decimals as text. */
export interface ValueRow {
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  name: string;
  image: string | null;
  price: string | null;
  currency: string;
  rate: string | null;
  locked: string | null;
  /** Price times share with two decimals, or what is locked. */
  declared: string | null;
  /** CNY of one of the listing; null where a part has no cost. */
  cost: string | null;
  /** CNY for one unit of the currency. */
  day_rate: string | null;
  legal_basis: string | null;
  approved_by_name: string | null;
  approved_at: string | null;
}

const SITES = sql`unnest(${MARKETPLACES.map((one) => one.id)}::text[], ${MARKETPLACES.map((one) => one.country)}::text[]) AS w(site, country)`;

/** CNY for one unit of each currency that sites sell in, on a day. */
export function siteRates(ctx: Ctx, day: string): Promise<Map<string, string>> {
  return ratesOn(ctx, [...new Set(MARKETPLACES.map((one) => one.currency))], day);
}

/**
 * SELECT of ValueRow over listings `l` with a price or a locked value, with the rates of a day: the pairing and the costs of
 * that day, the share of the nearest category, then country. An approval holds for the value that it was given for and higher.
 */
export function valuesSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  rates: ReadonlyMap<string, string>,
  day: string,
  where: RawBuilder<unknown>,
): RawBuilder<ValueRow> {
  const currencies = [...rates.keys()];
  return sql<ValueRow>`
    SELECT l.listing_id, l.account_id, l.marketplace_id, l.seller_sku, l.sku_key, l.name, l.image, l.price, l.currency,
           r.rate, k.value AS locked, v.declared, p.cost, x.day_rate,
           a.legal_basis, a.approved_by_name, a.approved_at,
           CASE WHEN v.declared IS NULL THEN 'open' WHEN p.cost IS NULL OR x.day_rate IS NULL THEN 'noCost'
                WHEN v.declared * x.day_rate >= p.cost THEN 'fine' WHEN a.id IS NULL THEN 'low' ELSE 'approved' END AS state
      FROM listing.product AS l
      JOIN ${SITES} ON w.site = l.marketplace_id
      LEFT JOIN product.declared_lock AS k ON k.company_id = l.company_id AND k.account_id = l.account_id
       AND k.marketplace_id = l.marketplace_id AND k.msku = l.seller_sku
      LEFT JOIN LATERAL (
        SELECT m.id FROM product.sku_match AS m WHERE m.company_id = l.company_id AND m.msku = l.seller_sku
           AND m.account_id = l.account_id AND m.marketplace_id = l.marketplace_id AND m.period @> ${day}::date) AS m ON true
      LEFT JOIN LATERAL (
        SELECT CASE WHEN count(*) = count(c.unit_cost) THEN sum(n.qty * c.unit_cost) END AS cost,
               CASE WHEN count(*) = 1 THEN (array_agg(g.id))[1] END AS category, CASE WHEN count(*) = 1 THEN (array_agg(g.parent_id))[1] END AS parent
          FROM (SELECT n.product_id, n.qty FROM product.sku_match_line AS n WHERE n.company_id = l.company_id AND n.match_id = m.id
                UNION ALL
                SELECT i.id, 1 FROM product.local_product AS i WHERE m.id IS NULL AND i.company_id = l.company_id
                   AND i.sku_key = l.product_key AND NOT i.is_spelling) AS n
          JOIN product.local_product AS p ON p.company_id = l.company_id AND p.id = n.product_id
          LEFT JOIN product.category AS g ON g.company_id = p.company_id AND g.id = p.category_id
          LEFT JOIN LATERAL (SELECT s.unit_cost FROM product.sku_cost AS s WHERE s.company_id = p.company_id AND s.sku = p.sku
             AND s.valid_from <= ${day}::date ORDER BY s.valid_from DESC LIMIT 1) AS c ON true) AS p ON true
      LEFT JOIN LATERAL (
        SELECT d.rate FROM product.declared_rate AS d
         WHERE d.company_id = l.company_id AND d.country IN ('', w.country)
           AND (d.category_id IS NULL OR d.category_id IN (p.category, p.parent))
         ORDER BY CASE WHEN d.category_id = p.category THEN 2 WHEN d.category_id IS NOT NULL THEN 1 ELSE 0 END DESC,
                  d.country DESC LIMIT 1) AS r ON true
      CROSS JOIN LATERAL (SELECT coalesce(k.value, round(l.price * r.rate, 2)) AS declared) AS v
      LEFT JOIN unnest(${currencies}::text[], ${currencies.map((one) => rates.get(one) ?? null)}::numeric[]) AS x(currency, day_rate)
             ON x.currency = l.currency
      LEFT JOIN LATERAL (
        SELECT b.id, b.legal_basis, b.approved_by_name, b.approved_at FROM product.declared_approval AS b
         WHERE b.company_id = l.company_id AND b.account_id = l.account_id AND b.marketplace_id = l.marketplace_id
           AND b.msku = l.seller_sku AND b.currency = l.currency AND b.value <= v.declared
         ORDER BY b.approved_at DESC LIMIT 1) AS a ON true
     WHERE l.company_id = ${companyId} AND l.state <> 'GONE' AND ${where}`;
}

/** SELECT of one column over the same listings, without anything that is worked out for them: to count them. */
export function valuedSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  where: RawBuilder<unknown>,
): RawBuilder<{ one: number }> {
  return sql`
    SELECT 1 AS one FROM listing.product AS l
      JOIN ${SITES} ON w.site = l.marketplace_id
      LEFT JOIN product.declared_lock AS k ON k.company_id = l.company_id AND k.account_id = l.account_id
       AND k.marketplace_id = l.marketplace_id AND k.msku = l.seller_sku
     WHERE l.company_id = ${companyId} AND l.state <> 'GONE' AND ${where}`;
}

/** What is declared for listings on a day, with its currency; `low` where nobody agreed to a value below cost. */
export interface DeclaredOf {
  accountId: string;
  marketplaceId: string;
  msku: string;
  price: string | null;
  rate: string | null;
  declared: string | null;
  currency: string;
  low: boolean;
  legalBasis: string | null;
}

/** Declared values of an account's listings on a site, by MSKU, with costs and rates of a day; an unknown MSKU is absent. */
export async function declaredOf(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  mskus: readonly string[],
  day: string,
): Promise<Map<string, DeclaredOf>> {
  if (mskus.length === 0) return new Map();
  const where = sql`l.account_id = ${accountId} AND l.marketplace_id = ${marketplaceId} AND l.seller_sku = ANY (${[...mskus]}::text[])`;
  const rates = await siteRates(ctx, day);
  const { rows } = await sql<ValueRow & { state: string }>`${valuesSelect(ctx, rates, day, where)}`.execute(ctx.db);
  return new Map(
    rows.map((row) => [
      row.seller_sku,
      {
        accountId,
        marketplaceId,
        msku: row.seller_sku,
        price: row.price,
        rate: row.locked === null ? row.rate : null,
        declared: row.declared,
        currency: row.currency,
        low: row.state === 'low',
        legalBasis: row.state === 'approved' ? row.legal_basis : null,
      },
    ]),
  );
}
