import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { findOrders } from '../list/find.ts';

/** An order as acts on it see it. */
export interface ActOrder {
  selling_partner_id: string;
  amazon_order_id: string;
  account_id: string;
  marketplace_id: string;
  fulfilled_by: string;
  channel: string;
  status: string;
  purchased_at: string;
  earliest_deliver_at: string | null;
  latest_deliver_at: string | null;
}

/** "sellerId~orderId". */
export const orderKey = (order: Pick<ActOrder, 'selling_partner_id' | 'amazon_order_id'>): string =>
  `${order.selling_partner_id}~${order.amazon_order_id}`;

/**
 * Orders by the ids that callers give, locked in one order for everybody, so that two who act on the same ones wait for each
 * other. The map knows each under the id that was given. @throws 404
 */
export async function lockOrders(ctx: Ctx, ids: readonly string[]): Promise<Map<string, ActOrder>> {
  const unique = [...new Set(ids)];
  const keys = await findOrders(ctx, unique);
  const { rows } = await sql<ActOrder>`
    SELECT o.selling_partner_id, o.amazon_order_id, o.account_id, o.marketplace_id, o.fulfilled_by, o.channel, o.status,
           o.purchased_at, o.earliest_deliver_at, o.latest_deliver_at
      FROM "order".amazon_order o
      JOIN jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k (selling_partner_id text, amazon_order_id text)
     USING (selling_partner_id, amazon_order_id)
     WHERE o.company_id = ${ctx.companyId}
     ORDER BY o.amazon_order_id, o.selling_partner_id FOR UPDATE OF o`.execute(ctx.db);
  const found = new Map(rows.map((row) => [orderKey(row), row]));
  const byId = unique.map((id, index) => {
    const key = keys[index];
    return [id, key && found.get(orderKey(key))] as const;
  });
  return new Map(byId.flatMap(([id, order]) => (order ? [[id, order] as const] : [])));
}
