import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { foldOnce } from '#modules/sales/server/index.ts';
import { land, type OrderSpec, orderNumber } from '#test/support/orders.ts';
import { JP, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';

export { JP, US } from '#test/support/seller.ts';

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
  return makeSellerAccount(world, person, { name, marketplaceIds, expiresAt: '2027-07-01T00:00:00Z' });
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

function orderOf(sale: Sale): OrderSpec {
  number += 1;
  const { sku = 'A', units, price = String(units * 10), discount = null } = sale;
  return {
    amazonOrderId: orderNumber(number),
    marketplaceId: sale.marketplaceId ?? US,
    status: sale.status ?? 'SHIPPED',
    purchasedAt: sale.at,
    lastUpdatedAt: sale.at,
    lines: [
      {
        orderItemId: `item-${number}`,
        sku,
        asin: `B0${sku}`,
        quantity: units,
        itemPrice: price,
        itemDiscount: discount,
      },
    ],
  };
}

/** Lands orders as a stream would and folds what they touched. */
export async function sell(world: World, person: Person, account: AccountRef, sales: readonly Sale[]): Promise<void> {
  await land(world, person, account, sales.map(orderOf));
  while ((await world.as(person, (ctx) => foldOnce(ctx, account.id))) > 0);
}
