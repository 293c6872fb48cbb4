import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mixedOf } from '#kit/contract/totals.ts';
import { saveDayRate } from '#modules/finance/contract/rates.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { downloadFile, myTasks } from '#modules/system/contract.ts';
import { publishRates } from '#test/support/rates.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import * as orders from '../contract/orders.ts';
import { CA, DE, IN, land, makeAccount, type OrderSpec, orderNumber, US } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

/** Noon in Los Angeles on the n-th of July 2026. */
const noon = (day: number): string => `2026-07-${String(day).padStart(2, '0')}T19:00:00.000Z`;

const SPECS: OrderSpec[] = [
  ...Array.from({ length: 23 }, (_, n) => ({
    amazonOrderId: orderNumber(n + 1),
    purchasedAt: noon(n + 1),
    lines: [
      { orderItemId: '1', sku: `KT-${n % 3}`, asin: `B00000000${n % 3}`, title: `Kettle ${n % 3}`, itemPrice: '10.00' },
    ],
  })),
  {
    amazonOrderId: orderNumber(50),
    purchasedAt: noon(24),
    status: 'UNSHIPPED',
    fulfilledBy: 'MERCHANT',
    isBusiness: true,
    latestShipAt: noon(26),
    orderTotal: '61.50',
    packages: [
      {
        reference: '1',
        status: 'IN_TRANSIT',
        carrier: 'UPS',
        service: 'Ground',
        tracking: '1Z9',
        shippedAt: noon(25),
        items: [],
      },
    ],
    lines: [
      { orderItemId: '1', sku: 'LAMP_1', itemPrice: '50.00', itemDiscount: '5.00', itemTax: '4.50' },
      { orderItemId: '2', sku: 'BULB', quantity: 4, itemPrice: '12.00' },
    ],
  },
  {
    amazonOrderId: orderNumber(51),
    purchasedAt: noon(25),
    status: 'CANCELLED',
    marketplaceId: CA,
    lines: [{ orderItemId: '1', sku: 'KT-0', itemPrice: '30.00' }],
  },
  {
    amazonOrderId: orderNumber(52),
    purchasedAt: noon(26),
    status: 'PENDING',
    lines: [{ orderItemId: '1', sku: 'KT-9' }],
  },
];

beforeAll(async () => {
  world = await createWorld();
  await publishRates(world);
  owner = await world.owner();
  account = await makeAccount(world, owner);
  await land(world, owner, account, SPECS);
});
afterAll(() => world.close());

const list = (filter: orders.OrderFilter, more: object = {}) =>
  owner.call(orders.listOrders, { body: { pagesize: 100, filter: filter as never, ...more } });

const numbers = async (filter: orders.OrderFilter) => (await list(filter)).records.map((row) => row.amazonOrderId);

