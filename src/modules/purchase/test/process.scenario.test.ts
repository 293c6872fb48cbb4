import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestSteps } from '#modules/finance/contract/requests.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import { saveBomVersion } from '#modules/product/server/index.ts';
import { listReservations, releaseReservation } from '#modules/warehouse/contract/inventory.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  listProcesses,
  outputProcess,
  printProcess,
  processDetail,
  processParts,
  processSteps,
  requestProcessFee,
  reverseOutput,
  saveProcess,
} from '../contract/process.ts';
import { usedBy } from '../server/process/output.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  createSupplier,
  placedOrder,
  productOf,
  receive,
  stockValue,
} from './support.ts';

let world: World;
let buyers: Buyers;
let processor: string;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['SET', 'CUP', 'LID', 'BOX', 'FEW']);
  processor = await createSupplier(buyers.owner, '东莞组装厂');
  await world.as(buyers.owner, (ctx) =>
    saveBomVersion(ctx, {
      productId: productOf(buyers, 'SET'),
      lines: [
        { componentId: productOf(buyers, 'CUP'), qtyPer: '2', scrapShare: '0' },
        { componentId: productOf(buyers, 'LID'), qtyPer: '1', scrapShare: '0.04' },
      ],
    }),
  );
  const stock = [
    { sku: 'CUP', qty: 1000, unitPrice: '3' },
    { sku: 'LID', qty: 1000, unitPrice: '0.5' },
  ];
  const { id } = await placedOrder(buyers, stock);
  for (const { sku, qty } of stock) await receive(buyers, id, sku, qty);
});
afterAll(() => world.close());

const detail = (id: string) => buyers.owner.call(processDetail, { params: { id } });

async function drafted(qty: number, more: object = {}) {
  const parts = await buyers.owner.call(processParts, {
    params: { id: productOf(buyers, 'SET') },
    query: { qty, warehouseId: buyers.main },
  });
  return buyers.owner.call(saveProcess, {
    body: {
      productId: productOf(buyers, 'SET'),
      qty,
      warehouseId: buyers.main,
      parts: parts.map((part) => ({ productId: part.productId, qty: part.qty })),
      ...more,
    },
  });
}

async function running(qty: number, more: object = {}) {
  const { id } = await drafted(qty, more);
  await buyers.owner.call(processSteps.submit, { body: { id } });
  await buyers.owner.call(processSteps.approve, { body: { id } });
  await buyers.owner.call(processSteps.issue, { body: { id } });
  return id;
}

const finish = (id: string, qty: number, scrapped = 0, clientId?: string) =>
  buyers.owner.call(outputProcess, { body: { id, qty, scrapped, ...(clientId ? { clientId } : {}) } });

const owed = (id: string) =>
  world.as(buyers.owner, async (ctx) => (await moneyOf(ctx, 'purchase.process', [id]))[0]?.open ?? '0');

