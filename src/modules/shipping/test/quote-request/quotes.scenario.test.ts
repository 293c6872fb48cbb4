import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { stocked } from '#test/support/house.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { freightBillDetail } from '../../contract/freight/calls.ts';
import { orderFreight } from '../../contract/freight/report.ts';
import { putShipBoxes, putShipWay, shipSteps } from '../../contract/order-calls.ts';
import {
  answerQuote,
  askQuotes,
  bookQuote,
  chooseQuote,
  countQuoteRequests,
  exportQuoteRequests,
  extendQuotes,
  importQuotes,
  listQuoteRequests,
  orderBooking,
  quoteGoods,
  quoteSheet,
  quoteSteps,
} from '../../contract/quote-request/calls.ts';
import { QuoteRequestInput } from '../../contract/quote-request/request.ts';
import { askForQuotes } from '../../server/quote-request/ask.ts';
import { requestDetail } from '../../server/quote-request/detail.ts';
import { requestRow } from '../../server/quote-request/list.ts';
import { remindExpired } from '../../server/quote-request/tell.ts';
import { bill, feesOf } from '../freight/support.ts';
import { detail, draft } from '../support.ts';
import { type Asker, answered, asked, createAsker, packed, planned, requestOf } from './support.ts';

let world: World;
let house: Asker;
let today: string;

beforeAll(async () => {
  world = await createWorld();
  house = await createAsker(world);
  today = world.clock.today();
});
afterAll(() => world.close());

const refusal = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'it went through',
    (error: Error) => error.message,
  );
const numberOf = async (id: string) => (await detail(house, id)).order.number;
const titles = () =>
  world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ title: string }>`
      SELECT title FROM message.message WHERE company_id = ${ctx.companyId} AND event = 'shipping.quoteRequest'
       ORDER BY id`.execute(ctx.db);
    return rows.map((row) => row.title);
  });

