import { expect } from 'vitest';
import type { SimListing } from '../business/types.ts';
import type { ConsentedSeller } from './seller-support.ts';
import { DAY, HOUR, type Json, listOf, postJson } from './wire-support.ts';

const BASE = '/inbound/fba/2024-03-20';

export const ADDRESS = {
  name: 'Warehouse',
  companyName: 'Acme',
  addressLine1: '1 Dock Street',
  city: 'Fontana',
  stateOrProvinceCode: 'CA',
  postalCode: '92335',
  countryCode: 'US',
  phoneNumber: '5550100',
};

export interface Item {
  msku: string;
  quantity: number;
  labelOwner: string;
  prepOwner: string;
}

/** A box of half a metre with what is named in it. */
export const box = (items: Item[], more: object = {}) => ({
  contentInformationSource: 'BOX_CONTENT_PROVIDED',
  dimensions: { length: 20, width: 16, height: 12, unitOfMeasurement: 'IN' },
  weight: { unit: 'LB', value: 22 },
  quantity: 1,
  items,
  ...more,
});

/** A seller who sends goods to Amazon, step by step. */
export class Inbounder {
  readonly seller: ConsentedSeller;
  planId = '';

  /** Where the goods go; the first marketplace of the seller unless told otherwise. */
  readonly home: string;

  constructor(seller: ConsentedSeller, home = seller.marketplaceIds[0] ?? '') {
    this.seller = seller;
    this.home = home;
  }

  get world() {
    return this.seller.sandbox.world;
  }

  get account() {
    const account = this.world.account(this.seller.sellerId, 'na');
    if (!account) throw new Error('the seller is gone');
    return account;
  }

  /** Offers that Amazon keeps the goods of. */
  offers(): SimListing[] {
    return this.world.business
      .listings(this.account, this.home, this.world.now())
      .filter(({ product }) => product.fulfilment === 'AFN');
  }

  read(path: string, query: Record<string, unknown> = {}): Promise<Json> {
    return this.seller.good({ method: 'GET', path: BASE + path, query });
  }

  /** Reads of this plan. */
  plan(path = '', query: Record<string, unknown> = {}): Promise<Json> {
    return this.read(`/inboundPlans/${this.planId}${path}`, query);
  }

  send(method: string, path: string, body?: unknown, query?: Record<string, unknown>) {
    return this.seller.send({ method, path: BASE + path, body, query });
  }

  async status(operationId: unknown): Promise<Json> {
    return this.read(`/operations/${String(operationId)}`);
  }

  /** Asks for an operation and follows it; resolves with its end. */
  async ask(method: string, path: string, body?: unknown, query?: Record<string, unknown>): Promise<Json> {
    const sent = await this.send(method, path, body, query);
    expect(sent.status, `${method} ${path} ${JSON.stringify(sent.body)}`).toBe(202);
    return this.status(sent.body.operationId);
  }

  /** An operation on this plan that must succeed. */
  async done(method: string, path: string, body?: unknown): Promise<Json> {
    const end = await this.ask(method, `/inboundPlans/${this.planId}${path}`, body);
    expect(end.operationStatus, JSON.stringify(end)).toBe('SUCCESS');
    return end;
  }

  /** An operation on this plan that must fail; resolves with its first problem as "code: message details". */
  async fails(method: string, path: string, body?: unknown): Promise<string> {
    const end = await this.ask(method, `/inboundPlans/${this.planId}${path}`, body);
    expect(end.operationStatus, JSON.stringify(end)).toBe('FAILED');
    const [problem] = listOf(end.operationProblems);
    return `${problem?.code}: ${problem?.message} ${problem?.details ?? ''}`;
  }

  control(body?: object): Promise<Json> {
    const url = `${this.seller.sandbox.url}/control/inbound`;
    return fetch(url, body === undefined ? {} : postJson(body)).then(async (response) => {
      const answer = (await response.json()) as Json;
      expect(response.status, JSON.stringify(answer)).toBe(200);
      return answer;
    });
  }

  async advance(ms: number): Promise<void> {
    this.world.commandClock({ advanceMs: ms });
  }

