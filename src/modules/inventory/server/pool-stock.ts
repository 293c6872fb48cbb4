import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';

type Company = Pick<Ctx, 'companyId'>;

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);
const SITES = sql`unnest(${IDS}::text[], ${STOCKS}::text[])`;
const poolOf = (site: RawBuilder<unknown>) =>
  sql`coalesce((SELECT p.stock FROM ${SITES} AS p (site, stock) WHERE p.site = ${site}), ${site})`;

/** Days for which parcels of removal orders count as on their way to us; no report tells when they arrive. */
const REMOVAL_DAYS = 14;

/** Pieces of a SKU in a stock of Amazon's that sites share, told once however many sites tell them. */
export interface PoolStock {
  account_id: string;
  /** "EU", "US" …: see stockOf(). */
  pool: string;
  seller_sku: string;
  kind: 'FULFILLABLE' | 'RESERVED' | 'UNSELLABLE' | 'RESEARCHING' | 'INBOUND' | 'REMOVAL';
  /** Of unsellable pieces, as the stock report of the ledger names it ("DEFECTIVE"); OTHER where it does not, else ''. */
  disposition: string;
  qty: number;
}

/** One row per stock and SKU of what is there now. What shipments bring that are announced only is left out. */
const present = ({ companyId }: Company) => sql`
  SELECT account_id, pool, seller_sku, max(fulfillable)::int AS fulfillable, max(reserved)::int AS reserved,
         max(unsellable)::int AS unsellable, max(researching)::int AS researching, max(inbound)::int AS inbound
    FROM (SELECT f.account_id, ${poolOf(sql`f.marketplace_id`)} AS pool, f.marketplace_id, f.seller_sku,
                 sum(f.fulfillable) AS fulfillable, sum(f.reserved) AS reserved, sum(f.unsellable) AS unsellable,
                 sum(f.researching) AS researching, sum(f.inbound_shipped + f.inbound_receiving) AS inbound
            FROM inventory.fba_stock AS f WHERE f.company_id = ${companyId} AND f.total > 0 GROUP BY 1, 2, 3, 4) AS each
   GROUP BY 1, 2, 3`;

/**
 * The same at the end of a business day in the past: as it was read on that day, else as the balance of Amazon's own ledger
 * for that day, which does not tell reserved pieces from sellable ones. Neither tells what was announced from what was sent.
 */
const past = ({ companyId }: Company, day: string) => sql`
  SELECT account_id, pool, seller_sku, max(fulfillable)::int AS fulfillable, max(reserved)::int AS reserved,
         max(unsellable)::int AS unsellable, max(researching)::int AS researching, 0 AS inbound
    FROM (SELECT d.account_id, ${poolOf(sql`d.marketplace_id`)} AS pool, d.marketplace_id, d.seller_sku,
                 sum(d.fulfillable) AS fulfillable, sum(d.reserved) AS reserved, sum(d.unsellable) AS unsellable,
                 sum(d.researching) AS researching
            FROM inventory.fba_stock_day AS d WHERE d.company_id = ${companyId} AND d.day = ${day}::date GROUP BY 1, 2, 3, 4) AS each
   GROUP BY 1, 2, 3
  UNION ALL
  SELECT l.account_id, l.stock, l.seller_sku, coalesce(sum(l.ending) FILTER (WHERE l.disposition = 'SELLABLE'), 0)::int, 0,
         coalesce(sum(l.ending) FILTER (WHERE l.disposition <> 'SELLABLE'), 0)::int, 0, 0
    FROM inventory.ledger_day AS l
   WHERE l.company_id = ${companyId} AND l.day = ${day}::date AND NOT EXISTS (
         SELECT FROM inventory.fba_stock_day AS d
          WHERE d.company_id = l.company_id AND d.account_id = l.account_id AND d.day = l.day
            AND ${poolOf(sql`d.marketplace_id`)} = l.stock)
   GROUP BY 1, 2, 3`;

/**
 * SELECT of PoolStock: all that stands at Amazon's or is on its way there or back, now (`day` null) or at the end of a
 * business day. Unsellable pieces are told apart by the newest balances of Amazon's ledger of the last 30 days.
 */
