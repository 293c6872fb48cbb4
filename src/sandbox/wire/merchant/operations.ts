import { createHash } from 'node:crypto';
import type { PackageSaid, SimOrder } from '../../business/types.ts';
import { iso } from '../clock.ts';
import { notFound, SpApiError } from '../errors.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { unitDraw } from '../random.ts';
import { bodyOf, buyBody, type Details, FORMATS, inputsBody, ratesBody } from './bodies.ts';
import { labelShape } from './label.ts';
import { crossesBorder, type Offer, offerShape, offersFor, serviceOf } from './services.ts';
import type { BoughtLabel, KeptLabel } from './state.ts';

const wrong = (message: string): SpApiError => new SpApiError(400, 'InvalidInput', message);

/** The money of a cancelled label is back after two days. */
const REFUND_MS = 2 * 86_400_000;

/** An order that its seller sends himself and that can still be sent. */
function orderOf(call: Call, orderId: string): SimOrder {
  const order = call.world.business.order(call.account, orderId, call.now);
  if (!order) throw wrong(`Order ${orderId} was not found.`);
  if (order.fulfilment === 'AFN') throw wrong('The order is fulfilled by Amazon.');
  if (order.status === 'PENDING') throw wrong('The order is pending.');
  if (order.status === 'CANCELLED') throw wrong('The order was cancelled.');
  return order;
}

/** References of packages whose label was called back: what they hold may be sent anew. */
function freedBy(call: Call, orderId: string): Set<string> {
  const labels = call.world.merchant.ofOrder(orderId);
  const live = new Set(labels.filter(({ cancelledAt }) => cancelledAt === undefined).map(({ reference }) => reference));
  return new Set(labels.map(({ reference }) => reference).filter((reference) => !live.has(reference)));
}

/** @throws SpApiError 400 for items of another order, twice the same, or more than is left to send */
function checkItems(call: Call, order: SimOrder, { ItemList }: Details): void {
  const freed = freedBy(call, order.orderId);
  const sent = (order.packages ?? []).filter(({ reference }) => !freed.has(reference)).flatMap(({ items }) => items);
  const seen = new Set<string>();
  for (const { OrderItemId, Quantity } of ItemList) {
    const item = order.items.find((one) => one.orderItemId === OrderItemId);
    if (!item) throw wrong(`Item ${OrderItemId} does not belong to the order.`);
    if (seen.has(OrderItemId)) throw wrong(`Item ${OrderItemId} is named twice.`);
    seen.add(OrderItemId);
    const gone = sent.reduce((sum, one) => sum + (one.orderItemId === OrderItemId ? one.quantity : 0), 0);
    if (Quantity > item.quantityOrdered - gone) {
      throw wrong(`Quantity of item ${OrderItemId} is more than what is left to ship.`);
    }
  }
}

const currencyOf = (call: Call, { marketplaceId }: SimOrder): string => call.world.marketplace(marketplaceId).currency;

function rates(call: Call): Answer {
  const { ShipmentRequestDetails: details } = bodyOf(ratesBody, call.body);
  const order = orderOf(call, details.AmazonOrderId);
  checkItems(call, order, details);
  const { offers, rejected } = offersFor(details, order, call.now);
  return {
    body: {
      payload: {
        ShippingServiceList: offers.map((one) => offerShape(one, details, order, currencyOf(call, order))),
        RejectedShippingServiceList: rejected.map((one) => ({
          CarrierName: one.carrier,
          ShippingServiceName: one.name,
          ShippingServiceId: one.id,
          RejectionReasonCode: 'CARRIER_CANNOT_SHIP',
          RejectionReasonMessage: 'The package is heavier than the carrier allows.',
        })),
        TemporarilyUnavailableCarrierList: [],
        TermsAndConditionsNotAcceptedCarrierList: [],
      },
    },
  };
}

