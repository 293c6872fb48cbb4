import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { BlocKind, blocRequest, CARRY, type Way, wayOf } from '../../contract/bloc.ts';
import type { carryBloc, Outcome } from '../../contract/bloc-calls.ts';
import { minus } from '../../contract/fields.ts';
import { requireCategory } from '../accounts/categories.ts';
import { exchanged, feeLines } from '../accounts/journal.ts';
import { worthAt } from '../ledger/base.ts';
import { post } from '../ledger/post.ts';
import type { Line, NewItem, Purpose } from '../ledger/types.ts';
import { moneyMoved } from '../payables/documents.ts';
import { freeDebts } from '../payables/free.ts';
import { lockParties, openItems, settleLine } from '../payables/items.ts';
import { rateOn } from '../rates/rates.ts';
import { requireOtherPayer } from '../separation.ts';
import { holdDebt, requireState, step } from './act.ts';
import { type Bloc, locked, requireSides, sidesOf } from './load.ts';

type Input = z.output<typeof carryBloc.body>;

const KINDS = BlocKind.meta()?.states ?? {};
const PURPOSE: Record<BlocKind, Purpose> = { LOAN: 'LOAN', ON_BEHALF: 'ON_BEHALF', COST: 'COST' };

interface Account {
  id: string;
  currency: string;
  /** In its currency, more than 0. */
  paid: string;
}

/** What stands against the mutual items, and the CNY value of the request; undefined in CNY. */
interface Other {
  lines: Line[];
  base: string | undefined;
}

/** @throws refused B0972 for what the way of carrying out has no use for, or needs and has not */
function requireFitting(input: Input, way: Way): void {
  const { cashAccountId, paid, fee, payableId, categoryId } = input;
  if (way === 'MONEY' && !cashAccountId) throw refused('请选择资金账户', 'B0972');
  if (way !== 'MONEY' && (cashAccountId || paid || /[1-9]/.test(fee))) {
    throw refused('该申请不经过本公司账户，资金账户、账户金额和手续费请留空', 'B0972');
  }
  if (way !== 'OURS' && payableId) throw refused('只有集团内公司代本公司付款时可以选择被代付的应付', 'B0972');
  if ((way === 'MONEY' || way === 'BOOKS') && categoryId)
    throw refused('该申请不计入本公司费用，收支项请留空', 'B0972');
  if (payableId && categoryId) throw refused('被代付的应付与收支项只能选择一项', 'B0972');
}

