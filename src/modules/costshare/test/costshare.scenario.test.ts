import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTenant } from '#kit/server/runtime.ts';
import { CA, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  costData,
  costSteps,
  listCostLines,
  listCosts,
  listFeeTypes,
  saveCostShare,
  saveFeeType,
  shareCost,
} from '../contract/calls.ts';
import { EDIT, VIEW } from '../contract/document.ts';
import { act } from '../server/act.ts';
import { demoCosts } from '../server/index.ts';

let world: World;
let owner: Person;
let account: string;
let us: string;
let ca: string;

const head = {
  feeType: '摄影',
  currency: 'CNY',
  amount: '100',
  from: '2026-03-01',
  to: '2026-03-03',
  remark: '新品主图',
};
const half = () => [
  { store: us, sku: 'A', amount: '66.67' },
  { store: ca, sku: '', amount: '33.33' },
];
const save = (change: object = {}) => owner.call(saveCostShare, { body: { ...head, rows: half(), ...change } });
const ledger = (id: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ lines: number; amount: string; cny: string }>`
      SELECT count(*)::int AS lines, trim_scale(coalesce(sum(amount), 0))::text AS amount,
             trim_scale(coalesce(sum(amount_cny), 0))::text AS cny
        FROM costshare.cost_line WHERE company_id = ${ctx.companyId} AND document_id = ${id}`.execute(ctx.db);
    return rows[0];
  });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner, { marketplaceIds: [US, CA] })).id;
  us = `${US}-${account}`;
  ca = `${CA}-${account}`;
});
afterAll(() => world.close());

it('is refused unless its rows add up to it, in amounts that its currency has', async () => {
  await expect(save({ amount: '100.01' })).rejects.toThrow('分摊合计 100 与费用金额 100.01 不一致');
  await expect(save({ amount: '0' })).rejects.toThrow('请输入正确的金额');
  await expect(save({ amount: '-5' })).rejects.toThrow('请输入正确的金额');
  await expect(save({ amount: '100.001' })).rejects.toThrow('金额：请输入正确的金额');
  await expect(save({ currency: 'JPY' })).rejects.toThrow('第1行分摊金额：请输入正确的金额');
  await expect(save({ to: '2026-02-01' })).rejects.toThrow('分摊结束不能早于分摊开始');
  await expect(save({ rows: [...half(), { store: us, sku: 'A', amount: '1' }], amount: '101' })).rejects.toThrow(
    '同一店铺的同一 SKU 只能有一行',
  );
  await expect(save({ feeType: '没有' })).rejects.toThrow('费用类型【没有】不存在');
  expect((await owner.call(listCosts, { body: {} })).total).toBe(0);
});

it('is posted by day, edited as one reversal and one posting, and taken back to nothing', async () => {
  const { id } = await save();
  expect(await ledger(id)).toEqual({ lines: 0, amount: '0', cny: '0' });
  await owner.call(costSteps.post, { body: { id } });
  expect(await ledger(id)).toEqual({ lines: 6, amount: '100', cny: '100' });
  const days = await owner.call(listCostLines, { body: { filter: { view: 'day' } } });
  expect(days.total).toBe(6);
  const months = await owner.call(listCostLines, { body: { filter: { view: 'month' } } });
  expect(months.records.map(({ day, amountCny }) => [day, Number(amountCny)]).sort()).toEqual([
    ['2026-03', 33.33],
    ['2026-03', 66.67],
  ]);

  const { document } = await owner.call(costData, { params: { id } });
  expect(document).toMatchObject({ state: 'posted', amountCny: '100.0000', rows: 2 });
  const edited = await save({
    id,
    version: document.version,
    amount: '30',
    rows: [{ store: us, sku: 'A', amount: '30' }],
  });
  expect(edited.state).toBe('posted');
  expect(await ledger(id)).toEqual({ lines: 15, amount: '30', cny: '30' });
  await expect(save({ id, version: document.version })).rejects.toThrow('单据状态已变更，请刷新');

  await owner.call(costSteps.unpost, { body: { id, reason: '金额有误' } });
  expect(await ledger(id)).toEqual({ lines: 18, amount: '0', cny: '0' });
  await owner.call(costSteps.post, { body: { id } });
  expect((await ledger(id))?.cny).toBe('30');
  await owner.call(costSteps.void, { body: { id, reason: '重复' } });
  expect((await ledger(id))?.cny).toBe('0');
  await expect(owner.call(costSteps.post, { body: { id } })).rejects.toThrow('已作废');
  await expect(save({ id })).rejects.toThrow('已作废');
  expect((await owner.call(listCostLines, { body: { filter: { view: 'day' } } })).total).toBe(0);
});

