import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPlanned } from '#modules/warehouse/contract/planned.ts';
import { stocked } from '#test/support/house.ts';
import { DE, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listShipOrders, putShipBoxes, putShipReceived, putShipWay, shipSteps } from '../contract/order-calls.ts';
import {
  clearPlan,
  exportPlan,
  listPlan,
  type PlanFilter,
  type PlanInput,
  readPlanDays,
  savePlan,
  savePlanDays,
} from '../contract/plan.ts';
import {
  piecesByRatio,
  planItem,
  previewPlan,
  splitPlan,
  submitPlan,
  volumetricWeight,
} from '../contract/plan-submit.ts';
import { planPage } from '../server/plan/list.ts';
import { carton, european, FR, known, packed, usListing } from './plan-support.ts';
import { approved, createShipper, detail, draft, lineOf, type Shipper } from './support.ts';

let world: World;
let shipper: Shipper;
let planner: Person;
let europe: Awaited<ReturnType<typeof european>>;

const PLAN = ['view', 'edit', 'submit', 'delete', 'export'].map((action) => `erp:ship:plan:${action}`);

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B', 'C', 'D', 'E', 'EU-1', 'P'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['B', 2],
      ['C', 1],
    ],
    'D-US': [['D', 1]],
    'E-US': [['E', 1]],
    'P-US': [['P', 1]],
    'LOOSE-US': [],
  });
  planner = await world.member(shipper.owner, [...PLAN, 'amz:ship:view', 'erp:inv:view']);
  europe = await european(world, shipper);
  for (const msku of ['SET-US', 'D-US', 'E-US', 'P-US', 'LOOSE-US']) {
    await known(world, shipper, usListing(shipper, msku), []);
  }
});
afterAll(() => world.close());

const page = (filter: PlanFilter, more: object = {}) => planner.call(listPlan, { body: { filter, ...more } });
async function rowOf(msku: string, filter: PlanFilter = {}) {
  const { records } = await page({ keyword: msku, ...filter });
  const row = records.find((one) => one.product.code === msku);
  if (!row) throw new Error(`${msku} is not in the plan`);
  return row;
}

const input = (msku: string, qty: number, more: Partial<PlanInput> = {}) => ({
  authid: shipper.account,
  marketplaceId: US,
  msku,
  qty,
  warehouseId: shipper.main,
  ...more,
});
const plan = async (...items: ReturnType<typeof input>[]) => (await planner.call(savePlan, { body: { items } })).ids;
const submit = (groups: { ids: string[]; warehouseId?: string; transport?: 'SEA' | 'AIR'; plannedOn?: string }[]) =>
  planner.call(submitPlan, {
    body: { groups: groups.map((group) => ({ warehouseId: shipper.main, transport: 'SEA' as const, ...group })) },
  });

