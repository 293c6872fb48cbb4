import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { listProfit } from '#modules/profit/contract/report.ts';
import { putGoods } from '#test/support/goods.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { ALL, EDIT, exportPerformance, listPerformance, performanceMonths, VIEW } from '../contract/report.ts';
import { listRules, saveRule } from '../contract/rule.ts';
import { saveTargets, yearTargets } from '../contract/targets.ts';
import { demoPerformance } from '../server/index.ts';

const US = 'ATVPDKIKX0DER';
const COST = 'fin:cost:view';
const range = { from: '2026-01', to: '2026-02' };
const NOBODY = '00000000-0000-7000-8000-000000000000';
let world: World;
let owner: Person;
let clerk: Person;
let account: AccountRef;

const line = (sku: string, day: string, description: string, amount: string, quantity?: number): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: `2026-${day}T20:00:00Z`,
  sku,
  amountType: description === 'Principal' ? 'ItemPrice' : 'ItemFees',
  amountDescription: description,
  amount,
  ...(quantity === undefined ? {} : { quantity }),
});

const STEPS = [
  { upTo: '0.8', rate: '0.01' },
  { upTo: '1', rate: '0.025' },
  { upTo: null, rate: '0.03' },
];
const list = (person: Person, filter: object = range) =>
  person.call(listPerformance, { body: { pagesize: 100, filter } });
const rowOf = async (person: Person, id: string, filter: object = range) =>
  (await list(person, filter)).records.find((row) => row.id === id);

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  clerk = await world.member(owner, [VIEW, COST]);
  account = await makeAccount(world, owner);
  const accountId = account.id;
  await putGoods(world, owner, [
    { accountId, site: US, sku: 'A-1', asin: 'B0A1', owner: owner.userId },
    { accountId, site: US, sku: 'B-1', asin: 'B0B1', owner: clerk.userId },
    { accountId, site: US, sku: 'C-1', asin: 'B0C1' },
  ]);
  await settle(world, owner, account, [
    line('A-1', '01-10', 'Principal', '1000.00', 10),
    line('A-1', '01-10', 'Commission', '-150.00'),
    line('B-1', '01-11', 'Principal', '200.00', 4),
    line('B-1', '02-11', 'Commission', '-30.03'),
    line('C-1', '02-12', 'Principal', '33.33', 1),
    line('A-1', '02-13', 'Principal', '77.77', 1),
  ]);
  await world.as(owner, async (ctx) => {
    for (const [month, rate] of [
      ['2026-01-01', '7.1234'],
      ['2026-02-01', '7.0011'],
    ]) {
      await sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', ${month}::date, ${rate}::numeric, '测试')`.execute(ctx.db);
    }
  });
  await world.work();
});
afterAll(() => world.close());

describe('what each person earned', () => {
  it('is the profit report by who answers today, to the cent in all', async () => {
    const date = { from: '2026-01-01', to: '2026-02-28' };
    await expect
      .poll(async () => (await owner.call(listProfit, { body: { filter: { date, currency: 'CNY' } } })).totals?.units, {
        timeout: PATIENCE_MS,
      })
      .toBe(16);
    const { records, totals, total } = await list(owner);
    expect(total).toBe(3);
    // 1000 × 7.1234 + 77.77 × 7.0011; less 150 × 7.1234.
    expect(records.find(({ id }) => id === owner.userId)).toMatchObject({
      units: 11,
      netSales: '7667.875547',
      profit: '6599.365547',
      target: null,
      achieved: null,
      commission: null,
    });
    // 200 × 7.1234 − 30.03 × 7.0011.
    expect(records.find(({ id }) => id === clerk.userId)?.profit).toBe('1214.436967');
    expect(records.find(({ id }) => id === 'none')).toMatchObject({ name: '未设置负责人', profit: '233.346663' });
    const report = await owner.call(listProfit, {
      body: { filter: { dimension: 'owner', currency: 'CNY', date } },
    });
    for (const key of ['netSales', 'profit', 'ads'] as const) {
      const parts = Decimal.sum(0, ...records.map((row) => row[key] ?? 0));
      expect(parts.toFixed(2)).toBe(new Decimal(report.totals?.[key] ?? 'NaN').toFixed(2));
      expect(new Decimal(totals?.[key] ?? 'NaN').toFixed(2)).toBe(parts.toFixed(2));
    }
  });

  it('is refused for months that are upside down or too many', async () => {
    await expect(list(owner, { from: '2026-03', to: '2026-02' })).rejects.toThrow('起始月份不能晚于截止月份');
    await expect(list(owner, { from: '2025-01', to: '2026-01' })).rejects.toThrow('一次最多查询 12 个月');
    expect((await list(owner, { from: '2025-02', to: '2026-01' })).total).toBe(2);
  });
});