describe('采购加工单', () => {
  it('out of house: parts by the list with its scrap, the fee is owed and stands in the cost, a spoilt piece is borne by the good ones', async () => {
    const { id } = await drafted(96, { kind: 'OUTSOURCE', supplierId: processor, feePrice: '1.25' });
    const before = await detail(id);
    expect(before.parts.map((part) => [part.product.code, part.qty, part.available, part.short])).toEqual([
      ['CUP', 192, 1000, 0],
      ['LID', 100, 1000, 0],
    ]);
    await buyers.owner.call(processSteps.submit, { body: { id } });
    await buyers.owner.call(processSteps.approve, { body: { id } });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: 808, RESERVED: 192 });
    await expect(finish(id, 1)).rejects.toThrow('发料后才能完工入库');
    await buyers.owner.call(processSteps.issue, { body: { id } });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: 808, PROCESSING: 192 });
    await finish(id, 40, 0, 'once');
    expect((await finish(id, 40, 0, 'once')).repeated).toBe(true);
    // 80 cups at 3 and ceil(100·40/96) = 42 lids at 0.5, and 40 fees of 1.25.
    expect(await stockValue(world, buyers, 'SET')).toBe('311.00');
    expect(await owed(id)).toBe('50');
    await expect(finish(id, 57)).rejects.toThrow('超出加工数，最多还可完工56');
    expect((await finish(id, 54, 2)).state).toBe('done');
    expect(await balances(world, buyers, 'SET')).toEqual({ AVAILABLE: 94 });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: 808 });
    expect(await balances(world, buyers, 'LID')).toEqual({ AVAILABLE: 900 });
    expect(await stockValue(world, buyers, 'SET')).toBe('743.50');
    expect(await owed(id)).toBe('117.5');
    const after = await detail(id);
    expect(after.order).toMatchObject({ done: 94, scrapped: 2, fee: '117.5000', cost: '743.5000', state: 'done' });
    expect(after.parts.map((part) => [part.used, part.inWork])).toEqual([
      [192, 0],
      [100, 0],
    ]);
  });

  it('an output is taken back to the last unit: product, parts, value and debt; the order runs again and ends the same', async () => {
    const stock = async () => [await stockValue(world, buyers, 'CUP'), await stockValue(world, buyers, 'SET')];
    const id = await running(10, { kind: 'OUTSOURCE', supplierId: processor, feePrice: '2' });
    const before = await stock();
    await finish(id, 3);
    await finish(id, 7);
    const ended = await stock();
    const { outputs } = await detail(id);
    const first = outputs.find((one) => one.seq === 1)?.id ?? '';
    const back = await buyers.owner.call(reverseOutput, { body: { outputId: first, reason: '登记错误' } });
    expect(back.state).toBe('running');
    expect(await owed(id)).toBe('14');
    await expect(buyers.owner.call(reverseOutput, { body: { outputId: first, reason: '再来一次' } })).rejects.toThrow(
      '完工记录已撤销',
    );
    expect((await finish(id, 3)).state).toBe('done');
    expect(await stock()).toEqual(ended);
    for (const { id: outputId, reversed } of (await detail(id)).outputs) {
      if (!reversed) await buyers.owner.call(reverseOutput, { body: { outputId, reason: '全部重来' } });
    }
    expect(await stock()).toEqual(before);
    expect(await owed(id)).toBe('0');
    expect((await detail(id)).order).toMatchObject({ done: 0, fee: '0.0000', cost: '0.0000', state: 'running' });
    await buyers.owner.call(processSteps.stop, { body: { id, reason: '不做了' } });
  });

  it('parts that somebody gave back are held again when they are issued, or the short one is named', async () => {
    const { owner } = buyers;
    const { id } = await drafted(10);
    await owner.call(processSteps.submit, { body: { id } });
    await owner.call(processSteps.approve, { body: { id } });
    const { order } = await detail(id);
    const { records } = await owner.call(listReservations, { body: { filter: { number: order.number, sku: 'LID' } } });
    await owner.call(releaseReservation, { body: { id: records[0]?.id ?? '', reason: '误释放' } });
    const rest = (await balances(world, buyers, 'LID')).AVAILABLE ?? 0;
    const taken = await drafted(1, { parts: [{ productId: productOf(buyers, 'LID'), qty: rest - 5 }] });
    await owner.call(processSteps.submit, { body: { id: taken.id } });
    await owner.call(processSteps.approve, { body: { id: taken.id } });
    const before = [await balances(world, buyers, 'CUP'), await balances(world, buyers, 'LID')];
    await expect(owner.call(processSteps.issue, { body: { id } })).rejects.toThrow(/LID/);
    expect([await balances(world, buyers, 'CUP'), await balances(world, buyers, 'LID')]).toEqual(before);
    await owner.call(processSteps.discard, { body: { id: taken.id, reason: '让出子件' } });
    await owner.call(processSteps.issue, { body: { id } });
    expect((await detail(id)).parts.map((part) => part.inWork)).toEqual([20, 11]);
    await owner.call(processSteps.stop, { body: { id, reason: '不做了' } });
  });

  it('stopped half way: what was not used comes back, nothing more comes out and nothing is taken back', async () => {
    const id = await running(20);
    await finish(id, 5);
    const cups = await balances(world, buyers, 'CUP');
    expect(cups.PROCESSING).toBe(30);
    await buyers.owner.call(processSteps.stop, { body: { id, reason: '缺人' } });
    expect(await balances(world, buyers, 'CUP')).toEqual({ AVAILABLE: (cups.AVAILABLE ?? 0) + 30 });
    await expect(finish(id, 1)).rejects.toThrow('发料后才能完工入库');
    const outputId = (await detail(id)).outputs[0]?.id ?? '';
    await expect(buyers.owner.call(reverseOutput, { body: { outputId, reason: '试试' } })).rejects.toThrow('已终止');
  });

  it('parts that are short stop the approval, a void order lets them go, and nothing comes of spoilt pieces alone', async () => {
    const cups = await balances(world, buyers, 'CUP');
    const { id } = await drafted(5000);
    await buyers.owner.call(processSteps.submit, { body: { id } });
    await expect(buyers.owner.call(processSteps.approve, { body: { id } })).rejects.toThrow(/库存不足/);
    await buyers.owner.call(processSteps.discard, { body: { id, reason: '缺料' } });
    const small = await drafted(2);
    await buyers.owner.call(processSteps.submit, { body: { id: small.id } });
    await buyers.owner.call(processSteps.approve, { body: { id: small.id } });
    await buyers.owner.call(processSteps.discard, { body: { id: small.id, reason: '取消' } });
    expect(await balances(world, buyers, 'CUP')).toEqual(cups);
    const sets = await balances(world, buyers, 'SET');
    const spoilt = await running(1);
    expect((await finish(spoilt, 0, 1)).state).toBe('done');
    expect(await balances(world, buyers, 'SET')).toEqual(sets);
    expect((await balances(world, buyers, 'CUP')).AVAILABLE).toBe((cups.AVAILABLE ?? 0) - 2);
  });

  it('the list finds orders by SKU, and the sheet is a PDF', async () => {
    const { records } = await buyers.owner.call(listProcesses, { body: { filter: { keyword: 'SET', state: 'done' } } });
    expect(records.length).toBeGreaterThan(0);
    const paper = await buyers.owner.send(printProcess, { params: { id: records[0]?.id ?? '' } });
    expect(paper.raw.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('all outputs together use exactly the parts of the order, whatever their sizes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 900 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
        (qty, need, sizes) => {
          const order = { qty, parts: [{ id: 'a', product: 'P', qty: need }] };
          let left = need;
          let finished = 0;
          for (const size of [...sizes, qty]) {
            finished = Math.min(qty, finished + size);
            const work = left > 0 ? [{ product: 'P', location: 'L', lot: 'T', qty: left }] : [];
            left -= usedBy(order, finished, work).reduce((total, cell) => total + cell.qty, 0);
            expect(left).toBe(need - Math.ceil((need * finished) / qty));
          }
          expect(left).toBe(0);
        },
      ),
    );
  });
});

