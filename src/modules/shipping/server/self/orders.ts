import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** An order with as much of where it goes as is kept. */
export interface OrderAddress {
  sellingPartnerId: string;
  orderId: string;
  account: string;
  marketplaceId: string;
  latestShipAt: string | null;
  country: string;
  region: string;
  postalCode: string;
}

/** Orders by "seller~order" that are there, in the order of their numbers. */
export async function addressOf(ctx: Ctx, ids: readonly string[]): Promise<OrderAddress[]> {
  const keys = ids.map((id) => ({ seller: id.split('~', 1)[0] ?? '', number: id.slice(id.indexOf('~') + 1) }));
  const { rows } = await sql<OrderAddress>`
    SELECT o.selling_partner_id AS "sellingPartnerId", o.amazon_order_id AS "orderId", o.account_id AS account,
           o.marketplace_id AS "marketplaceId", o.latest_ship_at AS "latestShipAt", coalesce(o.ship_country, '') AS country,
           coalesce(left(o.ship_state, 60), '') AS region, coalesce(o.postal_prefix, '') AS "postalCode"
      FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k(seller text, number text)
      JOIN "order".amazon_order o ON o.company_id = ${ctx.companyId} AND o.selling_partner_id = k.seller
       AND o.amazon_order_id = k.number ORDER BY 2, 1`.execute(ctx.db);
  return rows;
}
