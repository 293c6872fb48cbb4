import { randomUUID } from 'node:crypto';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { PRESET_RATES } from '../contract/rates.ts';
import { RequestInput } from '../contract/requests.ts';
import { accounts } from './accounts/accounts.ts';
import type { Cashier } from './demo-requests.ts';
import { openItems } from './payables/items.ts';
import { putDays } from './rates/edit.ts';
import { knownRate } from './rates/rates.ts';
import { act } from './requests/act.ts';
import { pay } from './requests/pay.ts';
import { save } from './requests/save.ts';

/** What the bank takes for a dollar when a debt is paid in CNY, above the day's rate. */
const SPREAD = '0.0215';

/** Today's rate of the dollar, where nothing published says one: what is bought abroad needs it. */
export async function demoRates(ctx: Ctx): Promise<void> {
  const day = ctx.clock.today();
  if (await knownRate(ctx, 'USD', day)) return;
  await putDays(ctx, [{ currency: 'USD', day, rate: PRESET_RATES.USD ?? '7' }], '手工录入');
}

/**
 * The oldest debt in dollars is paid in two halves, one out of CNY at the bank's rate and one in dollars, so that the
 * rates' gains and losses have something to show. Does nothing without such a debt. The caller
 * may do everything; `cashier` pays, where the company has one.
 */
export async function demoAbroad(ctx: Ctx, cashier?: Cashier): Promise<void> {
  const [debt] = await openItems(ctx, { currency: 'USD', book: 'PAYABLE' });
  const all = await accounts(ctx);
  const of = (currency: string) => all.find((one) => one.currency === currency && one.isDefault);
  const [yuan, dollars] = [of('CNY'), of('USD')];
  if (!debt?.base || !yuan || !dollars) return;
  const half = new Decimal(debt.open).div(2).toFixed(2);
  const rate = new Decimal(debt.base).div(debt.open).plus(SPREAD);
  const { id } = await save(
    ctx,
    RequestInput.parse({
      kind: 'BALANCE',
      party: { kind: debt.partyKind, id: debt.partyId },
      currency: 'USD',
      dueOn: ctx.clock.today(),
      lines: [{ title: '到货尾款', amount: new Decimal(debt.open).toFixed(2), payableId: debt.id }],
    }),
  );
  await act(ctx, 'submit', { id });
  await act(ctx, 'approve', { id });
  const by = cashier ? { ...ctx, userId: cashier.id, userName: cashier.name } : ctx;
  const one = (cashAccountId: string, request: { amount: string; paid?: string }, fee: string) =>
    pay(by, { batchId: randomUUID(), cashAccountId, fee, note: '', requests: [{ id, ...request }] });
  await one(yuan.id, { amount: half, paid: rate.times(half).toFixed(2) }, '120');
  await one(dollars.id, { amount: new Decimal(debt.open).minus(half).toFixed(2) }, '25');
}
