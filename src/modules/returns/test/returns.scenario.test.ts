import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { shareReturns } from '../contract/reasons.ts';
import { attribute, type ReturnFilter, returns } from '../contract/returns.ts';
import { skuReturns } from '../contract/skus.ts';
import { book, buy, comeBack, sendBack, sold } from './support.ts';

let world: World;
let owner: Person;
let account: string;
let today: string;
/** First and last day of a month that is long over. */
let month: { from: string; to: string };

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner)).id;
  today = await world.as(owner, async (ctx) => ctx.clock.today());
  month = { from: dayAfter(today, -130), to: dayAfter(today, -101) };
});
afterAll(() => world.close());

const list = (filter: ReturnFilter) => owner.call(returns.list, { body: { pagesize: 100, filter } });

test('E7: 30 of 500 bought in a month came back so far, 42 came back during it: 6.00 % and 8.40 %', async () => {
  const { from, to } = month;
  await world.as(owner, async (ctx) => {
    await sold(ctx, account, 'E7', dayAfter(from, 3), 500);
    // Of the month's orders 25 come back within it and 5 after it; 17 that come back within it were bought before.
    for (let n = 0; n < 47; n += 1) {
      const order = await buy(ctx, { account, sku: 'E7', day: n < 30 ? dayAfter(from, 3) : dayAfter(from, -9) });
      const day = n >= 25 && n < 30 ? dayAfter(to, 4) : dayAfter(from, 12);
      const disposition = n % 3 === 0 ? 'CUSTOMER_DAMAGED' : 'SELLABLE';
      await comeBack(ctx, { account, sku: 'E7', order, day, disposition });
    }
  });
  const { records, totals } = await owner.call(skuReturns.list, { body: { filter: { dates: month, skus: ['E7'] } } });
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({
    units: 500,
    returned: 42,
    cohort: 30,
    cohortRate: '0.06',
    periodRate: '0.084',
    maturity: 'ripe',
    refund: null,
  });
  const row = records[0];
  expect((row?.sellable ?? 0) + (row?.damaged ?? 0)).toBe(42);
  expect(totals).toMatchObject({ units: 500, returned: 42, cohort: 30, cohortRate: '0.06', periodRate: '0.084' });
  const young = await owner.call(skuReturns.list, {
    body: { filter: { dates: { ...month, to: today }, skus: ['E7'] } },
  });
  expect(young.records[0]).toMatchObject({ returned: 47, cohort: 30, maturity: 'young' });
});

test('a SKU that only came back has no rate, and one that was only refunded has its refund', async () => {
  const day = dayAfter(month.from, 2);
  await world.as(owner, async (ctx) => {
    const order = await buy(ctx, { account, sku: 'LATE', day: dayAfter(month.from, -40) });
    await comeBack(ctx, { account, sku: 'LATE', order, day });
    const other = await buy(ctx, { account, sku: 'MONEY', day: dayAfter(month.from, -40) });
    await book(ctx, {
      account,
      sku: 'MONEY',
      order: other,
      day,
      lines: [
        ['Refund', 'REFUND_PRINCIPAL', '-19.99'],
        ['Refund', 'PROMOTION', '2.00'],
      ],
    });
  });
  const { records } = await owner.call(skuReturns.list, {
    body: { filter: { dates: month, skus: ['LATE', 'MONEY'] } },
  });
  const of = (sku: string) => records.find(({ product }) => product.code === sku);
  expect(of('LATE')).toMatchObject({ units: 0, returned: 1, periodRate: null, cohortRate: null });
  expect(of('MONEY')).toMatchObject({ returned: 0, refund: '17.9900', currency: 'USD' });
});

