import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inventoryPlanning } from '#modules/marketplace/server/index.ts';
import type { Goods, Layer, Window } from './reckon.ts';

/** A row of the newest planning report with all that its forecast rests on. */
export interface AgingFact {
  account_id: string;
  day: string;
  row_id: string;
  marketplace_id: string;
  seller_sku: string;
  title: string;
  currency: string;
  available: number;
  shipped_7: number;
  shipped_30: number;
  layers: Layer[];
  volume: string | null;
  size_tier: string;
  /** Pounds; null where no report tells it. */
  weight: string | null;
  product_type: string;
  opened_at: string | null;
  short: Window;
  long: Window;
}

/** Bands of age of the planning report: first and last day; the last one is open. */
const BANDS: readonly [column: string, from: number, to: number | null][] = [
  ['age_0', 0, 90],
  ['age_91', 91, 180],
  ['age_181', 181, 270],
  ['age_271', 271, 365],
  ['age_366', 366, 455],
  ['age_456', 456, null],
];

const bands = sql.join(BANDS.map(([column, from, to]) => sql`(${from}::int, ${to}::int, n.${sql.ref(column)})`));

const FEET: RawBuilder<string> = sql`
  CASE WHEN v.volume_unit ~* 'foot|feet|ft' THEN v.volume
       WHEN v.volume_unit ~* 'centim|cm' THEN v.volume / 28316.846592
       WHEN v.volume_unit ~* 'met|m3|m³' THEN v.volume * 35.3146667215
       WHEN v.volume_unit ~* 'inch|in3' THEN v.volume / 1728 END`;
const SIDES: RawBuilder<string> = sql`
  CASE WHEN p.length_unit ~* 'inch|in' THEN p.longest * p.median * p.shortest / 1728
       WHEN p.length_unit ~* 'cent|cm' THEN p.longest * p.median * p.shortest / 28316.846592 END`;
const POUNDS: RawBuilder<string> = sql`
  CASE WHEN p.weight_unit ~* 'pound|lb' THEN p.weight WHEN p.weight_unit ~* 'ounce|oz' THEN p.weight / 16
       WHEN p.weight_unit ~* 'kilo|kg' THEN p.weight / 0.45359237 WHEN p.weight_unit ~* 'gram|^g' THEN p.weight / 453.59237 END`;

const windowOf = (days: number) => sql`(
  SELECT jsonb_build_object('onHand', coalesce(sum(d.ending), 0), 'shipped', coalesce(-sum(d.shipments), 0))
    FROM book AS d WHERE d.stock = n.stock AND d.fnsku = n.fnsku AND d.day > n.day - ${days}::int AND d.day <= n.day)`;

/**
 * The goods of an account, or one row of them, as the newest planning report of each stock tells of them. Within a band of the
 * report the days are those of the ledger's receipts, the newest first (first in, first out); what no receipt explains lies
 * in the middle of its band and is marked as estimated. A piece's size is Amazon's own: of its storage fees, else of the
 * preview of its fees.
 */
