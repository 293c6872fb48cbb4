/** What lives of Fulfillment Inbound v0: shipments with what was received of them, labels, preparation. */
import type { Answer, Call, Operation } from '../operation.ts';
import { instant, list, listOf, text } from '../query.ts';
import { confirmedShipments, offersOf } from './desk.ts';
import { needsPrep, prepOf } from './prep-rules.ts';
import { changedAt, statusOf } from './status.ts';
import type { Plan, Shipment } from './types.ts';
import { getBillOfLading, getLabels, numbered, wrong } from './v0-labels.ts';
import { getPrepInstructions, OLD_NAMES } from './v0-prep.ts';

const PAGE_SIZE = 50;
const STATUSES = [
  'WORKING',
  'READY_TO_SHIP',
  'SHIPPED',
  'RECEIVING',
  'CANCELLED',
  'DELETED',
  'CLOSED',
  'ERROR',
  'IN_TRANSIT',
  'DELIVERED',
  'CHECKED_IN',
] as const;

interface Placed {
  plan: Plan;
  shipment: Shipment;
}

/** As `statusOf`, but what was called off before it left is deleted, and after that cancelled. */
function fullStatus(shipment: Shipment, now: number): string {
  const status = statusOf(shipment, now);
  if (status !== 'CANCELLED') return status;
  return shipment.phases.some((phase) => phase.status === 'SHIPPED' && phase.at <= now) ? 'CANCELLED' : 'DELETED';
}

function shipmentShape({ shipment }: Placed, now: number): object {
  const { sourceAddress: from, boxes, items } = shipment;
  const status = fullStatus(shipment, now);
  const owners = new Set(items.map(({ labelOwner }) => labelOwner));
  const sources = new Set(boxes.map(({ contentInformationSource }) => contentInformationSource));
  return {
    ShipmentId: shipment.confirmationId,
    ShipmentName: shipment.name,
    ShipFromAddress: {
      Name: from.name,
      AddressLine1: from.addressLine1,
      ...(from.addressLine2 === undefined ? {} : { AddressLine2: from.addressLine2 }),
      City: from.city,
      StateOrProvinceCode: from.stateOrProvinceCode ?? '',
      CountryCode: from.countryCode,
      PostalCode: from.postalCode,
    },
    DestinationFulfillmentCenterId: shipment.warehouse,
    // READY_TO_SHIP may be asked for, but the model knows no answer of that name.
    ShipmentStatus: status === 'READY_TO_SHIP' ? 'WORKING' : status,
    LabelPrepType: owners.has('AMAZON') ? 'AMAZON_LABEL' : owners.has('SELLER') ? 'SELLER_LABEL' : 'NO_LABEL',
    AreCasesRequired: false,
    BoxContentsSource: sources.has('BOX_CONTENT_PROVIDED')
      ? 'INTERACTIVE'
      : sources.has('BARCODE_2D')
        ? '2D_BARCODE'
        : 'NONE',
  };
}

/** Pieces sent and received by product; what was found without having been announced comes with none sent. */
function itemShapes(call: Call, { plan, shipment }: Placed, now: number): object[] {
  const { confirmationId = '' } = shipment;
  const offers = offersOf(call.world, call.account, plan.marketplaceId, call.now);
  const received = call.world.business.inboundReceived(call.account, plan.marketplaceId, confirmationId, now);
  const mskus = new Set([...shipment.items.map(({ msku }) => msku), ...received.map(({ sku }) => sku)]);
  return [...mskus].map((msku) => {
    const items = shipment.items.filter((one) => one.msku === msku);
    const prep = prepOf(call.world, call.account, plan.marketplaceId, msku);
    const owner = items[0]?.prepOwner;
    const isPrepared = owner !== undefined && owner !== 'NONE';
    return {
      ShipmentId: confirmationId,
      SellerSKU: msku,
      FulfillmentNetworkSKU: offers.get(msku)?.product.fnsku,
      QuantityShipped: items.reduce((sum, { quantity }) => sum + quantity, 0),
      QuantityReceived: received.find(({ sku }) => sku === msku)?.received ?? 0,
      QuantityInCase: 0,
      ...(isPrepared && needsPrep(prep)
        ? {
            PrepDetailsList: prep.types.flatMap((type) =>
              OLD_NAMES[type] ? [{ PrepInstruction: OLD_NAMES[type], PrepOwner: owner }] : [],
            ),
          }
        : {}),
    };
  });
}

interface Filter {
  marketplaceId: string;
  statuses: string[];
  ids: string[];
  after?: number;
  before?: number;
}

function range(call: Call): Pick<Filter, 'after' | 'before'> {
  const after = instant(call.query, 'LastUpdatedAfter');
  const before = instant(call.query, 'LastUpdatedBefore');
  if (after === undefined || before === undefined) {
    throw wrong('LastUpdatedAfter and LastUpdatedBefore: are required with QueryType DATE_RANGE');
  }
  return { after, before };
}

