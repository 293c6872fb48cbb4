import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FactRow, landOrders } from '#modules/order/server/index.ts';
import { makeSeller, rowsOf, type Seller, tableRows, US } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { plain } from './plain.ts';

let world: World;
let owner: Person;
let seller: Seller;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner);
});
afterAll(() => world.close());

const HEAD: FactRow['head'] = {
  amazonOrderId: '111-0000001-0000001',
  marketplaceId: US,
  sellerOrderId: null,
  salesChannel: null,
  channel: 'AMAZON',
  fulfilledBy: 'AMAZON',
  status: 'PENDING',
  purchasedAt: '2026-07-15T19:10:00Z',
  lastUpdatedAt: '2026-07-15T19:10:00Z',
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

function line(id: string, sku: string, quantity: number, itemPrice: string | null): FactRow['line'] {
  return {
    orderItemId: id,
    sku,
    asin: null,
    title: null,
    quantity,
    shippedQuantity: 0,
    unitPrice: null,
    itemPrice,
    shippingPrice: null,
    giftWrapPrice: null,
    otherPrice: null,
    itemTax: null,
    shippingTax: null,
    giftWrapTax: null,
    itemDiscount: null,
    shippingDiscount: null,
    promotionIds: [],
    cancelReason: null,
  };
}

function land(rows: FactRow[]) {
  return world.as(owner, (ctx) => {
    const account = {
      companyId: ctx.companyId,
      id: seller.accountId,
      storeId: '',
      sellingPartnerId: seller.partner,
      region: 'na' as const,
      marketplaceIds: [US],
    };
    async function* batches() {
      yield rows;
    }
    return landOrders(ctx, account, { source: 'api', kind: 'orders.live', rows: batches() });
  });
}

const units = () =>
  world.as(owner, (ctx) =>
    rowsOf(
      ctx,
      'SELECT seller_sku, units, product_sales, estimated_sales FROM sales.sku_day WHERE company_id = $company ORDER BY 1',
    ),
  );

async function settled<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = await read();
    if (good(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return read();
}

it('a delivery of orders reaches the sales figures by itself, and so does each later change', async () => {
  await world.work();
  await land([
    { version: 1, head: HEAD, line: line('1', 'A', 2, null) },
    { version: 1, head: HEAD, line: line('2', 'B', 1, '15.00') },
  ]);
  const first = await settled(units, (rows) => rows.length === 2);
  expect(first).toEqual([
    { seller_sku: 'A', units: 2, product_sales: '0.0000', estimated_sales: '0.0000' },
    { seller_sku: 'B', units: 1, product_sales: '15.0000', estimated_sales: '0.0000' },
  ]);

  const later = { ...HEAD, status: 'SHIPPED' as const, lastUpdatedAt: '2026-07-16T19:10:00Z' };
  const cleared = [
    { version: 1, head: later, line: line('1', 'A', 2, '38.00') },
    { version: 1, head: later, line: line('2', 'B', 0, null) },
  ];
  await land(cleared);
  const second = await settled(units, (rows) => rows[0]?.product_sales === '38.0000');
  expect(second).toEqual([
    { seller_sku: 'A', units: 2, product_sales: '38.0000', estimated_sales: '0.0000' },
    { seller_sku: 'B', units: 0, product_sales: '0.0000', estimated_sales: '0.0000' },
  ]);

  // the same again, and the older state after it: nothing is marked, nothing changes
  await land(cleared);
  await land([{ version: 1, head: HEAD, line: line('1', 'A', 2, null) }]);
  const marks = await world.as(owner, (ctx) => rowsOf(ctx, 'SELECT id FROM sales.dirty WHERE company_id = $company'));
  expect(marks).toEqual([]);
  for (const table of ['sku_day', 'slot', 'store_day'] as const)
    await world.as(owner, async (ctx) => expect(await tableRows(ctx, table)).toEqual(await plain(ctx, table)));
});