describe('加工费', () => {
  it('the processor is paid from the page of the order, never more than the good pieces cost; in house nobody is', async () => {
    const id = await running(10, { kind: 'OUTSOURCE', supplierId: processor, feePrice: '2' });
    const ask = (amount: string, order = id) => buyers.owner.call(requestProcessFee, { body: { id: order, amount } });
    await expect(ask('1')).rejects.toThrow('请款合计超过应付金额，剩余可请0.00');
    await finish(id, 6);
    await ask('7.5');
    await expect(ask('4.51')).rejects.toThrow('请款合计超过应付金额，剩余可请4.50');
    const { payments, money } = await detail(id);
    expect(payments.map(({ amount, state }) => [amount, state])).toEqual([['7.5000', '待审核']]);
    expect(money).toMatchObject({ raised: '12', requested: '7.5', paid: '0', left: '4.50' });
    const [first] = payments;
    await buyers.owner.call(requestSteps.return, { body: { id: first?.id ?? '', reason: '缺发票' } });
    expect((await detail(id)).money).toMatchObject({ requested: '0', left: '12.00' });
    await ask('5');
    await expect(buyers.owner.call(requestSteps.submit, { body: { id: first?.id ?? '' } })).rejects.toThrow(
      '请款合计超过应付金额，剩余可请7.00',
    );
    await expect(ask('1', await running(1))).rejects.toThrow('自行加工没有加工费应付，不能请款');
  });
});
