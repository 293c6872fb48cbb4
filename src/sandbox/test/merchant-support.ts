import { expect } from 'vitest';
import type { ConsentedSeller } from './seller-support.ts';
import { SELLER_NOW } from './seller-support.ts';
import { DAY, type Json, listOf } from './wire-support.ts';

/** An order that its seller has yet to send, with all of its pieces. */
export interface WaitingOrder {
  orderId: string;
  items: { OrderItemId: string; Quantity: number }[];
}

const iso = (at: number): string => new Date(at).toISOString();

/** Where parcels of these tests leave from. */
export const FROM = {
  Name: 'Kitora Warehouse',
  AddressLine1: '300 Turnbull Ave',
  Email: 'ship@example.com',
  City: 'Detroit',
  StateOrProvinceCode: 'MI',
  PostalCode: '48123',
  CountryCode: 'US',
  Phone: '7132341234',
};

/** All orders of the home marketplace that wait to be sent by the seller. */
export async function allWaiting(seller: ConsentedSeller): Promise<WaitingOrder[]> {
  const query = {
    createdAfter: iso(SELLER_NOW - 9 * DAY),
    fulfilledBy: 'MERCHANT',
    fulfillmentStatuses: 'UNSHIPPED',
    marketplaceIds: seller.marketplaceIds[0],
  };
  const { orders } = await seller.good({ method: 'GET', path: '/orders/2026-01-01/orders', query });
  return listOf(orders).map((order) => ({
    orderId: String(order.orderId),
    items: listOf(order.orderItems).map((item) => ({
      OrderItemId: String(item.orderItemId),
      Quantity: Number(item.quantityOrdered),
    })),
  }));
}

export async function waitingToShip(seller: ConsentedSeller): Promise<WaitingOrder> {
  const [order] = await allWaiting(seller);
  if (!order) throw new Error('no order waits to be sent');
  return order;
}

/** `ShipmentRequestDetails` of a parcel of half a kilogram. */
export const parcelOf = ({ orderId, items }: WaitingOrder, more: object = {}) => ({
  AmazonOrderId: orderId,
  ItemList: items,
  ShipFromAddress: FROM,
  PackageDimensions: { Length: 20, Width: 15, Height: 10, Unit: 'centimeters' },
  Weight: { Value: 500, Unit: 'g' },
  ShippingServiceOptions: { DeliveryExperience: 'DeliveryConfirmationWithoutSignature', CarrierWillPickUp: false },
  ...more,
});

export const MFN = '/mfn/v0';

/** What carriers offer for a parcel. */
export async function offersOf(seller: ConsentedSeller, details: object): Promise<Json[]> {
  const body = { ShipmentRequestDetails: details };
  const { payload } = await seller.good({ method: 'POST', path: `${MFN}/eligibleShippingServices`, body });
  return listOf(payload?.ShippingServiceList);
}

/** Buys the first offer for an order that waits, or for the one given. */
export async function boughtLabel(seller: ConsentedSeller, of?: WaitingOrder, more: object = {}): Promise<Json> {
  const details = parcelOf(of ?? (await waitingToShip(seller)), more);
  const [offer] = await offersOf(seller, details);
  const { ShippingServiceId, ShippingServiceOfferId } = offer ?? {};
  const body = { ShipmentRequestDetails: details, ShippingServiceId, ShippingServiceOfferId };
  const { payload } = await seller.good({ method: 'POST', path: `${MFN}/shipments`, body });
  if (!payload) throw new Error('no label');
  return payload;
}

/** Every operation once, good and bad. */
export async function labelAndBack(seller: ConsentedSeller): Promise<void> {
  const order = await waitingToShip(seller);
  const body = { ShippingServiceId: 'UPS_PTP_GND', ShipFromAddress: FROM, OrderId: order.orderId };
  const inputs = { method: 'POST', path: `${MFN}/additionalSellerInputs` };
  await seller.good({ ...inputs, body });
  await seller.good({ ...inputs, body: { ...body, ShipFromAddress: { ...FROM, CountryCode: 'CN' } } });
  const label = await boughtLabel(seller, order);
  const path = `${MFN}/shipments/${String(label.ShipmentId)}`;
  await seller.good({ method: 'GET', path });
  await seller.good({ method: 'DELETE', path });
  expect((await seller.send({ method: 'DELETE', path })).status).toBe(400);
  expect((await seller.send({ method: 'GET', path: `${MFN}/shipments/nobody` })).status).toBe(400);
  const nobody = `${MFN}/shipments/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`;
  expect((await seller.send({ method: 'GET', path: nobody })).status).toBe(400);
}
