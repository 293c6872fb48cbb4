import type { Ctx } from '#kit/server/context.ts';
import { type ShipmentFilter, ShipmentRow } from '../../contract/shipments.ts';
import { among, type FactList, type Facts, factsOf, withText } from './base.ts';

interface Shipment {
  title: string;
  order_id: string;
  shipment_id: string;
  purchased_at: string | null;
  shipped_at: string;
  arrives_at: string | null;
  quantity: number;
  currency: string;
  price: string | null;
  tax: string | null;
  shipping: string | null;
  shipping_tax: string | null;
  gift_wrap: string | null;
  gift_wrap_tax: string | null;
  discount: string | null;
  shipping_discount: string | null;
  service_level: string;
  state: string;
  country: string;
  carrier: string;
  tracking: string;
  centre: string;
  channel: string;
}

function shipmentsOf(ctx: Ctx, { centre, carrier, country, ...filter }: ShipmentFilter): Facts {
  let query = factsOf(ctx, 'inventory.fulfilled_shipment', filter, 'f.seller_sku, f.order_id, f.tracking');
  query = withText(withText(query, 'centre', centre), 'carrier', carrier);
  return country?.trim() ? among(query, 'country', country.trim().toUpperCase()) : query;
}

/** The list of what left Amazon's warehouses for buyers, a row per item of a parcel. */
export const shipmentList = (ctx: Ctx, filter: ShipmentFilter): FactList<Shipment, ShipmentRow> => ({
  title: 'FBA发货明细',
  resource: 'inventory.shipment',
  row: ShipmentRow,
  query: shipmentsOf(ctx, filter),
  order: [
    ['f.day', 'desc'],
    ['f.shipped_at', 'desc'],
  ],
  sort: { day: 'f.day', shippedAt: 'f.shipped_at', quantity: 'f.quantity', goodsAmount: 'f.price' },
  sums: { quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    orderId: row.order_id,
    shippedAt: row.shipped_at,
    quantity: row.quantity,
    centre: row.centre,
    carrier: row.carrier,
    tracking: row.tracking,
    arrivesAt: row.arrives_at,
    country: row.country,
    state: row.state,
    goodsAmount: row.price,
    goodsTax: row.tax,
    freightAmount: row.shipping,
    freightTax: row.shipping_tax,
    wrapAmount: row.gift_wrap,
    wrapTax: row.gift_wrap_tax,
    goodsDiscount: row.discount,
    freightDiscount: row.shipping_discount,
    currency: row.currency,
    purchasedAt: row.purchased_at,
    serviceLevel: row.service_level,
    channel: row.channel,
    shipmentId: row.shipment_id,
  }),
});
