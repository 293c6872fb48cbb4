import { expect, vi } from 'vitest';
import { listWrites, type WriteRow, writeDetail } from '#modules/marketplace/contract/writes.ts';
import { listOrders, type OrderRow, orderDetail } from '#modules/order/contract/orders.ts';
import type { SimAccount, SimOrder } from '#sandbox/business/types.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './marketplace.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Person } from './world.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 11, 1);
export const NOW = START + 9 * DAY_MS;

/** A seller of many goods, some of which he ships himself, after nine days of business before Christmas. */
export function busyWorld(): Promise<MarketplaceWorld> {
  return createMarketplaceWorld({
    scenario: 'demo',
    seed: 'ship-1',
    startAt: START,
    clock: { mode: 'frozen', at: NOW },
  });
}

/** The seller of that world. */
export function sellerThere(world: MarketplaceWorld): SimAccount {
  const found = world.sandbox.business.accounts.find(({ region }) => region === 'na');
  if (!found) throw new Error('nobody sells in North America');
  return found;
}

/** An order as the marketplace itself has it. */
export function orderThere(world: MarketplaceWorld, orderId: string): SimOrder {
  const order = world.sandbox.business.order(sellerThere(world), orderId, world.sandbox.clock.now());
  if (!order) throw new Error(`the marketplace does not know ${orderId}`);
  return order;
}

/** Connects the store and waits for its orders that it has to ship, those of several pieces first. */
export async function ordersToShip(owner: Person): Promise<OrderRow[]> {
  await connectStore(owner);
  return vi.waitFor(
    async () => {
      const filter = { status: ['UNSHIPPED' as const], fulfilledBy: 'MERCHANT' as const };
      const { records } = await owner.call(listOrders, { body: { pagesize: 100, filter: filter as never } });
      expect(records.length).toBeGreaterThan(12);
      expect(
        records.filter(({ quantity, product }) => quantity > 1 && product.more === undefined).length,
      ).toBeGreaterThan(1);
      return records.sort((a, b) => b.quantity - a.quantity);
    },
    { timeout: PATIENCE_MS, interval: 300 },
  );
}

export const detailOf = (owner: Person, id: string) => owner.call(orderDetail, { params: { id } });

/** The newest write about an order, with what was sent and answered. */
export async function writeOf(owner: Person, orderId: string) {
  const { records } = await owner.call(listWrites, { body: { filter: { subject: orderId } } });
  return owner.call(writeDetail, { params: { id: records[0]?.id ?? '' } });
}

/** Waits until the newest write about an order is over. */
export async function endedWrite(owner: Person, orderId: string, ...states: WriteRow['state'][]) {
  await expect.poll(async () => (await writeOf(owner, orderId)).state, { timeout: PATIENCE_MS }).toBeOneOf(states);
  return writeOf(owner, orderId);
}

/** Calls of an operation that reached the marketplace. */
export function callsOf(world: MarketplaceWorld, operation: string): number {
  return world.sandbox.world.throttle
    .meters()
    .filter(({ key }) => key.endsWith(`|${operation}`))
    .reduce((sum, { calls }) => sum + calls, 0);
}
