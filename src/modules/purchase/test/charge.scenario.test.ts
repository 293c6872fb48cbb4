import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { listItems } from '#modules/finance/contract/payables.ts';
import { payRequests, requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { post } from '#modules/warehouse/server/index.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { addCharge, orderCharges, reverseCharge } from '../contract/charge.ts';
import type { FeeSplit } from '../contract/fields.ts';
import { printOrder } from '../contract/order-calls.ts';
import {
  type Buyers,
  createBuyers,
  createSupplier,
  draftOrder,
  placedOrder,
  productOf,
  receive,
  stockValue,
} from './support.ts';

let world: World;
let buyers: Buyers;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A', 'B', 'C', 'D', 'X', 'Y']);
});
afterAll(() => world.close());

/** Pieces that were sold meanwhile. */
const sell = (sku: string, qty: number) =>
  world.as(buyers.owner, (ctx) =>
    post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'sell', number: 'XS1' },
      moves: [
        { product: productOf(buyers, sku), qty, from: { warehouse: buyers.main, status: 'AVAILABLE' }, to: 'CUSTOMER' },
      ],
    }),
  );

describe('后到费用', () => {
  it('64.00 for 200 pieces of which 30 are sold: 54.40 into the stock, 9.60 is too late (worked example 13)', async () => {
    const carrier = await createSupplier(buyers.owner, '德邦物流');
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 200, unitPrice: '10' }]);
    const charge = (amount: string) =>
      buyers.owner.call(addCharge, { body: { orderId: id, amount, payeeId: carrier, split: 'QTY' } });
    await expect(charge('64')).rejects.toThrow('还没有到货');
    await receive(buyers, id, 'A', 120);
    await receive(buyers, id, 'A', 80);
    await sell('A', 30);
    const before = await stockValue(world, buyers, 'A');
    expect(before).toBe('1700.00');
    const done = await charge('64.00');
    const two = (amount: string | null) => new Decimal(amount ?? 0).toFixed(2);
    expect([two(done.capitalised), two(done.expensed)]).toEqual(['54.40', '9.60']);
    expect(await stockValue(world, buyers, 'A')).toBe('1754.40');
    const rows = await buyers.owner.call(orderCharges, { params: { id } });
    expect(rows).toMatchObject([{ payee: '德邦物流', amount: '64.0000', capitalised: '54.4000', expensed: '9.6000' }]);
  });
});

describe('冲销后到费用', () => {
  const two = (amount: string | null) => new Decimal(amount ?? 0).toFixed(2);
  const owed = async (payee: string) => {
    const { records } = await buyers.owner.call(listItems, { body: { filter: { party: [payee] } } });
    return records.map((row) => [row.book, two(row.amount), two(row.open)]);
  };

  it('a bill that was wrong leaves the stock as it was; of what was sold meanwhile the variance goes back too', async () => {
    const carrier = await createSupplier(buyers.owner, '顺丰速运');
    const { id } = await placedOrder(buyers, [{ sku: 'C', qty: 200, unitPrice: '10' }]);
    await receive(buyers, id, 'C', 120);
    await receive(buyers, id, 'C', 80);
    await sell('C', 30);
    const body = { orderId: id, amount: '64', payeeId: carrier, split: 'QTY' as const };
    const charge = await buyers.owner.call(addCharge, { body });
    expect(await stockValue(world, buyers, 'C')).toBe('1754.40');
    await sell('C', 20);
    expect(await stockValue(world, buyers, 'C')).toBe('1548.00');
    const take = () => buyers.owner.send(reverseCharge, { body: { id: charge.id, reason: '重复登记' } });
    expect((await buyers.owner.send(reverseCharge, { body: { id: charge.id, reason: ' ' } })).msg).toContain(
      '请填写原因',
    );
    expect((await buyers.keeper.send(reverseCharge, { body: { id: charge.id, reason: '不该' } })).status).toBe(403);
    const done = (await take()).data;
    // 150 pieces are left at 10.00: the 20 that were sold at 10.32 keep their cost, their 6.40 is a variance as well.
    expect([two(done?.capitalised ?? ''), two(done?.expensed ?? '')]).toEqual(['-48.00', '-16.00']);
    expect(await stockValue(world, buyers, 'C')).toBe('1500.00');
    expect(await owed(carrier)).toEqual([['PAYABLE', '64.00', '0.00']]);
    const [row] = await buyers.owner.call(orderCharges, { params: { id } });
    expect(row).toMatchObject({ amount: '64.0000', reversal: expect.stringMatching(/^\d\d-\d\d .+：重复登记$/) });
    expect((await take()).msg).toContain('已由');
    expect(await stockValue(world, buyers, 'C')).toBe('1500.00');
  });

  it('one that was paid is not taken back, and nothing of it has moved', async () => {
    const carrier = await createSupplier(buyers.owner, '跨越速运');
    const { id } = await placedOrder(buyers, [{ sku: 'D', qty: 10, unitPrice: '10' }]);
    await receive(buyers, id, 'D', 10);
    const body = { orderId: id, amount: '20', payeeId: carrier, split: 'QTY' as const };
    const charge = await buyers.owner.call(addCharge, { body });
    const take = () => buyers.owner.send(reverseCharge, { body: { id: charge.id, reason: '填错' } });
    const [debt] = (await buyers.owner.call(listItems, { body: { filter: { party: [carrier] } } })).records;
    const asked = await buyers.owner.call(saveRequest, {
      body: {
        kind: 'FREIGHT',
        party: { kind: 'SUPPLIER', id: carrier },
        lines: [{ title: '运费', amount: '20', payableId: debt?.id ?? '' }],
      },
    });
    await buyers.owner.call(requestSteps.submit, { body: { id: asked.id } });
    expect(await take()).toMatchObject({ msg: '该费用存在未完成的请款，请先撤回', data: { code: 'B1078' } });
    await buyers.owner.call(requestSteps.approve, { body: { id: asked.id } });
    const { id: bank } = await buyers.owner.call(addAccount, { body: { name: '招商银行', opening: '1000' } });
    const requests = [{ id: asked.id, amount: '20' }];
    await buyers.owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
    expect((await take()).data).toMatchObject({ code: 'B0902' });
    expect(await stockValue(world, buyers, 'D')).toBe('120.00');
    expect((await buyers.owner.call(orderCharges, { params: { id } }))[0]?.reversal).toBe('');
  });
});

