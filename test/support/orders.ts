import type { AccountRef, LandCounts } from '#modules/marketplace/server/index.ts';
import { type Delivery, landOrders } from '#modules/order/server/index.ts';
import { type FactRow, type LineFact, NO_LINE, type OrderHead } from '#modules/order/server/landing/fact.ts';
import { US } from './seller.ts';
import type { Person, World } from './world.ts';

export interface OrderSpec extends Partial<OrderHead> {
  lines: readonly Partial<LineFact>[];
}

const HEAD: OrderHead = {
  amazonOrderId: '111-0000001-0000001',
  marketplaceId: US,
  sellerOrderId: null,
  salesChannel: null,
  channel: 'AMAZON',
  fulfilledBy: 'AMAZON',
  status: 'SHIPPED',
  purchasedAt: '2026-07-15T18:00:00.000Z',
  lastUpdatedAt: null,
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
};

/** "111-0000007-0000007". */
export function orderNumber(n: number): string {
  const digits = String(n).padStart(7, '0');
  return `111-${digits}-${digits}`;
}

/** Orders as a source tells them: a row for each line, which holds what is not said otherwise. */
export function factRows(orders: readonly OrderSpec[]): FactRow[] {
  return orders.flatMap(({ lines, ...head }, version) => {
    const whole = { ...HEAD, ...head };
    return lines.map((line) => ({
      version,
      head: whole,
      line: { ...NO_LINE, sku: 'A', quantity: 1, ...line },
    }));
  });
}

/** Lands orders as one delivery of a source, in one transaction of their company. */
export function land(
  world: World,
  person: Person,
  account: AccountRef,
  orders: readonly OrderSpec[],
  source: Delivery['source'] = 'api',
): Promise<LandCounts> {
  async function* rows() {
    yield factRows(orders);
  }
  return world.as(person, (ctx) => landOrders(ctx, account, { source, kind: 'test', rows: rows() }));
}
