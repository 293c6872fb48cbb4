import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import { runHealthNow } from '#modules/warehouse/contract/inventory.ts';
import { layers } from '#test/support/house.ts';
import { publishRates } from '#test/support/rates.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  countFreightBills,
  exportFreightBills,
  findFreightOrders,
  freightBillDetail,
  freightSteps,
  listFreightBills,
  readFreightSetting,
  saveFreightBill,
  saveFreightSetting,
} from '../../contract/freight/calls.ts';
import { estimateFreight, exportFreightFees, orderFreight } from '../../contract/freight/report.ts';
import { putShipWay } from '../../contract/order-calls.ts';
import { addCard, carrierDetail, saveCarrier } from '../../contract/transport/calls.ts';
import { demoFreight, demoTransport } from '../../server/index.ts';
import { detail, draft, goalOf } from '../support.ts';
import {
  bill,
  booked,
  brokenMoney,
  createForwarded,
  E4,
  type Forwarded,
  feesOf,
  numberOf,
  owed,
  pendingBill,
  sentBoxes,
  sharesOf,
  sold,
} from './support.ts';

let world: World;
let house: Forwarded;

beforeAll(async () => {
  world = await createWorld();
  house = await createForwarded(world);
});
afterAll(() => world.close());

const billOf = (id: string) => house.chief.call(freightBillDetail, { params: { id } });
const freight = (id: string) => house.chief.call(orderFreight, { params: { id } });
const confirm = (id: string) => house.chief.call(freightSteps.confirm, { body: { id } });
const reverse = (id: string) => house.chief.call(freightSteps.reverse, { body: { id, reason: '账单有误' } });

