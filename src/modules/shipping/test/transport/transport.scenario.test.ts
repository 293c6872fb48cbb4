import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { stocked } from '#test/support/house.ts';
import { publishRates } from '#test/support/rates.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { putShipBoxes, shipSteps } from '../../contract/order-calls.ts';
import {
  addCard,
  cardSheet,
  carrierDetail,
  channelCards,
  compareChannels,
  countCarriers,
  exportCarriers,
  importCard,
  listCarriers,
  listChannels,
  quoteChannel,
  saveCarrier,
} from '../../contract/transport/calls.ts';
import { demoTransport } from '../../server/demo-transport.ts';
import { approved, createShipper, lineOf, type Shipper } from '../support.ts';

let world: World;
let shipper: Shipper;
let clerk: Person;
let reader: Person;
let today: string;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A'], { 'A-US': [['A', 1]] });
  await publishRates(world, { USD: '7.2' });
  clerk = await world.member(shipper.owner, ['erp:trans:view', 'erp:trans:edit', 'erp:trans:import']);
  reader = await world.member(shipper.owner, ['erp:trans:view']);
  today = world.clock.today();
});
afterAll(() => world.close());

const SEA = {
  name: '美西海派',
  mode: 'SEA' as const,
  country: 'US',
  zone: 'ONT,LGB,美西',
  daysMin: 22,
  daysMax: 28,
  weightStep: '0.5',
};
const CARD = {
  currency: 'CNY',
  fees: [{ name: '报关费', amount: '100', per: 'SHIPMENT' as const }],
  tiers: [
    { from: '21', to: '50', price: '9.5' },
    { from: '51', to: '100', price: '8.8' },
  ],
};
const FOUR = { count: 4, length: '60', width: '40', height: '40', weight: '15.2' };

/** A carrier with channels, by name. */
async function carrier(name: string, channels: readonly object[], by = clerk) {
  const { id } = await by.call(saveCarrier, { body: { name, channels } as never });
  const detail = await by.call(carrierDetail, { params: { id } });
  return { id, ids: Object.fromEntries(detail.channels.map((channel) => [channel.name, channel.id])) };
}

const addTo = (channelId: string | undefined, card: object = {}, by = clerk) =>
  by.call(addCard, { body: { channelId: channelId ?? '', ...CARD, validFrom: today, ...card } as never });

describe('a carrier', () => {
  it('is written with its channels, found again, and never under the name of another', async () => {
    const { id } = await carrier('远航货代', [SEA, { name: '美东空派', mode: 'AIR', country: 'US', zone: '美东' }]);
    const { form, channels, row } = await reader.call(carrierDetail, { params: { id } });
    expect(row).toMatchObject({ state: 'active', channels: 2, priced: 0, ending: 0 });
    expect(channels.map((one) => [one.name, one.weightStep, one.divisor, one.card])).toEqual([
      ['美西海派', '0.5', 6000, null],
      ['美东空派', '0', 6000, null],
    ]);
    await expect(carrier('远航货代', [])).rejects.toThrow('物流商【远航货代】已存在');
    const [first, second] = channels.map(({ card: _, ...channel }) => channel);
    const body = { id, version: row.version, ...form, phone: '0755-8888', channels: [{ ...first, daysMax: 30 }] };
    await clerk.call(saveCarrier, { body: body as never });
    await expect(clerk.call(saveCarrier, { body: body as never })).rejects.toThrow('修改，请刷新后重试');
    const again = await reader.call(carrierDetail, { params: { id } });
    expect(again.channels.map((one) => one.daysMax)).toEqual([30, null]);
    expect(again.form.phone).toBe('0755-8888');
    await expect(
      clerk.call(saveCarrier, { body: { id, ...form, channels: [{ ...SEA, name: second?.name }] } as never }),
    ).rejects.toThrow('渠道【美东空派】已存在');
    await expect(carrier('又一家', [{ ...SEA, daysMin: 9, daysMax: 8 }])).rejects.toThrow('时效止不能小于起');
    const { records } = await reader.call(listCarriers, { body: { filter: { keyword: '美东', mode: ['AIR'] } } });
    expect(records.map((one) => one.name)).toEqual(['远航货代']);
    expect((await reader.call(listCarriers, { body: { filter: { country: 'DE' } } })).total).toBe(0);
  });

  it('is changed by those who may alone', async () => {
    await expect(carrier('没有权限', [], reader)).rejects.toThrow('403');
    const { ids } = await carrier('权限货代', [SEA]);
    await expect(addTo(ids.美西海派, {}, reader)).rejects.toThrow('403');
  });

  it('that is over is out of choices and comparisons, and stays in the list', async () => {
    const { id, ids } = await carrier('停用货代', [{ ...SEA, country: 'FR' }]);
    await addTo(ids.美西海派);
    const before = await reader.call(compareChannels, { body: { boxes: [FOUR], country: 'FR' } });
    expect(before.quotes).toHaveLength(1);
    const { form } = await reader.call(carrierDetail, { params: { id } });
    await clerk.call(saveCarrier, { body: { id, ...form, disabled: true } });
    expect((await reader.call(compareChannels, { body: { boxes: [FOUR], country: 'FR' } })).quotes).toEqual([]);
    expect((await reader.call(listChannels, {})).some((one) => one.carrier === '停用货代')).toBe(false);
    expect(await reader.call(countCarriers, { body: { filter: { keyword: '停用' } } })).toEqual({
      all: 1,
      active: 0,
      disabled: 1,
    });
    const file = await reader.send(exportCarriers, { body: { format: 'xlsx', filter: { state: 'disabled' } } });
    expect((await readSheet(file.raw)).flat()).toContain('停用货代');
  });
});