describe('the order list', () => {
  it('shows orders newest first with their leading product, store and money', async () => {
    const { records, total } = await list({});
    expect(total).toBe(26);
    expect(records.map((row) => row.purchasedAt)).toEqual(
      records
        .map((row) => row.purchasedAt)
        .toSorted()
        .toReversed(),
    );
    expect(records[2]).toMatchObject({
      id: `${account.sellingPartnerId}~${orderNumber(50)}`,
      product: { code: 'LAMP_1', more: 1 },
      store: { country: 'US' },
      status: 'UNSHIPPED',
      localDate: '2026-07-24',
      quantity: 5,
      itemAmount: '62.0000',
      discountAmount: '5.0000',
      orderTotal: '61.5000',
      currency: 'USD',
      fulfilledBy: 'MERCHANT',
      isBusiness: true,
    });
    expect(records[0]).toMatchObject({ itemAmount: null, orderTotal: null });
  });

  it('pages without gaps and overlaps in every order it can sort by, and refuses others', async () => {
    for (const sort of [undefined, ...orders.listOrders.sortable]) {
      for (const order of ['asc', 'desc'] as const) {
        const pages = await Promise.all(
          [1, 2, 3].map((currentpage) =>
            owner.call(orders.listOrders, {
              body: { currentpage, pagesize: 10, ...(sort ? { sort, order } : {}), filter: {} as never },
            }),
          ),
        );
        const seen = pages.flatMap((page) => page.records.map((row) => row.id));
        expect(new Set(seen).size, `${sort} ${order}`).toBe(26);
        if (sort === 'quantity') {
          const quantities = pages.flatMap((page) => page.records.map((row) => row.quantity));
          expect(quantities).toEqual(quantities.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
        }
        if (sort === 'purchasedAt') {
          const times = pages.flatMap((page) => page.records.map((row) => row.purchasedAt));
          expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().toReversed());
        }
      }
    }
    const refused = await owner.send(orders.listOrders, { body: { sort: 'remark', filter: {} as never } });
    expect([refused.code, refused.msg]).toEqual([400, '不支持按「remark」排序']);
  });

  it('narrows by each of its filters', async () => {
    expect(await numbers({ status: ['UNSHIPPED', 'PENDING'] })).toEqual([orderNumber(52), orderNumber(50)]);
    expect(await numbers({ marketplaceIds: [CA, DE] })).toEqual([orderNumber(51)]);
    expect(await numbers({ accountIds: [account.storeId] })).toEqual([]);
    expect(await numbers({ fulfilledBy: 'MERCHANT' })).toEqual([orderNumber(50)]);
    expect(await numbers({ isBusiness: true })).toEqual([orderNumber(50)]);
    expect(await numbers({ dates: { from: '2026-07-24', to: '2026-07-25' } })).toEqual([
      orderNumber(51),
      orderNumber(50),
    ]);
    expect(await numbers({ dateType: 'ship', dates: { from: '2026-07-26', to: '2026-07-26' } })).toEqual([
      orderNumber(50),
    ]);
    expect(await numbers({ dateType: 'update', dates: { from: '2026-07-26' } })).toEqual([orderNumber(52)]);
    expect(await numbers({ sku: 'amp_' })).toEqual([orderNumber(50)]);
    expect(await numbers({ sku: 'KT%' })).toEqual([]);
    expect((await numbers({ asin: ['B000000001'] })).length).toBe(8);
    const two = [orderNumber(3), orderNumber(51)];
    expect(await numbers({ orderIds: two, dates: { from: '2026-12-01' } })).toEqual(two.toReversed());
  });

  it('says how an order number must look', async () => {
    const answer = await owner.send(orders.listOrders, { body: { filter: { orderIds: ['12345'] } as never } });
    expect([answer.status, answer.msg.includes('订单号格式应为 3-7-7 位数字')]).toEqual([400, true]);
    const dates = await owner.send(orders.listOrders, {
      body: { filter: { dates: { from: '2026-07-02', to: '2026-07-01' } } as never },
    });
    expect([dates.status, dates.msg.includes('结束日期不能早于开始日期')]).toEqual([400, true]);
  });

  it('adds up the whole filter, per currency where there are several, the same by days and by orders', async () => {
    const us = {
      quantity: 29,
      currency: 'USD',
      itemAmount: '292.0000',
      discountAmount: '5.0000',
      orderTotal: '291.5000',
    };
    expect((await list({ marketplaceIds: [US] }, { pagesize: 10 })).totals).toEqual(us);
    // A filter that the day counts do not know is added up from the orders themselves.
    expect((await list({ marketplaceIds: [US], cancelRequested: false })).totals).toEqual(us);
    await owner.call(saveDayRate, { body: { currency: 'USD', day: worldClock().today(), rate: '7.2' } });
    expect((await list({})).totals).toEqual({
      quantity: 30,
      currency: null,
      mixed: 2,
      'mixed.base': 'CNY',
      'mixed.day': worldClock().today(),
      'mixed.missing': null,
      itemAmount: null,
      discountAmount: null,
      orderTotal: null,
      'itemAmount.CAD': '30.0000',
      'discountAmount.CAD': '0.0000',
      'orderTotal.CAD': '30.0000',
      'itemAmount.USD': '292.0000',
      'discountAmount.USD': '5.0000',
      'orderTotal.USD': '291.5000',
      // Today's 7.2 for a dollar, the preset 5.1 for a Canadian one.
      'itemAmount.base': '2255.4000',
      'discountAmount.base': '36.0000',
      'orderTotal.base': '2251.8000',
    });
  });

  it('names the currency whose rate nobody knows, and keeps sums from those who may not see amounts', async () => {
    const other = await world.owner();
    const shop = await makeAccount(world, other, { marketplaceIds: [US, IN] });
    const line = { orderItemId: '1', sku: 'A', itemPrice: '10.00' };
    await land(world, other, shop, [
      { amazonOrderId: orderNumber(1), lines: [line] },
      { amazonOrderId: orderNumber(2), marketplaceId: IN, lines: [line] },
    ]);
    const { totals = {} } = await other.call(orders.listOrders, { body: {} });
    expect(mixedOf(totals, 'itemAmount')).toEqual({
      each: [
        { currency: 'INR', amount: '10.0000' },
        { currency: 'USD', amount: '10.0000' },
      ],
      converted: '71.0000',
      base: 'CNY',
      day: worldClock().today(),
      missing: ['INR'],
    });
    const viewer = await world.member(other, ['amz:order:view']);
    const seen = (await viewer.call(orders.listOrders, { body: {} })).totals ?? {};
    expect(Object.keys(seen).filter((key) => key.includes('Amount') || key.includes('orderTotal'))).toEqual([]);
    expect(seen.quantity).toBe(2);
  });

  it('counts orders by status under the other filters', async () => {
    const count = (filter: orders.OrderFilter) =>
      owner.call(orders.orderStatusCounts, { body: { filter: filter as never } });
    expect(await count({ status: ['PENDING'] })).toEqual({
      SHIPPED: 23,
      UNSHIPPED: 1,
      CANCELLED: 1,
      PENDING: 1,
      all: 26,
    });
    expect(await count({ sku: 'KT-0' })).toEqual({ SHIPPED: 8, CANCELLED: 1, all: 9 });
  });
});

