import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { saveCost } from '#modules/product/contract.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { publishDays } from '#test/support/rates.ts';
import { makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindSku, countBindings, listBindings, orderTemplate } from '../contract/bindings.ts';
import { EXPORT, salesOptions, VIEW } from '../contract/fields.ts';
import { exportReport, missingRates, salesOrders, salesReport } from '../contract/report.ts';
import { exportVolume, salesVolume, volumeDays } from '../contract/volume.ts';
import { audit } from '../server/rollup/job.ts';
import { dump, follow, makeBundle, makeProducts, sellAtAmazon, send, take } from './support.ts';

let world: World;
let owner: Person;
let ids: Map<string, string>;
let account: string;

const SHOP = ['独立站', '海风'];
const S1 = [...SHOP, 'S1', 1, '2026-11-10', 'US', 'X', 5, '100.00', '10', '3', 'USD'];
const S2 = [...SHOP, 'S2', '', '2026/11/12 08:30', '美国', 'P', 3, '30', '', '1.5', 'USD'];
const W1 = ['沃尔玛', 'WM店', 'W1', '', '2026-11-01', 'US', 'WM-9', 4, '80', '8', '12', 'USD'];

const volume = async (filter: object = {}) => {
  const { records } = await owner.call(salesVolume, { body: { filter } });
  return Object.fromEntries(records.map(({ product, u30 }) => [product.code, u30]));
};
const report = async (filter: object = {}) => owner.call(salesReport, { body: { filter } });
const rowOf = async (sku: string, filter: object = {}) => {
  const row = (await report({ skus: [sku], ...filter })).records[0];
  if (!row) throw new Error(`nothing was sold of ${sku}`);
  return row;
};

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner)).id;
  await publishDays(world, {
    '2026-11-01': { USD: '7', JPY: '0.0465' },
    '2026-11-10': { USD: '7.1' },
    '2026-11-12': { USD: '7.2' },
  });
  ids = await makeProducts(world, owner, ['P', 'Q', 'X']);
  await makeBundle(world, owner, ids, 'X', { P: '2', Q: '1' }, '2026-01-01');
  await owner.call(saveCost, { body: { sku: 'P', unitCost: '10' } });
  await owner.call(saveCost, { body: { sku: 'Q', unitCost: '5' } });
});
afterAll(() => world.close());

test('a sheet is checked cell by cell; one bad row and nothing is written', async () => {
  const bad = [
    ['亚马逊', '店', 'A1', '', '2026-11-10', 'US', 'P', 1, '1', '', '', 'USD'],
    [...SHOP, 'A2', '', '昨天', 'USA', '', -1, '1.23456', '', '', 'US'],
    [...SHOP, 'A3', 1, '2026-11-10', 'US', 'P', 1, '1', '', '', 'USD'],
    [...SHOP, 'A3', 1, '2026-11-10', 'US', 'P', 1, '1', '', '', 'USD'],
    [...SHOP, 'A3', 2, '2026-11-11', 'US', 'P', 1, '1', '', '', 'USD'],
  ];
  const { data } = await send(world, owner, bad);
  expect(data.written).toBe(false);
  expect(data.problems.map(({ line, column, reason }) => `第${line}行 ${column}：${reason}`)).toEqual([
    '第2行 平台：亚马逊订单由店铺授权自动同步，不能导入',
    '第3行 下单日期：请输入日期，例如 2026-01-31',
    '第3行 国家：国家须为两位字母代码，例如 US',
    '第3行 平台SKU：不能为空',
    '第3行 数量：数量须为非负整数',
    '第3行 销售额：须为不小于 0 的金额，最多 4 位小数',
    '第3行 币种：请输入三位币种代码，例如 USD',
    '第5行 行号：与第4行重复：同一订单的第1行',
    '第6行 下单日期：与第4行同一订单的不一致',
  ]);
  const checked = await send(world, owner, [S1, S2], 'no');
  expect(checked.data).toMatchObject({ rows: 2, added: 2, changed: 0, written: false });
  expect((await owner.call(salesOptions, {})).shops.map(({ name }) => name)).not.toContain('独立站 · 海风');
  expect((await send(world, owner, [])).msg).toBe('文件没有数据行');
});