  /** Items with the owners that their preparation asks for; what nobody classified yet needs no preparation from now on. */
  async items(wanted: readonly { msku: string; quantity: number }[]): Promise<Item[]> {
    const query = { marketplaceId: this.home, mskus: wanted.map(({ msku }) => msku) };
    const unknown = listOf((await this.read('/items/prepDetails', query)).mskuPrepDetails).filter(
      (one) => String(one.prepCategory) === 'UNKNOWN',
    );
    if (unknown.length > 0) {
      const mskuPrepDetails = unknown.map(({ msku }) => ({ msku, prepCategory: 'NONE', prepTypes: ['ITEM_NO_PREP'] }));
      await this.ask('POST', '/items/prepDetails', { marketplaceId: this.home, mskuPrepDetails });
    }
    const details = listOf((await this.read('/items/prepDetails', query)).mskuPrepDetails);
    const seller = (isNeeded: boolean) => (isNeeded ? 'SELLER' : 'NONE');
    return wanted.map((one) => {
      const types = listOf(details.find(({ msku }) => String(msku) === one.msku)?.prepTypes).map(String);
      const isPrepared = types.some((type) => !['ITEM_LABELING', 'ITEM_NO_PREP'].includes(type));
      return { ...one, labelOwner: seller(types.includes('ITEM_LABELING')), prepOwner: seller(isPrepared) };
    });
  }

  create(items: readonly object[], more: object = {}) {
    const body = { name: 'Story', destinationMarketplaces: [this.home], items, sourceAddress: ADDRESS, ...more };
    return this.send('POST', '/inboundPlans', body);
  }

  /** A plan of so many pieces of the first offers. */
  async begin(quantities: readonly number[] = [40, 25], more: object = {}): Promise<Item[]> {
    const wanted = this.offers()
      .slice(0, quantities.length)
      .map(({ product }, index) => ({ msku: product.sku, quantity: quantities[index] ?? 1 }));
    const items = await this.items(wanted);
    const { status, body } = await this.create(items, more);
    expect(status, JSON.stringify(body)).toBe(202);
    this.planId = String(body.inboundPlanId);
    const end = await this.status(body.operationId);
    expect(end.operationStatus, JSON.stringify(end)).toBe('SUCCESS');
    return items;
  }

  /** Packs everything: each item of each group into boxes of at most ten pieces. */
  async pack(): Promise<void> {
    await this.done('POST', '/packingOptions');
    const [option] = listOf((await this.plan('/packingOptions')).packingOptions);
    await this.done('POST', `/packingOptions/${option?.packingOptionId}/confirmation`);
    const packageGroupings = [];
    for (const packingGroupId of listOf(option?.packingGroups)) {
      const items = listOf((await this.plan(`/packingGroups/${packingGroupId}/items`)).items);
      packageGroupings.push({ packingGroupId, boxes: items.flatMap((item) => this.boxed(item)) });
    }
    await this.done('POST', '/packingInformation', { packageGroupings });
  }

  /** Boxes of at most ten pieces of an item as the API shows it. */
  boxed(item: Json): object[] {
    const prep = listOf(item.prepInstructions).find(
      (one) => !['ITEM_LABELING', 'ITEM_NO_PREP'].includes(String(one.prepType)),
    );
    const total = Number(item.quantity);
    return Array.from({ length: Math.ceil(total / 10) }, (_, index) =>
      box([
        {
          msku: String(item.msku),
          quantity: Math.min(10, total - 10 * index),
          labelOwner: String(item.labelOwner),
          prepOwner: prep ? String(prep.prepOwner) : 'NONE',
        },
      ]),
    );
  }

  /** Chooses the placement with so many shipments; resolves with their ids. */
  async place(count = 1): Promise<string[]> {
    await this.done('POST', '/placementOptions', {});
    const options = listOf((await this.plan('/placementOptions')).placementOptions);
    const chosen = options.find((option) => listOf(option.shipmentIds).length === count);
    if (!chosen) throw new Error(`no placement with ${count} shipments`);
    await this.done('POST', `/placementOptions/${chosen.placementOptionId}/confirmation`);
    return listOf(chosen.shipmentIds).map(String);
  }

  async offerTransport(shipmentIds: readonly string[], more: object = {}): Promise<Json> {
    const { placementOptionId } = await this.plan(`/shipments/${shipmentIds[0]}`);
    const start = new Date(this.world.now() + DAY).toISOString();
    return this.done('POST', '/transportationOptions', {
      placementOptionId,
      shipmentTransportationConfigurations: shipmentIds.map((shipmentId) => ({
        shipmentId,
        readyToShipWindow: { start },
        contactInformation: { name: 'Li', phoneNumber: '5550100' },
        ...more,
      })),
    });
  }