describe('asking forwarders', () => {
  it('goes from the question over three answers to a booking, and the bill is held against what was agreed', async () => {
    const order = await planned(world, house, 80);
    const number = await numberOf(order);
    // Nothing is packed: 80 pieces are four cases of 50×40×30 cm and 12.5 kg.
    const [goods] = await house.buyer.call(quoteGoods, { body: { orderIds: [order], divisor: 6000 } });
    expect(goods).toMatchObject({
      order: number,
      boxes: 4,
      pieces: 80,
      weight: '50.000',
      volumetric: '40.00',
      volume: '0.240',
      basis: 'ESTIMATED',
      specs: '4×50×40×30cm 12.5kg',
      why: '',
    });
    const id = await asked(world, house, [order], { mode: 'SEA', remark: '普货', postalCode: '90001' });
    const first = await requestOf(house, id);
    expect(first.request).toMatchObject({
      state: 'asking',
      orders: number,
      country: 'US',
      weight: '50.000',
      asked: 3,
      answered: 0,
      total: null,
      basis: 'ESTIMATED',
    });
    const text = first.asked.find((one) => one.carrier === '海龙')?.text ?? '';
    expect(text).toContain(`【询价 ${first.request.number}】海龙 您好`);
    expect(text).toContain('4×50×40×30cm 12.5kg');
    // Neither the store, the SKU, its title nor a price is a forwarder's business.
    expect(text).not.toMatch(/远航旗舰店|A-US|标题/);
    // The card of 远航 asks 9.50 for 21–50 kg and 100.00 for the declaration.
    expect(first.answers.map((one) => [one.kind, one.carrier, one.total, one.above])).toEqual([
      ['CARD', '远航', '575.00', null],
    ]);

    await answered(house, id, 'yuan', {
      price: '9.2',
      quantity: '50',
      otherFee: '100',
      days: 25,
      channelId: house.channel,
    });
    const usd = await answered(house, id, 'hai', {
      price: '1.2',
      quantity: '50',
      tax: '5.5',
      currency: 'USD',
      days: 18,
    });
    const sheet = async (rows: string[][], write: 'no' | 'yes') => {
      const heads = ['询价单号', '货代', '单位', '单价', '计费重', '税费', '其他费用', '合计', '时效', '有效期'];
      const bytes = await writeWorkbook([{ title: '报价', rows: [heads, ...rows] }]);
      return (await uploadAs(world, house.buyer, importQuotes, { write }, { name: '报价.xlsx', bytes })).data;
    };
    const row = [first.request.number, 'FY', '方', '1,800', '0.24', '0', '￥68', '500', '30', dayAfter(today, 3)];
    const bad = await sheet([row.with(7, '500.01')], 'yes');
    expect(bad).toMatchObject({ written: false, problems: [{ line: 2, column: '总价', value: '500.01' }] });
    expect(await sheet([row], 'no')).toMatchObject({ answers: 1, written: false, problems: [] });
    expect((await requestOf(house, id)).request.answered).toBe(2);
    expect(await sheet([row], 'yes')).toMatchObject({ answers: 1, unchanged: 0, written: true });
    expect(await sheet([row], 'yes')).toMatchObject({ answers: 0, unchanged: 1, written: true });
    expect(await titles()).toEqual([`物流询价 ${first.request.number} 已全部报价`]);

    const { answers } = await requestOf(house, id);
    const rate = '7.2';
    expect(answers.map((one) => [one.carrier, one.kind, one.currency, one.total, one.cheapest, one.fastest])).toEqual([
      ['海龙', 'ANSWER', 'USD', '65.50', true, true],
      ['飞翼', 'ANSWER', 'CNY', '500.00', false, false],
      ['远航', 'ANSWER', 'CNY', '560.00', false, false],
      ['远航', 'CARD', 'CNY', '575.00', false, false],
    ]);
    const cheapest = answers[0]?.totalCny ?? '0';
    expect(Number(cheapest) / 65.5).toBeCloseTo(Number(rate), 0);
    expect(answers[1]?.above).toBe((Math.round((500 / Number(cheapest) - 1) * 1e4) / 1e4).toString());

    // It is packed after all, heavier than thought.
    await packed(house, order, [20, 20, 20, 20]);
    expect((await requestOf(house, id)).goods).toMatchObject([
      { changed: true, boxes: 4, weight: '50.000', now: '4 箱 80 件，60.800 kg，0.384 m³' },
    ]);

    const { version } = (await requestOf(house, id)).request;
    await expect(house.buyer.call(chooseQuote, { body: { id, answerId: usd } })).rejects.toThrow('403');
    await house.boss.call(chooseQuote, { body: { id, version, answerId: usd } });
    expect((await detail(house, order)).order).toMatchObject({ carrier: '海龙', channelId: null, transport: 'SEA' });
    expect((await requestOf(house, id)).request).toMatchObject({ state: 'chosen', carrier: '海龙', total: '65.50' });
    const booking = { bookingNo: 'BK-77', vessel: 'MATSON 401E', cargoCutoff: today, portCutoff: dayAfter(today, 1) };
    const wrong = { ...booking, cargoCutoff: dayAfter(today, 2) };
    expect(await refusal(house.boss.call(bookQuote, { body: { id, ...wrong } as never }))).toMatch(
      '截货日不能晚于截港日',
    );
    await house.boss.call(bookQuote, { body: { id, ...booking, handover: 'HAND_IN', place: '盐田仓' } as never });
    // Whoever packs sees where it goes, not what it costs.
    const seen = await house.packer.call(orderBooking, { params: { id: order } });
    expect(seen.booking).toMatchObject({ state: 'booked', bookingNo: 'BK-77', carrier: '海龙', place: '盐田仓' });
    expect(JSON.stringify(seen)).not.toContain('65.5');
    expect(seen.requests).toEqual([{ id, number: first.request.number, chosen: true }]);

    await house.packer.call(shipSteps.ship, { body: { id: order } });
    const freight = () => house.chief.call(orderFreight, { params: { id: order } });
    expect(
      (await freight()).charges.map((one) => [one.bill, one.kind, one.currency, one.amount, one.billedWeight]),
    ).toEqual([
      ['物流报价', 'FREIGHT', 'USD', '60.00', '50'],
      ['物流报价', 'DUTY', 'USD', '5.50', null],
    ]);
    expect(await feesOf(house, number)).toEqual([expect.stringMatching(`^A-US 64 ${cheapest} `)]);
    expect(await refusal(house.boss.call(quoteSteps.unbook, { body: { id, reason: '换船' } }))).toMatch(
      `发货单 ${number} 已出库，不能取消订舱`,
    );
    const billed = await bill(world, house, [{ reference: number, amount: '66', billedWeight: '55' }], {
      carrierId: house.carrier,
      currency: 'USD',
    });
    const { matches } = await house.chief.call(freightBillDetail, { params: { id: billed } });
    // Duties are no part of the comparison: 60.00 were agreed, 66.00 are asked.
    expect(matches).toMatchObject([{ order: number, state: 'differs', share: '0.1', why: '计费重 55，预估 50' }]);
  });

  it('keeps older rounds, refuses what is over, and marks what came late', async () => {
    const order = await planned(world, house, 20);
    const id = await asked(world, house, [order]);
    const round1 = await answered(house, id, 'hai', { price: '10', validUntil: today });
    expect(
      (
        await house.buyer.call(answerQuote, {
          body: { id, carrierId: house.carriers.hai, price: '10.0', quantity: '64', validUntil: today } as never,
        })
      ).repeated,
    ).toBe(true);
    const round2 = await answered(house, id, 'hai', { price: '9.8', validUntil: today });
    const rounds = async () =>
      (await requestOf(house, id)).answers
        .filter((one) => one.kind === 'ANSWER')
        .map((one) => [one.round, one.total, one.superseded, one.expired, one.late]);
    expect(await rounds()).toEqual([
      [2, '627.20', false, false, false],
      [1, '640.00', true, false, false],
    ]);
    const say = (body: object) => refusal(house.boss.call(chooseQuote, { body: { id, ...body } as never }));
    expect(await say({ answerId: round1 })).toMatch('物流商【海龙】已有新的报价');
    expect(await say({ answerId: round2, version: 0 })).toMatch('单据已被');
    const wrong = house.buyer.call(answerQuote, {
      body: { id, carrierId: house.carriers.fei, price: '10', quantity: '64', total: '640.5' } as never,
    });
    expect(await refusal(wrong)).toMatch('总价 640.5 与计算的 640.00 不同');

    await world.advance(86_400_000);
    const now = world.clock.today();
    expect((await requestOf(house, id)).request.state).toBe('expired');
    expect(await say({ answerId: round2 })).toMatch(`物流商【海龙】的报价已于 ${today} 失效`);
    await answered(house, id, 'fei', { price: '11' });
    expect(await rounds()).toEqual([
      [1, '704.00', false, false, true],
      [2, '627.20', false, true, false],
      [1, '640.00', true, true, false],
    ]);
    await inTenant(world.runtime, systemPrincipal(house.owner.companyId), remindExpired);
    await inTenant(world.runtime, systemPrincipal(house.owner.companyId), remindExpired);
    const { number } = (await requestOf(house, id)).request;
    expect((await titles()).filter((title) => title.includes(number))).toEqual([`物流询价 ${number} 已到截止`]);
    // Another day is asked for; a request that is closed takes nothing any more.
    expect(await refusal(house.buyer.call(extendQuotes, { body: { id, until: dayAfter(now, -2) } }))).toMatch(
      '截止不能早于今天',
    );
    await house.buyer.call(extendQuotes, { body: { id, until: dayAfter(now, 2) } });
    expect((await requestOf(house, id)).request.state).toBe('asking');
    await house.buyer.call(quoteSteps.close, { body: { id, reason: '不发了' } });
    expect(await say({ answerId: round2 })).toMatch('询价单状态为【已关闭】，不能选中报价');
    const late = house.buyer.call(answerQuote, {
      body: { id, carrierId: house.carriers.fei, price: '1', quantity: '1' } as never,
    });
    expect(await refusal(late)).toMatch('询价单状态为【已关闭】，不能录入报价');
    today = now;
  });

  it('shares an answer over several orders to the cent, and a booking that is cancelled frees them', async () => {
    const [one, other] = [await planned(world, house, 80), await planned(world, house, 20)];
    await house.packer.call(putShipWay, { body: { id: one, shipmentNo: '', carrier: '自送', trackingNo: '' } });
    const id = await asked(world, house, [one, other]);
    const best = await answered(house, id, 'yuan', { price: '100', quantity: '1', unit: 'CBM', mode: 'AIR', days: 9 });
    const shares = () =>
      world.as(house.owner, async (ctx) => {
        const { rows } = await sql<{ freight: string | null }>`
          SELECT freight::text FROM shipping.quote_request_order
           WHERE company_id = ${ctx.companyId} AND request_id = ${id} ORDER BY line_no`.execute(ctx.db);
        return rows.map((row) => row.freight);
      });
    await house.boss.call(chooseQuote, { body: { id, answerId: best } });
    // Four cases and one.
    expect(await shares()).toEqual(['80.00', '20.00']);
    expect((await detail(house, one)).order).toMatchObject({ carrier: '远航', transport: 'AIR' });
    // The same orders are asked for once more: nobody chooses them twice.
    const again = await asked(world, house, [other]);
    const cheaper = await answered(house, again, 'fei', { price: '1' });
    expect(await refusal(house.boss.call(chooseQuote, { body: { id: again, answerId: cheaper } }))).toMatch(
      /发货单 FH\d+ 已在询价单 WX\d+ 选定物流商/,
    );
    await house.boss.call(quoteSteps.unbook, { body: { id, reason: '舱位取消' } });
    expect(await shares()).toEqual([null, null]);
    expect((await detail(house, one)).order).toMatchObject({ carrier: '自送', transport: 'SEA' });
    expect((await requestOf(house, id)).bookings).toMatchObject([
      { state: 'cancelled', why: '舱位取消', carrier: '远航' },
    ]);
    await house.boss.call(chooseQuote, { body: { id: again, answerId: cheaper } });
    expect((await house.packer.call(orderBooking, { params: { id: other } })).booking).toMatchObject({
      state: 'waiting',
      carrier: '飞翼',
    });
    await house.seller.call(shipSteps.cancel, { body: { id: one, reason: '不发了' } });
    expect(await refusal(house.boss.call(chooseQuote, { body: { id, answerId: best } }))).toMatch(
      /状态为【已取消】，不能选中/,
    );
  });

  it('lets one of two people choose, on one request and on two of the same order', async () => {
    const order = await planned(world, house, 20);
    const ids = [await asked(world, house, [order]), await asked(world, house, [order])];
    const wishes: { id: string; answerId: string }[] = [];
    for (const id of ids) {
      for (const carrier of ['hai', 'fei'] as const) wishes.push({ id, answerId: await answered(house, id, carrier) });
    }
    const said = await Promise.all(wishes.map((body) => refusal(house.boss.call(chooseQuote, { body }))));
    expect(said.filter((words) => words === 'it went through')).toHaveLength(1);
    for (const words of said.filter((one) => one !== 'it went through'))
      expect(words).toMatch(/409.*(已选中【|选定物流商)/);
  });

  it('asks for nothing that left, was not planned or goes elsewhere, and of nobody else', async () => {
    const plain = (await draft(house, [['A-US', 5]])).id;
    const ask = (body: object) =>
      refusal(
        house.buyer.call(askQuotes, {
          body: { orderIds: [plain], carrierIds: [house.carriers.hai], until: today, ...body } as never,
        }),
      );
    expect(await ask({})).toMatch(/状态为【草稿】，只有待审核到待出库的发货单可以询价/);
    const order = await planned(world, house, 20);
    expect(await ask({ orderIds: [order], until: dayAfter(today, -1) })).toMatch('截止不能早于今天');
    const stranger = await createAsker(world);
    const theirs = await planned(world, stranger, 20);
    expect(await ask({ orderIds: [theirs] })).toMatch('404');
    expect(await ask({ orderIds: [order], carrierIds: [stranger.carrier] })).toMatch('404');
    const id = await asked(world, house, [order]);
    const answer = (more: object) =>
      refusal(
        house.buyer.call(answerQuote, {
          body: { id, carrierId: house.carriers.yuan, price: '1', quantity: '1', ...more } as never,
        }),
      );
    expect(await answer({ channelId: stranger.channel })).toMatch('404');
    expect(await answer({ carrierId: stranger.carrier })).toMatch('404');
    const foreign = await asked(world, stranger, [theirs]);
    const answerId = await answered(stranger, foreign, 'hai');
    expect(await refusal(house.boss.call(chooseQuote, { body: { id, answerId } }))).toMatch('404');
    expect(await refusal(house.boss.call(chooseQuote, { body: { id: foreign, answerId } }))).toMatch('404');
  });

  it('is seen by whoever sees all of its orders', async () => {
    const order = await planned(world, house, 20);
    const id = await asked(world, house, [order]);
    const every = { store: null, account: null, warehouse: null };
    const as = <T>(scope: object, run: (ctx: Ctx) => Promise<T>): Promise<T> => {
      const side = { ...every, ...scope };
      const { companyId, userId } = house.owner;
      const principal = { sessionId: null, companyId, userId, userName: '测试', permissions: undefined };
      return inTenant(world.runtime, { ...principal, dataScope: { read: side, write: side } }, run);
    };
    const elsewhere = '00000000-0000-4000-8000-00000000000f';
    const seen = (scope: object) => as(scope, async (ctx) => (await requestRow(ctx, id))?.number ?? 'nothing');
    const { number } = (await requestOf(house, id)).request;
    expect(await seen({})).toBe(number);
    expect(await seen({ warehouse: [house.main] })).toBe(number);
    expect(await seen({ warehouse: [elsewhere] })).toBe('nothing');
    expect(await seen({ account: [house.account] })).toBe(number);
    expect(await seen({ account: [elsewhere] })).toBe('nothing');
    expect(await refusal(as({ account: [elsewhere] }, (ctx) => requestDetail(ctx, id)))).toMatch('物流询价不存在');
    const ask = { orderIds: [order], carrierIds: [house.carriers.hai], until: today };
    expect(
      await refusal(as({ account: [elsewhere] }, (ctx) => askForQuotes(ctx, QuoteRequestInput.parse(ask)))),
    ).toMatch('发货单不存在');
  });

  it('is listed by state with the best answer, found by any number, exported and given out as a sheet', async () => {
    const order = await planned(world, house, 20, 'A');
    await stocked(world, house, 'B', 1, '2');
    const id = await asked(world, house, [order]);
    await answered(house, id, 'hai', { price: '12', tax: '3', otherFee: '4' });
    await answered(house, id, 'fei', { price: '11' });
    const number = await numberOf(order);
    const find = async (filter: object) =>
      (await house.buyer.call(listQuoteRequests, { body: { filter } as never })).records;
    const [row] = await find({ keyword: number.toLowerCase() });
    expect(row).toMatchObject({
      id,
      orders: number,
      asked: 3,
      answered: 2,
      carrier: '飞翼',
      price: '11',
      total: '704.00',
    });
    expect(await find({ keyword: row?.number, state: 'asking' })).toHaveLength(1);
    expect(await find({ keyword: row?.number, state: 'expired' })).toHaveLength(0);
    expect(await find({ keyword: 'BK-7' })).toMatchObject([{ bookingNo: 'BK-77', state: 'booked' }]);
    const counts = await house.buyer.call(countQuoteRequests, { body: { filter: { keyword: number } } });
    expect(counts).toEqual({ asking: 1, all: 1 });
    const all = await house.buyer.call(countQuoteRequests, { body: {} });
    expect(all.all).toBe(Object.entries(all).reduce((sum, [key, n]) => (key === 'all' ? sum : sum + n), 0));
    const file = await house.buyer.send(exportQuoteRequests, { body: { format: 'xlsx', filter: { keyword: number } } });
    const table = await readSheet(file.raw);
    expect(table).toHaveLength(2);
    expect(table[0]).toContain('截止');

    // What a forwarder fills in is read as it is.
    const given = await house.buyer.send(quoteSheet, { params: { id }, query: { carrier: house.carriers.yuan } });
    const [heads = [], line = []] = await readSheet(given.raw);
    expect(line.slice(0, 2)).toEqual([row?.number, '远航']);
    const filled = heads.map(
      (head, at) => ({ '单价*': '9.99', '计费量*': '20', '时效(天)': '20' })[head] ?? line[at] ?? '',
    );
    const bytes = await writeWorkbook([{ title: '报价', rows: [heads, filled] }]);
    const sent = await uploadAs(world, house.buyer, importQuotes, { write: 'yes' }, { name: '询价表.xlsx', bytes });
    expect(sent.data).toMatchObject({ written: true, answers: 1, problems: [] });
    expect((await requestOf(house, id)).answers[0]).toMatchObject({ carrier: '远航', total: '199.80', days: '20' });
    // Boxes of another size are other goods, boxes that weigh the same are not.
    await house.packer.call(shipSteps.picked, { body: { id: order } });
    const lineId = (await detail(house, order)).lines[0]?.id ?? '';
    const box = { length: '50', width: '40', height: '30', weight: '12.50', items: [{ lineId, qty: 20 }] };
    await house.packer.call(putShipBoxes, { body: { id: order, boxes: [box] } });
    expect((await requestOf(house, id)).goods[0]?.changed).toBe(false);
  });
});