it('is converted at the rate of its first day, and refused without one', async () => {
  const { id } = await save({ currency: 'USD' });
  await expect(owner.call(costSteps.post, { body: { id } })).rejects.toThrow('缺少 USD 2026-03-01 汇率，无法折算');
  expect(await ledger(id)).toEqual({ lines: 0, amount: '0', cny: '0' });
  await world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', '2026-03-01', 7.12345, '测试')`.execute(ctx.db),
  );
  await owner.call(costSteps.post, { body: { id } });
  // 100 × 7.12345 = 712.345, half up.
  expect(await ledger(id)).toEqual({ lines: 6, amount: '100', cny: '712.35' });
});

it('is posted once, however many post it at the same time', async () => {
  const { id } = await save();
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => owner.call(costSteps.post, { body: { id } })));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await ledger(id)).toEqual({ lines: 6, amount: '100', cny: '100' });
});

it('is shared evenly to the last cent where nothing was sold, and over stores without a SKU', async () => {
  const body = {
    stores: [us, ca],
    base: 'NET_SALES' as const,
    amount: '100.01',
    currency: 'CNY',
    from: head.from,
    to: head.to,
  };
  const { rows, base } = await owner.call(shareCost, { body });
  expect(base).toBe('EQUAL');
  // Ties go to the smaller key: Canada's.
  expect(new Map(rows.map((row) => [row.store, [row.sku, row.amount]]))).toEqual(
    new Map([
      [ca, ['', '50.01']],
      [us, ['', '50.00']],
    ]),
  );
});

it('has types that are added and stopped, and keeps those that were used', async () => {
  await owner.call(saveFeeType, { body: { name: '翻译', active: true } });
  const { id } = await save({ feeType: '翻译' });
  await owner.call(saveFeeType, { body: { name: '翻译', active: false } });
  await expect(save({ feeType: '翻译' })).rejects.toThrow('费用类型【翻译】已停用');
  expect((await save({ id, feeType: '翻译' })).id).toBe(id);
  expect((await owner.call(listFeeTypes, {})).find(({ name }) => name === '翻译')?.active).toBe(false);
});

it('is of its company alone, and posted by those who may', async () => {
  const { id } = await save();
  const other = await world.owner('另一家');
  await expect(other.call(costData, { params: { id } })).rejects.toThrow();
  await expect(other.call(costSteps.post, { body: { id } })).rejects.toThrow();
  await expect(other.call(saveCostShare, { body: { ...head, rows: half() } })).rejects.toThrow('店铺不存在');
  const clerk = await world.member(owner, [VIEW, EDIT]);
  await expect(clerk.call(costSteps.post, { body: { id } })).rejects.toThrow();
  await owner.call(costSteps.post, { body: { id } });
  await expect(clerk.call(saveCostShare, { body: { ...head, id, rows: half() } })).rejects.toThrow();
  expect(await ledger(id)).toEqual({ lines: 6, amount: '100', cny: '100' });
});

it('is not taken back in part by whoever sees some of its stores only', async () => {
  const second = (await makeSellerAccount(world, owner)).id;
  const { id } = await save({
    rows: [
      { store: us, sku: 'A', amount: '60' },
      { store: `${US}-${second}`, sku: 'B', amount: '40' },
    ],
  });
  await owner.call(costSteps.post, { body: { id } });
  const seen = { store: null, account: [second] };
  const narrow = world.as(owner, ({ runtime, ...ctx }) =>
    inTenant(runtime, { ...ctx, permissions: undefined, dataScope: { read: seen, write: seen } }, (inner) =>
      act(inner, 'void', { id, reason: '试' }),
    ),
  );
  await expect(narrow).rejects.toThrow('没有数据权限的店铺');
  expect((await ledger(id))?.cny).toBe('100');
});

it('is there in the demo: one posted, one waiting', async () => {
  const states = await world.as(owner, async (ctx) => {
    await demoCosts(ctx);
    const { rows } = await sql<{ state: string }>`
      SELECT state FROM costshare.document WHERE company_id = ${ctx.companyId}
         AND (fee_type, remark) IN (('摄影', '秋冬新品主图与场景图'), ('检测认证', ''))`.execute(ctx.db);
    return rows.map(({ state }) => state);
  });
  expect(states.toSorted()).toEqual(['draft', 'posted']);
});