interface Opened {
  filter: Filter;
  offset: number;
  asOf: number;
}

/** What is asked for: said anew, or by the token of the page before, which carries it inside. */
function opened(call: Call, types: readonly string[]): Opened {
  const type = text(call.query, 'QueryType') ?? '';
  if (!types.includes(type)) throw wrong(`QueryType: '${type}' is not one of ${types.join(', ')}`);
  const marketplaceId = text(call.query, 'MarketplaceId') ?? '';
  if (!call.account.marketplaceIds.includes(marketplaceId)) throw wrong(`MarketplaceId: '${marketplaceId}' is invalid`);
  if (type === 'NEXT_TOKEN') {
    const token = call.world.mint.open(text(call.query, 'NextToken') ?? '');
    const isOurs = typeof token === 'object' && token !== null && 'filter' in token && 'asOf' in token;
    if (!isOurs || call.strike('expiredPageToken')) throw wrong('NextToken: the token is not valid');
    return token as Opened;
  }
  const filter: Filter = {
    marketplaceId,
    statuses: listOf(call.query, 'ShipmentStatusList', STATUSES),
    ids: list(call.query, 'ShipmentIdList', 999),
    ...(type === 'DATE_RANGE' ? range(call) : {}),
  };
  return { filter, offset: 0, asOf: call.now };
}

/** Shipments that fit, in the order in which they were made. */
function found(call: Call, { filter, asOf }: Opened): Placed[] {
  const { marketplaceId, statuses, ids, after = 0, before = Number.POSITIVE_INFINITY } = filter;
  return call.world.inbound
    .plansOf(call.account)
    .filter((plan) => plan.marketplaceId === marketplaceId)
    .flatMap((plan) => confirmedShipments(plan).map((shipment) => ({ plan, shipment })))
    .filter(({ shipment }) => {
      const at = changedAt(shipment, asOf);
      const status = fullStatus(shipment, asOf);
      return (
        at >= after &&
        at <= before &&
        (statuses.length === 0 || statuses.includes(status)) &&
        (ids.length === 0 || ids.includes(shipment.confirmationId ?? ''))
      );
    });
}

function page<T>(call: Call, open: Opened, all: readonly T[]): { rows: readonly T[]; more: object } {
  const isEmpty = all.length > open.offset && call.strike('emptyPage') !== undefined;
  const end = isEmpty ? open.offset : open.offset + PAGE_SIZE;
  const more = end < all.length ? { NextToken: call.world.mint.seal({ ...open, offset: end }) } : {};
  return { rows: all.slice(open.offset, end), more };
}

function getShipments(call: Call): Answer {
  const open = opened(call, ['SHIPMENT', 'DATE_RANGE', 'NEXT_TOKEN']);
  const { rows, more } = page(call, open, found(call, open));
  return { body: { payload: { ShipmentData: rows.map((one) => shipmentShape(one, open.asOf)), ...more } } };
}

function getShipmentItems(call: Call): Answer {
  const open = opened(call, ['DATE_RANGE', 'NEXT_TOKEN']);
  const items = found(call, open).flatMap((one) => itemShapes(call, one, open.asOf));
  const { rows, more } = page(call, open, items);
  return { body: { payload: { ItemData: rows, ...more } } };
}

function getShipmentItemsByShipmentId(call: Call): Answer {
  return { body: { payload: { ItemData: itemShapes(call, numbered(call), call.now) } } };
}

const V0 = '/fba/inbound/v0';
const PLAN = { rate: 2, burst: 30 };

/** Fulfillment Inbound v0 without what was switched off in January 2025. */
export const v0Operations: Operation[] = [
  {
    name: 'getPrepInstructions',
    method: 'GET',
    path: `${V0}/prepInstructions`,
    plan: PLAN,
    handle: getPrepInstructions,
  },
  { name: 'getLabels', method: 'GET', path: `${V0}/shipments/:shipmentId/labels`, plan: PLAN, handle: getLabels },
  {
    name: 'getBillOfLading',
    method: 'GET',
    path: `${V0}/shipments/:shipmentId/billOfLading`,
    plan: PLAN,
    handle: getBillOfLading,
  },
  { name: 'getShipments', method: 'GET', path: `${V0}/shipments`, plan: PLAN, handle: getShipments },
  {
    name: 'getShipmentItemsByShipmentId',
    method: 'GET',
    path: `${V0}/shipments/:shipmentId/items`,
    plan: PLAN,
    handle: getShipmentItemsByShipmentId,
  },
  { name: 'getShipmentItems', method: 'GET', path: `${V0}/shipmentItems`, plan: PLAN, handle: getShipmentItems },
];