describe('a price card', () => {
  it('takes the place of the one before and leaves it as it was', async () => {
    const { id, ids } = await carrier('版本货代', [{ ...SEA, country: 'JP' }]);
    const first = await addTo(ids.美西海派, { validFrom: dayAfter(today, -30) });
    const second = await addTo(ids.美西海派, { validTo: dayAfter(today, 10), tiers: [{ from: '0', price: '7' }] });
    const third = await addTo(ids.美西海派, { validFrom: dayAfter(today, 5), currency: 'USD' });
    expect([first.seq, second.seq, third.seq]).toEqual([1, 2, 3]);
    const cards = await reader.call(channelCards, { params: { id: ids.美西海派 ?? '' } });
    expect(cards.map((card) => [card.seq, card.state, card.validFrom, card.endsOn, card.tierText])).toEqual([
      [3, 'coming', dayAfter(today, 5), null, '21–50: 9.5；51–100: 8.8'],
      [2, 'current', today, dayAfter(today, 4), '0+: 7'],
      [1, 'replaced', dayAfter(today, -30), dayAfter(today, -1), '21–50: 9.5；51–100: 8.8'],
    ]);
    const on = async (day: string) => {
      const quote = { boxes: [FOUR], channelId: ids.美西海派 ?? '', day };
      const { versionId, total, currency } = await reader.call(quoteChannel, { body: quote });
      return [versionId, total, currency];
    };
    expect(await on(dayAfter(today, -1))).toEqual([first.id, '663.20', 'CNY']);
    expect(await on(today)).toEqual([second.id, '548.00', 'CNY']);
    expect(await on(dayAfter(today, 5))).toEqual([third.id, '663.20', 'USD']);
    expect(await on(dayAfter(today, -31))).toEqual([null, null, 'CNY']);
    expect((await reader.call(carrierDetail, { params: { id } })).channels[0]?.card?.seq).toBe(2);
  });

  it('is added once, however often it is sent, and by many at once', async () => {
    const { ids } = await carrier('重复货代', [{ ...SEA, country: 'IT' }]);
    const added = await Promise.all(Array.from({ length: 8 }, () => addTo(ids.美西海派)));
    expect(added.filter((one) => one.added)).toHaveLength(1);
    const others = await Promise.all(
      Array.from({ length: 6 }, (_, n) => addTo(ids.美西海派, { remark: `第${n}次`, currency: 'USD' })),
    );
    expect(others.map((one) => one.seq).sort()).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('that cannot be is refused in words, and so is another unit under its prices', async () => {
    const { id, ids } = await carrier('校验货代', [{ ...SEA, country: 'ES' }]);
    await expect(addTo(ids.美西海派, { validTo: dayAfter(today, -1) })).rejects.toThrow('失效日期不能早于生效日期');
    await expect(
      addTo(ids.美西海派, {
        tiers: [
          { from: '1', to: '20', price: '9' },
          { from: '20', to: null, price: '8' },
        ],
      }),
    ).rejects.toThrow('第 2 档的起须大于上一档的止');
    await addTo(ids.美西海派);
    const { form } = await reader.call(carrierDetail, { params: { id } });
    const channels = [{ ...SEA, country: 'ES', id: ids.美西海派 ?? '', billUnit: 'CBM' as const }];
    await expect(clerk.call(saveCarrier, { body: { id, ...form, channels } })).rejects.toThrow('不能修改计费单位');
  });

  it('that ends soon is counted, unless another one follows', async () => {
    const { id, ids } = await carrier('到期货代', [
      { ...SEA, country: 'PL' },
      { ...SEA, name: '另一条', country: 'PL' },
    ]);
    await addTo(ids.美西海派, { validTo: dayAfter(today, 7) });
    await addTo(ids.另一条, { validTo: dayAfter(today, 60) });
    const counts = async () => (await reader.call(carrierDetail, { params: { id } })).row;
    expect(await counts()).toMatchObject({ channels: 2, priced: 2, ending: 1 });
    await addTo(ids.美西海派, { validFrom: dayAfter(today, 8) });
    expect(await counts()).toMatchObject({ priced: 2, ending: 0 });
  });
});

describe('a sheet with a price card', () => {
  const upload = (channelId: string, write: 'no' | 'yes', bytes: Buffer, by = clerk) =>
    uploadAs(world, by, importCard, { channelId, write }, { name: '价卡.xlsx', bytes });

  it('is what the download gives, comes in whole, and the same one again adds nothing', async () => {
    const { ids } = await carrier('导入货代', [{ ...SEA, country: 'NL' }]);
    const channel = ids.美西海派 ?? '';
    const { raw } = await reader.send(cardSheet, { params: { id: channel }, query: {} });
    const checked = await upload(channel, 'no', raw);
    expect(checked.data).toMatchObject({ problems: [], added: false, card: { validFrom: today, currency: 'CNY' } });
    expect(await reader.call(channelCards, { params: { id: channel } })).toEqual([]);
    expect((await upload(channel, 'yes', raw)).data.added).toBe(true);
    const again = await reader.send(cardSheet, { params: { id: channel }, query: {} });
    expect((await upload(channel, 'yes', again.raw)).data).toMatchObject({ problems: [], added: false });
    expect(await reader.call(channelCards, { params: { id: channel } })).toMatchObject([
      { seq: 1, origin: 'import', feeText: '报关费 100.00' },
    ]);
    expect((await upload(channel, 'yes', raw, reader)).status).toBe(403);
  });

  it('with bad lines names each, and nothing of it comes in', async () => {
    const { ids } = await carrier('错误货代', [{ ...SEA, country: 'SE' }]);
    const channel = ids.美西海派 ?? '';
    const rows = [
      ['项目', '内容', '起(含)', '止(含)', '金额', '计收方式'],
      ['生效日期', '2026/11/31', '', '', '', ''],
      ['燃油附加', '8', '', '', '', ''],
      ['阶梯', '', '21', '50', '九块五', ''],
      ['费用', '报关费', '', '', '100', '每托'],
      ['赠品', '', '', '', '', ''],
      ['燃油附加', '8%', '', '', '', ''],
    ];
    const { data } = await upload(channel, 'yes', await writeWorkbook([{ title: '价卡', rows }]));
    expect(data).toMatchObject({ rows: 6, added: false, card: null });
    expect(data.problems.map(({ line, column, value }) => [line, column, value])).toEqual([
      [2, '内容', '2026/11/31'],
      [3, '内容', '8'],
      [4, '金额', '九块五'],
      [5, '计收方式', '每托'],
      [6, '项目', '赠品'],
      [7, '项目', '燃油附加'],
    ]);
    expect(await reader.call(channelCards, { params: { id: channel } })).toEqual([]);
    const none = await upload(channel, 'yes', await writeWorkbook([{ title: '价卡', rows: [['项目']] }]));
    expect(none.data.problems[0]?.reason).toBe('缺少列【内容】');
    const tiers = [...rows.slice(0, 1), ['生效日期', today], ['阶梯', '', '5', '4', '1'], ['阶梯', '', '1', '', '1']];
    const order = await upload(channel, 'yes', await writeWorkbook([{ title: '价卡', rows: tiers }]));
    expect(order.data.problems).toMatchObject([{ line: 3, reason: '第 1 档的止不能小于起' }]);
  });
});

describe('a comparison', () => {
  let fast: Record<string, string>;

  beforeAll(async () => {
    const slow = await carrier('慢船', [{ ...SEA, country: 'UK', zone: '' }]);
    await addTo(slow.ids.美西海派);
    const other = await carrier('快件', [
      { name: '空派', mode: 'AIR', country: 'UK', daysMin: 5, daysMax: 8, divisor: 5000 },
      { name: '快递', mode: 'EXPRESS', country: 'UK', daysMin: 3, daysMax: 5, divisor: 5000 },
      { name: '半价', mode: 'AIR', country: 'UK', daysMin: 9, daysMax: 12, splitRate: '0.5' },
      { name: '旧卡', mode: 'AIR', country: 'UK', daysMin: 1, daysMax: 2 },
      { name: '无卡', mode: 'AIR', country: 'UK' },
      { name: '整柜', mode: 'SEA', country: 'UK', billUnit: 'CBM', kgPerCbm: '363' },
      { name: '日元', mode: 'SEA', country: 'UK' },
      { name: '只去南边', mode: 'SEA', country: 'UK', zone: 'BHX' },
    ]);
    fast = other.ids;
    await addTo(fast.空派, { tiers: [{ from: '0', price: '30' }], currency: 'USD' });
    await addTo(fast.快递, { tiers: [{ from: '0', price: '50' }], fuel: '0.1' });
    await addTo(fast.半价);
    await addTo(fast.旧卡, { validFrom: dayAfter(today, -9), validTo: dayAfter(today, -1) });
    await addTo(fast.整柜, { tiers: [{ from: '1', price: '1500' }] });
    await addTo(fast.日元, { tiers: [{ from: '0', price: '9' }], currency: 'JPY' });
    await addTo(fast.只去南边);
  });

  it('ranks all channels there by their sum, then by days, and says why the others have none', async () => {
    const found = await reader.call(compareChannels, { body: { boxes: [FOUR], country: 'uk', zone: 'LTN4' } });
    expect(found).toMatchObject({ day: today, country: 'UK', boxes: 4, weight: '60.800', volume: '0.384' });
    expect(found.quotes.map((one) => [one.channel, one.billable, one.total, one.totalCny, one.why])).toEqual([
      ['半价', '62.4', '649.12', '649.12', null],
      ['美西海派', '64', '663.20', '663.20', null],
      ['快递', '76.8', '4324.00', '4324.00', null],
      // 19.2 kg each at 30.00, and the declaration in the same currency.
      ['空派', '76.8', '2404.00', '17308.80', null],
      ['日元', '64', '676', null, '没有 JPY 的汇率，未参与排序'],
      ['旧卡', null, null, null, `价卡已于 ${dayAfter(today, -1)} 到期`],
      ['无卡', null, null, null, '没有价卡'],
      ['整柜', '0.384', null, null, '计费量 0.384m³ 低于首档 1m³'],
    ]);
    expect(found.quotes.filter((one) => one.cheapest).map((one) => one.channel)).toEqual(['半价']);
    expect(found.quotes.filter((one) => one.fastest).map((one) => one.channel)).toEqual(['快递']);
    const south = await reader.call(compareChannels, { body: { boxes: [FOUR], country: 'UK', zone: 'bhx4' } });
    expect(south.quotes.map((one) => one.channel)).toContain('只去南边');
  });

  it('gives no price for boxes that nobody measured', async () => {
    const bare = { ...FOUR, count: 1, weight: null };
    const found = await reader.call(compareChannels, { body: { boxes: [FOUR, bare], country: 'UK' } });
    expect(found).toMatchObject({ weight: null, volume: null });
    expect(found.quotes.every((one) => one.total === null)).toBe(true);
    expect(found.quotes.map((one) => one.why)).toContain('第 5 箱缺少重量，无法计费');
    await expect(reader.call(compareChannels, { body: { country: 'UK' } })).rejects.toThrow('请填写箱子');
    await expect(reader.call(compareChannels, { body: { boxes: [FOUR] } })).rejects.toThrow('请选择目的国');
  });

  it('takes the boxes of a ship order, for those alone who see it', async () => {
    await stocked(world, shipper, 'A', 8, '2');
    const id = await approved(shipper, [['A-US', 8]]);
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    await expect(shipper.owner.call(compareChannels, { body: { orderId: id } })).rejects.toThrow('还没有装箱');
    const lineId = await lineOf(shipper, id, 'A-US');
    const box = { length: '60', width: '40', height: '40', weight: '15.2', items: [{ lineId, qty: 4 }] };
    await shipper.packer.call(putShipBoxes, { body: { id, boxes: [box, { ...box, weight: '20' }] } });
    const { ids } = await carrier('比价货代', [{ ...SEA, name: '订单渠道' }]);
    await addTo(ids.订单渠道);
    const found = await shipper.owner.call(compareChannels, { body: { orderId: id, zone: 'ONT8' } });
    expect(found).toMatchObject({ country: 'US', boxes: 2, weight: '35.200' });
    expect(found.quotes.find((one) => one.channel === '订单渠道')).toMatchObject({ billable: '36', total: '442.00' });
    await expect(reader.call(compareChannels, { body: { orderId: id } })).rejects.toThrow('403');
  });

  it('has forwarders to choose from in the demo', async () => {
    const owner = await world.owner();
    await world.as(owner, demoTransport);
    const { records } = await owner.call(listCarriers, { body: { filter: {} } });
    expect(records.map((one) => [one.name, one.channels, one.priced, one.ending])).toEqual([
      ['义乌捷运国际物流', 3, 3, 0],
      ['深圳远航货运代理', 3, 3, 1],
    ]);
    const boxes = [{ ...FOUR, count: 10 }];
    const { quotes } = await owner.call(compareChannels, { body: { boxes, country: 'US', zone: 'ONT8' } });
    expect(quotes.map((one) => [one.channel, one.total])).toEqual([
      ['普船海卡', '1630.00'],
      ['美森正班海派', '1908.00'],
      // By air 16 kg a box at 45.00, 8 % for fuel; by express 19.5 kg at 7.90 dollars, 15.75 % for fuel.
      ['美国空派', '7876.00'],
      ['红单快递', '1783.13'],
    ]);
    expect(quotes.filter((one) => one.cheapest || one.fastest).map((one) => one.channel)).toEqual([
      '普船海卡',
      '红单快递',
    ]);
  });

  it('is of the own company alone', async () => {
    const stranger = await world.owner();
    expect((await stranger.call(listCarriers, { body: { filter: {} } })).total).toBe(0);
    expect(await stranger.call(listChannels, {})).toEqual([]);
    expect((await stranger.call(compareChannels, { body: { boxes: [FOUR], country: 'UK' } })).quotes).toEqual([]);
    const channelId = fast.空派 ?? '';
    await expect(stranger.call(quoteChannel, { body: { boxes: [FOUR], channelId } })).rejects.toThrow('渠道不存在');
    await expect(stranger.call(channelCards, { params: { id: channelId } })).rejects.toThrow('渠道不存在');
    await expect(addTo(channelId, {}, stranger)).rejects.toThrow('渠道不存在');
    await expect(
      carrier('同名', [{ name: '抢来', mode: 'AIR', country: 'UK', id: channelId }], stranger),
    ).rejects.toThrow('渠道不存在');
    // The same name is free in another company.
    await carrier('远航货代', [SEA], stranger);
  });
});