describe('头程费用', () => {
  it('E4 and E5: is estimated at dispatch, billed, shared into layers and corrected by a late bill', async () => {
    const id = await sentBoxes(world, house, E4, { shipmentNo: 'fba15e4e5', trackingNo: 'YH778' });
    const order = await detail(house, id);
    expect(order.order.carrier).toBe('远航 美西海派');
    const number = order.order.number;
    // E2: 64 kg × 8.80 + 100.
    const before = await freight(id);
    expect(before.charges.map((one) => [one.bill, one.kind, one.amountCny, one.billedWeight])).toEqual([
      ['出库预估', 'FREIGHT', '563.20', '64'],
      ['出库预估', 'OTHER', '100.00', null],
    ]);
    expect(before).toMatchObject({ expectedTotal: '663.20', match: 'unknown', why: '' });
    expect(await feesOf(house, number)).toEqual([
      'A-US 24 248.70 2.072500 estimated',
      'B-US 28.8 298.44 2.072500 estimated',
      'C-US 11.2 116.06 2.072500 estimated',
    ]);
    const goal = await goalOf(world, house, id);
    const day = world.clock.today();
    expect(await layers(world, house, 'A', goal)).toEqual([`120@240.0000 ${day}`]);

    const first = await pendingBill(
      world,
      house,
      [
        { reference: 'FBA15E4E5', amount: '563.21', billedWeight: '64' },
        { reference: number.toLowerCase(), amount: '100', kind: 'CUSTOMS' },
      ],
      { billNo: 'YH-2026-11', dueOn: dayAfter(day, 30) },
    );
    const shown = await billOf(first);
    expect(shown.lines.map((one) => [one.order, one.shipmentNo, one.amountCny])).toEqual([
      [number, 'FBA15E4E5', null],
      [number, 'FBA15E4E5', null],
    ]);
    expect(shown.matches).toMatchObject([
      { order: number, state: 'fits', estimated: '663.20', billed: '663.21', difference: '0.01', channel: '美西海派' },
    ]);
    expect(shown.money).toBeNull();
    // Nothing is owed and no layer is dearer before somebody else agrees.
    await expect(house.clerk.call(freightSteps.confirm, { body: { id: first } })).rejects.toThrow('403');
    expect(await owed(house)).toEqual([]);

    await confirm(first);
    const { number: firstNumber } = (await billOf(first)).bill;
    expect(sharesOf(await billOf(first))).toEqual([
      'A-US 248.70 248.7000 0.0000 248.70',
      'B-US 298.45 298.4500 0.0000 298.45',
      'C-US 116.06 116.0600 0.0000 116.06',
    ]);
    expect(await booked(world, house, firstNumber)).toEqual({ A: '248.7 + 0', B: '298.45 + 0', C: '116.06 + 0' });
    expect(await layers(world, house, 'A', goal)).toEqual([`120@488.7000 ${day}`]);
    expect(await owed(house)).toEqual(['CNY 663.21 663.21']);
    expect((await billOf(first)).money).toEqual({ owed: '663.21', paid: '0', requested: '0' });
    expect(await feesOf(house, number)).toEqual([
      'A-US 24 248.70 2.072500 billed',
      'B-US 28.8 298.45 2.072569 billed',
      'C-US 11.2 116.06 2.072500 billed',
    ]);
    // Pressed again, nothing changes.
    expect((await confirm(first)).repeated).toBe(true);
    expect(await owed(house)).toHaveLength(1);

    // 60 of 120 pieces of A are sold when the surcharge comes.
    await sold(world, house, id, 'A', 120, 60);
    const late = await bill(world, house, [{ reference: 'YH778', amount: '36.79', kind: 'SURCHARGE' }]);
    expect(sharesOf(await billOf(late))).toEqual([
      'A-US 13.80 6.9000 6.9000 262.50',
      'B-US 16.55 16.5500 0.0000 315.00',
      'C-US 6.44 6.4400 0.0000 122.50',
    ]);
    expect((await billOf(late)).matches).toMatchObject([
      { state: 'differs', billed: '700.00', difference: '36.80', why: '含附加费' },
    ]);
    expect(await booked(world, house)).toEqual({ A: '255.6 + 6.9', B: '315 + 0', C: '122.5 + 0' });
    expect(await owed(house)).toEqual(['CNY 36.79 36.79', 'CNY 663.21 663.21']);

    // The first bill was wrong: the order bears what still stands, as if it had been the only one.
    await reverse(first);
    expect((await reverse(first)).repeated).toBe(true);
    expect(await feesOf(house, number)).toEqual([
      'A-US 24 13.80 0.115000 billed',
      'B-US 28.8 16.55 0.114931 billed',
      'C-US 11.2 6.44 0.115000 billed',
    ]);
    expect((await billOf(first)).bill.state).toBe('reversed');
    await reverse(late);
    expect(await feesOf(house, number)).toEqual([
      'A-US 24 248.70 2.072500 estimated',
      'B-US 28.8 298.44 2.072500 estimated',
      'C-US 11.2 116.06 2.072500 estimated',
    ]);
    expect(await layers(world, house, 'B', goal)).toEqual([`144@288.0000 ${day}`]);
    // What was A's layer and what was variance came back together.
    const back = await booked(world, house);
    const [toLayers = 0, variance = 0] = (back.A ?? '').split(' + ').map(Number);
    expect(toLayers + variance).toBeCloseTo(0, 10);
    expect(back).toMatchObject({ B: '0 + 0', C: '0 + 0' });
    // The money is owed no longer, and the same bill may be entered again.
    expect(await owed(house)).toEqual([]);
    await bill(world, house, [{ reference: number, amount: '663.21' }], { billNo: 'YH-2026-11' });
    expect(
      sharesOf(await billOf((await house.chief.call(listFreightBills, { body: {} })).records[0]?.id ?? '')),
    ).toEqual([
      'A-US 248.70 124.3500 124.3500 248.70',
      'B-US 298.45 298.4500 0.0000 298.45',
      'C-US 116.06 116.0600 0.0000 116.06',
    ]);
    expect(await brokenMoney(world, house)).toEqual([]);
    expect((await house.owner.call(runHealthNow, { body: {} })).broken).toBe(0);
  });

  it('keeps duties, and amounts shared by another measure, apart from the rest', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 30, 'B-US': 10 }]);
    const number = await numberOf(house, id);
    const one = await bill(world, house, [
      { reference: number, amount: '40' },
      { reference: number, amount: '8', kind: 'DUTY' },
    ]);
    expect(sharesOf(await billOf(one))).toEqual(['A-US 36.00 36.0000 0.0000 36.00', 'B-US 12.00 12.0000 0.0000 12.00']);
    // No card tells duties.
    expect((await billOf(one)).matches).toMatchObject([{ billed: '40.00' }]);
    const other = await bill(world, house, [{ reference: number, amount: '10', kind: 'OTHER' }], { base: 'PIECES' });
    expect(sharesOf(await billOf(other))).toEqual(['A-US 7.50 7.5000 0.0000 43.50', 'B-US 2.50 2.5000 0.0000 14.50']);
    const parts = await world.as(house.owner, async (ctx) => {
      const { rows } = await sql<{ part: string }>`
        SELECT component || ' ' || trim_scale(sum(to_layers + variance)) AS part FROM warehouse.revaluation AS r
          JOIN warehouse.stock_posting AS p ON p.company_id = r.company_id AND p.id = r.posting_id
         WHERE r.company_id = ${ctx.companyId} AND p.source_type = 'shipping.freight' AND p.source_id IN (${one}, ${other})
         GROUP BY component ORDER BY 1`.execute(ctx.db);
      return rows.map((row) => row.part);
    });
    expect(parts).toEqual(['duty 8', 'firstLeg 50']);
  });

  it('of two people who confirm at once is booked once; two bills of one order follow one another', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 10, 'B-US': 10 }]);
    const number = await numberOf(house, id);
    const one = await pendingBill(world, house, [{ reference: number, amount: '100.01' }]);
    const other = await pendingBill(world, house, [{ reference: number, amount: '33.34' }]);
    const done = await Promise.all([confirm(one), confirm(one), confirm(other), confirm(other)]);
    expect(done.map((each) => each.repeated).sort()).toEqual([false, false, true, true]);
    expect(await feesOf(house, number)).toEqual(['A-US 8 66.68 6.668000 billed', 'B-US 8 66.67 6.667000 billed']);
    const file = await house.chief.send(exportFreightFees, { body: { format: 'xlsx', filter: { keyword: number } } });
    const table = await readSheet(file.raw);
    expect(table.slice(1).map((row) => row[table[0]?.indexOf('单件费') ?? -1])).toEqual(['6.668', '6.667']);
    const undone = await Promise.all([reverse(one), reverse(one)]);
    expect(undone.map((each) => each.repeated).sort()).toEqual([false, true]);
    expect(await feesOf(house, number)).toEqual(['A-US 8 16.67 1.667000 billed', 'B-US 8 16.67 1.667000 billed']);
  });

  it('in another currency is worth its amount at the rate of the bill; without a rate it waits', async () => {
    const id = await sentBoxes(world, house, [{ 'C-US': 20 }]);
    const number = await numberOf(house, id);
    const dollars = await pendingBill(world, house, [{ reference: number, amount: '10.01' }], { currency: 'USD' });
    expect((await billOf(dollars)).matches).toMatchObject([
      { state: 'unrated', billed: null, why: '缺少汇率，无法比较' },
    ]);
    await expect(confirm(dollars)).rejects.toThrow(/缺少 USD .* 汇率，无法折算/);
    expect((await billOf(dollars)).bill.state).toBe('pending');
    await publishRates(world, { USD: '7.2' });
    await confirm(dollars);
    const { bill: row, shares } = await billOf(dollars);
    expect(row).toMatchObject({ amount: '10.01', amountCny: '72.07' });
    expect(shares.map((one) => one.amount)).toEqual(['72.07']);
    expect(await owed(house)).toContain('USD 10.01 10.01');
  });

  it('an estimate without a rate waits for one and is worked out again', async () => {
    const { channels } = await house.owner.call(carrierDetail, { params: { id: house.carrier } });
    const [sea] = channels.map(({ card: _, ...channel }) => channel);
    const { id: carrier } = await house.owner.call(saveCarrier, {
      body: { name: '欧元货代', channels: [{ ...sea, id: undefined, name: '欧元渠道' }] } as never,
    });
    const channel = (await house.owner.call(carrierDetail, { params: { id: carrier } })).channels[0]?.id ?? '';
    await house.owner.call(addCard, {
      body: {
        channelId: channel,
        validFrom: world.clock.today(),
        currency: 'EUR',
        tiers: [{ from: '0', price: '2' }],
      } as never,
    });
    const id = await sentBoxes(world, house, [{ 'C-US': 20 }], { channelId: channel });
    const number = await numberOf(house, id);
    expect(await feesOf(house, number)).toEqual(['C-US 16   unrated']);
    expect((await freight(id)).charges).toMatchObject([{ amount: '32.00', amountCny: null, state: 'unrated' }]);
    await expect(house.clerk.call(estimateFreight, { body: { id } })).rejects.toThrow('头程费用无法预估：缺少 EUR');
    await publishRates(world, { EUR: '8' });
    await house.clerk.call(estimateFreight, { body: { id } });
    expect(await feesOf(house, number)).toEqual(['C-US 16 256.00 12.800000 estimated']);
    // Another channel of an order on its way brings another estimate.
    await house.packer.call(putShipWay, { body: { id, shipmentNo: '', trackingNo: '', channelId: house.channel } });
    await expect(house.clerk.call(estimateFreight, { body: { id } })).rejects.toThrow('计费量 16kg 低于首档 21kg');
    expect((await freight(id)).charges).toEqual([]);
  });

  it('never keeps an order from leaving, and says why there is no estimate', async () => {
    const none = await sentBoxes(world, house, [{ 'D-US': 5 }], { channelId: null });
    expect(await freight(none)).toMatchObject({ charges: [], lines: [], why: '发货单未选择渠道，没有预估' });
    const unmeasured = await sentBoxes(world, house, [{ 'D-US': 5 }], { size: { weight: null } });
    expect((await freight(unmeasured)).charges).toEqual([]);
    const { timeline } = await detail(house, unmeasured);
    expect(timeline).toContainEqual(
      expect.objectContaining({ title: '头程费用未预估', body: '第 1 箱缺少重量，无法计费' }),
    );
  });

  it('is refused where it cannot be shared, and nothing of the bill is booked', async () => {
    const { id: by } = await house.owner.call(saveCarrier, {
      body: { name: '一口价货代', channels: [{ name: '一口价', mode: 'AIR', country: 'US' }] } as never,
    });
    const flat = (await house.owner.call(carrierDetail, { params: { id: by } })).channels[0]?.id ?? '';
    const card = { channelId: flat, validFrom: world.clock.today(), currency: 'CNY', minCharge: '50' };
    await house.owner.call(addCard, { body: { ...card, tiers: [{ from: '0', price: '1' }] } as never });
    const mixed = await sentBoxes(world, house, [{ 'A-US': 5, 'D-US': 5 }], { channelId: null });
    const number = await numberOf(house, mixed);
    // Its estimate is known, the shares of its lines are not.
    await house.packer.call(putShipWay, { body: { id: mixed, shipmentNo: '', trackingNo: '', channelId: flat } });
    expect((await freight(mixed)).expectedTotal).toBe('50.00');
    expect(await feesOf(house, number)).toEqual(['A-US    estimated', 'D-US    estimated']);
    const before = await owed(house);
    const one = await pendingBill(world, house, [{ reference: number, amount: '10' }]);
    await expect(confirm(one)).rejects.toThrow(`发货单 ${number}：SKU【D-US】缺少尺寸或重量，无法计算计费重`);
    expect(await owed(house)).toEqual(before);
    expect((await billOf(one)).bill.state).toBe('pending');
    // By pieces it can be.
    await house.chief.call(freightSteps.reject, { body: { id: one, reason: '改按件数分摊' } });
    const { input } = await billOf(one);
    await house.clerk.call(saveFreightBill, { body: { ...input, base: 'PIECES' } });
    await house.clerk.call(freightSteps.submit, { body: { id: one } });
    await confirm(one);
    expect(sharesOf(await billOf(one))).toEqual(['A-US 5.00 5.0000 0.0000 5.00', 'D-US 5.00 5.0000 0.0000 5.00']);
  });

  it('of an order that moved no stock of ours goes to its lines and to no layer', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 4 }], {}, { stockMode: 'PLATFORM' });
    const number = await numberOf(house, id);
    const one = await bill(world, house, [{ reference: number, amount: '20' }]);
    expect(sharesOf(await billOf(one))).toEqual(['A-US 20.00 0.0000 0.0000 20.00']);
    const byValue = await pendingBill(world, house, [{ reference: number, amount: '5' }], { base: 'VALUE' });
    await expect(confirm(byValue)).rejects.toThrow('没有库存成本，无法按货值分摊');
  });
});

