import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { type FactRow, landOrders } from '#modules/order/server/index.ts';
import { foldOnce } from '#modules/sales/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';

export const US = 'ATVPDKIKX0DER';
export const JP = 'A1VC38T7YXB528';

/** A product whose marketplace clock stands where the test puts it. */
export async function worldAt(
  instant: string,
): Promise<{ world: World; setNow: (at: string) => void; close: () => Promise<void> }> {
  let now = instant;
  const clock = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ now }));
  });
  await new Promise<void>((resolve) => clock.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(clock.address() as AddressInfo).port}`;
  const world = await createWorld({
    marketplace: {
      spApiBase: { na: base, eu: base, fe: base },
      lwaTokenUrl: base,
      consentBase: base,
      applicationId: 'test',
      clientId: 'test',
      clientSecret: 'test',
      clock: base,
    },
  });
  return {
    world,
    setNow: (at) => {
      now = at;
    },
    async close() {
      await world.close();
      await new Promise((resolve) => clock.close(resolve));
    },
  };
}

/** A seller account of somebody's company, as a consent would have left it. */
export function makeAccount(
  world: World,
  person: Person,
  name = '启航',
  marketplaceIds = [US, JP],
): Promise<AccountRef> {
  return world.as(person, async (ctx) => {
    const { companyId: company_id } = ctx;
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id, name })
      .returning('id')
      .executeTakeFirstOrThrow();
    const sellingPartnerId = `A${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
    const account = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id,
        store_id: store.id,
        selling_partner_id: sellingPartnerId,
        region: 'na',
        application_id: 'test',
        refresh_token_sealed: 'x',
        expires_at: '2027-07-01T00:00:00Z',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('marketplace.seller_marketplace')
      .values(marketplaceIds.map((id) => ({ company_id, account_id: account.id, marketplace_id: id })))
      .execute();
    return { companyId: company_id, id: account.id, storeId: store.id, sellingPartnerId, region: 'na', marketplaceIds };
  });
}

export interface Sale {
  at: string;
  units: number;
  sku?: string;
  marketplaceId?: string;
  price?: string;
  discount?: string;
  status?: 'PENDING' | 'SHIPPED' | 'CANCELLED';
}

let number = 0;

function factOf(sale: Sale): FactRow {
  number += 1;
  const serial = String(number).padStart(7, '0');
  const nothing = { unitPrice: null, giftWrapPrice: null, otherPrice: null, shippingTax: null, giftWrapTax: null };
  return {
    version: 1,
    head: {
      amazonOrderId: `111-${serial}-${serial}`,
      marketplaceId: sale.marketplaceId ?? US,
      sellerOrderId: null,
      salesChannel: null,
      channel: 'AMAZON',
      fulfilledBy: 'AMAZON',
      status: sale.status ?? 'SHIPPED',
      purchasedAt: sale.at,
      lastUpdatedAt: sale.at,
      earliestShipAt: null,
      latestShipAt: null,
      earliestDeliverAt: null,
      latestDeliverAt: null,
      serviceLevel: null,
      programs: [],
      isBusiness: false,
      isReplacement: false,
      originalOrderId: null,
      buyerCancelRequested: false,
      shipCountry: null,
      shipState: null,
      postalPrefix: null,
      currency: null,
      orderTotal: null,
      packages: [],
    },
    line: {
      ...nothing,
      orderItemId: `item-${serial}`,
      sku: sale.sku ?? 'A',
      asin: `B0${sale.sku ?? 'A'}`,
      title: null,
      quantity: sale.units,
      shippedQuantity: 0,
      itemPrice: sale.price ?? String(sale.units * 10),
      shippingPrice: null,
      itemTax: null,
      itemDiscount: sale.discount ?? null,
      shippingDiscount: null,
      promotionIds: [],
      cancelReason: null,
    },
  };
}

/** Lands orders as a stream would and folds what they touched. */
export async function sell(world: World, person: Person, account: AccountRef, sales: readonly Sale[]): Promise<void> {
  const facts = sales.map(factOf);
  async function* rows() {
    yield facts;
  }
  await world.as(person, (ctx) => landOrders(ctx, account, { source: 'api', rows: rows() }));
  while ((await world.as(person, (ctx) => foldOnce(ctx, account.id))) > 0);
}
