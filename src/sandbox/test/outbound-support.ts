import { expect } from 'vitest';
import { outboundOperations } from '../wire/outbound/operations.ts';
import type { ConsentedSeller, Request, Sent } from './seller-support.ts';
import { type Json, listOf } from './wire-support.ts';

const HOUR = 3_600_000;

/** Somebody in Seattle who bought elsewhere. */
export const BUYER = {
  name: 'Ada Lovelace',
  addressLine1: '500 Pine St',
  city: 'Seattle',
  stateOrRegion: 'WA',
  postalCode: '98101',
  countryCode: 'US',
  phone: '206-555-0100',
};

type Caller = Pick<ConsentedSeller, 'sandbox' | 'marketplaceIds'> & { send(request: Request): Promise<Sent> };

/** The calls of Multi-Channel Fulfillment by their names. */
export class Outbounder {
  readonly #seller: Caller;
  constructor(seller: Caller) {
    this.#seller = seller;
  }

  /** Calls an operation, whatever comes of it. */
  send(name: string, { id = '', query, body }: { id?: string; query?: object; body?: object } = {}): Promise<Sent> {
    const operation = outboundOperations.find((one) => one.name === name);
    if (!operation) throw new Error(`no operation ${name}`);
    const path = operation.path.replace(':sellerFulfillmentOrderId', encodeURIComponent(id));
    return this.#seller.send({ method: operation.method, path, query: { ...query }, body });
  }

  /** The same where it must succeed. */
  async good(...[name, input]: Parameters<Outbounder['send']>): Promise<Json> {
    const { status, body } = await this.send(name, input);
    expect(status, `${name} ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  /** The message of a refusal. */
  async refusal(...[name, input]: Parameters<Outbounder['send']>): Promise<string> {
    const { status, body } = await this.send(name, input);
    return `${status} ${String(body.errors?.[0]?.message)}`;
  }

  /** SKUs of the first marketplace that have stock, those with most of it first. */
  skus(): { sku: string; pieces: number }[] {
    const { sandbox, marketplaceIds } = this.#seller;
    const account = sandbox.business.accounts.find((one) => one.marketplaceIds[0] === marketplaceIds[0]);
    if (!account) throw new Error('nobody sells there');
    return sandbox.business
      .stock(account, marketplaceIds[0] ?? '', sandbox.clock.now())
      .filter(({ product, fulfillable }) => product.fulfilment === 'AFN' && fulfillable > 0)
      .map(({ product: { sku }, fulfillable: pieces }) => ({ sku, pieces }))
      .sort((a, b) => b.pieces - a.pieces);
  }

  async create(id: string, more: object = {}, items: [sku: string, quantity: number][] = []): Promise<Sent> {
    const lines = items.length > 0 ? items : [[this.skus()[0]?.sku ?? '', 1] as const];
    return this.send('createFulfillmentOrder', {
      body: {
        marketplaceId: this.#seller.marketplaceIds[0],
        sellerFulfillmentOrderId: id,
        displayableOrderId: id,
        displayableOrderDate: '2026-01-01T00:00:00Z',
        displayableOrderComment: 'Thank you',
        shippingSpeedCategory: 'Standard',
        destinationAddress: BUYER,
        items: lines.map(([sellerSku, quantity], index) => ({
          sellerSku,
          sellerFulfillmentOrderItemId: `${index + 1}`,
          quantity,
        })),
        ...more,
      },
    });
  }

  async read(id: string) {
    const { payload } = await this.good('getFulfillmentOrder', { id });
    const shipments = listOf(payload?.fulfillmentShipments);
    return {
      status: String(payload?.fulfillmentOrder?.fulfillmentOrderStatus),
      items: listOf(payload?.fulfillmentOrderItems),
      packages: shipments.flatMap((one) => listOf(one.fulfillmentShipmentPackage ?? [])),
    };
  }

  /** Lets hours of business go by. */
  later(hours: number): void {
    this.#seller.sandbox.world.commandClock({ advanceMs: hours * HOUR });
  }
}

/** Calls every operation with success: an order that is previewed, sent and tracked, and a held one that is cancelled. */
export async function callEveryOutbound(seller: Caller): Promise<void> {
  const outbound = new Outbounder(seller);
  const [first] = outbound.skus();
  const items = [{ sellerSku: first?.sku, sellerFulfillmentOrderItemId: '1', quantity: 2 }];
  await outbound.good('getFulfillmentPreview', { body: { address: BUYER, items } });
  expect((await outbound.create('EVERY-1', { fulfillmentAction: 'Hold' })).status).toBeLessThan(300);
  await outbound.good('updateFulfillmentOrder', { id: 'EVERY-1', body: { fulfillmentAction: 'Ship' } });
  expect((await outbound.create('EVERY-2')).status).toBeLessThan(300);
  await outbound.good('cancelFulfillmentOrder', { id: 'EVERY-2' });
  outbound.later(40);
  const { packages } = await outbound.read('EVERY-1');
  await outbound.good('getPackageTrackingDetails', { query: { packageNumber: packages[0]?.packageNumber } });
  await outbound.good('listAllFulfillmentOrders');
}
