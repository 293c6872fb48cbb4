import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { postingWords } from '../stock/sources.ts';

type Company = Pick<Ctx, 'companyId'>;

/** What of a cost layer was left at the end of a day. Amounts are CNY. */
export interface LayerAt {
  layer_id: string;
  product_id: string;
  warehouse_id: string;
  in_transit: boolean;
  original_date: string;
  qty: number;
  amount: string;
  /** Parts of the amount; the rest is what the pieces were bought for. */
  first_leg: string;
  duty: string;
  other: string;
}

/** Layers as they are known: what is open now and what was taken from them by postings of later days. */
function knownAt({ companyId }: Company, day: string, some: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    later AS MATERIALIZED (
      SELECT c.layer_id, sum(c.qty)::int AS qty, sum(c.amount) AS amount
        FROM warehouse.stock_posting AS o
        JOIN warehouse.layer_consumption AS c ON c.company_id = o.company_id AND c.posting_id = o.id
       WHERE o.company_id = ${companyId} AND o.business_date > ${day}::date
         AND c.posted_at >= ${day}::date - interval '1 day'
       GROUP BY 1),
    known AS MATERIALIZED (
      SELECT y.id AS layer_id, y.product_id, y.warehouse_id, y.in_transit, y.original_date, y.amount_in, y.components,
             y.qty_remaining + coalesce(t.qty, 0) AS qty, y.amount_remaining + coalesce(t.amount, 0) AS raw
        FROM warehouse.cost_layer AS y
        LEFT JOIN later AS t ON t.layer_id = y.id
        JOIN warehouse.stock_posting AS o ON o.company_id = y.company_id AND o.id = y.source_posting_id
         AND o.business_date <= ${day}::date
       WHERE y.company_id = ${companyId} AND y.qty_remaining + coalesce(t.qty, 0) > 0
         AND (y.open OR y.id IN (SELECT layer_id FROM later)) ${some})`;
}

/**
 * SELECT of LayerAt: the layers at the end of a day of the company, now or in the past. What they are worth together is what
 * the entries of a product in a warehouse say, to the last unit: value that came to the pieces after that day (freight, a
 * month's closing) is left out, in proportion to what the layers are worth now. `some` narrows the layers `y`.
 */
export function layersAtSelect(ctx: Company, day: string, some: RawBuilder<unknown> = sql``): RawBuilder<LayerAt> {
  return sql<LayerAt>`
    WITH ${knownAt(ctx, day, some)},
    gained AS MATERIALIZED (
      SELECT e.product_id, e.warehouse_id, sum(e.amount) AS amount FROM warehouse.stock_entry AS e
       WHERE e.company_id = ${ctx.companyId} AND e.business_date > ${day}::date AND e.amount IS NOT NULL
         AND e.status <> 'OUTSIDE' AND e.posted_at >= ${day}::date - interval '1 day'
       GROUP BY 1, 2),
    held AS MATERIALIZED (
      SELECT y.product_id, y.warehouse_id, sum(y.amount_remaining) AS amount FROM warehouse.cost_layer AS y
       WHERE y.company_id = ${ctx.companyId} AND y.open ${some} GROUP BY 1, 2),
    placed AS (
      SELECT k.*, coalesce(h.amount, 0) - coalesce(g.amount, 0) AS exact, sum(k.raw) OVER pool AS whole,
             sum(k.qty) OVER pool AS pieces, sum(k.raw) OVER upto AS raw_upto, sum(k.qty) OVER upto AS qty_upto
        FROM known AS k
        LEFT JOIN held AS h ON h.product_id = k.product_id AND h.warehouse_id = k.warehouse_id
        LEFT JOIN gained AS g ON g.product_id = k.product_id AND g.warehouse_id = k.warehouse_id
      WINDOW pool AS (PARTITION BY k.product_id, k.warehouse_id),
             upto AS (PARTITION BY k.product_id, k.warehouse_id ORDER BY k.original_date, k.layer_id)),
    valued AS (
      SELECT p.*, CASE WHEN exact = whole THEN raw
          WHEN whole > 0 THEN round(exact * raw_upto / whole, 4) - round(exact * (raw_upto - raw) / whole, 4)
          ELSE round(exact * qty_upto / pieces, 4) - round(exact * (qty_upto - qty) / pieces, 4) END AS amount
        FROM placed AS p)
    SELECT v.layer_id, v.product_id, v.warehouse_id, v.in_transit, v.original_date, v.qty, v.amount,
           ${shareOf(sql`coalesce((v.components->>'firstLeg')::numeric, 0)`)} AS first_leg,
           ${shareOf(sql`coalesce((v.components->>'duty')::numeric, 0)`)} AS duty,
           ${shareOf(sql`coalesce((v.components->>'localFreight')::numeric, 0) + coalesce((v.components->>'processing')::numeric, 0)
             + coalesce((v.components->>'placement')::numeric, 0) + coalesce((v.components->>'other')::numeric, 0)`)} AS other
      FROM valued AS v`;
}

function shareOf(part: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN v.amount_in <> 0 THEN round(v.amount * (${part}) / v.amount_in, 4) ELSE 0 END`;
}