/** A number in the shape of a UUID that depends on its arguments alone. */
function uuidOf(...parts: (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const trackingOf = (prefix: string, shipmentId: string): string =>
  prefix + String(Math.floor(unitDraw('tracking', shipmentId) * 1e13)).padStart(13, '0');

/** The package that a label confirms: that of a label that was called back, or the next one. */
function referenceOf(call: Call, order: SimOrder): string {
  const [again] = freedBy(call, order.orderId);
  return again ?? String(Math.max(0, ...(order.packages ?? []).map(({ reference }) => Number(reference))) + 1);
}

function boughtOf(call: Call, order: SimOrder, details: Details, offer: Offer): BoughtLabel {
  const { sellingPartnerId, region } = call.account;
  const shipmentId = uuidOf('label', call.world.seed, order.orderId, call.world.merchant.size);
  const { PackageDimensions: size, Weight: weight, ShippingServiceOptions: options, LabelCustomization } = details;
  const format = FORMATS.find((one) => one === options.LabelFormat) ?? 'PDF';
  const text = LabelCustomization?.CustomTextForLabel;
  return {
    sellingPartnerId,
    region,
    shipmentId,
    orderId: order.orderId,
    ...(details.SellerOrderId === undefined ? {} : { sellerOrderId: details.SellerOrderId }),
    items: details.ItemList.map(({ OrderItemId, Quantity }) => ({ orderItemId: OrderItemId, quantity: Quantity })),
    from: details.ShipFromAddress,
    size: { length: size.Length, width: size.Width, height: size.Height, unit: size.Unit },
    weight: { value: weight.Value, unit: weight.Unit },
    serviceId: offer.service.id,
    offerId: offer.offerId,
    cents: offer.cents,
    currency: currencyOf(call, order),
    shipAt: offer.shipAt,
    experience: options.DeliveryExperience,
    format,
    ...(text === undefined ? {} : { customText: text }),
    tracking: trackingOf(offer.service.prefix, shipmentId),
    reference: referenceOf(call, order),
    at: call.now,
  };
}

function buy(call: Call): Answer {
  const body = bodyOf(buyBody, call.body);
  const { ShipmentRequestDetails: details, ShippingServiceId, ShippingServiceOfferId } = body;
  const order = orderOf(call, details.AmazonOrderId);
  checkItems(call, order, details);
  const offer = offersFor(details, order, call.now).offers.find(({ service }) => service.id === ShippingServiceId);
  if (!offer) throw wrong(`The shipping service ${ShippingServiceId} is not available for this shipment.`);
  if (ShippingServiceOfferId !== undefined && ShippingServiceOfferId !== offer.offerId) {
    throw wrong('The shipping service offer is no longer valid, ask for offers anew.');
  }
  if (crossesBorder(details.ShipFromAddress, order) && body.ShipmentLevelSellerInputsList === undefined) {
    throw wrong('Additional seller inputs are required for this shipping service.');
  }
  const label = boughtOf(call, order, details, offer);
  const said: PackageSaid = {
    reference: label.reference,
    carrier: offer.service.code,
    service: offer.service.name,
    trackingNumber: label.tracking,
    shippedAt: label.at,
    items: label.items,
  };
  call.world.command({ type: 'labelBought', label, said });
  return { body: { payload: shipmentShape(call, label) } };
}

function statusOf({ cancelledAt }: KeptLabel, now: number): string {
  if (cancelledAt === undefined) return 'Purchased';
  return now - cancelledAt < REFUND_MS ? 'RefundPending' : 'RefundApplied';
}

function shipmentShape(call: Call, label: KeptLabel): object {
  const order = call.world.business.order(call.account, label.orderId, call.now);
  if (!order) throw notFound(`order ${label.orderId}`);
  const { shipTo } = order;
  const service = serviceOf(label.serviceId);
  const price = { CurrencyCode: label.currency, Amount: label.cents / 100 };
  return {
    ShipmentId: label.shipmentId,
    AmazonOrderId: label.orderId,
    ...(label.sellerOrderId === undefined ? {} : { SellerOrderId: label.sellerOrderId }),
    ItemList: label.items.map(({ orderItemId, quantity }) => ({ OrderItemId: orderItemId, Quantity: quantity })),
    ShipFromAddress: label.from,
    ShipToAddress: {
      Name: shipTo.name.slice(0, 30),
      AddressLine1: shipTo.line1,
      Email: '',
      City: shipTo.city.slice(0, 30),
      StateOrProvinceCode: shipTo.state,
      PostalCode: shipTo.postalCode,
      CountryCode: shipTo.countryCode,
      Phone: shipTo.phone,
    },
    PackageDimensions: {
      Length: label.size.length,
      Width: label.size.width,
      Height: label.size.height,
      Unit: label.size.unit,
    },
    Weight: { Value: label.weight.value, Unit: label.weight.unit },
    Insurance: { CurrencyCode: label.currency, Amount: 0 },
    ShippingService: {
      ShippingServiceName: service?.name ?? label.serviceId,
      CarrierName: service?.carrier ?? '',
      ShippingServiceId: label.serviceId,
      ShippingServiceOfferId: label.offerId,
      ShipDate: iso(label.shipAt),
      Rate: price,
      RateWithAdjustments: price,
      ShippingServiceOptions: { DeliveryExperience: label.experience, CarrierWillPickUp: false },
      RequiresAdditionalSellerInputs: crossesBorder(label.from, order),
    },
    Label: labelShape(label, order),
    Status: statusOf(label, call.now),
    TrackingId: label.tracking,
    CreatedDate: iso(label.at),
    ...(label.cancelledAt === undefined ? {} : { LastUpdatedDate: iso(label.cancelledAt) }),
  };
}

const SHIPMENT_ID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** @throws SpApiError 400 for what is no number of a shipment of the seller's */
function labelOf(call: Call): KeptLabel {
  const { shipmentId = '' } = call.params;
  if (!SHIPMENT_ID.test(shipmentId)) {
    throw wrong(`1 validation error detected: Value '${shipmentId}' at 'shipmentId' failed to satisfy constraint`);
  }
  const label = call.world.merchant.label(call.account, shipmentId);
  if (!label) throw wrong(`There is no shipment ${shipmentId}.`);
  return label;
}

function cancel(call: Call): Answer {
  const label = labelOf(call);
  if (label.cancelledAt !== undefined) throw wrong('The refund of this shipment was asked for before.');
  const { sellingPartnerId, region, shipmentId } = label;
  call.world.command({ type: 'labelCancelled', sellingPartnerId, region, shipmentId, at: call.now });
  return { body: { payload: shipmentShape(call, labelOf(call)) } };
}

/** What customs want to know of a parcel to another country. */
const CONTENT = {
  AdditionalInputFieldName: 'NON_DELIVERY',
  SellerInputDefinition: {
    IsRequired: true,
    DataType: 'STRING',
    Constraints: [{ ValidationString: 'RETURN or ABANDON' }],
    InputDisplayText: 'What happens to a parcel that cannot be delivered',
    InputTarget: 'SHIPMENT_LEVEL',
    StoredValue: { DataType: 'STRING', ValueAsString: 'RETURN' },
    RestrictedSetValues: ['RETURN', 'ABANDON'],
  },
};

function sellerInputs(call: Call): Answer {
  const { OrderId, ShipFromAddress, ShippingServiceId } = bodyOf(inputsBody, call.body);
  const order = orderOf(call, OrderId);
  if (!serviceOf(ShippingServiceId)) throw wrong(`There is no shipping service ${ShippingServiceId}.`);
  return {
    body: {
      payload: {
        ShipmentLevelFields: crossesBorder(ShipFromAddress, order) ? [CONTENT] : [],
        ItemLevelFieldsList: order.items.map(({ asin }) => ({ Asin: asin, AdditionalInputs: [] })),
      },
    },
  };
}

const V0 = '/mfn/v0';

/** Merchant Fulfillment v0: labels bought through Amazon for what a seller sends himself. */
export const merchantOperations: Operation[] = [
  {
    name: 'getEligibleShipmentServices',
    method: 'POST',
    path: `${V0}/eligibleShippingServices`,
    plan: { rate: 6, burst: 12 },
    handle: rates,
  },
  {
    name: 'createShipment',
    method: 'POST',
    path: `${V0}/shipments`,
    plan: { rate: 2, burst: 2 },
    handle: buy,
  },
  {
    name: 'getShipment',
    method: 'GET',
    path: `${V0}/shipments/:shipmentId`,
    plan: { rate: 1, burst: 1 },
    handle: (call) => ({ body: { payload: shipmentShape(call, labelOf(call)) } }),
  },
  {
    name: 'cancelShipment',
    method: 'DELETE',
    path: `${V0}/shipments/:shipmentId`,
    plan: { rate: 1, burst: 1 },
    handle: cancel,
  },
  {
    name: 'getAdditionalSellerInputs',
    method: 'POST',
    path: `${V0}/additionalSellerInputs`,
    plan: { rate: 1, burst: 1 },
    handle: sellerInputs,
  },
];