test('E15: five X of 2 P + 1 Q and three P are 13 P and 5 Q', async () => {
  expect(await take(world, owner, [S1, S2])).toMatchObject({
    added: 2,
    changed: 0,
    unchanged: 0,
    unbound: 0,
    written: true,
  });
  expect(await volume()).toEqual({ P: '13', Q: '5' });
  expect(await volume({ bundles: 'sold' })).toEqual({ X: '5', P: '3' });
  const { records, totals } = await owner.call(salesVolume, { body: {} });
  expect(totals).toMatchObject({ u1: '0', u7: '3', u14: '18', u90: '18' });
  expect(records[0]).toMatchObject({
    daily: '0.43',
    change: null,
    mix: '独立站 100.00%',
    localStock: 0,
    coverDays: '0.0',
  });
  expect(records[0]?.trend.split(' ').filter((units) => units !== '0')).toEqual(['10', '3']);
  const { days } = await owner.call(volumeDays, { params: { id: ids.get('P') ?? '' }, query: {} });
  expect(days).toEqual([
    { day: '2026-11-12', platform: 'SHOPIFY', sold: '3', parts: '0', units: '3' },
    { day: '2026-11-10', platform: 'SHOPIFY', sold: '0', parts: '10', units: '10' },
  ]);
});

test('margins are right to the cent, each sale by the rate of its own day', async () => {
  const x = await rowOf('X');
  // 100 × 7.1, and 5 × (2 × 10 + 5) CNY, which nothing converts.
  expect(x).toMatchObject({
    units: '5',
    sales: '710.0000',
    shipFee: '71.0000',
    commission: '21.3000',
    commissionRate: '0.0300',
    cost: '125.0000',
    margin: '492.7000',
    marginRate: '0.6939',
    store: { name: '海风', country: 'US' },
  });
  expect(await rowOf('P')).toMatchObject({
    sales: '216.0000',
    commission: '10.8000',
    cost: '30.0000',
    margin: '175.2000',
  });
  expect((await report()).totals).toMatchObject({
    units: '8',
    sales: '926.0000',
    commission: '32.1000',
    commissionRate: '0.0347',
    margin: '667.9000',
  });
  expect(await rowOf('X', { currency: 'ORIGINAL' })).toMatchObject({
    currency: 'USD',
    sales: '100.0000',
    cost: '17.6056',
    margin: '69.3944',
  });
});

test('the same file again changes nothing; a corrected one changes its rows', async () => {
  const before = await dump(world, owner);
  expect(await take(world, owner, [S1, S2])).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  expect(await dump(world, owner)).toEqual(before);
  const corrected = S1.with(7, 4);
  expect(await take(world, owner, [corrected, S2])).toMatchObject({ added: 0, changed: 1, unchanged: 1 });
  expect(await volume()).toEqual({ P: '11', Q: '4' });
  // The whole order moves to another day.
  expect(await take(world, owner, [corrected.with(4, '2026-11-11'), S2])).toMatchObject({
    added: 0,
    changed: 0,
    unchanged: 2,
  });
  expect((await rowOf('X')).sales).toBe('710.0000');
  await take(world, owner, [S1, S2]);
  expect(await dump(world, owner)).toEqual(before);
});

test('a SKU that nobody knows waits to be bound; then its sales count, past ones too', async () => {
  expect(await take(world, owner, [W1])).toMatchObject({ added: 1, unbound: 1 });
  expect(await volume()).toEqual({ P: '13', Q: '5' });
  expect(await owner.call(countBindings, { body: {} })).toEqual({ all: 3, open: 1, bound: 2 });
  const [open] = (await owner.call(listBindings, { body: { filter: { state: 'open' } } })).records;
  expect(open).toMatchObject({ platformSku: 'WM-9', openLines: 1, openUnits: 4, product: null, platform: 'WALMART' });
  const skus = [{ shopId: open?.shopId ?? '', platformSku: 'WM-9' }];
  expect(await owner.call(bindSku, { body: { skus, productId: ids.get('P') ?? '', units: 2 } })).toEqual({ bound: 1 });
  await follow(world, owner);
  expect(await volume()).toEqual({ P: '21', Q: '5' });
  expect(await volume({ platforms: ['WALMART'] })).toEqual({ P: '8' });
  const { records } = await owner.call(salesOrders, { body: { filter: { platforms: ['WALMART'] } } });
  expect(records[0]).toMatchObject({
    orderNo: 'W1',
    qty: 4,
    units: 8,
    sales: '560.0000',
    cost: '80.0000',
    margin: '340.0000',
  });
  // From a day on it is one X; what was sold before stays what it was.
  await owner.call(bindSku, { body: { skus, productId: ids.get('X') ?? '', units: 1, validFrom: '2026-11-05' } });
  await take(world, owner, [W1.with(2, 'W2').with(4, '2026-11-06').with(7, 1)]);
  expect(await volume({ platforms: ['WALMART'] })).toEqual({ P: '10', Q: '1' });
  const missing = await owner.send(bindSku, {
    body: {
      skus: [{ ...skus[0], shopId: open?.shopId ?? '', platformSku: 'NO' }],
      productId: ids.get('P') ?? '',
      units: 1,
    },
  });
  expect(missing.msg).toBe('平台SKU不存在或已删除');
});

