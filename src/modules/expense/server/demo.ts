import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { demoPaid, savePartnerOf } from '#modules/finance/server/index.ts';
import { departmentsOf } from '#modules/identity/server/index.ts';
import { ExpenseInput } from '../contract/document.ts';
import { act } from './act.ts';
import { loaded } from './load.ts';
import { requestFor } from './pay.ts';
import { save } from './save.ts';

interface Colleague {
  id: string;
  name: string;
}

type Fate = 'draft' | 'submitted' | 'returned' | 'void' | 'approved' | 'requested' | 'paid' | 'reversed';
interface Plan {
  fate: Fate;
  what: Partial<ExpenseInput>;
  feeType: string;
  amount: string;
  payee: string;
}

/** Two departments that bear a rent, and the stores of the company; each may be too few. */
async function bearers(ctx: Ctx) {
  const { rows: stores } = await sql<{ key: string }>`
    SELECT marketplace_id || '-' || account_id AS key FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId} ORDER BY account_id, marketplace_id LIMIT 2`.execute(ctx.db);
  return { stores: stores.map(({ key }) => key), departments: (await departmentsOf(ctx)).map(({ id }) => id) };
}

async function plansOf(ctx: Ctx): Promise<Plan[]> {
  const { stores, departments } = await bearers(ctx);
  const [store] = stores;
  const [one, other] = departments;
  const ofStore = (amount: string): Partial<ExpenseInput> =>
    store ? { scope: 'STORE', shares: [{ store, sku: '', amount }] } : {};
  const rent: Partial<ExpenseInput> =
    one && other
      ? {
          scope: 'DEPARTMENT',
          shares: [
            { departmentId: one, sku: '', amount: '24000' },
            { departmentId: other, sku: '', amount: '12000' },
          ],
        }
      : {};
  const staff = '员工报销';
  return [
    {
      fate: 'paid',
      what: { months: 12, ...rent, remark: '办公室年租' },
      feeType: '其它',
      amount: '36000',
      payee: '龙岗办公物业',
    },
    {
      fate: 'requested',
      what: { months: 12, ...ofStore('2399') },
      feeType: '软件',
      amount: '2399',
      payee: '选品软件服务商',
    },
    { fate: 'approved', what: ofStore('860'), feeType: '摄影', amount: '860', payee: staff },
    {
      fate: 'submitted',
      what: { kind: 'REIMBURSEMENT', remark: '广交会差旅' },
      feeType: '其它',
      amount: '1850.5',
      payee: staff,
    },
    {
      fate: 'returned',
      what: { kind: 'REIMBURSEMENT', remark: '样品快递' },
      feeType: '样品',
      amount: '126',
      payee: staff,
    },
    { fate: 'reversed', what: ofStore('300'), feeType: '测评', amount: '300', payee: staff },
    { fate: 'void', what: { remark: '重复填写' }, feeType: '其它', amount: '99', payee: staff },
    {
      fate: 'draft',
      what: { kind: 'REIMBURSEMENT', remark: '办公用品' },
      feeType: '其它',
      amount: '458.6',
      payee: staff,
    },
  ];
}

/** One expense as far as its fate goes; `maker` asks, the caller decides and `cashier` pays. */
async function follow(ctx: Ctx, maker: Ctx, input: ExpenseInput, fate: Fate, cashier?: Colleague): Promise<void> {
  const { id } = await save(maker, input);
  if (fate === 'draft') return;
  if (fate === 'void') return void (await act(maker, 'void', { id, reason: '重复填写' }));
  await act(maker, 'submit', { id });
  if (fate === 'submitted') return;
  if (fate === 'returned') return void (await act(ctx, 'return', { id, reason: '请补发票' }));
  await act(ctx, 'approve', { id });
  if (fate === 'reversed') return void (await act(ctx, 'reverse', { id, reason: '归属填错' }));
  if (fate === 'approved') return;
  await requestFor(maker, { id, method: 'BANK' });
  const { requestId, amount } = await loaded(ctx, id);
  if (fate === 'paid' && requestId) await demoPaid(ctx, requestId, amount, cashier);
}

/** Expenses in every state for the demo company: the caller may do everything and is not `maker`, who asks. */
export async function demoExpenses(ctx: Ctx, maker: Colleague, cashier?: Colleague): Promise<void> {
  const plans = await plansOf(ctx);
  const parties = new Map<string, string>();
  for (const name of new Set(plans.map(({ payee }) => payee)))
    parties.set(name, (await savePartnerOf(ctx, { name, kind: 'OTHER', remark: '' })).id);
  const by: Ctx = { ...ctx, userId: maker.id, userName: maker.name };
  for (const { fate, what, feeType, amount, payee } of plans) {
    const input = ExpenseInput.parse({
      kind: 'DAILY',
      scope: 'COMPANY',
      spentOn: ctx.clock.today(),
      ...what,
      party: { kind: 'PARTNER', id: parties.get(payee) },
      lines: [{ feeType, amount }],
    });
    await follow(ctx, by, input, fate, cashier);
  }
}