  /** All ways of transport of a shipment, over all pages. */
  async transports(shipmentId: string): Promise<Json[]> {
    const all: Json[] = [];
    let token: unknown;
    do {
      const query = { shipmentId, pageSize: 20, ...(token === undefined ? {} : { paginationToken: token }) };
      const { transportationOptions, pagination } = await this.plan('/transportationOptions', query);
      all.push(...listOf(transportationOptions));
      token = pagination?.nextToken;
    } while (token !== undefined);
    return all;
  }

  async chooseWindow(shipmentId: string): Promise<void> {
    await this.done('POST', `/shipments/${shipmentId}/deliveryWindowOptions`);
    const path = `/shipments/${shipmentId}/deliveryWindowOptions`;
    const windows = listOf((await this.plan(path, { pageSize: 100 })).deliveryWindowOptions);
    const free = windows.find((one) => String(one.availabilityType) === 'AVAILABLE');
    await this.done('POST', `${path}/${free?.deliveryWindowOptionId}/confirmation`);
  }

  /** Chooses a transport for every shipment: the first that fits. */
  async transport(shipmentIds: readonly string[], fits: (option: Json) => boolean, more: object = {}): Promise<void> {
    await this.offerTransport(shipmentIds, more);
    const transportationSelections = [];
    for (const shipmentId of shipmentIds) {
      const option = (await this.transports(shipmentId)).find(fits);
      if (!option) throw new Error('no such transport');
      if (listOf(option.preconditions).length > 0) await this.chooseWindow(shipmentId);
      transportationSelections.push({ shipmentId, transportationOptionId: option.transportationOptionId });
    }
    await this.done('POST', '/transportationOptions/confirmation', { transportationSelections });
  }

  /** The number on the labels of a shipment. */
  async number(shipmentId: string): Promise<string> {
    return String((await this.plan(`/shipments/${shipmentId}`)).shipmentConfirmationId);
  }

  /** Tells a tracking number for every box: with that the shipment leaves. */
  async track(shipmentId: string): Promise<void> {
    const boxes = listOf((await this.plan(`/shipments/${shipmentId}/boxes`, { pageSize: 1000 })).boxes);
    const spdTrackingItems = boxes.map(({ boxId }, index) => ({ boxId, trackingId: `1Z${index}` }));
    await this.done('PUT', `/shipments/${shipmentId}/trackingDetails`, {
      trackingDetails: { spdTrackingDetail: { spdTrackingItems } },
    });
  }

  /** The whole way to the carrier with parcels of the seller's own; resolves with the ids of the shipments. */
  async sendOff(quantities: readonly number[] = [40, 25], count = 1): Promise<string[]> {
    await this.begin(quantities);
    await this.pack();
    const ids = await this.place(count);
    await this.transport(ids, ownParcel);
    for (const id of ids) await this.track(id);
    return ids;
  }

  v0(path: string, query: Record<string, unknown> = {}): Promise<Json> {
    return this.seller.good({ method: 'GET', path: `/fba/inbound/v0${path}`, query });
  }

  async received(number: string): Promise<Record<string, [shipped: number, received: number]>> {
    const { payload } = await this.v0(`/shipments/${number}/items`, { MarketplaceId: this.home });
    return Object.fromEntries(
      listOf(payload?.ItemData).map((one) => [
        String(one.SellerSKU),
        [Number(one.QuantityShipped), Number(one.QuantityReceived)],
      ]),
    );
  }
}

export const ownParcel = (option: Json): boolean =>
  String(option.shippingSolution) === 'USE_YOUR_OWN_CARRIER' && String(option.shippingMode) === 'GROUND_SMALL_PARCEL';
export const partnerParcel = (option: Json): boolean =>
  String(option.shippingSolution) === 'AMAZON_PARTNERED_CARRIER' &&
  String(option.shippingMode) === 'GROUND_SMALL_PARCEL';
export const partnerFreight = (option: Json): boolean =>
  String(option.shippingSolution) === 'AMAZON_PARTNERED_CARRIER' && String(option.shippingMode) === 'FREIGHT_LTL';
export const ownFreight = (option: Json): boolean =>
  String(option.shippingSolution) === 'USE_YOUR_OWN_CARRIER' && String(option.shippingMode) === 'FREIGHT_LTL';

export const FREIGHT = {
  pallets: [
    {
      quantity: 2,
      dimensions: { length: 48, width: 40, height: 50, unitOfMeasurement: 'IN' },
      weight: { unit: 'LB', value: 300 },
      stackability: 'STACKABLE',
    },
  ],
  freightInformation: { freightClass: 'FC_70', declaredValue: { amount: 500, code: 'USD' } },
};

export { DAY, HOUR };