describe('a freight bill', () => {
  it('is written once, for orders that are known, and changed only as a draft', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 2 }], { trackingNo: 'SAME' });
    const other = await sentBoxes(world, house, [{ 'A-US': 2 }], { trackingNo: 'SAME' });
    const number = await numberOf(house, id);
    const head = { carrierId: house.carrier, billNo: 'YH-ONE', day: world.clock.today() };
    const save = (lines: object[], more: object = {}) =>
      house.clerk.call(saveFreightBill, { body: { ...head, lines, ...more } as never });
    const line = { reference: number, amount: '10' };
    await expect(save([line, { ...line, reference: 'XX1' }])).rejects.toThrow('第 2 行：没有单号为【XX1】的发货单');
    await expect(save([{ ...line, reference: 'SAME' }])).rejects.toThrow('单号【SAME】对应 2 张发货单，请改填发货单号');
    await expect(save([{ ...line, amount: '10.5' }], { currency: 'JPY' })).rejects.toThrow(
      '第 1 行：JPY 的金额不能有小数',
    );
    await expect(save([line], { day: dayAfter(world.clock.today(), 1) })).rejects.toThrow('账单日期不能晚于今天');
    await expect(save([line], { carrierId: randomUUID() })).rejects.toThrow('物流商不存在');
    const found = await house.clerk.call(findFreightOrders, { body: { references: [number, 'same', 'nothing'] } });
    expect(found.map((one) => [one.reference, one.orders])).toEqual([
      [number, 1],
      ['same', 2],
    ]);

    const saved = await save([line]);
    await expect(save([line], { billNo: 'yh-one' })).rejects.toThrow(`【yh-one】已录入：${saved.number}`);
    const stale = { id: saved.id, version: saved.version };
    const again = await save([line, { reference: await numberOf(house, other), amount: '5.5' }], stale);
    await expect(save([line], stale)).rejects.toThrow('修改，请刷新后重试');
    expect((await billOf(saved.id)).bill).toMatchObject({ amount: '15.50', orders: 2, version: again.version });
    await house.clerk.call(freightSteps.submit, { body: { id: saved.id } });
    await expect(save([line], { id: saved.id })).rejects.toThrow('单据状态为【待审核】，不能执行【修改】');
    await house.clerk.call(freightSteps.cancel, { body: { id: saved.id, reason: '重复' } });
    expect(await house.clerk.call(countFreightBills, { body: { filter: { keyword: 'YH-ONE' } } })).toMatchObject({
      all: 1,
      cancelled: 1,
    });
    const file = await house.clerk.send(exportFreightBills, {
      body: { format: 'xlsx', filter: { keyword: 'YH-ONE' } },
    });
    expect((await readSheet(file.raw)).flat()).toContain(saved.number);
  });

  it('asks for whom to pay, for another pair of eyes, and for the return of its payment request before it is taken back', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 2 }]);
    const number = await numberOf(house, id);
    const { id: nobody } = await house.owner.call(saveCarrier, {
      body: { name: '没有供应商的货代', channels: [] } as never,
    });
    const unpaid = await pendingBill(world, house, [{ reference: number, amount: '10' }], { carrierId: nobody });
    await expect(confirm(unpaid)).rejects.toThrow('物流商【没有供应商的货代】没有选择结算供应商');
    await expect(
      house.owner.call(saveCarrier, { body: { name: '外人的', supplierId: randomUUID(), channels: [] } as never }),
    ).rejects.toThrow('结算供应商不存在或已拉黑');

    const { id: own } = await house.owner.call(saveFreightBill, {
      body: {
        carrierId: house.carrier,
        billNo: 'OWN',
        day: world.clock.today(),
        lines: [{ reference: number, amount: '12' }],
      } as never,
    });
    await house.owner.call(freightSteps.submit, { body: { id: own } });
    await expect(house.owner.call(freightSteps.confirm, { body: { id: own } })).rejects.toThrow(
      '制单人不能审核自己的单据',
    );
    await confirm(own);
    const { bill: row } = await billOf(own);
    const asked = await house.owner.call(saveRequest, {
      body: {
        kind: 'BALANCE',
        party: { kind: 'SUPPLIER', id: house.supplier },
        subject: { type: 'shipping.freight', id: own, number: row.number },
        lines: [{ title: '物流费', amount: '12' }],
      },
    });
    await house.owner.call(requestSteps.submit, { body: { id: asked.id } });
    await expect(reverse(own)).rejects.toThrow('该账单存在未完成的请款，请先撤回');
    await house.owner.call(requestSteps.withdraw, { body: { id: asked.id } });
    await reverse(own);
    expect((await billOf(own)).money).toMatchObject({ owed: '0' });
  });

  it('is of orders within reach alone', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 2 }]);
    const number = await numberOf(house, id);
    const pending = await pendingBill(world, house, [{ reference: number, amount: '10' }]);
    const stranger = await createForwarded(world);
    await expect(stranger.chief.call(freightBillDetail, { params: { id: pending } })).rejects.toThrow('物流账单不存在');
    await expect(stranger.chief.call(freightSteps.confirm, { body: { id: pending } })).rejects.toThrow(
      '物流账单不存在',
    );
    await expect(pendingBill(world, stranger, [{ reference: number, amount: '10' }])).rejects.toThrow('没有单号为');
    const { id: order } = await draft(stranger, [['A-US', 1]]);
    await expect(
      stranger.packer.call(putShipWay, {
        body: { id: order, shipmentNo: '', trackingNo: '', channelId: house.channel },
      }),
    ).rejects.toThrow('渠道不存在');
  });
});

