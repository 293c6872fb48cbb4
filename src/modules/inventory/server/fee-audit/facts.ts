import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { velocityOf } from '../velocity.ts';

/** A row of the newest fee preview of each marketplace; cm, kg, null where the report is silent or its unit not known. */
export interface FeeFact {
  day: string;
  row_id: string;
  marketplace_id: string;
  seller_sku: string;
  price: string | null;
  currency: string;
  longest: string | null;
  median: string | null;
  shortest: string | null;
  weight: string | null;
  size_tier: string;
  fulfilment: string | null;
  product_type: string;
  units30: number | null;
  measured_since: string;
  /** Money per piece in the preview's currency over the pieces sent in 30 days; null where none were. */
  charged: string | null;
  charged_units: number | null;
}

/** Centimetres of a unit of length that a preview `n` names; null for one that is not known. */
export const PER_CM: RawBuilder<string> = sql`
  CASE WHEN n.length_unit ~* 'cent|cm' THEN 1 WHEN n.length_unit ~* 'inch|in' THEN 2.54 END`;
/** Kilograms of its unit of weight. */
export const PER_KG: RawBuilder<string> = sql`
  CASE WHEN n.weight_unit ~* 'pound|lb' THEN 0.45359237 WHEN n.weight_unit ~* 'ounce|oz' THEN 0.028349523125
       WHEN n.weight_unit ~* 'kilo|kg' THEN 1 WHEN n.weight_unit ~* 'gram|^g' THEN 0.001 END`;

/**
 * Fulfilment fees of 30 days up to a day by SKU, from the money lines that count: of each sale what was charged for sending
 * it and its pieces; fees that were given back, and sales whose fee is not told yet, are left out. Money positive.
 */
function chargedSql(ctx: Ctx, accountId: string): RawBuilder<unknown> {
  return sql`
    SELECT s.marketplace_id, s.sku, s.currency, sum(s.fee) AS fee, sum(s.units)::int AS units
      FROM (SELECT l.marketplace_id, l.sku, l.currency, l.source_doc_id, l.order_id,
                   -sum(l.amount) FILTER (WHERE l.fee_code = 'FBA_FULFIL' AND l.amount < 0) AS fee,
                   sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL' AND l.amount > 0) AS units
              FROM settlement.money_line AS l
              JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
             WHERE l.company_id = ${ctx.companyId} AND l.account_id = ${accountId} AND l.order_id IS NOT NULL AND l.sku <> ''
               AND l.posted_date > (SELECT max(day) FROM newest) - 30
             GROUP BY 1, 2, 3, 4, 5) AS s
     WHERE s.fee > 0 AND s.units > 0
     GROUP BY 1, 2, 3`;
}

/**
 * The newest previews of an account's fees, what was sold of each in 30 days (null where nobody keeps sales) and charged for
 * sending it, and since when Amazon's measurement has been as it is: the first report after the last one that told of another.
 */
export async function feeFacts(ctx: Ctx, accountId: string): Promise<FeeFact[]> {
  const { known, select } = velocityOf(ctx);
  const { rows } = await sql<FeeFact>`
    WITH all_days AS (
      SELECT p.* FROM inventory.fee_preview AS p WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${accountId}),
    newest AS (
      SELECT p.* FROM all_days AS p
        JOIN (SELECT stock, marketplace_id, max(day) AS day FROM all_days GROUP BY 1, 2) AS m
          ON m.stock = p.stock AND m.marketplace_id = p.marketplace_id AND m.day = p.day),
    other AS (
      SELECT n.row_id, max(o.day) AS day FROM newest AS n
        JOIN all_days AS o ON o.marketplace_id = n.marketplace_id AND o.seller_sku = n.seller_sku
         AND (o.longest, o.median, o.shortest, o.weight, o.size_tier)
             IS DISTINCT FROM (n.longest, n.median, n.shortest, n.weight, n.size_tier)
       GROUP BY n.row_id),
    since AS (
      SELECT n.row_id, min(o.day) AS day FROM newest AS n LEFT JOIN other AS x ON x.row_id = n.row_id
        JOIN all_days AS o ON o.marketplace_id = n.marketplace_id AND o.seller_sku = n.seller_sku
         AND o.day > coalesce(x.day, '-infinity')
       GROUP BY n.row_id),
    sold AS (SELECT s.* FROM (${select}) AS s WHERE s.account_id = ${accountId}),
    charged AS (${chargedSql(ctx, accountId)})
    SELECT n.day, n.row_id, n.marketplace_id, n.seller_sku, trim_scale(n.price)::text AS price, n.currency,
           trim_scale(n.longest * ${PER_CM})::text AS longest, trim_scale(n.median * ${PER_CM})::text AS median,
           trim_scale(n.shortest * ${PER_CM})::text AS shortest, trim_scale(n.weight * ${PER_KG})::text AS weight,
           n.size_tier, trim_scale(n.fulfilment)::text AS fulfilment, coalesce(g.product_type, '') AS product_type,
           CASE WHEN ${known}::boolean THEN coalesce(s.units30, 0) END AS units30, i.day AS measured_since,
           trim_scale(round(c.fee / c.units, 4))::text AS charged, c.units AS charged_units
      FROM newest AS n JOIN since AS i ON i.row_id = n.row_id
      LEFT JOIN sold AS s ON s.marketplace_id = n.marketplace_id AND s.seller_sku = n.seller_sku
      LEFT JOIN charged AS c ON c.marketplace_id = n.marketplace_id AND c.sku = n.seller_sku AND c.currency = n.currency
      LEFT JOIN listing.product AS g ON g.company_id = n.company_id AND g.account_id = n.account_id
       AND g.marketplace_id = n.marketplace_id AND g.seller_sku = n.seller_sku
     ORDER BY n.row_id`.execute(ctx.db);
  return rows;
}