test('each return tells its days, what was refunded for it and the class of its reason', async () => {
  const day = dayAfter(month.from, 5);
  await world.as(owner, async (ctx) => {
    const order = await buy(ctx, { account, sku: 'ROW', day: dayAfter(day, -31) });
    await comeBack(ctx, { account, sku: 'ROW', order, day, reason: 'MISSING_PARTS', disposition: 'DEFECTIVE' });
    await book(ctx, {
      account,
      sku: 'ROW',
      order,
      day,
      lines: [
        ['Order', 'PRINCIPAL', '20'],
        ['Refund', 'REFUND_PRINCIPAL', '-20'],
        ['Refund', 'REFUND_SHIPPING', '-1.50'],
        ['Refund', 'REFUND_FEE_BACK', '3'],
      ],
    });
    await comeBack(ctx, { account, sku: 'ROW', order: '111-9999999-9999999', day, reason: 'SOMETHING_NEW' });
    const own = await buy(ctx, { account, sku: 'ROW', day: dayAfter(day, -30), fulfilledBy: 'MERCHANT' });
    await sendBack(ctx, { account, sku: 'ROW', order: own, day, reason: 'UNWANTED_ITEM' });
  });
  const { records, total, totals } = await list({ skus: ['ROW'] });
  expect([total, totals]).toEqual([3, { quantity: 3 }]);
  const by = (reason: string) => records.find((row) => row.reason === reason);
  expect(by('MISSING_PARTS')).toMatchObject({
    channel: 'FBA',
    daysAfter: 31,
    refund: '21.5000',
    currency: 'USD',
    reasonClass: 'quality',
    party: null,
  });
  expect(by('SOMETHING_NEW')).toMatchObject({
    daysAfter: null,
    purchasedOn: null,
    refund: null,
    reasonClass: 'unsure',
  });
  expect(by('UNWANTED_ITEM')).toMatchObject({
    channel: 'FBM',
    daysAfter: 30,
    refund: null,
    reasonClass: 'other',
    disposition: '',
  });
  const reasonsOf = async (filter: ReturnFilter) =>
    (await list({ skus: ['ROW'], ...filter })).records.map(({ reason }) => reason).sort();
  expect(await reasonsOf({ reasonClass: 'quality' })).toEqual(['MISSING_PARTS']);
  expect(await reasonsOf({ reasonClass: 'other' })).toEqual(['UNWANTED_ITEM']);
  expect(await reasonsOf({ reasonClass: 'unsure' })).toEqual(['SOMETHING_NEW']);
  expect(await reasonsOf({ channel: 'FBM' })).toEqual(['UNWANTED_ITEM']);
  expect(await reasonsOf({ after: 'early' })).toEqual(['UNWANTED_ITEM']);
  expect(await reasonsOf({ after: 'late' })).toEqual(['MISSING_PARTS']);
  expect(await reasonsOf({ refunded: 'yes' })).toEqual(['MISSING_PARTS']);
  expect(await reasonsOf({ refunded: 'no' })).toEqual(['SOMETHING_NEW', 'UNWANTED_ITEM']);
  expect(await reasonsOf({ sites: [`${US}-${account}`] })).toHaveLength(3);
  expect(await reasonsOf({ sites: [`A2EUQ1WTGCTBG2-${account}`] })).toEqual([]);
});

test('who answers for returns is said of many at once, kept, counted, and hidden from other companies', async () => {
  const { records } = await list({ skus: ['ROW'] });
  const ids = records.map(({ id }) => id);
  expect(await owner.call(attribute, { body: { ids, party: 'product', note: '批次问题' } })).toEqual({ changed: 3 });
  const [first = ''] = ids;
  // A note that is left out stays.
  await owner.call(attribute, { body: { ids: [first], party: 'buyer' } });
  const after = (await list({ skus: ['ROW'] })).records;
  expect(after.map(({ party }) => party).sort()).toEqual(['buyer', 'product', 'product']);
  expect(new Set(after.map(({ note }) => note))).toEqual(new Set(['批次问题']));
  expect((await list({ skus: ['ROW'], party: 'product' })).total).toBe(2);
  expect((await list({ skus: ['ROW'], party: 'none' })).total).toBe(0);
  const shares = await owner.call(shareReturns, { body: { filter: { skus: ['ROW'] } } });
  expect(shares.parties).toEqual([
    { key: 'product', quantity: 2 },
    { key: 'buyer', quantity: 1 },
  ]);
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ after: { count: number } }>`
      SELECT after FROM kit.audit WHERE company_id = ${ctx.companyId} AND action = '退货归因' ORDER BY id LIMIT 1`.execute(
      ctx.db,
    ),
  );
  expect(rows[0]?.after.count).toBe(3);
  const stranger = await world.owner('别家');
  expect((await stranger.send(attribute, { body: { ids: [first], party: 'buyer' } })).status).toBe(404);
  expect((await stranger.call(returns.list, { body: { filter: {} } })).total).toBe(0);
  // One that is not there takes the others back.
  const gone = first.replace(/[0-9a-f]{12}$/, '000000000000');
  expect((await owner.send(attribute, { body: { ids: [ids[1] ?? '', gone], party: 'amazon' } })).status).toBe(404);
  expect((await list({ skus: ['ROW'], party: 'amazon' })).total).toBe(0);
});

test('all three views become files', async () => {
  const file = await owner.send(returns.export, {
    body: { format: 'csv', columns: ['orderId', 'refund'], filter: { skus: ['ROW'] } },
  });
  expect(file.raw.toString('utf8').trim().split('\r\n')).toHaveLength(4);
  const skus = await owner.send(skuReturns.export, {
    body: { format: 'csv', columns: ['product', 'cohortRate'], filter: { dates: month, skus: ['E7'] } },
  });
  expect(skus.raw.toString('utf8')).toContain('同批退货率');
});