describe('费用分摊', () => {
  it('¥3,456.78 of freight by chargeable weight, pieces, volume and worth, to the cent (worked example E3)', async () => {
    const { owner } = buyers;
    await world.as(owner, async (ctx) => {
      ctx.audited = true;
      await ctx.db
        .insertInto('product.dimension')
        .values(
          [
            { sku: 'X', length: '20', width: '15', height: '10', weight: '0.8' },
            { sku: 'Y', length: '40', width: '30', height: '20', weight: '1.2' },
          ].map(({ sku, ...size }) => ({
            ...size,
            company_id: ctx.companyId,
            product_id: productOf(buyers, sku),
            role: 'packed',
          })),
        )
        .execute();
    });
    const { id } = await placedOrder(buyers, [
      { sku: 'X', qty: 100, unitPrice: '20' },
      { sku: 'Y', qty: 50, unitPrice: '64' },
    ]);
    await receive(buyers, id, 'X', 100);
    await receive(buyers, id, 'Y', 50);
    const shares = async (split: FeeSplit) => {
      const worth = () => Promise.all(['X', 'Y'].map((sku) => stockValue(world, buyers, sku)));
      const before = await worth();
      await owner.call(addCharge, { body: { orderId: id, amount: '3456.78', split } });
      const after = await worth();
      return after.map((value, n) => new Decimal(value).minus(before[n] ?? 0).toFixed(2));
    };
    // What the goods are worth is what they cost when they came, whatever was added to it since.
    expect(await shares('AMOUNT')).toEqual(['1329.53', '2127.25']);
    expect(await shares('CHARGEABLE')).toEqual(['987.65', '2469.13']);
    expect(await shares('QTY')).toEqual(['2304.52', '1152.26']);
    expect(await shares('VOLUME')).toEqual(['691.36', '2765.42']);
  });

  it('by weight needs weights: a product without one would bear nothing', async () => {
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 10, unitPrice: '10' }]);
    await receive(buyers, id, 'B', 10);
    const body = { orderId: id, amount: '64', split: 'WEIGHT' as const };
    await expect(buyers.owner.call(addCharge, { body })).rejects.toThrow('B 未维护重量或尺寸，无法按重量分摊');
    const order = draftOrder(buyers, [{ sku: 'B', qty: 10, unitPrice: '10' }], { freight: '20', feeSplit: 'VOLUME' });
    await expect(order).rejects.toThrow('B 未维护重量或尺寸，无法按体积分摊');
    const free = await draftOrder(buyers, [{ sku: 'B', qty: 10, unitPrice: '10' }], { feeSplit: 'VOLUME' });
    expect(free.state).toBe('draft');
  });
});

describe('打印', () => {
  it('a contract is printed once it is approved, and not for those who may not see prices', async () => {
    const draft = await draftOrder(buyers, [{ sku: 'B', qty: 3, unitPrice: '19.80' }]);
    const print = (id: string, paper: 'contract' | 'sheet', who = buyers.owner) =>
      who.send(printOrder, { params: { id }, query: { paper } });
    expect((await print(draft.id, 'contract')).msg).toBe('审核通过后才能打印合同');
    expect((await print(draft.id, 'sheet')).raw.subarray(0, 5).toString()).toBe('%PDF-');
    const { id } = await placedOrder(buyers, [{ sku: 'B', qty: 3, unitPrice: '19.80' }], {
      remark: '外箱唛头按 US 新版',
    });
    const contract = await print(id, 'contract');
    expect(contract.headers['content-type']).toContain('application/pdf');
    expect(contract.raw.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await print(id, 'contract', buyers.keeper)).status).toBe(403);
  });
});