test('Amazon sells in the same products; its commission is not known, which is not 0', async () => {
  await sellAtAmazon(world, owner, account, [{ sku: 'X', day: '2026-11-13', units: 2, sales: '50' }]);
  await follow(world, owner);
  expect(await volume({ platforms: ['AMAZON'] })).toEqual({ P: '4', Q: '2' });
  const row = await rowOf('X', { platforms: ['AMAZON'] });
  expect(row).toMatchObject({
    sales: '324.0000',
    commission: null,
    commissionRate: null,
    shipFee: null,
    cost: '50.0000',
    margin: null,
  });
  const mixed = (await owner.call(salesVolume, { body: { filter: { skus: ['Q'] } } })).records[0];
  expect(mixed).toMatchObject({ u30: '8', mix: '独立站 62.50% · 亚马逊 25.00% · 沃尔玛 12.50%' });
});

test('costs and lists of parts that change later change what was sold since', async () => {
  await owner.call(saveCost, { body: { sku: 'Q', unitCost: '6', validFrom: '2026-11-10' } });
  await follow(world, owner);
  expect((await rowOf('X', { platforms: ['SHOPIFY'] })).cost).toBe('130.0000');
  await makeBundle(world, owner, ids, 'X', { P: '3', Q: '1' }, '2026-11-12');
  await follow(world, owner);
  expect(await volume({ platforms: ['AMAZON'] })).toEqual({ P: '6', Q: '2' });
  expect(await volume({ platforms: ['SHOPIFY'] })).toEqual({ P: '13', Q: '5' });
});

test('a day without a rate is told and in no sum', async () => {
  await take(world, owner, [[...SHOP, 'J1', '', '2026-10-12', 'JP', 'Q', 2, '3200', '', '', 'JPY']]);
  const filter = { countries: ['JP'] };
  expect((await report(filter)).records[0]).toBeUndefined();
  const asked = { ...filter, date: { from: '2026-10-01', to: '2026-11-18' } };
  expect((await report(asked)).records[0]).toMatchObject({ sales: null, margin: null, cost: '10.0000' });
  expect(await owner.call(missingRates, { body: { filter: asked } })).toMatchObject({
    missing: ['JPY 2026-10-12'],
    more: 0,
  });
  expect((await owner.call(missingRates, { body: {} })).missing).toEqual([]);
});

test('files have the columns of the screens, and costs are for those who may see them', async () => {
  const text = async (answer: { raw: Buffer }) => (await readSheet(answer.raw)).map((row) => row.join('|'));
  const [head, ...rows] = await text(await owner.send(exportVolume, { body: { format: 'xlsx' } }));
  expect(head).toContain('可用天数');
  expect(rows.some((row) => row.includes('独立站'))).toBe(true);
  const clerk = await world.member(owner, [VIEW, EXPORT]);
  const [bare] = await text(await clerk.send(exportReport, { body: { format: 'xlsx' } }));
  expect(bare).toContain('平台佣金');
  expect(bare).not.toContain('毛利');
  expect((await clerk.call(salesReport, { body: {} })).totals).not.toHaveProperty('margin');
  const [titles] = await text(await owner.send(orderTemplate, {}));
  expect(titles).toContain('平台SKU*');
});

test('the job makes what is marked, and the night leaves no row that differs', async () => {
  const worker = await world.work();
  await send(world, owner, [S1.with(2, 'S9').with(7, 1)]);
  await expect.poll(async () => (await volume({ platforms: ['SHOPIFY'] })).P, { timeout: PATIENCE_MS }).toBe('15');
  await worker.stop();
  const before = await dump(world, owner);
  await world.as(owner, (ctx) =>
    sql`UPDATE channel.sold_day SET units = 99 WHERE company_id = ${ctx.companyId} AND day > ${dayAfter(ctx.clock.today(), -7)}`.execute(
      ctx.db,
    ),
  );
  await audit(world.runtime, owner.companyId);
  expect(await dump(world, owner)).toEqual(before);
});
