import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { minus } from '../../contract/fields.ts';
import { paymentRequest, type payRequests } from '../../contract/requests.ts';
import { exchanged, feeLines } from '../accounts/journal.ts';
import { post } from '../ledger/post.ts';
import type { Line, NewItem, Posted } from '../ledger/types.ts';
import { lockParties, openItems, settleLines } from '../payables/items.ts';
import { step } from './act.ts';
import { locked, type Request } from './load.ts';

type Input = z.output<typeof payRequests.body>;

interface Account {
  id: string;
  currency: string;
}

/** What one request gets out of the account. */
interface Share {
  request: Request;
  /** In the currency of the request. */
  amount: string;
  /** In the currency of the account. */
  paid: string;
  fee: string;
}

async function accountOf(ctx: Ctx, id: string): Promise<Account> {
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .select(['id', 'currency', 'disabled'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.disabled) throw refused('付款账户不存在或已停用', 'B0922');
  return row;
}

/** @throws conflict for a stale version or a state that cannot be paid, refused B0924 for more than is left */
function requirePayable(doc: Request, asked: Input['requests'][number]): void {
  if (asked.version !== undefined && asked.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if (!['approved', 'partly'].includes(doc.state)) {
    throw conflict(`单据状态为【${paymentRequest.states[doc.state].title}】，不能执行【付款】`);
  }
  const left = new Decimal(doc.amount).minus(doc.paid);
  if (left.lt(asked.amount)) {
    throw refused(`付款金额超过待付金额 ${left.toFixed(currencyScale(doc.currency))}`, 'B0924');
  }
}

function paidOf(doc: Request, asked: Input['requests'][number], account: Account): string {
  if (doc.currency === account.currency) {
    if (asked.paid !== undefined && !new Decimal(asked.paid).eq(asked.amount)) {
      throw refused('账户与请款币种相同，账户支出应等于付款金额', 'B0925');
    }
    return asked.amount;
  }
  if (asked.paid === undefined) throw refused(`请填写 ${doc.number} 的账户支出（${account.currency}）`, 'B0925');
  return asked.paid;
}

/** The requests of a batch, locked in the order of their ids. */
async function lockAll(ctx: Ctx, input: Input): Promise<Map<string, Request>> {
  const ids = [...new Set(input.requests.map((one) => one.id))].sort();
  if (ids.length < input.requests.length) throw refused('同一张请款单不能重复付款', 'B0924');
  const found = new Map<string, Request>();
  for (const id of ids) found.set(id, await locked(ctx, id));
  return found;
}

/** What each request gets; the bank's fee is shared among them by what leaves the account. */
function sharesOf(input: Input, account: Account, requests: ReadonlyMap<string, Request>): Share[] {
  const shares = input.requests.flatMap((one) => {
    const request = requests.get(one.id);
    if (!request) return [];
    requirePayable(request, one);
    return [{ request, amount: one.amount, paid: paidOf(request, one, account) }];
  });
  const weights = new Map(shares.map((share) => [share.request.id, share.paid]));
  const fees = allocate(input.fee, weights, currencyScale(account.currency));
  return shares.map((share) => ({ ...share, fee: fees?.get(share.request.id) ?? '0' }));
}

interface Settled {
  lines: Line[];
  items: NewItem[];
}

/** An expense is spent; nobody was owed anything before. Parts follow the lines of the request. */
function expenseLines({ request, amount }: Share): Settled {
  const weights = new Map(request.lines.map((line) => [String(line.lineNo), line.amount]));
  const parts = allocate(amount, weights, currencyScale(request.currency));
  const lines = request.lines.map(
    (line): Line => ({
      book: 'EXPENSE',
      currency: request.currency,
      amount: parts?.get(String(line.lineNo)) ?? '0',
      purpose: 'MANUAL',
      category: line.categoryId ?? undefined,
      memo: line.title,
    }),
  );
  return { lines: lines.filter((line) => !new Decimal(line.amount).isZero()), items: [] };
}

/** Debts that the request names, then the oldest of its order; what is left is paid in advance. */
async function debtLines(ctx: Ctx, { request, amount }: Share): Promise<Settled> {
  const { party, currency, subjectType, subjectId, subjectNumber } = request;
  const named = request.lines.flatMap((line) => line.payableId ?? []);
  const first =
    named.length > 0 ? await openItems(ctx, { ids: named, book: 'PAYABLE', party: party.id, currency }) : [];
  const byLine = named.flatMap((id) => first.filter((item) => item.id === id));
  const order =
    subjectId === ''
      ? []
      : await openItems(ctx, {
          party: party.id,
          currency,
          book: 'PAYABLE',
          subject: { type: subjectType, id: subjectId },
        });
  const debts = [...byLine, ...order.filter((item) => !named.includes(item.id))];
  const { lines, rest } = settleLines(debts, amount, 'PURCHASE');
  if (new Decimal(rest).isZero()) return { lines, items: [] };
  const item: NewItem = {
    id: randomUUID(),
    book: 'PREPAID',
    kind: 'DEPOSIT',
    party,
    subject: subjectId === '' ? undefined : { type: subjectType, id: subjectId, number: subjectNumber },
    title: `${subjectNumber || request.number} 预付款`,
    currency,
    amount: rest,
  };
  return {
    lines: [...lines, { book: 'PREPAID', item: item.id, currency, amount: rest, purpose: 'DEPOSIT' }],
    items: [item],
  };
}

async function postShare(ctx: Ctx, input: Input, account: Account, share: Share): Promise<Posted> {
  const { request, amount, paid, fee } = share;
  const { lines, items } = request.kind === 'EXPENSE' ? expenseLines(share) : await debtLines(ctx, share);
  const advance = items.length > 0 && lines.length === 1;
  return post(ctx, {
    source: { type: paymentRequest.name, id: request.id, event: `pay:${input.batchId}`, number: request.number },
    title: `付款 ${request.number}`,
    day: input.day,
    note: input.note,
    items,
    lines: [
      {
        book: 'ACCOUNT',
        item: account.id,
        currency: account.currency,
        amount: minus(paid),
        purpose: request.kind === 'EXPENSE' ? 'MANUAL' : advance ? 'DEPOSIT' : 'PURCHASE',
        category: request.kind === 'EXPENSE' ? (request.lines[0]?.categoryId ?? undefined) : undefined,
      },
      ...lines,
      ...exchanged(account.currency, paid, request.currency, amount),
      ...(new Decimal(fee).isZero() ? [] : feeLines(account.id, account.currency, fee)),
    ],
  });
}

async function payShare(ctx: Ctx, input: Input, account: Account, share: Share): Promise<void> {
  const { request, amount, paid, fee } = share;
  const all = new Decimal(request.paid).plus(amount).eq(request.amount);
  await step(ctx, request, all ? 'payAll' : 'payPart', {}, async () => {
    const { id } = await postShare(ctx, input, account, share);
    await ctx.db
      .insertInto('finance.payment')
      .values({
        company_id: ctx.companyId,
        request_id: request.id,
        batch_id: input.batchId,
        posting_id: id,
        cash_account_id: account.id,
        amount,
        paid,
        fee,
        paid_on: input.day ?? ctx.runtime.clock.today(),
        note: input.note,
        created_by_name: ctx.userName,
      })
      .execute();
    await ctx.db
      .updateTable('finance.payment_request')
      .set({ paid_amount: new Decimal(request.paid).plus(amount).toFixed() })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', request.id)
      .execute();
  });
}

async function writeBatch(ctx: Ctx, input: Input, shares: readonly Share[]): Promise<void> {
  await ctx.db
    .insertInto('finance.payment_batch')
    .values({
      company_id: ctx.companyId,
      id: input.batchId,
      cash_account_id: input.cashAccountId,
      requests: shares.length,
      paid: sum(shares.map((share) => share.paid)),
      fee: input.fee,
      created_by_name: ctx.userName,
    })
    .execute();
}

/** The answer of a batch that was paid before. */
async function earlier(ctx: Ctx, batchId: string) {
  return ctx.db
    .selectFrom('finance.payment_batch as b')
    .innerJoin('finance.cash_account as a', (join) =>
      join.onRef('a.company_id', '=', 'b.company_id').onRef('a.id', '=', 'b.cash_account_id'),
    )
    .select(['b.id as batchId', 'b.requests', 'b.paid', 'b.fee', 'a.currency'])
    .where('b.company_id', '=', ctx.companyId)
    .where('b.id', '=', batchId)
    .executeTakeFirst();
}

/**
 * Pays requests out of one account, all of them or none. Each gets a posting of its own; a batch is paid once.
 * @throws conflict stale version or state, refused B0922 account, B0924 more than is left, B0925 amounts that do not fit
 * the currencies, or what the ledger refuses
 */
export async function pay(ctx: Ctx, input: Input) {
  const requests = await lockAll(ctx, input);
  // Only now: the same batch may have been under way and have paid just these.
  const before = await earlier(ctx, input.batchId);
  if (before) {
    ctx.audited = true;
    return { ...before, repeated: true };
  }
  const account = await accountOf(ctx, input.cashAccountId);
  const shares = sharesOf(input, account, requests);
  await writeBatch(ctx, input, shares);
  await lockParties(
    ctx,
    shares.map((share) => share.request.party.id),
  );
  for (const share of shares) await payShare(ctx, input, account, share);
  const paid = sum(shares.map((share) => share.paid));
  await audit(ctx, {
    action: '请款单·付款',
    resource: paymentRequest.name,
    resourceId: input.batchId,
    after: { requests: shares.map((share) => share.request.number), account: account.id, paid, fee: input.fee },
  });
  return {
    batchId: input.batchId,
    requests: shares.length,
    paid,
    fee: input.fee,
    currency: account.currency,
    repeated: false,
  };
}
