import { randomUUID } from 'node:crypto';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { PartnerForm } from '../contract/payables.ts';
import { RequestInput } from '../contract/requests.ts';
import { accounts } from './accounts/accounts.ts';
import { openItems } from './payables/items.ts';
import { savePartnerOf } from './payables/parties.ts';
import { act } from './requests/act.ts';
import { pay } from './requests/pay.ts';
import { type SaveInput, save } from './requests/save.ts';

/** How far each request of the demo has come, in the order in which they are made. */
const FATES = ['paid', 'approved', 'submitted', 'draft', 'paid', 'submitted'] as const;

/** The balance of goods that came, one request for each supplier's oldest debt. */
async function balances(ctx: Ctx): Promise<SaveInput[]> {
  const debts = await openItems(ctx, { currency: 'CNY', book: 'PAYABLE' });
  return debts.slice(0, 4).map((debt) =>
    RequestInput.parse({
      kind: 'BALANCE',
      party: { kind: debt.partyKind, id: debt.partyId },
      dueOn: ctx.clock.today(),
      lines: [{ title: '到货尾款', amount: new Decimal(debt.open).toFixed(2), payableId: debt.id }],
    }),
  );
}

async function expenses(ctx: Ctx): Promise<SaveInput[]> {
  const forwarder = await savePartnerOf(ctx, PartnerForm.parse({ name: '深圳远航货运代理' }));
  const landlord = await savePartnerOf(ctx, PartnerForm.parse({ name: '龙岗仓储物业' }));
  const of = (id: string, title: string, amount: string) =>
    RequestInput.parse({ kind: 'EXPENSE', party: { kind: 'PARTNER', id }, lines: [{ title, amount }] });
  return [of(forwarder.id, '美西海运 3 立方', '5460'), of(landlord.id, '仓库租金', '12800')];
}

/** Whoever pays in the demo, which is not who approves. */
export interface Cashier {
  id: string;
  name: string;
}

interface Till {
  account: string;
  cashier: Cashier | undefined;
}

/** Approves a request of the demo and pays all of it. */
async function paidBy(ctx: Ctx, id: string, amount: string, { account, cashier }: Till): Promise<void> {
  await act(ctx, 'approve', { id });
  const by = cashier ? { ...ctx, userId: cashier.id, userName: cashier.name } : ctx;
  await pay(by, { batchId: randomUUID(), cashAccountId: account, fee: '0', note: '', requests: [{ id, amount }] });
}

async function follow(ctx: Ctx, input: SaveInput, fate: (typeof FATES)[number], till: Till): Promise<void> {
  const { id } = await save(ctx, input);
  if (fate === 'draft') return;
  await act(ctx, 'submit', { id });
  if (fate === 'submitted') return;
  if (fate === 'paid') await paidBy(ctx, id, input.lines[0]?.amount ?? '0', till);
  else await act(ctx, 'approve', { id });
}

const bankOf = async (ctx: Ctx) => (await accounts(ctx)).find((one) => one.currency === 'CNY' && one.isDefault);

/** Approves a request in CNY that another document of the demo made, and pays it. */
export async function demoPaid(ctx: Ctx, id: string, amount: string, cashier?: Cashier): Promise<void> {
  const bank = await bankOf(ctx);
  if (bank) await paidBy(ctx, id, amount, { account: bank.id, cashier });
}

/**
 * Requests in every state for the demo company: balances of what purchasing owes, freight and rent. The caller may do
 * everything; `cashier` pays, where the company has one.
 */
export async function demoRequests(ctx: Ctx, cashier?: Cashier): Promise<void> {
  const bank = await bankOf(ctx);
  if (!bank) return;
  const inputs = [...(await balances(ctx)), ...(await expenses(ctx))];
  const till = { account: bank.id, cashier };
  for (const [n, input] of inputs.entries()) await follow(ctx, input, FATES[n % FATES.length] ?? 'draft', till);
}
