import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { SHIPMENT_NOS } from './of-order.ts';

/** Pieces of one product that left for Amazon with a line of a ship order, counted in pieces of the product. */
export interface SentPart {
  id: string;
  line_id: string;
  order_id: string;
  number: string;
  /** Numbers of the shipments, with commas between. */
  shipment_nos: string;
  account_id: string;
  marketplace_id: string;
  msku: string;
  title: string;
  image: string | null;
  product_id: string;
  shipped_at: string;
  shipped: number;
  received: number;
  /** Nothing more is awaited. */
  closed: boolean;
  /** The posting that took the pieces away, and the numbers of its moves that did, from 1. */
  posting_id: string;
  moves: number[];
}

/** SELECT of SentPart: what our stock sent to Amazon and was not taken back, of the orders that the caller may see. */
export function sentPartsSelect({ companyId }: Pick<Ctx, 'companyId'>): RawBuilder<SentPart> {
  return sql<SentPart>`
    SELECT q.id, l.id AS line_id, o.id AS order_id, o.number, ${SHIPMENT_NOS} AS shipment_nos, o.account_id,
           o.marketplace_id, l.msku, l.title, l.image, q.product_id, o.shipped_at, l.shipped_qty * q.qty_per AS shipped,
           l.received_qty * q.qty_per AS received, o.state = 'done' AS closed, d.posting_id,
           d.moves
      FROM shipping.ship_order AS o
      JOIN shipping.ship_order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id AND l.shipped_qty > 0
      JOIN shipping.ship_order_part AS q ON q.company_id = l.company_id AND q.line_id = l.id
     CROSS JOIN LATERAL (
       SELECT e.posting_id, ARRAY(
                SELECT m.no::int FROM jsonb_array_elements(e.lines) WITH ORDINALITY AS m (noted, no)
                 WHERE m.noted ->> 'part' = q.id::text) AS moves
         FROM shipping.ship_order_event AS e
        WHERE e.company_id = o.company_id AND e.order_id = o.id AND e.event = 'ship' ORDER BY e.seq DESC LIMIT 1) AS d
     WHERE o.company_id = ${companyId} AND o.shipped_at IS NOT NULL AND o.state IN ('shipped', 'receiving', 'done')
       AND o.stock_mode <> 'PLATFORM'`;
}

/** Holds the order of a part that left, so that no receipt and no bill changes it meanwhile; whether the caller may change it. */
export async function holdSentPart(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM shipping.ship_order AS o
     WHERE o.company_id = ${ctx.companyId} AND o.id = (
       SELECT q.order_id FROM shipping.ship_order_part AS q WHERE q.company_id = ${ctx.companyId} AND q.id = ${id})
       FOR UPDATE`.execute(ctx.db);
  return rows.length > 0;
}

/** What the first leg of a part that left is expected to come to and is billed with, CNY; `billed` null without a bill that stands. */
export async function freightOfPart(
  ctx: Ctx,
  part: Pick<SentPart, 'order_id' | 'line_id' | 'moves'>,
): Promise<{ estimated: string | null; billed: string | null }> {
  const { rows } = await sql<{ estimated: string | null; billed: string | null }>`
    SELECT (SELECT f.estimated::text FROM shipping.freight_line AS f
             WHERE f.company_id = ${ctx.companyId} AND f.line_id = ${part.line_id}) AS estimated,
           CASE WHEN EXISTS (
             SELECT FROM shipping.freight_charge AS c
               JOIN shipping.freight_bill AS b ON b.company_id = c.company_id AND b.id = c.bill_id AND b.state = 'confirmed'
              WHERE c.company_id = ${ctx.companyId} AND c.order_id = ${part.order_id} AND c.kind <> 'DUTY') THEN (
             SELECT coalesce(sum(s.amount), 0)::text FROM shipping.freight_share AS s
              WHERE s.company_id = ${ctx.companyId} AND s.order_id = ${part.order_id} AND s.line_id = ${part.line_id}
                AND s.component = 'firstLeg' AND s.move + 1 = ANY (${[...part.moves]}::int[])) END AS billed`.execute(
    ctx.db,
  );
  return rows[0] ?? { estimated: null, billed: null };
}