describe('targets and commission', () => {
  it('pay the whole month by the step that was reached, and the first step without a target', async () => {
    await owner.call(saveRule, { body: { from: '2026-01', steps: STEPS } });
    const months = [
      { month: '2026-01', amount: '6000', version: 0 },
      { month: '2026-03', amount: '100', version: 0 },
    ];
    await owner.call(saveTargets, { body: { member: owner.userId, months } });
    // January: 850 × 7.1234 = 6054.89 of 6000, 3 %: 181.65. February has no target: 77.77 × 7.0011 × 1 % = 5.44.
    expect(await rowOf(owner, owner.userId)).toMatchObject({
      target: '6000',
      achieved: '1.0091483333',
      commission: '187.09',
    });
    // 1424.68 × 1 % = 14.25; February is a loss: 0.
    expect((await rowOf(owner, clerk.userId))?.commission).toBe('14.25');
    expect((await list(owner)).totals).toMatchObject({ commission: '201.34', target: '6000' });
    expect((await rowOf(owner, 'none'))?.commission).toBeNull();
    const { months: shown, row } = await owner.call(performanceMonths, { body: { person: owner.userId, ...range } });
    expect(shown.map(({ month, commission }) => [month, commission])).toEqual([
      ['2026-02', '5.44'],
      ['2026-01', '181.65'],
    ]);
    expect(row.commission).toBe('187.09');
    // Who sold nothing but should have is there, and reached none of it.
    expect(await rowOf(owner, owner.userId, { from: '2026-03', to: '2026-03' })).toMatchObject({
      achieved: '0',
      commission: '0.00',
    });
  });

  it('keep earlier months as they were when a later rule comes', async () => {
    const open = [{ upTo: null, rate: '0.1' }];
    await expect(owner.call(saveRule, { body: { from: '2026-01', steps: open } })).rejects.toThrow(
      '2026-01 之后的月份',
    );
    await expect(
      owner.call(saveRule, { body: { from: '2026-02', steps: [{ upTo: '1', rate: '0.1' }] } }),
    ).rejects.toThrow('最后一档不设达成率上限');
    await owner.call(saveRule, { body: { from: '2026-02', steps: open } });
    expect((await owner.call(listRules, {})).map(({ from }) => from)).toEqual(['2026-02', '2026-01']);
    // 181.65 as before, and 544.475547 × 10 %.
    expect((await rowOf(owner, owner.userId))?.commission).toBe('236.10');
    const before = await rowOf(owner, owner.userId, { from: '2025-12', to: '2025-12' });
    expect(before).toBeUndefined();
  });

  it('are changed from what was seen only, and taken away', async () => {
    const body = (version: number, amount: string | null) => ({
      member: clerk.userId,
      months: [{ month: '2026-01', amount, version }],
    });
    await owner.call(saveTargets, { body: body(0, '1000') });
    await expect(owner.call(saveTargets, { body: body(0, '2000') })).rejects.toThrow('目标已被他人修改');
    await owner.call(saveTargets, { body: body(1, null) });
    const { months } = await owner.call(yearTargets, { body: { member: clerk.userId, year: 2026 } });
    expect(months).toHaveLength(12);
    expect(months[0]).toMatchObject({ month: '2026-01', amount: null, version: 2 });
    for (const amount of ['0', '-5', '1.001'])
      await expect(owner.call(saveTargets, { body: body(2, amount) })).rejects.toThrow('目标须大于 0，最多 2 位小数');
    const twice = { member: clerk.userId, months: [...body(2, '1').months, ...body(2, '2').months] };
    await expect(owner.call(saveTargets, { body: twice })).rejects.toThrow('同一月份只能有一个目标');
    await expect(owner.call(saveTargets, { body: { ...body(0, '1'), member: NOBODY } })).rejects.toThrow(
      '负责人不存在',
    );
  });
});

describe('who may see it', () => {
  it('sees himself only without the right to all', async () => {
    const { records, totals } = await list(clerk);
    expect(records.map(({ id }) => id)).toEqual([clerk.userId]);
    expect(totals?.profit).toBe(records[0]?.profit);
    expect((await list(clerk, { ...range, members: [owner.userId] })).total).toBe(0);
    for (const person of [owner.userId, 'none'])
      await expect(clerk.call(performanceMonths, { body: { person, ...range } })).rejects.toThrow(/40[34]/);
    await expect(clerk.call(yearTargets, { body: { member: owner.userId, year: 2026 } })).rejects.toThrow('403');
    expect((await clerk.call(yearTargets, { body: { member: clerk.userId, year: 2026 } })).months).toHaveLength(12);
    await expect(clerk.call(saveRule, { body: { from: '2027-01', steps: STEPS } })).rejects.toThrow('403');
    expect((await clerk.send(exportPerformance, { body: { format: 'csv' } })).status).toBe(403);
  });

  it('sees neither profit nor what tells it without the right to costs; others see nothing of the company', async () => {
    const viewer = await world.member(owner, [VIEW, ALL, EDIT]);
    const { records, totals } = await list(viewer);
    expect(records).toHaveLength(3);
    for (const key of ['profit', 'margin', 'achieved', 'commission']) {
      expect(Object.keys(records[0] ?? {})).not.toContain(key);
      expect(Object.keys(totals ?? {})).not.toContain(key);
    }
    const { row, months } = await viewer.call(performanceMonths, { body: { person: owner.userId, ...range } });
    expect(Object.keys({ ...row, ...months[0] })).not.toContain('commission');
    const outsider = await world.owner('别的公司');
    expect((await list(outsider)).total).toBe(0);
    const month = { month: '2026-01', amount: '1', version: 0 };
    await expect(outsider.call(saveTargets, { body: { member: owner.userId, months: [month] } })).rejects.toThrow(
      '负责人不存在',
    );
  });

  it('takes it along as a file', async () => {
    const { raw } = await owner.send(exportPerformance, { body: { filter: range, format: 'csv' } });
    const [head, ...lines] = raw
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n');
    expect(head).toContain('达成率');
    expect(lines).toHaveLength(3);
  });
});

it('is there in the demo: a rule and the year of two people', async () => {
  const boss = await world.owner('演示公司');
  await world.as(boss, demoPerformance);
  expect(await boss.call(listRules, {})).toHaveLength(1);
  const year = Number((await world.as(boss, async (ctx) => ctx.clock.today())).slice(0, 4));
  const { months } = await boss.call(yearTargets, { body: { member: boss.userId, year } });
  expect(months.every(({ amount }) => amount !== null)).toBe(true);
});