describe('data rights', () => {
  it('show of a bill the orders within reach, and let nobody decide on a part of it', async () => {
    const id = await sentBoxes(world, house, [{ 'A-US': 2 }]);
    const pending = await pendingBill(world, house, [{ reference: await numberOf(house, id), amount: '10' }]);
    const codes = ['erp:freight:view', 'erp:freight:audit', 'erp:freight:reverse', 'amz:ship:view'];
    const narrow = await world.member(house.owner, codes);
    const admin = new pg.Client({ connectionString: world.databaseUrl });
    await admin.connect();
    await admin.query(
      `INSERT INTO identity.member_scope (company_id, member_id, dimension, mode) VALUES ($1, $2, 'warehouse', 'LIST')`,
      [narrow.companyId, narrow.userId],
    );
    await admin.end();
    const shown = await narrow.call(freightBillDetail, { params: { id: pending } });
    expect(shown).toMatchObject({ bill: { amount: '10.00', orders: 0 }, lines: [], matches: [], shares: [] });
    await expect(narrow.call(freightSteps.confirm, { body: { id: pending } })).rejects.toThrow('403');
    expect((await billOf(pending)).bill.state).toBe('pending');
    await confirm(pending);
    await expect(narrow.call(freightSteps.reverse, { body: { id: pending, reason: '看不到' } })).rejects.toThrow('403');
    expect((await billOf(pending)).bill.state).toBe('confirmed');
  });
});