/** @throws refused B0922 account, B0925 amounts that do not fit the currencies */
async function accountOf(ctx: Ctx, doc: Bloc, { cashAccountId, paid }: Input): Promise<Account> {
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .select(['id', 'currency', 'disabled'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', cashAccountId ?? '')
    .executeTakeFirst();
  if (!row || row.disabled) throw refused('资金账户不存在或已停用', 'B0922');
  const { id, currency } = row;
  if (currency !== doc.currency) {
    if (!paid) throw refused(`账户币种不同，请填写账户金额（${currency}）`, 'B0925');
    return { id, currency, paid };
  }
  if (paid && !new Decimal(paid).eq(doc.amount)) throw refused('账户与申请币种相同，账户金额应等于申请金额', 'B0925');
  return { id, currency, paid: doc.amount };
}

/** Money that leaves an account to be owed to us, or comes into one to be owed by us; a bank's fee is ours. */
async function money(ctx: Ctx, doc: Bloc, input: Input, rate: () => Promise<string>) {
  const account = await accountOf(ctx, doc, input);
  const out = doc.giverId === null;
  const foreign = doc.currency !== 'CNY';
  const base = foreign ? (account.currency === 'CNY' ? account.paid : worthAt(doc.amount, await rate())) : undefined;
  // What the account gives is worth what is owed for it; only an amount in CNY says its value itself.
  const perUnit = base && account.currency !== 'CNY' ? new Decimal(base).div(account.paid).toFixed(20) : undefined;
  const sign = (text: string) => (out ? minus(text) : text);
  const fees = new Decimal(input.fee).isZero() ? [] : feeLines(account.id, account.currency, input.fee);
  const lines: Line[] = [
    {
      book: 'ACCOUNT',
      item: account.id,
      currency: account.currency,
      amount: sign(account.paid),
      base: perUnit && base && sign(base),
      purpose: PURPOSE[doc.kind],
      memo: doc.payee,
    },
    ...(out
      ? exchanged(account.currency, account.paid, doc.currency, doc.amount)
      : exchanged(doc.currency, doc.amount, account.currency, account.paid)),
    ...fees.map((line) => (perUnit ? { ...line, base: worthAt(line.amount, perUnit) } : line)),
  ];
  return { other: { lines, base } satisfies Other, account };
}

/** A debt of ours that the giver paid. @throws refused B0973 for one that is not free for it */
async function debtPaid(ctx: Ctx, doc: Bloc, payableId: string, rate: () => Promise<string>): Promise<Other> {
  const [item] = await openItems(ctx, { ids: [payableId] });
  if (item?.book !== 'PAYABLE' || item.currency !== doc.currency) {
    throw refused(`被代付的应付不存在、已结清，或币种不是 ${doc.currency}`, 'B0973');
  }
  if (item.partyId === doc.giverId) throw refused('被代付的应付不能是欠出方自己的款项', 'B0973');
  const debts = await freeDebts(ctx, item.partyId, doc.currency);
  const free = debts.find(({ id }) => id === payableId)?.free ?? '0';
  if (new Decimal(free).lt(doc.amount)) {
    throw refused(`该应付最多可代付 ${new Decimal(free).toFixed(currencyScale(doc.currency))}`, 'B0973');
  }
  const line = settleLine(item, doc.amount, 'SETTLE');
  if (doc.currency === 'CNY') return { lines: [line], base: undefined };
  // Who is owed changes, and nothing is realised by it: the debt goes over with what it was booked with.
  const base = line.base ?? worthAt(doc.amount, await rate());
  return { lines: [{ ...line, base }], base };
}

/** A cost of ours that goes away with the request (−), or that comes with it (+). */
async function cost(ctx: Ctx, doc: Bloc, { categoryId }: Input, rate: () => Promise<string>): Promise<Other> {
  await requireCategory(ctx, categoryId ?? undefined, 'OUT');
  const sign = (text: string) => (doc.giverId === null ? minus(text) : text);
  const base = doc.currency === 'CNY' ? undefined : worthAt(doc.amount, await rate());
  return {
    lines: [
      {
        book: 'EXPENSE',
        currency: doc.currency,
        amount: sign(doc.amount),
        base: base && sign(base),
        purpose: PURPOSE[doc.kind],
        category: categoryId ?? undefined,
        memo: doc.reason,
      },
    ],
    base,
  };
}

/** The mutual items: the taker owes us, we owe the giver, each where it is not ourselves; with the lines that fill them. */
function mutual(doc: Bloc, names: { giver: string; taker: string }, base: string | undefined) {
  const kind = KINDS[doc.kind]?.title ?? doc.kind;
  const itemFor = (book: 'RECEIVABLE' | 'PAYABLE', party: string): NewItem => ({
    id: randomUUID(),
    book,
    kind: doc.kind,
    party: { kind: 'PARTNER', id: party },
    subject: { type: blocRequest.name, id: doc.id, number: doc.number },
    title: `${kind} ${names.giver} → ${names.taker}`.slice(0, 200),
    currency: doc.currency,
    amount: doc.amount,
    dueOn: doc.dueOn ?? undefined,
    // What is worth less than a cent has no rate.
    rate: base && /[1-9]/.test(base) ? new Decimal(base).div(doc.amount).toFixed(10) : undefined,
    base,
  });
  const items = [
    ...(doc.takerId === null ? [] : [itemFor('RECEIVABLE', doc.takerId)]),
    ...(doc.giverId === null ? [] : [itemFor('PAYABLE', doc.giverId)]),
  ];
  const lines = items.map((item): Line => {
    const sign = (text: string) => (item.book === 'PAYABLE' ? minus(text) : text);
    return {
      book: item.book,
      item: item.id,
      currency: doc.currency,
      amount: sign(doc.amount),
      base: base && sign(base),
      purpose: PURPOSE[doc.kind],
      memo: doc.reason,
    };
  });
  return { items, lines };
}

/** What stands against the mutual items of a request. */
async function otherSide(ctx: Ctx, doc: Bloc, input: Input, way: Way) {
  const rate = () => rateOn(ctx, doc.currency, input.day ?? ctx.clock.today());
  if (way === 'MONEY') return money(ctx, doc, input, rate);
  if (way === 'OURS' && input.payableId) return { other: await debtPaid(ctx, doc, input.payableId, rate) };
  if (way !== 'BOOKS') return { other: await cost(ctx, doc, input, rate) };
  const base = doc.currency === 'CNY' ? undefined : worthAt(doc.amount, await rate());
  return { other: { lines: [], base } satisfies Other };
}

async function carried(ctx: Ctx, doc: Bloc, input: Input, names: { giver: string; taker: string }): Promise<void> {
  const found = await otherSide(ctx, doc, input, wayOf(doc));
  const { items, lines } = mutual(doc, names, found.other.base);
  const posted = await post(ctx, {
    source: { type: blocRequest.name, id: doc.id, event: 'carry', number: doc.number },
    title: `往来申请 ${doc.number}`,
    day: input.day,
    note: input.note,
    items,
    lines: [...found.other.lines, ...lines],
  });
  const account = 'account' in found ? found.account : undefined;
  await ctx.db
    .updateTable('finance.bloc_request')
    .set({
      posting_id: posted.id,
      cash_account_id: account?.id ?? null,
      paid: account?.paid ?? null,
      fee: input.fee,
      payable_id: input.payableId ?? null,
      category_id: input.categoryId ?? null,
      done_on: input.day ?? ctx.clock.today(),
      done_by_name: ctx.userName,
      note: input.note,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
}

/**
 * Carries an approved request out. The taker owes from then on and the giver is owed; where one of them is the own company,
 * money, a debt or a cost of ours stands against it.
 * @throws conflict stale version or state, refused B0934 for who approved, B0970 sides, B0972 what does not fit the request,
 * B0973 the debt that is paid, B0922 and B0925 account, B0913 category, B0930 without a rate, or what the ledger refuses
 */
export async function carry(ctx: Ctx, input: Input): Promise<Outcome> {
  const { documents, parties } = await holdDebt(ctx, input.payableId);
  const doc = await locked(ctx, input.id);
  requireState(doc, 'carry', input.version);
  requireFitting(input, wayOf(doc));
  await requireOtherPayer(ctx, doc.approvedBy, CARRY, `不能执行本人审核的往来申请（${doc.number}）`);
  const names = await requireSides(ctx, sidesOf(doc));
  await lockParties(ctx, [...parties, ...sidesOf(doc).flatMap((side) => side.id ?? [])]);
  const done = await step(ctx, doc, 'carry', {}, () => carried(ctx, doc, input, names));
  await moneyMoved(ctx, documents);
  const { cashAccountId, paid, fee, payableId, categoryId, day, note } = input;
  await audit(ctx, {
    action: '往来申请·执行',
    resource: blocRequest.name,
    resourceId: doc.id,
    after: {
      number: doc.number,
      ...names,
      amount: doc.amount,
      cashAccountId,
      paid,
      fee,
      payableId,
      categoryId,
      day,
      note,
    },
  });
  return done;
}
