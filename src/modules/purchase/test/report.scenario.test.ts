import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { leadCharts, leadTimes } from '../contract/lead.ts';
import { closeLines, orderSteps } from '../contract/order-calls.ts';
import { priceChart, priceTrends } from '../contract/price-trend.ts';
import { purchaseDetail, purchaseSummary } from '../contract/report.ts';
import { addShipment, orderShipments, removeShipment } from '../contract/shipment.ts';
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

/** Writes down that an order was made, approved, placed and shipped so many days ago; what came, came today. */
function began(orderId: string, days: { made: number; approved: number; placed: number }) {
  return world.as(buyers.owner, async (ctx) => {
    const ago = (n: number) => sql`kit.now() - make_interval(days => ${n}::int)`;
    await sql`
      UPDATE purchase.purchase_order SET created_at = ${ago(days.made)}, approved_at = ${ago(days.approved)}, placed_at = ${ago(days.placed)}
       WHERE company_id = ${ctx.companyId} AND id = ${orderId}`.execute(ctx.db);
  });
}

it('the days of each leg are told by piece, shipments part production from transport, and the whole is what it was', async () => {
  const supplier = await createSupplier(buyers.owner, '东莞硅宝');
  const wanted = [{ sku: 'A', qty: 1000, unitPrice: '8.60' }];
  const first = await placedOrder(buyers, wanted, { supplierId: supplier });
  const second = await placedOrder(buyers, wanted, { supplierId: supplier });
  await began(first.id, { made: 30, approved: 28, placed: 27 });
  await began(second.id, { made: 16, approved: 16, placed: 13 });
  const sent = { carrier: '德邦', trackingNo: 'DPK1', remark: '' };
  const today = world.runtime.clock.today();
  const early = { orderId: first.id, shippedOn: world.runtime.clock.dayAhead(-28), ...sent };
  expect((await buyers.buyer.send(addShipment, { body: early })).msg).toBe(
    `发货日期不能早于下单日期${world.runtime.clock.dayAhead(-27)}`,
  );
  const late = { ...early, shippedOn: world.runtime.clock.dayAhead(1) };
  expect((await buyers.buyer.send(addShipment, { body: late })).msg).toBe('发货日期不能晚于今天');
  await buyers.buyer.call(addShipment, { body: { ...early, shippedOn: world.runtime.clock.dayAhead(-7) } });
  const { id: wrong } = await buyers.buyer.call(addShipment, { body: { ...early, shippedOn: today } });
  await buyers.buyer.call(removeShipment, { body: { id: wrong } });
  expect(await buyers.owner.call(orderShipments, { params: { id: first.id } })).toMatchObject([
    { shippedOn: world.runtime.clock.dayAhead(-7), carrier: '德邦', trackingNo: 'DPK1' },
  ]);
  await receive(buyers, first.id, 'A', 300);
  await receive(buyers, second.id, 'A', 100);

  const filter = { supplier: [supplier] };
  const bySupplier = await buyers.owner.call(leadTimes, { body: { filter } });
  // 300 pieces after 2, 1, 20 and 7 days, 100 after 0 and 3 and, without a shipment, 13 all together.
  expect(bySupplier.records).toMatchObject([
    {
      name: '东莞硅宝',
      orders: 2,
      qty: 400,
      approve: '1.5',
      order: '1.5',
      produce: '20.0',
      transport: '7.0',
      supply: '23.5',
      inspect: '0.0',
      total: '26.5',
      slowest: '27',
    },
  ]);
  expect(bySupplier.totals).toMatchObject({ qty: 400, supply: '23.5' });
  // What an order that is over took is told for good: its shipments stay.
  const [sentOnce] = await buyers.owner.call(orderShipments, { params: { id: first.id } });
  await buyers.owner.call(closeLines, { body: { id: first.id, reason: '尾数不足' } });
  await buyers.owner.call(orderSteps.complete, { body: { id: first.id } });
  expect(await buyers.buyer.send(removeShipment, { body: { id: sentOnce?.id ?? '' } })).toMatchObject({
    msg: '采购单已完成或作废，不能删除供应商发货',
    data: { code: 'B1119' },
  });
  expect(await buyers.owner.call(orderShipments, { params: { id: first.id } })).toEqual([sentOnce]);
  expect((await buyers.owner.call(leadTimes, { body: { filter } })).records).toEqual(bySupplier.records);
  for (const dimension of ['PRODUCT', 'WAREHOUSE', 'BUYER', 'MONTH'] as const) {
    const found = await buyers.owner.call(leadTimes, { body: { filter: { ...filter, dimension } } });
    expect(found.records.reduce((total, row) => total + row.qty, 0)).toBe(400);
  }
  const charts = await buyers.owner.call(leadCharts, { body: { filter } });
  expect(charts.spread.filter((one) => one.qty > 0)).toEqual([
    { name: '8-15天', qty: 100 },
    { name: '16-30天', qty: 300 },
  ]);
  const since = { ...filter, placed: { from: world.runtime.clock.dayAhead(-13) } };
  expect((await buyers.owner.call(leadTimes, { body: { filter: since } })).records[0]).toMatchObject({ qty: 100 });
});

it('prices of a product are compared by supplier, purchase after purchase, and only by who may see them', async () => {
  const supplier = await createSupplier(buyers.owner, '宁波海纳');
  const prices = ['8', '7.5', '9'];
  for (const [n, unitPrice] of prices.entries()) {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 100 * (n + 1), unitPrice }], { supplierId: supplier });
    // More than a month apart, so that each has a month of its own.
    await began(id, { made: 90, approved: 90, placed: 80 - n * 35 });
  }
  const filter = { supplier: [supplier], sku: ['B'] };
  const { records } = await buyers.owner.call(priceTrends, { body: { filter } });
  // (800 + 1,500 + 2,700) ÷ 600, 9 ÷ 8 − 1, 9 ÷ 7.5 − 1, (9 − 7.5) ÷ 8.333333
  expect(records).toMatchObject([
    {
      supplier: '宁波海纳',
      orders: 3,
      qty: 600,
      first: '8.000000',
      last: '9.000000',
      lowest: '7.500000',
      highest: '9.000000',
      mean: '8.333333',
      change: '0.1250',
      lastChange: '0.2000',
      spread: '0.1800',
    },
  ]);
  const rose = (value: boolean) => buyers.owner.call(priceTrends, { body: { filter: { ...filter, rose: value } } });
  expect([(await rose(true)).total, (await rose(false)).total]).toEqual([1, 0]);
  const chart = await buyers.owner.call(priceChart, { body: { filter } });
  expect(chart?.suppliers.map(({ name, prices: line }) => [name, line.filter((one) => one !== null)])).toEqual([
    ['宁波海纳', ['8.0000', '7.5000', '9.0000']],
  ]);
  const blind = await world.member(buyers.owner, ['erp:report:purchase:view']);
  const [seen] = (await blind.call(priceTrends, { body: { filter } })).records;
  expect([seen?.qty, seen?.last, seen?.change]).toEqual([600, undefined, undefined]);
});
