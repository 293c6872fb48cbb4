import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ShipOrder } from '../order/load.ts';

/** Where boxes go: number of the shipment and its fulfilment centre, each empty where nobody knows yet. */
export interface Home {
  shipmentNo: string;
  center: string;
}

export interface Homes {
  /** All of the order's, with commas between. */
  all: Home;
  /** That of the box with this number. */
  of: (boxNo: number) => Home;
}

/** The shipment that somebody wrote on the order, with the centre that the marketplace told. */
async function writtenHome(ctx: Ctx, order: Pick<ShipOrder, 'account' | 'shipmentNo'>): Promise<Home> {
  if (order.shipmentNo === '') return { shipmentNo: '', center: '' };
  const row = await ctx.db
    .selectFrom('shipping.fba_shipment')
    .select('center')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', order.account)
    .where('shipment_no', '=', order.shipmentNo)
    .executeTakeFirst();
  return { shipmentNo: order.shipmentNo, center: row?.center ?? '' };
}

/** Where the boxes of an order go: by the placement that was confirmed, else by the number that was written on the order. */
export async function homesOf(ctx: Ctx, order: Pick<ShipOrder, 'id' | 'account' | 'shipmentNo'>): Promise<Homes> {
  const { rows } = await sql<Home & { no: number }>`
    SELECT b.box_no AS no, s.shipment_no AS "shipmentNo", s.center FROM shipping.box AS b
      JOIN shipping.inbound_shipment AS s
        ON s.company_id = b.company_id AND s.order_id = b.order_id AND s.shipment_id = b.shipment_id
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${order.id} ORDER BY b.box_no`.execute(ctx.db);
  if (rows.length === 0) {
    const all = await writtenHome(ctx, order);
    return { all, of: () => all };
  }
  const byBox = new Map(rows.map((row) => [row.no, row]));
  const each = [...new Map(rows.map((row) => [row.shipmentNo, row])).values()];
  const all = {
    shipmentNo: each.map(({ shipmentNo }) => shipmentNo).join(', '),
    center: each.map(({ center }) => center).join(', '),
  };
  return { all, of: (boxNo) => byBox.get(boxNo) ?? { shipmentNo: '', center: '' } };
}
