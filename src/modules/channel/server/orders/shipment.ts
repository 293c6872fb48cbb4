import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** How an order of another platform was sent. */
export interface PlatformShipment {
  /** e.g. "SHOPIFY". */
  platform: string;
  orderNo: string;
  carrier: string;
  trackingNumber: string;
  /** ISO instant; null where nobody says. */
  shippedAt: string | null;
}

/** Gives an order of another platform the number of its parcel. Returns how many orders are called so: none where it is not known here. */
export async function shipmentOf(ctx: Ctx, { platform, orderNo, ...said }: PlatformShipment): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE channel.platform_order AS o
       SET carrier = ${said.carrier}, tracking_number = ${said.trackingNumber}, shipped_at = ${said.shippedAt}::timestamptz
      FROM channel.shop AS h
     WHERE o.company_id = ${ctx.companyId} AND o.order_no = ${orderNo}
       AND h.company_id = o.company_id AND h.id = o.shop_id AND h.platform = ${platform}`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}
