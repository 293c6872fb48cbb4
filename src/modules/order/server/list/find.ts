import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';

export interface OrderKey {
  selling_partner_id: string;
  amazon_order_id: string;
}

/** The order that "sellerId~orderId" or a bare order number names; 404 for anybody else's. */
export async function findOrder(ctx: Ctx, id: string): Promise<OrderKey> {
  const at = id.indexOf('~');
  const number = at < 0 ? id : id.slice(at + 1);
  let query = ctx.db
    .selectFrom('order.amazon_order')
    .select(['selling_partner_id', 'amazon_order_id'])
    .where('company_id', '=', ctx.companyId)
    .where('amazon_order_id', '=', number)
    .limit(2);
  if (at >= 0) query = query.where('selling_partner_id', '=', id.slice(0, at));
  const [row, second] = await query.execute();
  if (!row) throw notFound('订单不存在');
  if (second) throw refused('多个店铺有相同的订单号，请从订单列表打开', 'B0410');
  return row;
}

/** The same for many; 404 if one of them is missing. */
export async function findOrders(ctx: Ctx, ids: readonly string[]): Promise<OrderKey[]> {
  const keys: OrderKey[] = [];
  const pairs = ids.map((id) => ({ seller: id.split('~', 1)[0] ?? '', number: id.slice(id.indexOf('~') + 1) }));
  const { rows } = await sql<OrderKey>`
    SELECT o.selling_partner_id, o.amazon_order_id
      FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS x (seller text, number text)
      JOIN "order".amazon_order o ON o.company_id = ${ctx.companyId} AND o.selling_partner_id = x.seller
       AND o.amazon_order_id = x.number`.execute(ctx.db);
  const found = new Map(rows.map((row) => [`${row.selling_partner_id}~${row.amazon_order_id}`, row]));
  for (const id of new Set(ids)) keys.push(found.get(id) ?? (await findOrder(ctx, id)));
  return keys;
}