export async function agingFacts(ctx: Ctx, accountId: string, rowId: string | null = null): Promise<AgingFact[]> {
  const { rows } = await sql<AgingFact>`
    WITH newest AS (
      SELECT p.* FROM inventory.planning_day AS p
       WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${accountId} AND (${rowId}::uuid IS NULL OR p.row_id = ${rowId})
         AND p.day = (SELECT max(f.day) FROM inventory.fact_day AS f
                       WHERE f.company_id = p.company_id AND f.account_id = p.account_id AND f.stock = p.stock
                         AND f.report_type = ${inventoryPlanning.type})),
    band AS (
      SELECT n.row_id, n.day, n.stock, n.fnsku, b.low, b.high, b.qty
        FROM newest AS n CROSS JOIN LATERAL (VALUES ${bands}) AS b(low, high, qty) WHERE b.qty > 0),
    receipt AS (
      SELECT e.stock, e.fnsku, e.day, sum(e.quantity)::int AS qty FROM inventory.ledger_event AS e
       WHERE e.company_id = ${ctx.companyId} AND e.account_id = ${accountId} AND e.event = 'Receipts' AND e.quantity > 0
         AND e.fnsku IN (SELECT fnsku FROM newest)
       GROUP BY e.stock, e.fnsku, e.day),
    told AS (
      SELECT b.row_id, b.low, r.day,
             least(r.qty, greatest(0, b.qty - (sum(r.qty) OVER (PARTITION BY b.row_id, b.low ORDER BY r.day DESC) - r.qty)))::int AS qty
        FROM band AS b JOIN receipt AS r ON r.stock = b.stock AND r.fnsku = b.fnsku
         AND b.day - r.day BETWEEN b.low AND coalesce(b.high, 100000)),
    layer AS (
      SELECT row_id, day, qty, false AS estimated FROM told WHERE qty > 0
      UNION ALL
      SELECT b.row_id, b.day - coalesce((b.low + b.high) / 2, b.low), b.qty - coalesce(sum(t.qty), 0)::int, true
        FROM band AS b LEFT JOIN told AS t ON t.row_id = b.row_id AND t.low = b.low
       GROUP BY b.row_id, b.low, b.high, b.day, b.qty HAVING b.qty > coalesce(sum(t.qty), 0)),
    lying AS (
      SELECT row_id, jsonb_agg(jsonb_build_object('day', day, 'qty', qty, 'estimated', estimated) ORDER BY day) AS layers
        FROM layer GROUP BY row_id),
    book AS (
      SELECT d.stock, d.fnsku, d.day, sum(d.ending) AS ending, sum(d.shipments) AS shipments FROM inventory.ledger_day AS d
       WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.disposition = 'SELLABLE'
         AND d.day > (SELECT min(day) FROM newest) - 90 AND d.fnsku IN (SELECT fnsku FROM newest)
       GROUP BY d.stock, d.fnsku, d.day),
    stored AS (
      SELECT DISTINCT ON (v.stock, v.fnsku) v.stock, v.fnsku, ${FEET} AS feet, v.size_tier FROM inventory.storage_fee AS v
       WHERE v.company_id = ${ctx.companyId} AND v.account_id = ${accountId} AND v.volume > 0
         AND v.fnsku IN (SELECT fnsku FROM newest) ORDER BY v.stock, v.fnsku, v.day DESC),
    preview AS (
      SELECT DISTINCT ON (p.marketplace_id, p.seller_sku) p.marketplace_id, p.seller_sku, ${SIDES} AS feet, ${POUNDS} AS pounds,
             p.size_tier FROM inventory.fee_preview AS p
       WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${accountId}
         AND p.seller_sku IN (SELECT seller_sku FROM newest) ORDER BY p.marketplace_id, p.seller_sku, p.day DESC)
    SELECT n.account_id, n.day, n.row_id, n.marketplace_id, n.seller_sku, n.title, n.currency, n.available, n.shipped_7,
           n.shipped_30, coalesce(l.layers, '[]') AS layers, trim_scale(coalesce(s.feet, w.feet)::numeric(20, 6))::text AS volume,
           coalesce(nullif(w.size_tier, ''), s.size_tier, '') AS size_tier, trim_scale(w.pounds::numeric(12, 4))::text AS weight,
           coalesce(g.product_type, '') AS product_type, g.opened_at, ${windowOf(30)} AS short, ${windowOf(90)} AS long
      FROM newest AS n
      LEFT JOIN lying AS l ON l.row_id = n.row_id
      LEFT JOIN stored AS s ON s.stock = n.stock AND s.fnsku = n.fnsku
      LEFT JOIN preview AS w ON w.marketplace_id = n.marketplace_id AND w.seller_sku = n.seller_sku
      LEFT JOIN listing.product AS g ON g.company_id = n.company_id AND g.account_id = n.account_id
       AND g.marketplace_id = n.marketplace_id AND g.seller_sku = n.seller_sku
     ORDER BY n.row_id`.execute(ctx.db);
  return rows;
}

/** Kinds of products for which the younger bands of the surcharge are not charged. */
const EXEMPT =
  /APPAREL|CLOTH|SHIRT|DRESS|PANTS|SHOE|BOOT|SANDAL|HANDBAG|BACKPACK|LUGGAGE|WALLET|JEWEL|NECKLACE|EARRING|BRACELET|RING|WATCH/;

const tierOf = (sizeTier: string, weight: string | null): Goods['tier'] => {
  const words = sizeTier.toLowerCase().replace(/[^a-z]/g, '');
  if (/oversize|bulky|extralarge|special/.test(words)) return 'OVERSIZE';
  if (words.includes('small')) return 'SMALL';
  return weight !== null && Number(weight) > 3 ? 'HEAVY' : 'LARGE';
};

/** What the goods of a row are to the cards of rates. */
export const goodsOf = (fact: AgingFact): Goods => ({
  volume: fact.volume,
  tier: tierOf(fact.size_tier, fact.weight),
  exempt: EXEMPT.test(fact.product_type.toUpperCase()),
});
