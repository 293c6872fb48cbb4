import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getRemind } from '#modules/message/contract/messages.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { forecastSeries, listForecasts } from '../contract/forecast.ts';
import { saveOverride } from '../contract/overrides.ts';
import { copyPromotions, dropPromotions, listPromotionDays, savePromotion } from '../contract/promotions.ts';
import { runAccount } from '../server/run.ts';
import { dayPlus } from '../server/stocks.ts';
import { type Sold, sell } from './support.ts';

const DAYS = 300;
/** Weeks that were promotions, by their first day; the last of them ends with the history. */
const WEEKS = [120, 200, 260];
const promoted = (day: number) => WEEKS.some((first) => day >= first && day < first + 7);
const SOLD: Sold = {
  'P-DEAL': (day) => (promoted(day) ? 30 : 10),
  'P-PLAIN': () => 10,
};

let world: World;
let owner: Person;
let account: string;
let site: string;
let cutoff: string;

const run = () => runAccount(world.runtime, owner.companyId, account);
const dayOf = (day: number) => dayPlus(cutoff, day - DAYS + 1);
const save = (promotion: object, more: object = {}) =>
  owner.call(savePromotion, {
    body: { promotion: { name: '周秒杀', kind: 'deal', site, skus: ['P-DEAL'], ...(promotion as Week) }, ...more },
  });
interface Week {
  from: string;
  to: string;
}
const weekOf = (first: number): Week => ({ from: dayOf(first), to: dayOf(first + 6) });
/** Units of the first weeks to come. */
const weeksOf = async (sku: string) => {
  const { records } = await owner.call(listForecasts, { body: { filter: { skus: [sku] } } });
  const { weeks } = await owner.call(forecastSeries, { params: { id: records[0]?.id ?? '' } });
  return weeks.map(({ published }) => Number(published));
};
const calendar = async (filter: object = {}) =>
  (await owner.call(listPromotionDays, { body: { filter, pagesize: 100 } })).records;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner)).id;
  site = `${US}-${account}`;
  cutoff = await sell(world, owner, account, SOLD, DAYS);
  for (const first of WEEKS) await save(weekOf(first));
});
afterAll(() => world.close());

test('promotions of the past are no usual demand, and say what the next one will bring', async () => {
  await save(weekOf(DAYS + 7));
  await run();
  const deal = await weeksOf('P-DEAL');
  expect(deal[0]).toBeCloseTo(70, -1);
  expect(deal[1]).toBeGreaterThan(190);
  expect(deal[1]).toBeLessThan(220);
  expect(deal[2]).toBeCloseTo(70, -1);
  const plain = await weeksOf('P-PLAIN');
  expect(plain[1]).toBe(plain[2]);
});

test('what somebody expects of a promotion is what it is taken to bring, and it is of all SKUs where none is named', async () => {
  const [planned] = await calendar({ state: ['planned'] });
  await save(weekOf(DAYS + 7), { id: planned?.id, version: planned?.version });
  await save({ ...weekOf(DAYS + 14), name: '全店会员日', kind: 'prime', expected: '1.5', skus: [] });
  await run();
  const [deal, plain] = [await weeksOf('P-DEAL'), await weeksOf('P-PLAIN')];
  expect(deal[2]).toBeCloseTo((deal[0] ?? 0) * 1.5, 0);
  expect(plain[2]).toBeCloseTo((plain[0] ?? 0) * 1.5, 0);
});

test('the calendar tells what promotions brought, is changed by one at a time and copied on the same weekdays', async () => {
  const over = await calendar({ state: ['over'], keyword: 'p-deal' });
  expect(over.map(({ from, actual, units }) => [from, actual, units])).toEqual(
    WEEKS.toReversed().map((first) => [dayOf(first), '3.00', 210]),
  );
  const [one] = await calendar({ kind: ['prime'] });
  expect(one).toMatchObject({ state: 'planned', expected: '1.50', actual: null, units: null, products: null });
  const changed = { ...weekOf(DAYS + 14), name: '全店会员日', kind: 'prime', skus: [], expected: '2' };
  await save(changed, { id: one?.id, version: one?.version });
  await expect(save(changed, { id: one?.id, version: one?.version })).rejects.toThrow('数据已被他人修改');
  const ids = over.map(({ id }) => id);
  expect(await owner.call(copyPromotions, { body: { ids } })).toEqual({ count: WEEKS.length });
  expect(await owner.call(copyPromotions, { body: { ids } })).toEqual({ count: 0 });
  const copied = await calendar({ state: ['planned'], kind: ['deal'] });
  expect(copied.map(({ from }) => from)).toContain(dayPlus(dayOf(WEEKS[0] ?? 0), 364));
  expect(await owner.call(dropPromotions, { body: { ids } })).toEqual({ count: WEEKS.length });
  expect(await calendar({ state: ['over'] })).toEqual([]);
});

test('what is wrong is said by its field, and nobody sees the calendar of another company', async () => {
  const send = (change: object) =>
    owner.send(savePromotion, {
      body: { promotion: { name: '秒杀', kind: 'deal', site, skus: [], ...weekOf(DAYS), ...change } },
    });
  expect((await send({ name: '' })).msg).toContain('活动不能为空');
  expect((await send({ to: dayOf(DAYS - 1) })).msg).toContain('结束日期不能早于开始日期');
  expect((await send({ expected: '0' })).msg).toContain('请输入 0.1 到 50 的倍数');
  expect((await send({ site: `A1F83G8C2ARO7P-${account}` })).msg).toBe('店铺/站点不存在或已停用，请重新选择');
  const stranger = await world.owner('别家');
  expect((await stranger.call(listPromotionDays, { body: { filter: {} } })).total).toBe(0);
  const [one] = await calendar();
  for (const call of [dropPromotions, copyPromotions]) {
    expect((await stranger.send(call, { body: { ids: [one?.id ?? ''] } })).status).toBe(404);
  }
  expect((await calendar()).map(({ id }) => id)).toContain(one?.id);
});

test('whoever changed a forecast hears once that the days of the change are over', async () => {
  const { records } = await owner.call(listForecasts, { body: { filter: { skus: ['P-PLAIN'] } } });
  const [from, to] = [dayPlus(cutoff, 1), dayPlus(cutoff, 2)];
  const override = { mode: 'ABS' as const, from, to, value: '3', reason: '试销' };
  await owner.call(saveOverride, { body: { ids: records.map(({ id }) => id), override } });
  const told = async () =>
    (await owner.call(getRemind, { body: {} })).records.filter(({ title }) => title.startsWith('预测干预到期'));
  await run();
  expect(await told()).toEqual([]);
  await world.as(owner, (ctx) =>
    sql`UPDATE forecast.override SET from_day = from_day - 5, to_day = to_day - 5 WHERE company_id = ${ctx.companyId}`.execute(
      ctx.db,
    ),
  );
  await run();
  await run();
  expect((await told()).map(({ title }) => title)).toEqual(['预测干预到期：1 个商品']);
});