describe('one order', () => {
  it('opens with lines, parcels and the proof that the lines make up the order', async () => {
    const detail = await owner.call(orders.orderDetail, { params: { id: orderNumber(50) } });
    expect(detail.lines.map((line) => [line.product.code, line.total])).toEqual([
      ['LAMP_1', '49.5'],
      ['BULB', '12'],
    ]);
    expect(detail.packages).toMatchObject([{ carrier: 'UPS', tracking: '1Z9' }]);
    expect(detail.proof.map(({ key, difference }) => [key, difference])).toEqual([
      ['itemAmount', '0'],
      ['discountAmount', '0'],
      ['orderTotal', '0'],
      ['quantity', '0'],
    ]);
    const pending = await owner.call(orders.orderDetail, { params: { id: orderNumber(52) } });
    expect(pending.proof.map((entry) => entry.difference)).toEqual([null, null, null, '0']);
  });

  it('shows a difference where the order says something else than its lines', async () => {
    await land(world, owner, account, [
      {
        amazonOrderId: orderNumber(60),
        purchasedAt: noon(1),
        orderTotal: '9.99',
        lines: [{ orderItemId: '1', itemPrice: '10.00' }],
      },
    ]);
    const detail = await owner.call(orders.orderDetail, { params: { id: orderNumber(60) } });
    expect(detail.proof.find((entry) => entry.key === 'orderTotal')).toMatchObject({
      stated: '9.9900',
      lines: '10',
      difference: '-0.01',
    });
  });

  it('is found by its number alone only where one seller has it', async () => {
    const other = await makeAccount(world, owner);
    await land(world, owner, other, [
      { amazonOrderId: orderNumber(1), purchasedAt: noon(1), lines: [{ orderItemId: '1' }] },
    ]);
    const answer = await owner.send(orders.orderDetail, { params: { id: orderNumber(1) } });
    expect(answer.msg).toBe('多个店铺有相同的订单号，请从订单列表打开');
    const id = `${other.sellingPartnerId}~${orderNumber(1)}`;
    expect((await owner.call(orders.orderDetail, { params: { id } })).id).toBe(id);
    const none = await owner.send(orders.orderDetail, { params: { id: orderNumber(999) } });
    expect([none.status, none.msg]).toEqual([404, '订单不存在']);
  });

  it('keeps remarks and marks through later deliveries, and tells all changes', async () => {
    const id = `${account.sellingPartnerId}~${orderNumber(50)}`;
    await owner.call(orders.remarkOrders, { body: { ids: [id], remark: '催发货' } });
    expect(await owner.call(orders.remarkOrders, { body: { ids: [id], remark: '催发货' } })).toEqual({ changed: 0 });
    await owner.call(orders.tagOrders, { body: { ids: [id, orderNumber(51)], add: ['abnormal', 'promotion'] } });
    await owner.call(orders.tagOrders, { body: { ids: [id], remove: ['promotion'] } });
    const known = SPECS.find((spec) => spec.amazonOrderId === orderNumber(50));
    await land(world, owner, account, [
      { ...known, lines: known?.lines ?? [], status: 'SHIPPED', lastUpdatedAt: noon(27) },
    ]);
    const detail = await owner.call(orders.orderDetail, { params: { id } });
    expect(detail).toMatchObject({ status: 'SHIPPED', remark: '催发货', tags: ['abnormal'] });
    const changes = await owner.call(orders.orderChanges, { params: { id } });
    expect(changes.map(({ title, old, new: now, source }) => [title, old, now, source])).toEqual([
      ['订单状态', '未发货', '已发货', 'api'],
      ['标记', '异常、推广', '异常', 'user'],
      ['标记', null, '异常、推广', 'user'],
      ['备注', null, '催发货', 'user'],
    ]);
    const missing = await owner.send(orders.remarkOrders, { body: { ids: [id, orderNumber(998)], remark: 'x' } });
    expect(missing.status).toBe(404);
    expect((await owner.call(orders.orderDetail, { params: { id } })).remark).toBe('催发货');
  });
});