describe('settings of freight', () => {
  it('say from where on a bill differs, and how bills are shared', async () => {
    expect(await house.clerk.call(readFreightSetting, {})).toEqual({ base: 'BILLABLE', threshold: '0.05' });
    await expect(house.clerk.call(saveFreightSetting, { body: { base: 'WEIGHT', threshold: '0.1' } })).rejects.toThrow(
      '403',
    );
    await house.chief.call(saveFreightSetting, { body: { base: 'WEIGHT', threshold: '0.00' } });
    const id = await sentBoxes(world, house, E4);
    const one = await pendingBill(world, house, [{ reference: await numberOf(house, id), amount: '663.21' }]);
    expect((await billOf(one)).matches).toMatchObject([{ state: 'differs', difference: '0.01' }]);
    await house.chief.call(saveFreightSetting, { body: { base: 'BILLABLE', threshold: '0.05' } });
    expect((await billOf(one)).matches).toMatchObject([{ state: 'fits' }]);
  });
});

describe('the demo', () => {
  it("has a forwarder's bill that is booked, and one with a surcharge that waits", async () => {
    const demo = await createForwarded(world);
    await world.as(demo.owner, (ctx) => demoTransport(ctx));
    for (const [sku, transport] of [
      ['A-US', 'SEA'],
      ['B-US', 'AIR'],
    ] as const) {
      const id = await sentBoxes(world, demo, [{ [sku]: 20 }, { [sku]: 20 }], { channelId: null }, { transport });
      const way = { id, shipmentNo: '', trackingNo: '', carrier: '深圳远航货运代理' };
      await demo.packer.call(putShipWay, { body: way });
    }
    const system = systemPrincipal(demo.owner.companyId, '演示');
    await inTenant(world.runtime, system, (ctx) => demoFreight(ctx));
    const { records } = await demo.chief.call(listFreightBills, { body: {} });
    // 32 kg × 12.5 + 100; (16 − 0.4 → 16) kg × 2 × 47.5 × 1.08 + 100 and the surcharge.
    expect(records.map((one) => [one.billNo, one.state, one.amount])).toEqual([
      ['YH-1108', 'pending', '1880.21'],
      ['YH-1107', 'confirmed', '500.01'],
    ]);
    const waiting = await demo.chief.call(freightBillDetail, { params: { id: records[0]?.id ?? '' } });
    expect(waiting.matches).toMatchObject([{ state: 'differs', estimated: '1741.60', difference: '138.61' }]);
  });
});
