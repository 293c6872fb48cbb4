import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { accuracySummary, exportAccuracy, listAccuracy } from '../contract/accuracy.ts';
import { countForecasts, exportForecasts, forecastSeries, forecastState, listForecasts } from '../contract/forecast.ts';
import { clearOverrides, saveCare, saveOverride } from '../contract/overrides.ts';
import { measure } from '../server/accuracy/make.ts';
import { change, clear } from '../server/overrides.ts';
import { runAccount } from '../server/run.ts';
import { dayPlus } from '../server/stocks.ts';
import { type Sold, sell } from './support.ts';

const DAYS = 400;
/** Units a day: a steady one, a weekly one, a rare one, one without stock lately, and one that begins late. */
const SOLD: Sold = {
  'F-STEADY': () => 10,
  'F-WEEK': (day) => (day % 7 < 5 ? 4 : 11),
  'F-RARE': (day) => (day % 9 === 0 ? 2 : 0),
  'F-OUT': (day) => (day < DAYS - 12 ? 10 : 0),
  'F-NEW': (day) => (day >= DAYS - 10 ? 5 : 0),
};

let world: World;
let owner: Person;
let account: string;
/** The last whole day of the marketplace. */
let cutoff: string;

const list = (filter: object = {}) => owner.call(listForecasts, { body: { pagesize: 100, filter } });
const rowOf = async (sku: string) => {
  const row = (await list({ skus: [sku] })).records[0];
  if (!row) throw new Error(`no forecast of ${sku}`);
  return row;
};
const seriesOf = async (sku: string) => owner.call(forecastSeries, { params: { id: (await rowOf(sku)).id } });
const run = () => runAccount(world.runtime, owner.companyId, account);
const added = (values: readonly string[]) => Decimal.sum(0, ...values);

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner)).id;
  cutoff = await sell(world, owner, account, SOLD, DAYS);
  await world.as(owner, async (ctx) => {
    await sql`
      INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved, unsellable,
        researching, inbound_working, inbound_shipped, inbound_receiving, source, as_of)
      VALUES (${ctx.companyId}, ${account}, ${US}, 'F-OUT', 'New', 0, 0, 0, 0, 0, 0, 0, 'api', kit.now())`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO inventory.fba_stock_day (company_id, account_id, marketplace_id, seller_sku, condition, day, fulfillable, unsellable,
        reserved, researching, inbound, as_of)
      SELECT ${ctx.companyId}::uuid, ${account}::uuid, ${US}, 'F-OUT', 'New', ${cutoff}::date - n, CASE WHEN n < 12 THEN 0 ELSE 50 END, 0, 0, 0, 0, kit.now()
        FROM generate_series(0, 40) AS n`.execute(ctx.db);
  });
  await measure(world.runtime, owner.companyId, account);
  expect(await run()).toBe(Object.keys(SOLD).length);
});
afterAll(() => world.close());

test('each SKU of a stock has a forecast that ends its history on the last whole day', async () => {
  const { records, totals, asOf } = await list();
  expect(records.map(({ product }) => product.code).sort()).toEqual(Object.keys(SOLD).sort());
  expect(records.every((row) => row.pool === 'US' && row.cutoff === cutoff)).toBe(true);
  expect(added(records.map(({ next30 }) => next30)).toFixed(2)).toBe(new Decimal(String(totals?.next30)).toFixed(2));
  expect(asOf).not.toBeNull();
  expect(await owner.call(forecastState, {})).toMatchObject({ running: false, items: records.length });
});

test('a steady product stays steady, a rare one rare, and both bounds lie above', async () => {
  const steady = await rowOf('F-STEADY');
  expect(Number(steady.next30)).toBeCloseTo(300, -1);
  expect(steady.pace).toBe('10.00');
  expect(steady.class).toBe('smooth');
  const rare = await rowOf('F-RARE');
  expect(Number(rare.next30)).toBeGreaterThan(3);
  expect(Number(rare.next30)).toBeLessThan(12);
  for (const { next30, p80, p90 } of [steady, rare]) {
    expect(Number(p80)).toBeGreaterThanOrEqual(Number(next30));
    expect(Number(p90)).toBeGreaterThanOrEqual(Number(p80));
  }
});

test('days without stock are no days without demand', async () => {
  const row = await rowOf('F-OUT');
  // The first of the twelve days without a sale began with stock: it may have sold all day.
  expect(row.outDays).toBe(11);
  expect(Number(row.next30)).toBeGreaterThan(240);
  expect((await list({ tab: 'out' })).records.map(({ product }) => product.code)).toEqual(['F-OUT']);
  const { history } = await seriesOf('F-OUT');
  expect(history.filter(({ out }) => out)).toHaveLength(11);
});

test('what is shown of an item adds up: weeks and months are the days of the same forecast', async () => {
  const { row, weeks, months, history } = await seriesOf('F-WEEK');
  expect(history.at(-1)?.day).toBe(cutoff);
  expect(weeks[0]?.from).toBe(dayPlus(cutoff, 1));
  expect(months.slice(1, 4).map(({ published }) => published)).toEqual([row.month1, row.month2, row.month3]);
  expect(months[1]?.lastYear).not.toBeNull();
  // Weekends are learnt: every week is about as large as those before.
  for (const { published } of weeks.slice(0, 8)) expect(Number(published)).toBeCloseTo(42, -1);
});

test('a change is published at once, is spread to the last unit, and is taken back', async () => {
  const before = await rowOf('F-WEEK');
  const from = dayPlus(cutoff, 8);
  const to = dayPlus(cutoff, 14);
  const ids = [before.id];
  const override = { mode: 'MONTH' as const, from, to, value: '100', reason: '秒杀报名' };
  await owner.call(saveOverride, { body: { ids, override } });
  const changed = await seriesOf('F-WEEK');
  expect(changed.weeks[1]).toMatchObject({ from, to, published: '100.00' });
  expect(changed.row.overridden).toBe(true);
  expect(changed.overrides[0]).toMatchObject({ mode: 'MONTH', value: '100', reason: '秒杀报名', clearedBy: null });
  expect((await owner.call(countForecasts, { body: { filter: {} } })).overridden).toBe(1);
  // Nothing is sold on these days: 0 is said, not left out.
  await owner.call(saveOverride, { body: { ids, override: { ...override, mode: 'ABS', value: '0', reason: '停售' } } });
  expect((await seriesOf('F-WEEK')).weeks[1]?.published).toBe('0.00');
  // A run keeps what people said.
  await run();
  expect((await seriesOf('F-WEEK')).weeks[1]?.published).toBe('0.00');
  expect(await owner.call(clearOverrides, { body: { ids } })).toEqual({ cleared: 2 });
  const after = await seriesOf('F-WEEK');
  expect(after.row.next30).toBe(before.next30);
  expect(after.overrides.every(({ clearedBy }) => clearedBy !== null)).toBe(true);
});

/** Whether a transaction of this database waits for a row of another one. */
async function somebodyWaits(): Promise<boolean> {
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  const { rows } = await admin.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  await admin.end();
  return rows.length > 0;
}

test('a change that is saved while a run works on the same items is published all the same', async () => {
  const { id, next30 } = await rowOf('F-STEADY');
  const override = {
    mode: 'PCT' as const,
    from: dayPlus(cutoff, 1),
    to: dayPlus(cutoff, 30),
    value: '2',
    reason: '补货',
  };
  // The run reads all it needs before this transaction ends, and then waits for the items that it holds.
  let running: Promise<number> | undefined;
  await world.as(owner, async (ctx) => {
    await change(ctx, { ids: [id], override });
    running = run();
    await expect.poll(somebodyWaits, { timeout: PATIENCE_MS }).toBe(true);
  });
  await running;
  expect(Number((await rowOf('F-STEADY')).next30)).toBeCloseTo(Number(next30) * 2, 0);
  // And one that is taken back meanwhile is gone.
  await world.as(owner, async (ctx) => {
    await clear(ctx, { ids: [id] });
    running = run();
    await expect.poll(somebodyWaits, { timeout: PATIENCE_MS }).toBe(true);
  });
  await running;
  expect((await rowOf('F-STEADY')).next30).toBe(next30);
});

test('a share of the model changes its days by that share', async () => {
  const { id, month2 } = await rowOf('F-STEADY');
  const from = dayPlus(cutoff, 1);
  const body = {
    ids: [id],
    override: { mode: 'PCT' as const, from, to: dayPlus(cutoff, 180), value: '1.5', reason: '旺季' },
  };
  await owner.call(saveOverride, { body });
  expect(Number((await rowOf('F-STEADY')).month2)).toBeCloseTo(Number(month2) * 1.5, 1);
  await owner.call(clearOverrides, { body: { ids: [id] } });
});

test('a change of the past, behind the horizon, without a reason or of another company is refused in words', async () => {
  const { id } = await rowOf('F-STEADY');
  const override = { mode: 'ABS' as const, from: dayPlus(cutoff, -9), to: cutoff, value: '3', reason: '补录' };
  const send = (change: object) =>
    owner.send(saveOverride, { body: { ids: [id], override: { ...override, ...change } } });
  expect((await send({})).msg).toBe('结束日期已经过去，请选择未来的日期');
  expect((await send({ to: dayPlus(cutoff, 400) })).msg).toMatch(/^结束日期不能超过/);
  expect((await send({ to: dayPlus(cutoff, 5), reason: ' ' })).msg).toContain('原因不能为空');
  expect((await send({ to: dayPlus(cutoff, 5), value: '-1' })).msg).toContain('请输入不小于 0 的数字');
  expect((await send({ from: dayPlus(cutoff, 9), to: dayPlus(cutoff, 5) })).msg).toContain('结束日期不能早于开始日期');
  const stranger = await world.owner('别家');
  const body = { ids: [id], override: { ...override, to: dayPlus(cutoff, 5) } };
  expect((await stranger.send(saveOverride, { body })).status).toBe(404);
  expect((await stranger.send(forecastSeries, { params: { id } })).status).toBe(404);
  expect((await stranger.call(listForecasts, { body: { filter: {} } })).total).toBe(0);
});

test('a model that somebody keeps stays, and a new product repeats the life of its reference', async () => {
  const { id } = await rowOf('F-STEADY');
  await owner.call(saveCare, { body: { ids: [id], lockedModel: 'naive' } });
  const fresh = await rowOf('F-NEW');
  await owner.call(saveCare, { body: { ids: [fresh.id], referenceSkus: ['F-WEEK'] } });
  const own = await owner.send(saveCare, { body: { ids: [fresh.id], referenceSkus: ['F-NEW'] } });
  expect(own.msg).toBe('参考品不能是商品自己：F-NEW');
  await run();
  expect(await rowOf('F-STEADY')).toMatchObject({ model: 'naive', locked: true });
  const { row, references } = await seriesOf('F-NEW');
  expect(row.model).toBe('reference');
  expect(references).toEqual(['F-WEEK']);
});

test('forecasts are held against what was sold: parts add up to the whole, and no ratio is a mean of ratios', async () => {
  const of = async (by: 'class' | 'model' | 'origin') => owner.call(accuracySummary, { body: { by, filter: {} } });
  const { all, parts } = await of('class');
  expect(all.items).toBe(Object.keys(SOLD).length);
  for (const by of ['class', 'model', 'origin'] as const) {
    const split = await of(by);
    expect(split.all).toEqual(all);
    expect(split.parts.reduce((sum, { actual }) => sum + actual, 0)).toBe(all.actual);
    const errors = split.parts.map(({ wape, actual }) => new Decimal(wape ?? 0).times(actual));
    expect(
      Decimal.sum(0, ...errors)
        .div(all.actual)
        .toNumber(),
    ).toBeCloseTo(Number(all.wape), 3);
  }
  expect(parts.length).toBeGreaterThan(1);
  expect((await of('origin')).parts).toHaveLength(3);
  const { records } = await owner.call(listAccuracy, { body: { pagesize: 100, filter: {} } });
  const steady = records.find(({ product }) => product.code === 'F-STEADY');
  expect(steady).toMatchObject({ origins: 3, simulated: 3, actual: 840 });
  expect(Number(steady?.wape)).toBeLessThan(0.1);
  expect((await rowOf('F-STEADY')).wape).not.toBeNull();
});

test('a forecast that was kept is measured once its days are over, with and without what people changed', async () => {
  const origin = dayPlus(cutoff, -28);
  await world.as(owner, (ctx) =>
    sql`
      WITH gone AS (DELETE FROM forecast.accuracy WHERE company_id = ${ctx.companyId} AND seller_sku = 'F-STEADY' AND origin = ${origin}::date)
      INSERT INTO forecast.kept (company_id, account_id, pool, seller_sku, origin, class, model, mean, published, distances)
      SELECT ${ctx.companyId}::uuid, ${account}::uuid, 'US', 'F-STEADY', ${origin}::date, 'smooth', 'ses',
             array_fill(120000, ARRAY[183]), array_fill(100000, ARRAY[183]), '{0,1,2,3}'`.execute(ctx.db),
  );
  await measure(world.runtime, owner.companyId, account);
  const { accuracy } = await seriesOf('F-STEADY');
  expect(accuracy[0]).toEqual({ origin, simulated: false, wape: '0.0000', naive: '0.0000', actual: 280 });
  const filter = { skus: ['F-STEADY'], origins: { from: origin, to: origin } };
  const { all } = await owner.call(accuracySummary, { body: { by: 'class', filter } });
  // The model said 12 a day, people 10, and 10 were sold: 56 ÷ 280.
  expect(all).toMatchObject({ wape: '0.0000', bias: '0.0000', added: '0.2000', coverage90: '1.0000' });
  const left = await world.as(owner, (ctx) => sql`SELECT FROM forecast.kept`.execute(ctx.db));
  expect(left.rows).toHaveLength(0);
});

test('a run that died is followed by another; only the newest may still go on', async () => {
  const begun = (minutes: number) =>
    world.as(owner, (ctx) =>
      sql`
        INSERT INTO forecast.run (company_id, account_id, started_at)
        VALUES (${ctx.companyId}, ${account}, kit.now() - make_interval(mins => ${minutes}))`.execute(ctx.db),
    );
  await begun(600);
  expect((await owner.call(forecastState, {})).running).toBe(false);
  await begun(0);
  expect((await owner.call(forecastState, {})).running).toBe(true);
  await run();
  expect((await owner.call(forecastState, {})).running).toBe(false);
});

test('both lists become files with what they show', async () => {
  const forecasts = await owner.send(exportForecasts, {
    body: { format: 'csv', columns: ['product', 'next30'], filter: {} },
  });
  expect(forecasts.raw.toString('utf8').trim().split('\r\n')).toHaveLength(1 + Object.keys(SOLD).length);
  const accuracy = await owner.send(exportAccuracy, {
    body: { format: 'csv', columns: ['product', 'wape'], filter: {} },
  });
  expect(accuracy.raw.toString('utf8')).toContain('WAPE');
});