describe('the export', () => {
  it('writes what the filter matches, in its order and with its columns', async () => {
    const answer = await owner.send(orders.exportOrders, {
      body: {
        format: 'csv',
        filter: { status: ['CANCELLED', 'PENDING'] } as never,
        columns: ['amazonOrderId', 'product', 'status', 'orderTotal'],
      },
    });
    expect(answer.raw.toString('utf8').split('\r\n')).toEqual([
      '\uFEFF订单号,商品信息,订单状态,订单总金额',
      `${orderNumber(52)},KT-9 KT-9,待付款,`,
      `${orderNumber(51)},KT-0 KT-0,已取消,30.0000`,
      '',
    ]);
    const sheet = await owner.send(orders.exportOrders, { body: { filter: {} as never } });
    expect(sheet.raw.subarray(0, 2).toString()).toBe('PK');
    expect(String(sheet.headers['content-disposition'])).toContain('.xlsx');
    const refused = await owner.send(orders.exportOrders, { body: { sort: 'id; DROP', filter: {} as never } });
    expect(refused.code).toBe(400);
  });

  it('becomes a background task from 10,000 rows, whose file belongs to who asked for it', async () => {
    const big = await world.owner('大公司');
    const store = await makeAccount(world, big);
    const many = Array.from({ length: 10_050 }, (_, n) => ({
      amazonOrderId: orderNumber(n + 1),
      purchasedAt: noon((n % 28) + 1),
      lines: [{ orderItemId: '1', itemPrice: '1.00' }],
    }));
    await land(world, big, store, many);
    const page = await big.call(orders.listOrders, { body: { pagesize: 10, filter: {} as never } });
    expect([page.total, page.totals?.orderTotal]).toEqual([10_050, '10050.0000']);
    const started = await big.send(orders.exportOrders, { body: { format: 'csv', filter: {} as never } });
    const { taskId } = started.data;
    await world.work();
    const done = await waitFor(async () => {
      const [task] = await big.call(myTasks, {});
      return task?.id === taskId && task.state !== 'queued' && task.state !== 'running' ? task : undefined;
    });
    expect([done.state, done.error, done.detail]).toEqual(['done', null, '共 10050 行']);
    const file = await big.send(downloadFile, { params: { id: done.fileId ?? '' } });
    const lines = file.raw.toString('utf8').trimEnd().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([10_051, 10_051]);
  });
});

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 150; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('nothing came');
}