describe('FBA发货规划', () => {
  it('suggests what is missing until the goods after next arrive, in whole cartons', async () => {
    // 7 days: 35; 14 days: 56; 30 days: 90, that is 3 a day. Sea takes 45 days, 15 more are for safety: 180 are needed.
    const listing = usListing(shipper, 'A-US');
    await known(
      world,
      shipper,
      listing,
      [
        [3, 35],
        [10, 21],
        [20, 34],
        [31, 500],
      ],
      {
        fulfillable: 20,
        transfer: 4,
        processing: 1,
        customer: 7,
        inbound: 10,
      },
    );
    await stocked(world, shipper, 'A', 200, '2');
    // Sellable 20 + 4 + 1; inbound 10: 35 pieces last 11.7 days. 180 − 25 − 10 = 145.
    expect(await rowOf('A-US')).toMatchObject({
      suggested: 145,
      need: 180,
      targetDays: 60,
      daily: '3.00',
      daily7: '5.00',
      daily14: '4.00',
      coverDays: '11.7',
      fulfillable: 20,
      reserved: 12,
      sellable: 25,
      inbound: 10,
      transit: 0,
      waiting: 0,
      coming: 10,
      boxQty: null,
      local: 'A',
      available: '200',
      makeable: 200,
      promisable: 200,
      shared: '',
      planned: null,
    });
    await carton(world, shipper, 'A', 12);
    // A draft without Amazon's number comes on top: 180 − 25 − 10 − 8 = 137, that is 12 cartons of 12.
    await draft(shipper, [['A-US', 8]]);
    expect(await rowOf('A-US')).toMatchObject({ waiting: 8, coming: 18, boxQty: 12, suggested: 144 });
    // At the pace of the last week 300 are needed, by air at the pace of the month 81.
    expect(await rowOf('A-US', { pace: 'D7' })).toMatchObject({ need: 300, suggested: 264, coverDays: '7.0' });
    expect(await rowOf('A-US', { transport: 'AIR' })).toMatchObject({ targetDays: 27, need: 81, suggested: 48 });

    // 30 leave, 5 arrive. Amazon knows the shipment, so that it is not counted beside the 10 that Amazon names.
    const id = await approved(shipper, [['A-US', 30]]);
    await shipper.packer.call(shipSteps.picked, { body: { id } });
    const lineId = await lineOf(shipper, id, 'A-US');
    const box = { length: '60', width: '40', height: '40', weight: '15', items: [{ lineId, qty: 30 }] };
    await shipper.packer.call(putShipBoxes, { body: { id, boxes: [box] } });
    await shipper.packer.call(shipSteps.packed, { body: { id } });
    await shipper.packer.call(shipSteps.ship, { body: { id } });
    await shipper.packer.call(putShipReceived, { body: { id, lines: [{ lineId, total: 5 }] } });
    expect(await rowOf('A-US')).toMatchObject({ transit: 25, waiting: 8, coming: 10 + 25 + 8, suggested: 120 });
    await shipper.packer.call(putShipWay, { body: { id, shipmentNo: 'FBA15X', carrier: '', trackingNo: '' } });
    expect(await rowOf('A-US')).toMatchObject({ transit: 25, coming: 25 + 8, suggested: 132 });
  });

  it('reckons sites of one stock together and suggests for the one that sells most', async () => {
    await known(world, shipper, europe.de('EU-1'), [[5, 30]], { fulfillable: 40 });
    await known(world, shipper, europe.fr('EU-1'), [[5, 60]], { fulfillable: 40 });
    const { records } = await page({ authid: [europe.account] });
    const [fr, de] = ['FR', 'DE'].map((country) => records.find((row) => row.store.country === country));
    const both = { fulfillable: 40, need: 180, sharedDaily: '3.00', coverDays: '13.3', shared: 'DE、FR' };
    expect(fr).toMatchObject({ ...both, daily: '2.00', suggested: 140 });
    expect(de).toMatchObject({ ...both, daily: '1.00', suggested: 0 });
  });

  it('is filtered and sorted by cover and suggestion', async () => {
    const short = await page({ suggested: true }, { sort: 'coverDays', order: 'asc' });
    expect(short.records.map((row) => `${row.product.code} ${row.coverDays}`)).toEqual(['A-US 11.7', 'EU-1 13.3']);
    const most = await page({ site: [US, FR] }, { sort: 'suggested', order: 'desc' });
    expect(most.records.slice(0, 2).map((row) => row.suggested)).toEqual([140, 132]);
    expect((await page({ cover: 12 })).records.map((row) => row.product.code)).toEqual(['A-US']);
    expect((await page({ suggested: false })).records.every((row) => row.suggested === 0)).toBe(true);
  });

  it('goes out as a file with what lies at home', async () => {
    const body = {
      filter: { keyword: 'A-US' },
      format: 'csv' as const,
      columns: ['product', 'suggested', 'available'],
    };
    const file = await planner.send(exportPlan, { body });
    const [head, row, ...rest] = file.raw.toString('utf8').trim().split(/\r?\n/);
    expect(head).toContain('建议发货量');
    expect(row).toMatch(/A-US.*132.*170/);
    expect(rest).toEqual([]);
  });

  it('keeps the days of each way as the company sets them', async () => {
    const before = await planner.call(readPlanDays, {});
    expect(before.find((one) => one.transport === 'RAIL')).toEqual({ transport: 'RAIL', leadDays: 25, safetyDays: 15 });
    await planner.call(savePlanDays, { body: { days: [{ transport: 'SEA', leadDays: 30, safetyDays: 10 }] } });
    expect(await rowOf('A-US')).toMatchObject({ targetDays: 40, need: 120 });
    await planner.call(savePlanDays, { body: { days: [{ transport: 'SEA', leadDays: 45, safetyDays: 15 }] } });
  });

  it('plans a listing once for each warehouse and way', async () => {
    const [first] = await plan(input('D-US', 10));
    const [again] = await plan(input('D-US', 12));
    expect(again).toBe(first);
    await plan(input('D-US', 3, { transport: 'AIR' }));
    const row = await rowOf('D-US');
    expect(row.planned).toBe(15);
    expect(row.items.map(({ transport, qty, warehouse }) => `${transport} ${qty} ${warehouse}`)).toEqual([
      'SEA 12 深圳仓',
      'AIR 3 深圳仓',
    ]);
    const air = row.items[1];
    await expect(plan(input('D-US', 3, { id: air?.id, version: air?.version, transport: 'SEA' }))).rejects.toThrow(
      '该发货仓和运输方式已有同一平台SKU的计划',
    );
    await plan(input('D-US', 4, { id: air?.id, version: air?.version, transport: 'AIR' }));
    await expect(plan(input('D-US', 5, { id: air?.id, version: air?.version, transport: 'AIR' }))).rejects.toThrow(
      '计划已被他人修改',
    );
    await expect(plan(input('NOBODY', 1))).rejects.toThrow('站点没有由亚马逊配送的平台SKU【NOBODY】');
    await expect(plan(input('D-US', 1, { warehouseId: shipper.defective }))).rejects.toThrow('发货仓须为正品仓');
    expect(await planner.call(clearPlan, { body: { ids: row.items.map((item) => item.id) } })).toEqual({ removed: 2 });
    await expect(planner.call(clearPlan, { body: {} })).rejects.toThrow('没有待提交的计划');
  });

  it('makes one order for each store, site, warehouse and way, and none the second time', async () => {
    await stocked(world, shipper, 'B', 20, '1');
    await stocked(world, shipper, 'C', 8, '1');
    await stocked(world, shipper, 'E', 50, '1');
    await packed(world, shipper, 'E', '0.5', [10, 20, 30]);
    const [set, e, air, eu] = await plan(
      input('SET-US', 6, { plannedOn: '2026-11-25' }),
      input('E-US', 40, { plannedOn: '2026-11-22' }),
      input('E-US', 2, { transport: 'AIR' }),
      input('EU-1', 7, { authid: europe.account, marketplaceId: DE }),
    );
    const ids = [set, e, air, eu].map(String);
    const preview = await planner.call(previewPlan, { body: { ids } });
    expect(preview.map((one) => `${one.store.country} ${one.transport} ${one.skus} ${one.qty}`).sort()).toEqual([
      'DE SEA 1 7',
      'US AIR 1 2',
      'US SEA 2 46',
    ]);
    const sea = preview.find((one) => one.qty === 46);
    // 40 × 0.5 kg and 40 × 6,000 cm³; the set was never measured.
    expect(sea).toMatchObject({ weight: '20.000', volume: '240000.0', unmeasured: 1, plannedOn: '2026-11-22' });
    expect(volumetricWeight('240000.0', 'SEA')).toBe('40.00');
    expect(volumetricWeight('240000.0', 'EXPRESS')).toBe('48.00');
    expect(preview.find((one) => one.store.country === 'DE')?.lines[0]?.warnings).toBe('发货仓可承诺 0，不足 7');

    const groups = [
      { ids: [ids[0] ?? '', ids[1] ?? ''], plannedOn: '2026-11-24' },
      { ids: [ids[2] ?? ''], transport: 'AIR' as const },
      { ids: [ids[3] ?? ''], warehouseId: shipper.second },
    ];
    const { batch, orders } = await submit(groups);
    expect(batch).toMatch(/^FP261118\d{4}$/);
    expect(orders).toHaveLength(3);
    const made = await Promise.all(orders.map((order) => detail(shipper, order.id)));
    const words = made.map(
      ({ order, lines }) =>
        `${order.store.country} ${order.warehouse} ${order.transport} ${order.plannedOn} ${lines.map((line) => `${line.msku}×${line.qty}`).join(' ')}`,
    );
    expect(words.sort()).toEqual([
      'DE 义乌仓 SEA null EU-1×7',
      'US 深圳仓 AIR null E-US×2',
      'US 深圳仓 SEA 2026-11-24 SET-US×6 E-US×40',
    ]);

    const before = await planner.call(listShipOrders, { body: {} });
    await expect(submit(groups)).rejects.toThrow('所选计划中有已提交或已删除的项');
    expect((await planner.call(listShipOrders, { body: {} })).total).toBe(before.total);
    expect((await rowOf('E-US')).planned).toBeNull();
  });

  it('holds what was handed in softly for seven days, until the ledger does', async () => {
    // 50 E of which 42 are promised; a set takes 2 B and 1 C of 20 and 8, and 6 sets are promised.
    expect(await rowOf('E-US')).toMatchObject({
      available: '50',
      held: '42',
      makeable: 50,
      promisable: 8,
      waiting: 42,
    });
    expect(await rowOf('SET-US')).toMatchObject({ available: '20 / 8', held: '12 / 6', makeable: 8, promisable: 2 });
    const { records } = await shipper.seller.call(listShipOrders, { body: { filter: { keyword: 'SET-US' } } });
    const behind = await planner.call(listPlanned, {
      query: { productId: shipper.products.get('C') ?? '', warehouseId: shipper.main },
    });
    expect(behind.map(({ number, qty }) => [number, qty])).toEqual([[records[0]?.number, 6]]);
    const id = records[0]?.id ?? '';
    await shipper.seller.call(shipSteps.submit, { body: { id } });
    expect(await rowOf('SET-US')).toMatchObject({ held: '12 / 6', promisable: 2 });
    await shipper.lead.call(shipSteps.approve, { body: { id } });
    expect(await rowOf('SET-US')).toMatchObject({ available: '8 / 2', held: '0 / 0', makeable: 2, promisable: 2 });
    expect(await rowOf('E-US')).toMatchObject({ available: '10', held: '2' });
  });

  it('makes no order at all where one of them cannot be', async () => {
    const ids = await plan(input('D-US', 5), input('LOOSE-US', 5));
    const before = await planner.call(listShipOrders, { body: {} });
    const preview = await planner.call(previewPlan, { body: { ids } });
    expect(preview[0]?.blocked).toBe('平台SKU【LOOSE-US】未关联本地产品');
    const alone = ids.map((id, index) => ({ ids: [id], transport: index === 0 ? ('SEA' as const) : ('AIR' as const) }));
    await expect(submit(alone)).rejects.toThrow('平台SKU【LOOSE-US】未关联本地产品');
    expect((await planner.call(listShipOrders, { body: {} })).total).toBe(before.total);
    expect((await rowOf('D-US')).planned).toBe(5);
    await planner.call(clearPlan, { body: {} });
  });

  it('splits by site, warehouse and way; the parts add up to the whole', async () => {
    const at = { authid: europe.account, marketplaceId: FR };
    const [id = ''] = await plan(input('EU-1', 100, at));
    await plan(input('EU-1', 10, { ...at, marketplaceId: DE }));
    const item = await planner.call(planItem, { params: { id } });
    expect(item.sites).toEqual([
      { marketplaceId: FR, country: 'FR', shared: true },
      { marketplaceId: DE, country: 'DE', shared: true },
    ]);
    expect(piecesByRatio(100, [2, 1, 0])).toEqual([67, 33, 0]);
    expect(piecesByRatio(100, [0, 0])).toBeUndefined();
    const part = (marketplaceId: string, qty: number, more: object = {}) => ({
      marketplaceId,
      warehouseId: shipper.main,
      transport: 'SEA' as const,
      qty,
      ...more,
    });
    const split = (...parts: ReturnType<typeof part>[]) =>
      planner.call(splitPlan, { body: { id, version: item.version, parts } });
    await expect(split(part(FR, 60), part(DE, 33))).rejects.toThrow('拆分数量合计 93，须等于计划数量 100');
    await expect(split(part(FR, 50), part(FR, 50))).rejects.toThrow('站点、发货仓和运输方式重复');
    await expect(split(part(FR, 50), part(US, 50))).rejects.toThrow('站点没有由亚马逊配送的平台SKU【EU-1】');
    await split(part(FR, 47), part(FR, 20, { transport: 'AIR' }), part(DE, 33));
    const planned = (await page({ authid: [europe.account] })).records;
    // The 33 join the 10 that were planned for Germany.
    expect(planned.map((row) => [row.store.country, row.planned])).toEqual(
      expect.arrayContaining([
        ['FR', 67],
        ['DE', 43],
      ]),
    );
    await expect(split(part(FR, 100))).rejects.toThrow('计划项不存在');
  });

  it('is the own business of a company, and of those who may', async () => {
    const [id = ''] = await plan(input('P-US', 9));
    const stranger = await world.owner();
    expect((await stranger.call(listPlan, { body: {} })).total).toBe(0);
    expect(await stranger.call(previewPlan, { body: { ids: [id] } })).toEqual([]);
    await expect(
      stranger.call(submitPlan, { body: { groups: [{ ids: [id], warehouseId: shipper.main, transport: 'SEA' }] } }),
    ).rejects.toThrow('所选计划中有已提交或已删除的项');
    await expect(stranger.call(clearPlan, { body: { ids: [id] } })).rejects.toThrow('没有待提交的计划');
    await expect(stranger.call(savePlan, { body: { items: [input('P-US', 1)] } })).rejects.toThrow(
      '店铺不存在或已取消授权',
    );
    const looker = await world.member(shipper.owner, ['erp:ship:plan:view']);
    expect((await looker.call(listPlan, { body: { filter: { keyword: 'P-US' } } })).records[0]?.planned).toBe(9);
    await expect(
      looker.call(submitPlan, { body: { groups: [{ ids: [id], warehouseId: shipper.main, transport: 'SEA' }] } }),
    ).rejects.toThrow();
  });

  it('lets go of what was handed in after seven days', async () => {
    const held = () =>
      world.as(shipper.owner, async (ctx) => {
        const { records } = await planPage(ctx, { currentpage: 1, pagesize: 20, filter: { keyword: 'E-US' } });
        return records.filter((row) => row.product.code === 'E-US').map((row) => `${row.held} ${row.promisable}`);
      });
    const day = 86_400_000;
    await world.advance(6.9 * day);
    expect(await held()).toEqual(['2 8']);
    await world.advance(0.2 * day);
    expect(await held()).toEqual(['0 10']);
  });
});
