import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { worldClock } from '#test/support/world.ts';
import { checkLedger } from '../server/ledger/checks.ts';
import { rebuildBalances, reverse, setOverdraft } from '../server/ledger/post.ts';
import {
  balanceOf,
  createLedgerWorld,
  earn,
  openAccount,
  owe,
  put,
  source,
  spend,
  type World,
  within,
} from './support.ts';

let world: World;
let company: string;
let bank: string;

beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = randomUUID();
  bank = await openAccount(world, company, '招商银行', { amount: '1000' });
});

const daysAgo = (days: number) => worldClock().dayAhead(-days);

async function proven(): Promise<void> {
  const results = await within(world, company, checkLedger);
  expect(results.map((result) => [result.code, result.broken, result.samples])).toEqual(
    results.map((result) => [result.code, 0, []]),
  );
}

describe('the money ledger', () => {
  it('moves money once, however often the same event is sent', async () => {
    const event = source();
    const first = await put(world, company, spend(bank, '300.25'), event);
    const again = await put(world, company, spend(bank, '300.25'), event);
    expect(again).toEqual({ id: first.id, repeated: true });
    expect(await balanceOf(world, company, bank)).toBe('699.75');
    await expect(put(world, company, spend(bank, '300.26'), event)).rejects.toMatchObject({
      message: expect.stringContaining('金额与本次不同'),
      data: { code: 'B0906' },
    });
    await proven();
  });

  it('refuses what an account does not have, unless it may be overdrawn', async () => {
    await expect(put(world, company, spend(bank, '1000.01'))).rejects.toThrow(
      '账户【招商银行】余额不足：需要 CNY 1000.01，可用 CNY 1000.00',
    );
    await within(world, company, (ctx) => setOverdraft(ctx, bank, '500'));
    await put(world, company, spend(bank, '1500'));
    expect(await balanceOf(world, company, bank)).toBe('-500');
    await expect(put(world, company, spend(bank, '0.01'))).rejects.toMatchObject({ data: { code: 'B0901' } });
    await expect(within(world, company, (ctx) => setOverdraft(ctx, bank, '499.99'))).rejects.toThrow('当前已透支');
  });

  it('takes no lines that are not double entry, no fraction of a cent, no other currency', async () => {
    const [out] = spend(bank, '5');
    await expect(put(world, company, out ? [out] : [])).rejects.toThrow('do not add up');
    await expect(put(world, company, spend(bank, '0.005'))).rejects.toThrow('请输入正确的金额');
    await expect(put(world, company, spend(bank, '1', 'USD'))).rejects.toThrow('的币种为 CNY，不能记 USD');
    const yen = await openAccount(world, company, '日元', { currency: 'JPY', amount: '800' });
    await expect(put(world, company, spend(yen, '1.5', 'JPY'))).rejects.toMatchObject({ data: { code: 'B0905' } });
    await expect(put(world, company, spend(randomUUID(), '1'))).rejects.toThrow('账户不存在或已删除');
  });

  it('settles a payable up to its amount and no further, and never above it', async () => {
    const debt = await owe(world, company, '600');
    const pay = (amount: string) =>
      put(world, company, [
        { book: 'ACCOUNT', item: bank, currency: 'CNY', amount: `-${amount}`, purpose: 'PURCHASE' },
        { book: 'PAYABLE', item: debt, currency: 'CNY', amount, purpose: 'PURCHASE' },
      ]);
    const part = await pay('400');
    await expect(pay('200.01')).rejects.toThrow('付款金额超过待付金额 CNY 200.00（货款）');
    await pay('200');
    expect(await balanceOf(world, company, debt)).toBe('0');
    await within(world, company, (ctx) => reverse(ctx, part.id, '付错'));
    expect(await balanceOf(world, company, debt)).toBe('-400');
    const more = put(world, company, [
      { book: 'PAYABLE', item: debt, currency: 'CNY', amount: '-200.01', purpose: 'RAISE' },
      { book: 'GOODS', currency: 'CNY', amount: '200.01', purpose: 'RAISE' },
    ]);
    await expect(more).rejects.toThrow('冲回后将超过原金额 CNY 600.00');
    await proven();
  });

  it('refuses the same event out of another account, and a debt before its own day', async () => {
    const other = await openAccount(world, company, '备用', { amount: '500' });
    const from = source();
    await put(world, company, spend(bank, '10'), from);
    await expect(put(world, company, spend(other, '10'), from)).rejects.toMatchObject({ data: { code: 'B0906' } });
    const debt = await owe(world, company, '600');
    const yesterday = world.runtime.clock.dayAhead(-1);
    const early = put(
      world,
      company,
      [
        { book: 'ACCOUNT', item: bank, currency: 'CNY', amount: '-5', purpose: 'PURCHASE' },
        { book: 'PAYABLE', item: debt, currency: 'CNY', amount: '5', purpose: 'PURCHASE' },
      ],
      source(),
      { day: yesterday },
    );
    await expect(early).rejects.toThrow(`【货款】发生于 ${world.runtime.clock.today()}，业务日期不能早于该日`);
    await proven();
  });

  it('takes a posting back once, by opposite entries', async () => {
    const { id } = await put(world, company, earn(bank, '77.70'));
    const first = await within(world, company, (ctx) => reverse(ctx, id));
    expect(await within(world, company, (ctx) => reverse(ctx, id))).toEqual({ id: first.id, repeated: true });
    expect(await balanceOf(world, company, bank)).toBe('1000');
    await expect(within(world, company, (ctx) => reverse(ctx, first.id))).rejects.toThrow('冲销记录不能再冲销');
    const spent = await put(world, company, earn(bank, '50'));
    await put(world, company, spend(bank, '1050'));
    await expect(within(world, company, (ctx) => reverse(ctx, spent.id))).rejects.toMatchObject({
      data: { code: 'B0901' },
    });
    await proven();
  });

  it('knows no day to come, no closed month, and no day of the past that would have been overdrawn', async () => {
    await expect(put(world, company, earn(bank, '1'), source(), { day: daysAgo(-1) })).rejects.toThrow('不能晚于今天');
    const later = await openAccount(world, company, '支付宝');
    await put(world, company, earn(later, '100'), source(), { day: daysAgo(2) });
    await expect(put(world, company, spend(later, '60'), source(), { day: daysAgo(3) })).rejects.toThrow(
      `账户【支付宝】在 ${daysAgo(3)} 余额不足，日终将为 CNY -60.00`,
    );
    await put(world, company, spend(later, '60'), source(), { day: daysAgo(1) });
    await within(world, company, (ctx) =>
      ctx.db
        .insertInto('finance.period')
        .values({
          company_id: company,
          month: `${daysAgo(40).slice(0, 7)}-01`,
          state: 'CLOSED',
          changed_by_name: '测试',
        })
        .execute(),
    );
    await expect(put(world, company, earn(bank, '1'), source(), { day: daysAgo(40) })).rejects.toThrow(
      `${daysAgo(40).slice(0, 7)} 已关账，不能新增或修改；请录入到当前期间或申请反关账`,
    );
  });

  it('a disabled account takes nothing new, but gives back what is reversed', async () => {
    const { id } = await put(world, company, spend(bank, '10'));
    await within(world, company, (ctx) =>
      ctx.db.updateTable('finance.cash_account').set({ disabled: true }).where('id', '=', bank).execute(),
    );
    await expect(put(world, company, earn(bank, '1'))).rejects.toThrow('账户【招商银行】已停用');
    await within(world, company, (ctx) => reverse(ctx, id));
    expect(await balanceOf(world, company, bank)).toBe('1000');
  });

  it('makes its balances again from the entries, and says how many were wrong', async () => {
    const debt = await owe(world, company, '10');
    expect(await within(world, company, rebuildBalances)).toBe(0);
    await world.admin.query('UPDATE finance.balance SET amount = 1 WHERE company_id = $1 AND item_id = $2', [
      company,
      bank,
    ]);
    await world.admin.query('DELETE FROM finance.balance WHERE company_id = $1 AND item_id = $2', [company, debt]);
    const broken = await within(world, company, checkLedger);
    expect(broken.find((result) => result.code === 'M2')?.broken).toBe(2);
    expect(await within(world, company, rebuildBalances)).toBe(2);
    expect([await balanceOf(world, company, bank), await balanceOf(world, company, debt)]).toEqual(['1000', '-10']);
    await proven();
  });

  it('another company sees none of it', async () => {
    const other = randomUUID();
    const rows = await within(world, other, (ctx) => sql`SELECT FROM finance.entry`.execute(ctx.db));
    expect(rows.rows).toHaveLength(0);
    await expect(put(world, other, spend(bank, '1'))).rejects.toThrow('账户不存在或已删除');
  });
});