describe('who may do what', () => {
  const CALLS: [string, () => [Parameters<Person['send']>[0], object]][] = [
    ['amz:order:view', () => [orders.listOrders, { body: { filter: {} } }]],
    ['amz:order:view', () => [orders.orderStatusCounts, { body: { filter: {} } }]],
    ['amz:order:view', () => [orders.orderDetail, { params: { id: orderNumber(50) } }]],
    ['amz:order:view', () => [orders.orderChanges, { params: { id: orderNumber(50) } }]],
    ['amz:order:export', () => [orders.exportOrders, { body: { filter: {}, format: 'csv' } }]],
    ['amz:order:edit', () => [orders.remarkOrders, { body: { ids: [orderNumber(50)], remark: 'x' } }]],
    ['amz:order:edit', () => [orders.tagOrders, { body: { ids: [orderNumber(50)], add: ['abnormal'] } }]],
  ];

  it('refuses each call to those who lack its right', async () => {
    const all = ['amz:order:view', 'amz:order:export', 'amz:order:edit'];
    for (const [code, make] of CALLS) {
      const without = await world.member(
        owner,
        all.filter((each) => each !== code),
      );
      const [endpoint, input] = make();
      const answer = await without.send(endpoint, input as never);
      expect([endpoint.path, answer.status]).toEqual([endpoint.path, 403]);
    }
  });

  it('shows no amount anywhere to those who may not see amounts', async () => {
    const clerk = await world.member(owner, ['amz:order:view', 'amz:order:export', 'amz:order:edit']);
    const page = await clerk.call(orders.listOrders, { body: { pagesize: 100, filter: {} as never } });
    expect(JSON.stringify(page)).not.toMatch(/Amount|orderTotal/);
    const sorted = await clerk.send(orders.listOrders, { body: { sort: 'orderTotal', filter: {} as never } });
    expect(sorted.code).toBe(400);
    const detail = await clerk.call(orders.orderDetail, { params: { id: orderNumber(50) } });
    expect(JSON.stringify(detail)).not.toMatch(/itemPrice|Amount|orderTotal|estimatedPrice|"tax"/);
    expect(detail.proof.map((entry) => entry.key)).toEqual(['quantity']);
    const file = await clerk.send(orders.exportOrders, {
      body: { format: 'csv', filter: {} as never, columns: ['amazonOrderId', 'orderTotal'] },
    });
    expect(file.raw.toString('utf8').split('\r\n')[0]).toBe('\uFEFF订单号');
  });

  it('keeps every company to itself', async () => {
    const stranger = await world.owner('别家公司');
    expect(await stranger.call(orders.listOrders, { body: { filter: {} as never } })).toMatchObject({
      total: 0,
      records: [],
    });
    expect(await stranger.call(orders.orderStatusCounts, { body: { filter: {} as never } })).toEqual({ all: 0 });
    const id = `${account.sellingPartnerId}~${orderNumber(50)}`;
    for (const [endpoint, input] of [
      [orders.orderDetail, { params: { id } }],
      [orders.orderChanges, { params: { id } }],
      [orders.remarkOrders, { body: { ids: [id], remark: '外人' } }],
      [orders.tagOrders, { body: { ids: [id], add: ['abnormal'] } }],
    ] as const) {
      expect([endpoint.path, (await stranger.send(endpoint, input as never)).status]).toEqual([endpoint.path, 404]);
    }
    const file = await stranger.send(orders.exportOrders, { body: { format: 'csv', filter: {} as never } });
    expect(file.raw.toString('utf8').trim().split('\r\n')).toHaveLength(1);
  });
});