/** SELECT of what was ordered and had not come at the end of a day, by product and warehouse. It is a memo without a value. */
export function expectedAtSelect(
  { companyId }: Company,
  day: string,
): RawBuilder<{ product_id: string; warehouse_id: string; qty: number }> {
  return sql`
    SELECT b.product_id, b.warehouse_id, sum(b.qty)::int AS qty
      FROM (SELECT product_id, warehouse_id, qty FROM warehouse.stock_balance
             WHERE company_id = ${companyId} AND status = 'EXPECTED'
            UNION ALL
            SELECT product_id, warehouse_id, -qty FROM warehouse.stock_entry
             WHERE company_id = ${companyId} AND status = 'EXPECTED' AND business_date > ${day}::date
               AND posted_at >= ${day}::date - interval '1 day') AS b
     GROUP BY 1, 2 HAVING sum(b.qty) > 0`;
}

/** SELECT of the warehouses that hold stock, each with its code; Amazon's stocks have the code that fbaCode() gives. */
export function placesSelect({
  companyId,
}: Company): RawBuilder<{ id: string; kind: string; quality: string; code: string; name: string }> {
  return sql`
    SELECT id, kind, quality, code, name FROM warehouse.warehouse WHERE company_id = ${companyId} AND kind <> 'VIRTUAL'`;
}

/**
 * The value of own stock at the end of a day as the entries of the ledger say it now, CNY, over the warehouses whose stock the
 * ledger alone knows: all but Amazon's.
 */
export async function ledgerValueAt(ctx: Ctx, day: string): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    SELECT coalesce(sum(x.amount), 0)::text AS amount
      FROM (SELECT y.warehouse_id, y.amount_remaining AS amount FROM warehouse.cost_layer AS y
             WHERE y.company_id = ${ctx.companyId} AND y.open
            UNION ALL
            SELECT e.warehouse_id, -e.amount FROM warehouse.stock_entry AS e
             WHERE e.company_id = ${ctx.companyId} AND e.business_date > ${day}::date AND e.amount IS NOT NULL
               AND e.status <> 'OUTSIDE' AND e.posted_at >= ${day}::date - interval '1 day') AS x
      JOIN warehouse.warehouse AS w ON w.company_id = ${ctx.companyId} AND w.id = x.warehouse_id AND w.kind <> 'FBA'`.execute(
    ctx.db,
  );
  return rows[0]?.amount ?? '0';
}

/** The first day, before today, that a posting changed after an instant; null where none did. */
export async function changedSince(ctx: Ctx, from: string, instant: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT min(business_date)::text AS day FROM warehouse.stock_posting
     WHERE company_id = ${ctx.companyId} AND business_date >= ${from}::date AND business_date < kit.today()
       AND posted_at > ${instant}::timestamptz`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** The first day that the ledger knows anything of; null for a company without stock. */
export async function ledgerBegins(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT min(business_date)::text AS day FROM warehouse.stock_posting WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  return rows[0]?.day ?? null;
}

/** A layer of a product at the end of a day with the document that made it. */
export interface LayerOrigin extends LayerAt {
  warehouse: string;
  /** Code of the warehouse: see fbaCode(). */
  code: string;
  /** Whether the goods are on their way, in a warehouse that stands for the way or to the one they are booked for. */
  moving: boolean;
  number: string;
  /** Page of the document, where it has one. */
  path: string | null;
}

const MOST = 200;

/** The layers of a product at the end of a day, newest first, 200 at most; of warehouses that the caller may see. */
export async function layersOfProduct(ctx: Ctx, product: string, day: string): Promise<LayerOrigin[]> {
  const { rows } = await sql<
    Omit<LayerOrigin, 'path'> & { source_type: string; source_id: string; source_event: string }
  >`
    SELECT l.*, l.original_date::text, l.amount::text, l.first_leg::text, l.duty::text, l.other::text, w.name AS warehouse,
           w.code, l.in_transit OR w.kind = 'TRANSIT' AS moving, o.source_number AS number, o.source_type, o.source_id, o.source_event
      FROM (${layersAtSelect(ctx, day, sql`AND y.product_id = ${product}::uuid`)}) AS l
      JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = l.layer_id
      JOIN warehouse.stock_posting AS o ON o.company_id = y.company_id AND o.id = y.source_posting_id
      JOIN warehouse.warehouse AS w ON w.company_id = y.company_id AND w.id = l.warehouse_id
     ORDER BY l.original_date DESC, l.layer_id DESC LIMIT ${MOST}`.execute(ctx.db);
  return rows.map(({ source_type, source_id, source_event, ...row }) => ({
    ...row,
    path: postingWords(ctx, { source_type, source_id, source_event }).path,
  }));
}
