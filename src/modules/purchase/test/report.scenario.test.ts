import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { purchaseDetail, purchaseSummary } from '../contract/report.ts';
import { type Buyers, createBuyers, createSupplier, placedOrder, receive } from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B']);
});
afterAll(() => world.close());

/** Moves a receipt and its order apart: it came so many days after the order was placed. */
function took(orderId: string, receiptId: string, days: number) {
  return world.as(buyers.owner, async (ctx) => {
    await sql`
      UPDATE purchase.receipt SET received_on = (kit.now() AT TIME ZONE 'Asia/Shanghai')::date - 100 + ${days}::int
       WHERE company_id = ${ctx.companyId} AND id = ${receiptId}`.execute(ctx.db);
    await sql`
      UPDATE purchase.purchase_order SET placed_at = kit.now() - interval '100 days'
       WHERE company_id = ${ctx.companyId} AND id = ${orderId}`.execute(ctx.db);
  });
}

it('600 after 20 days and 400 after 35 are 26.0 days (worked example 15); sums are those of the rows', async () => {
  const first = await placedOrder(buyers, [
    { sku: 'A', qty: 1000, unitPrice: '8.60' },
    { sku: 'B', qty: 100, unitPrice: '2' },
  ]);
  await took(first.id, (await receive(buyers, first.id, 'A', 600)).receiptId, 20);
  await took(first.id, (await receive(buyers, first.id, 'A', 400)).receiptId, 35);
  const other = await createSupplier(buyers.owner, '义乌恒泰');
  await placedOrder(buyers, [{ sku: 'B', qty: 50, unitPrice: '3' }], { supplierId: other });
  await placedOrder(buyers, [{ sku: 'B', qty: 50, unitPrice: '3' }], { supplierId: other });

  const detail = await buyers.owner.call(purchaseDetail, { body: { filter: { sku: ['A'] } } });
  expect(detail.records[0]).toMatchObject({ leadDays: '26.0', received: 1000, open: 0, due: '8600.0000' });
  const open = await buyers.owner.call(purchaseDetail, { body: { filter: { open: true } } });
  expect(open.total).toBe(3);

  const by = (dimension: 'SUPPLIER' | 'PRODUCT') =>
    buyers.owner.call(purchaseSummary, { body: { filter: { dimension } } });
  const suppliers = await by('SUPPLIER');
  expect(suppliers.records.map((row) => [row.name, row.orders, row.qty, row.amount, row.received, row.open])).toEqual([
    ['永康锐达', 1, 1100, '8800.00', 1000, 100],
    ['义乌恒泰', 2, 100, '300.00', 0, 100],
  ]);
  const products = await by('PRODUCT');
  expect(products.records.map((row) => [row.qty, row.amount, row.actualPrice])).toEqual([
    [1000, '8600.00', '8.6000'],
    [200, '500.00', null],
  ]);
  for (const report of [suppliers, products]) {
    expect(report.totals).toMatchObject({ orders: 3, qty: 1200, amount: '9100.00', received: 1000, open: 200 });
  }
});
