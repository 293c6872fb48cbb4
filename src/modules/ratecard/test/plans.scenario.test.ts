import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { learnProducts, productIdsBySku } from '#modules/product/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listEstimates, readEstimate, removeEstimate, saveEstimate } from '../contract/estimates.ts';
import { planned } from '../contract/planned.ts';
import { defaultPlan, listPlans, type PlanSite, removePlan, savePlan } from '../contract/plans.ts';

let world: World;
let owner: Person;
let stranger: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  stranger = await world.owner();
});
afterAll(() => world.close());

const US: PlanSite = {
  country: 'US',
  freight: '12',
  divisor: '6000',
  vat: '',
  duty: '',
  ads: '10',
  returns: '2',
  other: '',
  fixed: '',
  months: '1',
};
const TYPED = {
  day: '2026-06-01',
  category: 'home',
  length: '30.48',
  width: '22.86',
  height: '7.62',
  weight: '0.635',
  cost: '20',
  firstLeg: '',
  duty: '',
  ads: '99',
  returns: '',
  other: '',
  fixed: '',
  months: '',
} as const;
const SITES = { US: { price: '24.99', vat: '', rate: '7' } };

async function put(name: string, more: object = {}) {
  return owner.call(savePlan, { body: { name, freightBy: 'GREATER', sites: [US], ...more } });
}

const product = (sku: string, name: string): Promise<string> =>
  world.as(owner, async (ctx) => {
    await learnProducts(ctx, [{ sku, name }]);
    return (await productIdsBySku(ctx, [sku])).get(sku) ?? '';
  });

describe('a plan', () => {
  test('is made, changed as it was seen, the first one being the default, and removed', async () => {
    const first = await put('海运');
    const second = await put('空运', { freightBy: 'VOLUME' });
    expect((await owner.call(listPlans, {})).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['海运', true],
      ['空运', false],
    ]);
    await owner.call(defaultPlan, { body: { id: second.id } });
    expect((await owner.call(listPlans, {})).map(({ name }) => name)).toEqual(['空运', '海运']);
    const changed = await put('海运慢船', { id: first.id, version: 1 });
    expect(changed).toEqual({ id: first.id, version: 2 });
    await expect(put('别名', { id: first.id, version: 1 })).rejects.toThrow('409');
    await expect(put('空运')).rejects.toThrow('方案名称：已有方案「空运」');
    await expect(put('重复', { sites: [US, US] })).rejects.toThrow('国家：不能重复');
    await owner.call(removePlan, { body: { id: second.id, version: 1 } });
    expect((await owner.call(listPlans, {})).map(({ name }) => name)).toEqual(['海运慢船']);
  });

  test('says which figure is wrong', async () => {
    await expect(put('错', { sites: [{ ...US, ads: '101' }] })).rejects.toThrow('广告不能超过100%');
    await expect(put('错', { sites: [{ ...US, freight: '-1' }] })).rejects.toThrow('头程单价须为不小于0的数字');
    await expect(put(' ')).rejects.toThrow('方案名称不能为空');
  });

  test('is the caller’s company’s alone', async () => {
    const [plan] = await owner.call(listPlans, {});
    expect(await stranger.call(listPlans, {})).toEqual([]);
    await expect(stranger.call(removePlan, { body: { id: plan?.id ?? '', version: 2 } })).rejects.toThrow('404');
    await expect(stranger.call(defaultPlan, { body: { id: plan?.id ?? '' } })).rejects.toThrow('404');
  });

  test('reckons freight by weight, volume or the greater of them', () => {
    const firstLeg = (freightBy: 'MANUAL' | 'WEIGHT' | 'VOLUME' | 'GREATER') =>
      planned({ freightBy, sites: [US] }, 'US', { ...TYPED, firstLeg: '3' }, undefined).typed.firstLeg;
    // 30.48 × 22.86 × 7.62 ÷ 6000 = 0.88490… kg at 12.
    expect([firstLeg('MANUAL'), firstLeg('WEIGHT'), firstLeg('VOLUME'), firstLeg('GREATER')]).toEqual([
      '3',
      '7.62',
      '10.62',
      '10.62',
    ]);
  });
});

describe('a calculation that is kept', () => {
  test('is reckoned again from what was typed in, and keeps the plan as it was', async () => {
    const productId = await product('CALC-1', '收纳盒');
    const { id } = await put('测算方案');
    const kept = await owner.call(saveEstimate, {
      body: { productId, planId: id, typed: TYPED, sites: SITES, remark: '旺季' },
    });
    expect(kept.countries).toBe(1);
    const { records } = await owner.call(listEstimates, { body: { filter: { keyword: 'calc' } } });
    // 24.99 - 3.75 - 6.10 - 0.21 - 0.15 - (2.86 + 1.52) - (2.50 + 0.50)
    expect(records).toMatchObject([
      {
        product: { code: 'CALC-1' },
        country: 'US',
        price: '24.9900',
        profit: '7.4000',
        planName: '测算方案',
        remark: '旺季',
      },
    ]);
    await put('测算方案', { id, version: 1, sites: [{ ...US, ads: '50' }] });
    const input = await owner.call(readEstimate, { params: { id: kept.calcId } });
    expect(input).toMatchObject({ typed: TYPED, plan: { name: '测算方案', sites: [US] }, product: { code: 'CALC-1' } });
    await owner.call(removeEstimate, { body: { calcId: kept.calcId } });
    expect((await owner.call(listEstimates, { body: {} })).records).toEqual([]);
  });

  test('of nothing that can be reckoned, of no product or of another company is refused', async () => {
    const productId = await product('CALC-2', '托盘');
    const body = { productId, typed: TYPED, sites: SITES };
    await expect(owner.call(saveEstimate, { body: { ...body, typed: { ...TYPED, weight: '' } } })).rejects.toThrow(
      '没有可以测算的站点，请检查尺寸、重量与汇率',
    );
    await expect(stranger.call(saveEstimate, { body })).rejects.toThrow('产品：不存在或已删除');
    const { calcId } = await owner.call(saveEstimate, { body });
    await expect(stranger.call(readEstimate, { params: { id: calcId } })).rejects.toThrow('404');
    await expect(stranger.call(removeEstimate, { body: { calcId } })).rejects.toThrow('404');
  });
});
