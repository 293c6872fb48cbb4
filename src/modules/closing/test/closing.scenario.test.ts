import { afterAll, beforeAll, expect, it } from 'vitest';
import { costSteps, saveCostShare } from '#modules/costshare/contract/calls.ts';
import { closePeriod, saveMonthRate } from '#modules/finance/contract/rates.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { listProfitMonths } from '#modules/profit/contract/period.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type Ledger, readMonthEnd, VIEW } from '../contract/closing.ts';

let world: World;
let owner: Person;
let account: AccountRef;
let month: string;

beforeAll(async () => {
  world = await createWorld();
  await world.work();
  owner = await world.owner();
  account = await makeAccount(world, owner);
  const first = new Date(`${world.clock.today().slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  month = first.toISOString().slice(0, 7);
});
afterAll(() => world.close());

async function ledger(title: string, of = month, who = owner): Promise<Ledger> {
  const found = (await who.call(readMonthEnd, { query: { month: of } })).find((one) => one.title === title);
  if (!found) throw new Error(`no ${title}`);
  return found;
}
const open = ({ checks }: Ledger) => checks.filter(({ tone }) => tone !== 'done').map(({ detail }) => detail);

const line = (change: Partial<FileLine>): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  amountType: 'ItemPrice',
  amountDescription: 'Principal',
  amount: '100.00',
  sku: 'A',
  quantity: 1,
  ...change,
});

it('says what settlements and profit miss, and what would stop a closing', async () => {
  await settle(world, owner, account, [
    line({ postedAt: `${month}-10T20:00:00Z` }),
    line({
      postedAt: `${month}-10T20:00:00Z`,
      amountType: 'Mystery',
      amountDescription: 'Never seen',
      amount: '-1.00',
    }),
  ]);
  await expect
    .poll(async () => (await owner.call(listProfitMonths, {})).find((one) => one.month === month)?.missingCosts, {
      timeout: PATIENCE_MS,
    })
    .toBe(1);
  // The file's settlement ended in January; its money is of the last month.
  expect(open(await ledger('结算', '2026-01'))).toEqual(['1 个账期有待归类费用']);
  expect(open(await ledger('结算'))).toEqual([]);
  expect(open(await ledger('利润'))).toEqual(['缺少 USD 的本月汇率', '1 个 SKU 缺少采购成本', '待归类费用 −¥7.10']);
  const { state, checks } = await ledger('利润');
  expect(state).toBe('OPEN');
  expect(checks.find(({ title }) => title === '汇率齐全')).toMatchObject({
    tone: 'block',
    to: { path: '/finance/exchangeRate' },
  });
  await owner.call(saveMonthRate, { body: { currency: 'USD', month, rate: '7' } });
  expect(open(await ledger('利润'))).toEqual(['1 个 SKU 缺少采购成本', '待归类费用 −¥7.00']);
});

it('counts costs that are not posted, and leads to them', async () => {
  const day = `${month}-05`;
  const { id } = await owner.call(saveCostShare, {
    body: {
      feeType: '样品',
      currency: 'CNY',
      amount: '10',
      from: day,
      to: day,
      rows: [{ store: `${US}-${account.id}`, sku: 'A', amount: '10' }],
    },
  });
  const before = await ledger('费用分摊');
  expect(open(before)).toEqual(['1 张草稿未入账']);
  expect(before.checks[0]?.to).toEqual({
    path: '/finance/costSharing',
    title: '费用分摊',
    query: { 'f.state': 'draft' },
  });
  await owner.call(costSteps.post, { body: { id } });
  expect(open(await ledger('费用分摊'))).toEqual([]);
});

it('shows which ledgers are closed, in the order in which they are', async () => {
  expect((await ledger('资金与汇率')).state).toBe('OPEN');
  await owner.call(closePeriod, { body: { month } });
  expect((await ledger('资金与汇率')).state).toBe('CLOSED');
  const all = await owner.call(readMonthEnd, { query: { month } });
  expect(all.map(({ title }) => title)).toEqual([
    '结算',
    '费用单',
    '费用分摊',
    '库存成本',
    '库存货值',
    '资金与汇率',
    '利润',
    '总账',
  ]);
  // There are no books yet.
  expect(await ledger('总账')).toMatchObject({ state: 'NONE', checks: [] });
});

it('shows the ledgers that the reader may see, of his company alone', async () => {
  const clerk = await world.member(owner, [VIEW, 'fin:costshare:view']);
  expect((await clerk.call(readMonthEnd, { query: { month } })).map(({ title }) => title)).toEqual(['费用分摊']);
  const nobody = await world.member(owner, ['fin:costshare:view']);
  await expect(nobody.call(readMonthEnd, { query: { month } })).rejects.toThrow('403');
  const other = await world.owner('另一家');
  expect(open(await ledger('结算', '2026-01', other))).toEqual([]);
  expect(open(await ledger('利润', month, other))).toEqual([]);
});
