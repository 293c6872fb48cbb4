import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getRemind } from '#modules/message/contract/messages.ts';
import { runHealthNow } from '#modules/warehouse/contract/inventory.ts';
import { scanResolve, scanTasks } from '#modules/warehouse/contract/scan.ts';
import { balances, layers, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  countSelf,
  listSelf,
  putSelfWay,
  saveSelf,
  selfBatches,
  selfSteps,
  sendBackSelf,
  weighSelf,
} from '../../contract/self/calls.ts';
import { buildSelf, countWaiting, openLines } from '../../contract/self/waiting.ts';
import { pickSelf, printSelfLabels, printSelfPacking, printSelfPicks, selfPickRows } from '../../contract/self/work.ts';
import {
  built,
  clientId,
  createSelfShipper,
  detailOf,
  heldAndWanted,
  imported,
  ordered,
  retold,
  run,
  type SelfShipper,
  stateOf,
  waitingOf,
} from './support.ts';

let world: World;
let shipper: SelfShipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createSelfShipper(world, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['B', 2],
      ['C', 1],
    ],
    'D-US': [['D', 1]],
    'E-US': [['E', 1]],
    'F-US': [['F', 1]],
    'G-US': [['G', 1]],
    'LOOSE-US': [],
  });
});
afterAll(() => world.close());
afterEach(async () => {
  // Whatever was done: the ledger holds what open documents ask for, and no more.
  for (const { held, wanted } of await heldAndWanted(world, shipper)) expect(held).toBe(wanted);
});

const step = (name: keyof typeof selfSteps, id: string, more: object = {}) =>
  shipper.owner.call(selfSteps[name], { body: { id, ...more } });
const approved = async (...orders: string[]) => {
  const id = await built(shipper, ...orders);
  await shipper.chief.call(selfSteps.approve, { body: { id } });
  return id;
};