export function poolStockSelect(ctx: Company, day: string | null, today: string): RawBuilder<PoolStock> {
  const at = day ?? today;
  return sql<PoolStock>`
    WITH lying AS MATERIALIZED (${day === null ? present(ctx) : past(ctx, day)}),
    newest AS MATERIALIZED (
      SELECT account_id, stock, max(day) AS day FROM inventory.ledger_day
       WHERE company_id = ${ctx.companyId} AND day <= ${at}::date AND day > ${at}::date - 30 GROUP BY 1, 2),
    told AS (
      SELECT l.account_id, l.stock AS pool, l.seller_sku, l.disposition, sum(l.ending)::int AS qty
        FROM newest AS n
        JOIN inventory.ledger_day AS l ON l.company_id = ${ctx.companyId} AND l.account_id = n.account_id
         AND l.stock = n.stock AND l.day = n.day
       WHERE l.disposition <> 'SELLABLE' GROUP BY 1, 2, 3, 4 HAVING sum(l.ending) > 0),
    split AS (
      SELECT y.account_id, y.pool, y.seller_sku, t.disposition,
             greatest(0, least(t.qty, y.unsellable - (sum(t.qty) OVER upto - t.qty)))::int AS qty
        FROM lying AS y JOIN told AS t USING (account_id, pool, seller_sku) WHERE y.unsellable > 0
      WINDOW upto AS (PARTITION BY y.account_id, y.pool, y.seller_sku ORDER BY t.disposition))
    SELECT account_id, pool, seller_sku, kind, disposition, qty
      FROM (SELECT y.account_id, y.pool, y.seller_sku, k.kind, '' AS disposition, k.qty
              FROM lying AS y
             CROSS JOIN LATERAL (VALUES ('FULFILLABLE', y.fulfillable), ('RESERVED', y.reserved),
               ('RESEARCHING', y.researching), ('INBOUND', y.inbound)) AS k (kind, qty)
            UNION ALL SELECT account_id, pool, seller_sku, 'UNSELLABLE', disposition, qty FROM split
            UNION ALL
            SELECT y.account_id, y.pool, y.seller_sku, 'UNSELLABLE', 'OTHER', y.unsellable - coalesce(s.qty, 0)::int
              FROM lying AS y
              LEFT JOIN (SELECT account_id, pool, seller_sku, sum(qty) AS qty FROM split GROUP BY 1, 2, 3) AS s
             USING (account_id, pool, seller_sku)
            UNION ALL
            SELECT account_id, stock, seller_sku, 'REMOVAL', '', sum(quantity)::int FROM inventory.removal_parcel
             WHERE company_id = ${ctx.companyId} AND day <= ${at}::date AND day > ${at}::date - ${sql.lit(REMOVAL_DAYS)}
               AND order_type ILIKE 'return%' GROUP BY 1, 2, 3) AS all_kinds
     WHERE qty > 0`;
}

/** Accounts that have a stock at Amazon's, and how many of their stocks are known for a business day. */
export async function stocksKnown(ctx: Ctx, day: string): Promise<{ stocks: number; known: number }> {
  const { rows } = await sql<{ stocks: number; known: number }>`
    WITH stocks AS (
      SELECT DISTINCT account_id, ${poolOf(sql`marketplace_id`)} AS pool FROM inventory.fba_snapshot
       WHERE company_id = ${ctx.companyId} AND as_of > '-infinity')
    SELECT count(*)::int AS stocks, (count(*) FILTER (WHERE EXISTS (
             SELECT FROM inventory.fba_stock_day AS d WHERE d.company_id = ${ctx.companyId} AND d.account_id = s.account_id
                AND d.day = ${day}::date AND ${poolOf(sql`d.marketplace_id`)} = s.pool)
           OR EXISTS (SELECT FROM inventory.ledger_day AS l WHERE l.company_id = ${ctx.companyId}
                AND l.account_id = s.account_id AND l.day = ${day}::date AND l.stock = s.pool)))::int AS known
      FROM stocks AS s`.execute(ctx.db);
  return rows[0] ?? { stocks: 0, known: 0 };
}
