import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { moneyOf, reversePosted } from '#modules/finance/server/index.ts';
import { freightBill } from '../../../contract/freight/bill.ts';
import { settleAll } from '../settle.ts';
import type { FreightBill } from './load.ts';

/**
 * Takes a confirmed bill back: its orders bear what the bills that stand come to, and the carrier is owed it no more.
 * @throws refused B1358 where money is asked for it, B0902 where it has been paid, B0805 in a closed month
 */
export async function reverseBill(ctx: Ctx, bill: FreightBill, reason: string): Promise<void> {
  const money = await moneyOf(ctx, freightBill.name, [bill.id]);
  if (money.some(({ requested }) => !new Decimal(requested).isZero())) {
    throw refused('该账单存在未完成的请款，请先撤回', 'B1358');
  }
  await settleAll(ctx, bill, 'reverse', reason);
  await reversePosted(ctx, { type: freightBill.name, id: bill.id, event: 'confirm' }, reason);
}
