import { marketplaceOfChannel } from '#modules/marketplace/contract/marketplaces.ts';
import { businessDay, fulfilledShipments, type ReportPlan } from '#modules/marketplace/server/index.ts';
import { instant, int, money, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

type Shipment = RowOf<typeof fulfilledShipments>;

/** The day in the zone of the site that it was sold on, as one report is about several; else in that of the account. */
function dayOf({ shippedAt, channel }: Shipment, zone: string): string | null {
  return shippedAt === null ? null : businessDay(shippedAt, marketplaceOfChannel(channel)?.timeZone ?? zone);
}

function problemOf({ quantity, currency, price }: Shipment): string | undefined {
  if (quantity === null) return '缺少发货数量';
  if (quantity < 0) return '发货数量为负';
  return price === null || /^[A-Za-z]{3}$/.test(currency) ? undefined : '币种无法识别';
}

const shipments: FactDef<Shipment> = {
  reader: fulfilledShipments,
  table: 'inventory.fulfilled_shipment',
  mode: 'rows',
  newer: 'reported_at',
  // Several sites may stand in one report, whichever was asked for: a row has one name in all of them.
  about: 'account',
  day: dayOf,
  country: ({ channel }) => {
    const country = marketplaceOfChannel(channel)?.country ?? '';
    return country === 'UK' ? 'GB' : country;
  },
  isNamed: () => true,
  problem: problemOf,
  pieces: (row) => row.quantity ?? 0,
  columns: [
    text('item_id', (row) => row.itemId, true),
    text('order_id', (row) => row.orderId),
    text('order_item_id', (row) => row.orderItemId),
    text('shipment_id', (row) => row.shipmentId),
    instant('purchased_at', (row) => row.purchasedAt),
    instant('shipped_at', (row) => row.shippedAt),
    instant('reported_at', (row) => row.reportedAt ?? row.shippedAt),
    instant('arrives_at', (row) => row.arrivesAt),
    text('seller_sku', (row) => row.sku),
    text('title', (row) => row.title),
    int('quantity', (row) => row.quantity),
    text('currency', (row) => row.currency.toUpperCase()),
    money('price', (row) => row.price),
    money('tax', (row) => row.tax),
    money('shipping', (row) => row.shipping),
    money('shipping_tax', (row) => row.shippingTax),
    money('gift_wrap', (row) => row.giftWrap),
    money('gift_wrap_tax', (row) => row.giftWrapTax),
    money('discount', (row) => row.discount),
    money('shipping_discount', (row) => row.shippingDiscount),
    text('service_level', (row) => row.serviceLevel),
    text('state', (row) => row.state),
    text('country', (row) => row.country.toUpperCase()),
    text('carrier', (row) => row.carrier),
    text('tracking', (row) => row.tracking),
    text('centre', (row) => row.centre),
    text('channel', (row) => row.channel),
  ],
};

export const shipmentLoaders = [factLoader(shipments)];

/** One report for all sites of an account; 29 days, as a day of 25 hours would make 30 too many. */
export const shipmentPlans: ReportPlan[] = [
  {
    code: 'fba.shipments',
    title: 'FBA发货明细',
    reportType: fulfilledShipments.type,
    inBackground: true,
    how: 'window',
    windowDays: 29,
    historyDays: 58,
    overlapDays: 3,
    priority: 70,
    cadenceSec: 4 * 3600,
    sloMin: 6 * 60,
  },
];
