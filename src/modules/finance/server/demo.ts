import type { Ctx } from '#kit/server/context.ts';
import { add, makeDefault } from './accounts/accounts.ts';
import { saveCategoryOf } from './accounts/categories.ts';
import { transfer, write } from './accounts/journal.ts';

const CATEGORIES = [
  { name: '房租水电', direction: 'OUT' },
  { name: '办公费', direction: 'OUT' },
  { name: '平台回款', direction: 'IN' },
] as const;

/**
 * Gives a company three accounts with what is in them, and two months of ordinary entries.
 */
export async function demoFinance(ctx: Ctx): Promise<void> {
  const plain = { bankName: '', tail: '', overdraft: '0', remark: '', openingDay: ctx.clock.dayAhead(-60) };
  const bank = await add(ctx, {
    ...plain,
    name: '招商银行基本户',
    method: 'BANK',
    currency: 'CNY',
    bankName: '招商银行深圳分行',
    tail: '6621',
    opening: '386500.00',
  });
  const alipay = await add(ctx, {
    ...plain,
    name: '企业支付宝',
    method: 'ALIPAY',
    currency: 'CNY',
    opening: '52800.00',
  });
  const wallet = await add(ctx, {
    ...plain,
    name: '跨境收款美元户',
    method: 'WALLET',
    currency: 'USD',
    opening: '18240.55',
  });
  await makeDefault(ctx, bank.id);
  await makeDefault(ctx, wallet.id);
  const ids = new Map<string, string>();
  for (const one of CATEGORIES) ids.set(one.name, (await saveCategoryOf(ctx, { ...one, disabled: false })).id);
  const entry = (cashAccountId: string, category: string, direction: 'IN' | 'OUT', amount: string, back: number) =>
    write(ctx, {
      cashAccountId,
      categoryId: ids.get(category),
      direction,
      amount,
      day: ctx.clock.dayAhead(-back),
      memo: '',
    });
  await entry(wallet.id, '平台回款', 'IN', '9310.20', 45);
  await entry(bank.id, '房租水电', 'OUT', '23860.00', 40);
  await transfer(ctx, {
    fromId: wallet.id,
    toId: bank.id,
    amount: '15000',
    received: '106350',
    fee: '45',
    day: ctx.clock.dayAhead(-38),
    memo: '结汇',
  });
  await entry(alipay.id, '办公费', 'OUT', '1286.40', 25);
  await entry(wallet.id, '平台回款', 'IN', '11752.86', 15);
  await entry(bank.id, '房租水电', 'OUT', '24115.30', 10);
  await transfer(ctx, {
    fromId: bank.id,
    toId: alipay.id,
    amount: '30000',
    fee: '0',
    day: ctx.clock.dayAhead(-6),
    memo: '1688 备付',
  });
}
