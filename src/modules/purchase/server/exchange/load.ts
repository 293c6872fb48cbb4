import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Move } from '#modules/warehouse/server/index.ts';
import { locked as lockedOrder, type Order } from '../order/load.ts';

export interface ExchangeLine {
  id: string;
  orderLine: string;
  product: string;
  qty: number;
  received: number;
  /** Neither replaced nor waited for any more. */
  ended: number;
  /** CNY: what all pieces cost; null before the exchange is confirmed. */
  cost: string | null;
  /** CNY: what of it is in stock again. */
  costBack: string;
}

export interface Exchange extends DocumentRow {
  number: string;
  /** Where the bad pieces lie. */
  warehouse: string;
  /** Where the good ones are to come. */
  target: string;
  takesStock: boolean;
  reason: string;
  createdBy: string | null;
  order: Order;
  lines: ExchangeLine[];
}

/** An exchange and its order, both locked: the order first, as everything does. @throws notFound */
export async function lockedExchange(ctx: Ctx, id: string): Promise<Exchange> {
  const found = await ctx.db
    .selectFrom('purchase.exchange_order')
    .select('order_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const order = await lockedOrder(ctx, found.order_id);
  const { rows } = await sql<Omit<Exchange, 'order' | 'lines'>>`
    SELECT id, number, state, version, warehouse_id AS warehouse, target_id AS target, takes_stock AS "takesStock", reason,
           created_by AS "createdBy"
      FROM purchase.exchange_order WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound();
  const lines = await sql<ExchangeLine>`
    SELECT id, order_line_id AS "orderLine", product_id AS product, qty, received, ended, cost, cost_back AS "costBack"
      FROM purchase.exchange_line WHERE company_id = ${ctx.companyId} AND exchange_id = ${id} ORDER BY line_no`.execute(
    ctx.db,
  );
  return { ...head, order, lines: lines.rows };
}

/** Pieces of a line that the supplier still has to send. */
export const openOf = (line: Pick<ExchangeLine, 'qty' | 'received' | 'ended'>): number =>
  line.qty - line.received - line.ended;

/** 待入库 goes up or back by pieces that are exchanged: a memo where they are to come. */
export function expected(doc: Pick<Exchange, 'target'>, product: string, by: number): Move {
  const here = { warehouse: doc.target, status: 'EXPECTED' } as const;
  return by > 0 ? { product, qty: by, from: 'SUPPLIER', to: here } : { product, qty: -by, from: here, to: 'SUPPLIER' };
}