describe('自发货单', () => {
  it('orders wait, the least time left first; a document takes all that is open, kits by their parts', async () => {
    await stocked(world, shipper, 'A', 10, '2');
    await stocked(world, shipper, 'B', 9, '1');
    await stocked(world, shipper, 'C', 5, '3');
    const late = new Date(world.runtime.clock.ms() - 3_600_000).toISOString();
    const one = await ordered(world, shipper, [
      ['A-US', 2],
      ['SET-US', 3],
    ]);
    const two = await ordered(world, shipper, [['A-US', 1]], { latestShipAt: late });
    const loose = await ordered(world, shipper, [['LOOSE-US', 1]]);
    await ordered(world, shipper, [['A-US', 1]], { fulfilledBy: 'AMAZON' });
    const waiting = await waitingOf(shipper);
    expect([...waiting.values()].map((row) => [row.order, row.open, row.urgency, row.unmatched])).toEqual([
      [two.number, 1, 'late', false],
      [one.number, 5, 'later', false],
      [loose.number, 1, 'later', true],
    ]);
    expect(await shipper.desk.call(countWaiting, {})).toEqual({ orders: 3, late: 1, hours: 0 });
    await expect(built(shipper, loose.id)).rejects.toThrow('平台SKU【LOOSE-US】未关联本地产品');

    const { message, ids, left } = await shipper.desk.call(buildSelf, {
      body: {
        warehouseId: shipper.main,
        groups: [{ orders: [one.id] }, { orders: [two.id] }, { orders: [loose.id] }],
      },
    });
    expect(message).toBe('已建自发货单 2 张，1 张未处理');
    expect(left).toEqual([{ number: loose.number, reason: '平台SKU【LOOSE-US】未关联本地产品' }]);
    expect([...(await waitingOf(shipper)).keys()]).toEqual([loose.number]);
    await expect(built(shipper, one.id)).rejects.toThrow(`订单 ${one.number} 没有待发数量`);

    const [id = '', other = ''] = ids;
    const result = await shipper.chief.call(selfBatches.approve, { body: { ids } });
    expect(result.message).toBe('已审核2 张');
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: 7, RESERVED: 3 });
    expect(await balances(world, shipper, 'B')).toEqual({ AVAILABLE: 3, RESERVED: 6 });

    // Called off, both give back what they held, and the orders wait again.
    await step('cancel', id, { reason: '买家改地址' });
    await step('hold', other, { reason: '等买家回复' });
    expect(await stateOf(shipper, other)).toBe('held');
    await step('resume', other);
    expect(await stateOf(shipper, other)).toBe('printing');
    await step('unapprove', other, { reason: '换仓' });
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: 10 });
    expect((await waitingOf(shipper)).get(one.number)?.open).toBe(5);
    expect((await waitingOf(shipper)).has(two.number)).toBe(false);
    await step('cancel', other, { reason: '换仓' });
  });

  it('an order is split over two documents and never beyond what is open of it', async () => {
    await stocked(world, shipper, 'D', 10, '2');
    const order = await ordered(world, shipper, [['D-US', 5]]);
    const lines = await shipper.desk.call(openLines, { body: { orders: [order.id], warehouseId: shipper.main } });
    expect(lines).toMatchObject([{ msku: 'D-US', local: 'D', open: 5, available: 10 }]);
    const item = { orderId: order.id, orderItemId: lines[0]?.orderItemId ?? '' };
    const save = (qty: number, more: object = {}) =>
      shipper.desk.call(saveSelf, {
        body: { origin: 'PLATFORM', warehouseId: shipper.main, lines: [{ ...item, qty }], ...more },
      });
    const first = await save(2);
    await expect(save(4)).rejects.toThrow('【D-US】还可发货 3 件，不能发 4 件');
    // Its own pieces are its own to change.
    await save(3, { id: first.id, version: first.version });
    await expect(save(3, { id: first.id, version: first.version })).rejects.toThrow('单据已被');
    const second = await save(2);
    expect((await waitingOf(shipper)).has(order.number)).toBe(false);
    await expect(save(1)).rejects.toThrow('还可发货 0 件');
    for (const { id } of [first, second]) await step('approve', id);
    await expect(save(1, { id: first.id })).rejects.toThrow('单据状态为【待打单】，不能执行【修改】');

    // The platform shows three pieces that somebody sent there: of the two documents one can still go.
    await retold(world, shipper, order.number, [['D-US', 5, 3]], { status: 'PARTIALLY_SHIPPED' });
    await expect(step('ship', first.id)).rejects.toThrow('还可发货 0 件，不能发 3 件');
    await run(world, shipper, 'shipping.selfFollow');
    expect(await stateOf(shipper, first.id)).toBe('trouble');
    expect((await detailOf(shipper, first.id)).document.problem).toContain('已在平台发货');
    await step('cancel', first.id, { reason: '平台已发' });
    await step('ship', second.id);
    expect(await balances(world, shipper, 'D')).toEqual({ AVAILABLE: 8 });
    expect(await stateOf(shipper, second.id)).toBe('out');
  });

  it('orders of one recipient go in one parcel; those of different ones do not', async () => {
    await stocked(world, shipper, 'E', 10, '2');
    const [one, two] = [await ordered(world, shipper, [['E-US', 1]]), await ordered(world, shipper, [['E-US', 2]])];
    const far = await ordered(world, shipper, [['E-US', 1]], { postalPrefix: '100', shipState: 'NY' });
    await expect(built(shipper, one.id, far.id)).rejects.toThrow('合并的订单须同店铺');
    const id = await approved(one.id, two.id);
    const { document, lines } = await detailOf(shipper, id);
    expect([document.orders, document.qty, lines.length]).toEqual([`${one.number}、${two.number}`, 3, 2]);
    await shipper.sender.call(putSelfWay, { body: { id, carrier: 'UPS', trackingNo: '1Z1' } });
    await shipper.sender.call(weighSelf, { body: { id, weightG: 350 } });
    const out = await shipper.sender.call(selfSteps.ship, { body: { id } });
    expect(out).toMatchObject({ state: 'out', message: expect.stringContaining('已提交标记发货') });
    expect((await detailOf(shipper, id)).document).toMatchObject({ mark: 'queued', weightG: 350, trackingNo: '1Z1' });
    await expect(shipper.sender.call(putSelfWay, { body: { id, carrier: 'UPS', trackingNo: '1Z2' } })).rejects.toThrow(
      '已标记发货，承运商和运单号不能修改',
    );
    // The platform shows both as sent.
    await retold(world, shipper, one.number, [['E-US', 1, 1]], { status: 'SHIPPED' });
    await run(world, shipper, 'shipping.selfFollow');
    expect(await stateOf(shipper, id)).toBe('out');
    await retold(world, shipper, two.number, [['E-US', 2, 2]], { status: 'SHIPPED' });
    await run(world, shipper, 'shipping.selfFollow');
    expect(await stateOf(shipper, id)).toBe('shipped');
  });

  it('what is missing is 缺货 and goes on once stock has come, the most urgent first', async () => {
    await stocked(world, shipper, 'F', 1, '2');
    const soon = new Date(world.runtime.clock.ms() + 3_600_000).toISOString();
    const [calm, urgent] = [
      await ordered(world, shipper, [['F-US', 2]]),
      await ordered(world, shipper, [['F-US', 2]], { latestShipAt: soon }),
    ];
    const [a, b] = [await built(shipper, calm.id), await built(shipper, urgent.id)];
    const said = await shipper.chief.call(selfSteps.approve, { body: { id: a } });
    expect(said).toMatchObject({ state: 'short', message: expect.stringContaining('可用库存不足') });
    await step('approve', b);
    expect(await balances(world, shipper, 'F')).toEqual({ AVAILABLE: 1 });
    expect((await detailOf(shipper, a)).document.problem).toContain('可用库存不足');
    await run(world, shipper, 'shipping.selfRound');
    expect([await stateOf(shipper, a), await stateOf(shipper, b)]).toEqual(['short', 'short']);
    await stocked(world, shipper, 'F', 2, '2');
    await run(world, shipper, 'shipping.selfRound');
    expect([await stateOf(shipper, a), await stateOf(shipper, b)]).toEqual(['short', 'printing']);
    expect((await detailOf(shipper, b)).document).toMatchObject({ problem: '', urgency: 'hours' });
    const { records } = await shipper.desk.call(listSelf, { body: { filter: { urgency: 'hours' } } });
    expect(records.map((row) => row.id)).toEqual([b]);
    // Who sends is told of it, once.
    const told = (await shipper.sender.call(getRemind, { body: {} })).records.map(({ title }) => title);
    expect(told.filter((title) => title.includes('最晚发货时间'))).toEqual([
      `自发货单 ${(await detailOf(shipper, b)).document.number} 将在 4 小时内超过最晚发货时间`,
    ]);
  });

  it('a cancelled order takes its document along, with what it held; a buyer who asks for it stops it', async () => {
    await stocked(world, shipper, 'G', 10, '2');
    const [gone, asked] = [await ordered(world, shipper, [['G-US', 2]]), await ordered(world, shipper, [['G-US', 3]])];
    const [a, b] = [await approved(gone.id), await approved(asked.id)];
    expect(await balances(world, shipper, 'G')).toEqual({ AVAILABLE: 5, RESERVED: 5 });
    await retold(world, shipper, gone.number, [['G-US', 0]], { status: 'CANCELLED' });
    await expect(step('ship', a)).rejects.toThrow(`订单 ${gone.number}：订单已取消`);
    await run(world, shipper, 'shipping.selfFollow');
    expect((await detailOf(shipper, a)).document).toMatchObject({
      state: 'cancelled',
      problem: `平台订单 ${gone.number} 已取消`,
    });
    await retold(world, shipper, asked.number, [['G-US', 3]], { status: 'UNSHIPPED', buyerCancelRequested: true });
    await expect(step('ship', b)).rejects.toThrow('买家申请取消');
    await step('cancel', b, { reason: '买家取消' });
    expect(await balances(world, shipper, 'G')).toEqual({ AVAILABLE: 10 });
  });

  it('is picked with a scanner and sent once, however many packers press at once', async () => {
    const order = await ordered(world, shipper, [['G-US', 4]]);
    const id = await approved(order.id);
    const { document } = await detailOf(shipper, id);
    const found = await shipper.owner.call(scanResolve, { body: { code: document.number, warehouseId: shipper.main } });
    expect(found).toMatchObject({ means: 'document', kind: 'self', id });
    const tasks = await shipper.owner.call(scanTasks, { query: { mode: 'pick', warehouseId: shipper.main } });
    expect(tasks.find((task) => task.id === id)).toMatchObject({ kind: 'self', qty: 4, done: 0 });
    const [row] = await shipper.sender.call(selfPickRows, { params: { id } });
    const pick = (qty: number, client = clientId()) =>
      shipper.sender.call(pickSelf, { body: { id, clientId: client, lines: [{ lineId: row?.lineId ?? '', qty }] } });
    const client = clientId();
    await pick(3, client);
    expect((await pick(3, client)).repeated).toBe(true);
    await expect(pick(2)).rejects.toThrow('拣货数量超过待拣 1');
    await expect(step('ship', id)).rejects.toThrow('还有 1 件未拣，请拣完后出库');
    expect(await pick(1)).toMatchObject({ state: 'ready', message: '已全部拣齐' });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => shipper.sender.call(selfSteps.ship, { body: { id } })),
    );
    expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await balances(world, shipper, 'G')).toEqual({ AVAILABLE: 6 });
  });

  it('typed by hand it goes to a customer of our own, with its cost, and may come back', async () => {
    await stocked(world, shipper, 'H', 3, '4', shipper.main, '2026-01-05');
    await stocked(world, shipper, 'H', 3, '5', shipper.main, '2026-01-06');
    const body = {
      origin: 'OFFLINE' as const,
      warehouseId: shipper.main,
      lines: [{ productId: shipper.products.get('H') ?? '', qty: 4 }],
    };
    await expect(shipper.desk.call(saveSelf, { body })).rejects.toThrow('请填写收件人和地址');
    const to = {
      recipient: '李雷',
      phone: '13800000000',
      country: 'CN',
      region: '广东',
      city: '深圳',
      street: '科技路1号',
    };
    const { id } = await shipper.desk.call(saveSelf, { body: { ...body, to } });
    expect(await detailOf(shipper, id)).toMatchObject({
      to,
      document: { origin: 'OFFLINE', store: null, country: 'CN' },
    });
    await step('approve', id);
    for (const file of [
      await shipper.sender.send(printSelfPicks, { body: { ids: [id] } }),
      await shipper.sender.send(printSelfLabels, { body: { ids: [id] } }),
      await shipper.sender.send(printSelfPacking, { params: { id } }),
    ]) {
      expect(file.raw.subarray(0, 5).toString()).toBe('%PDF-');
    }
    await step('ship', id);
    const { document, lines } = await detailOf(shipper, id);
    expect([document.state, lines.map((line) => line.cost)]).toEqual(['shipped', ['17.0000']]);
    expect(await layers(world, shipper, 'H')).toEqual(['2@10.0000 2026-01-06']);
    await expect(step('cancel', id, { reason: '退货' })).rejects.toThrow('单据状态为【已发货】，不能执行【不发货】');
    const back = { id, reason: '客户拒收' };
    await shipper.sender.call(sendBackSelf, { body: { ...back, warehouseId: shipper.defective } });
    expect((await shipper.sender.call(sendBackSelf, { body: back })).repeated).toBe(true);
    expect(await balances(world, shipper, 'H')).toEqual({ AVAILABLE: 2 });
    expect(await balances(world, shipper, 'H', shipper.defective)).toEqual({ DEFECTIVE: 4 });
    expect((await layers(world, shipper, 'H', shipper.defective)).map((text) => text.split(' ')[0])).toEqual([
      '4@17.0000',
    ]);
  });

  it('an order that was sent from elsewhere asks whether our pieces left', async () => {
    const [ours, theirs] = [await ordered(world, shipper, [['A-US', 1]]), await ordered(world, shipper, [['A-US', 1]])];
    const [a, b] = [await approved(ours.id), await approved(theirs.id)];
    for (const { number } of [ours, theirs]) {
      await retold(world, shipper, number, [['A-US', 1, 1]], { status: 'SHIPPED' });
    }
    await run(world, shipper, 'shipping.selfFollow');
    expect([await stateOf(shipper, a), await stateOf(shipper, b)]).toEqual(['trouble', 'trouble']);
    const before = await balances(world, shipper, 'A');
    await step('ship', a);
    await step('cancel', b, { reason: '由别处发货' });
    expect([await stateOf(shipper, a), await stateOf(shipper, b)]).toEqual(['shipped', 'cancelled']);
    expect(await balances(world, shipper, 'A')).toEqual({ AVAILABLE: (before.AVAILABLE ?? 0) + 1 });
  });

  it('of many who build and decide at once, one does', async () => {
    const order = await ordered(world, shipper, [['D-US', 2]]);
    const body = { warehouseId: shipper.main, groups: [{ orders: [order.id] }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => shipper.desk.send(buildSelf, { body })));
    const made = answers.filter(({ code }) => code === 201);
    expect(made).toHaveLength(1);
    const id = made[0]?.data.ids[0] ?? '';
    await step('approve', id);
    const ends = await Promise.all([
      shipper.owner.send(selfSteps.cancel, { body: { id, reason: '不发' } }),
      shipper.owner.send(selfSteps.ship, { body: { id } }),
      shipper.owner.send(selfSteps.unapprove, { body: { id, reason: '改' } }),
      shipper.owner.send(selfSteps.hold, { body: { id, reason: '等' } }),
    ]);
    // Whichever came first: what was held is held, gone or given back, and never two of these.
    expect(ends.filter(({ code }) => code === 201).length).toBeGreaterThan(0);
    const [found] = (await heldAndWanted(world, shipper)).filter(
      ({ product }) => product === shipper.products.get('D'),
    );
    const state = await stateOf(shipper, id);
    expect(['cancelled', 'out', 'pending', 'held']).toContain(state);
    expect(state === 'held' ? [0, 2] : [0]).toContain(found?.held ?? 0);
    if (state === 'held' || state === 'pending') await step('cancel', id, { reason: '不发' });
  });

  it('takes tracking numbers from a sheet, all rows or none, and reports what has left', async () => {
    const [one, two] = [await ordered(world, shipper, [['D-US', 1]]), await ordered(world, shipper, [['D-US', 1]])];
    const [a, b] = [await approved(one.id), await approved(two.id)];
    await step('ship', a);
    const { number } = (await detailOf(shipper, b)).document;
    const heads = ['自发货单号/订单号*', '承运商', '运单号*', '重量(g)', '实际运费', '币种'];
    const wrong = await imported(world, shipper, heads, [
      [one.number, 'UPS', '1ZA', '350', '28.5', 'CNY'],
      [number, 'UPS', '', '', '', ''],
      ['ZF0000000000', 'UPS', '1ZC', '', '', ''],
      [number, '', '1ZB', '3.5', '', ''],
    ]);
    expect(wrong).toMatchObject({ written: false, rows: 4 });
    expect(wrong.problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, '运单号', '运单号不能为空'],
      [4, '自发货单号/订单号', '没有进行中的自发货单'],
      [5, '自发货单号/订单号', '单据重复'],
    ]);
    expect((await detailOf(shipper, a)).document.trackingNo).toBe('');
    const good = await imported(world, shipper, heads, [
      [one.number, 'UPS', '1ZA', '350', '28.5', 'CNY'],
      [number, '', '1ZB', '', '', ''],
    ]);
    expect(good).toEqual({ rows: 2, written: true, problems: [] });
    expect((await detailOf(shipper, a)).document).toMatchObject({
      trackingNo: '1ZA',
      weightG: 350,
      actualFee: '28.5000',
      mark: 'queued',
    });
    expect((await detailOf(shipper, b)).document).toMatchObject({ state: 'printing', trackingNo: '1ZB', mark: null });
  });

  it('keeps the books of the warehouse right', async () => {
    const counts = await shipper.desk.call(countSelf, { body: {} });
    expect(counts.all).toBeGreaterThan(8);
    expect((await shipper.owner.call(runHealthNow, { body: {} })).broken).toBe(0);
  });
});
