import { sql } from 'kysely';
import type { z } from 'zod';
import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { minus } from '../../contract/fields.ts';
import { PAY, paymentRequest, type payRequests } from '../../contract/requests.ts';
import { exchanged, feeLines } from '../accounts/journal.ts';
import { closed, gainOf, lineValue, valuedAt, worthAt } from '../ledger/base.ts';
import { post } from '../ledger/post.ts';
import type { Line } from '../ledger/types.ts';
import { documentsOf, holdDocuments, moneyMoved, requireUnpaid } from '../payables/documents.ts';
import { lockParties, subjectsOf } from '../payables/items.ts';
import { rateOn } from '../rates/rates.ts';
import { requireOtherPayer } from '../separation.ts';
import { step } from './act.ts';
import { locked, type Request } from './load.ts';
import { type Part, partsOf, type Settled, settledBy } from './parts.ts';
import { sharesOf } from './room.ts';

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
  /** What of the amount goes to each line. */
  parts: Part[];
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
function partitioned(input: Input, account: Account, requests: ReadonlyMap<string, Request>): Share[] {
  const shares = input.requests.flatMap((one) => {
    const request = requests.get(one.id);
    if (!request) return [];
    requirePayable(request, one);
    return [{ request, amount: one.amount, paid: paidOf(request, one, account), parts: partsOf(request, one.amount) }];
  });
  const weights = new Map(shares.map((share) => [share.request.id, share.paid]));
  const fees = allocate(input.fee, weights, currencyScale(account.currency));
  return shares.map((share) => ({ ...share, fee: fees?.get(share.request.id) ?? '0' }));
}

/** CNY for one unit as it is paid: what left an account in CNY, else the rate of the day. @throws refused B0930 */
async function rateOf(ctx: Ctx, { day }: Input, account: Account, share: Share): Promise<string> {
  const { request, amount, paid } = share;
  if (request.currency === 'CNY') return '1';
  if (account.currency === 'CNY') return new Decimal(paid).div(amount).toFixed(10);
  return rateOn(ctx, request.currency, day ?? ctx.clock.today());
}

/** What a payment was in CNY; `rate` and `base` are null where no rate was needed and none was given. */
interface Worth {
  /** CNY for one unit of the request's currency. */
  rate: string | null;
  base: string | null;
  /** + gained, − lost by paying at another rate than was booked. */
  gain: string;
}

interface Paid extends Worth {
  postingId: string;
}

/** Lines of a payment before they are closed in CNY. */
function payLines(account: Account, share: Share, settled: readonly Line[], advance: boolean): Line[] {
  const { request, amount, paid, fee } = share;
  return [
    {
      book: 'ACCOUNT',
      item: account.id,
      currency: account.currency,
      amount: minus(paid),
      purpose: request.kind === 'EXPENSE' ? 'MANUAL' : advance ? 'DEPOSIT' : 'PURCHASE',
      category: request.kind === 'EXPENSE' ? (request.lines[0]?.categoryId ?? undefined) : undefined,
    },
    ...settled,
    ...exchanged(account.currency, paid, request.currency, amount),
    ...(new Decimal(fee).isZero() ? [] : feeLines(account.id, account.currency, fee)),
  ];
}

/**
 * Values a payment of a debt in another currency, and closes it with what the rate gained or lost. An account in a third
 * currency gives what the day's rate of the debt says.
 */
function closedAt(account: Account, share: Share, rate: string, lines: readonly Line[]): Line[] {
  const worth = account.currency === 'CNY' ? share.paid : worthAt(share.amount, rate);
  const perUnit = new Decimal(worth).div(share.paid).toFixed(20);
  const valued = lines.map((line, index): Line => {
    if (line.currency !== account.currency || line.currency === 'CNY' || lineValue(line) !== undefined) return line;
    return { ...line, base: index === 0 ? minus(worth) : worthAt(line.amount, perUnit) };
  });
  return closed(valuedAt(valued, rate));
}

/** What a payment settles. What is paid in advance alone, out of an account in CNY, is worth what left that, to the cent. */
async function settle(ctx: Ctx, input: Input, account: Account, share: Share): Promise<Settled> {
  const { request, parts, paid } = share;
  const rate = async () => (request.currency === 'CNY' ? undefined : rateOf(ctx, input, account, share));
  const { lines, items } = await settledBy(ctx, request, parts, rate);
  const alone = items.length > 0 && lines.length === 1 && request.currency !== 'CNY' && account.currency === 'CNY';
  const exact = <T extends object>(one: T): T => (alone ? { ...one, base: paid } : one);
  return { lines: lines.map(exact), items: items.map(exact) };
}

async function postShare(ctx: Ctx, input: Input, account: Account, share: Share): Promise<Paid> {
  const { request, amount, paid } = share;
  const foreign = request.currency !== 'CNY';
  const { lines: settled, items } = await settle(ctx, input, account, share);
  const plain = payLines(account, share, settled, items.length > 0 && settled.length === 1);
  const valued = foreign && settled.some((line) => line.base !== undefined);
  const known = valued || !foreign || account.currency === 'CNY';
  const rate = known ? await rateOf(ctx, input, account, share) : null;
  const lines = valued && rate ? closedAt(account, share, rate, plain) : plain;
  const posted = await post(ctx, {
    source: { type: paymentRequest.name, id: request.id, event: `pay:${input.batchId}`, number: request.number },
    title: `付款 ${request.number}`,
    day: input.day,
    note: input.note,
    items,
    lines,
  });
  const base = rate && (foreign && account.currency === 'CNY' ? paid : worthAt(amount, rate));
  return { postingId: posted.id, rate, base, gain: gainOf(lines) };
}

async function payShare(ctx: Ctx, input: Input, account: Account, share: Share): Promise<void> {
  const { request, amount, paid, fee } = share;
  const all = new Decimal(request.paid).plus(amount).eq(request.amount);
  await step(ctx, request, all ? 'payAll' : 'payPart', {}, async () => {
    const { postingId, rate, base, gain } = await postShare(ctx, input, account, share);
    await ctx.db
      .insertInto('finance.payment')
      .values({
        company_id: ctx.companyId,
        request_id: request.id,
        batch_id: input.batchId,
        posting_id: postingId,
        cash_account_id: account.id,
        amount,
        paid,
        fee,
        rate,
        base,
        gain,
        paid_on: input.day ?? ctx.clock.today(),
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
    await sql`
      UPDATE finance.payment_request_line AS l SET paid_amount = l.paid_amount + p.amount
        FROM jsonb_to_recordset(${JSON.stringify(share.parts.map((part) => ({ n: part.line.lineNo, amount: part.amount })))}::jsonb)
             AS p(n int, amount numeric)
       WHERE l.company_id = ${ctx.companyId} AND l.request_id = ${request.id} AND l.line_no = p.n`.execute(ctx.db);
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

/** What a batch pays of each document is still owed: it may have come to less since it was asked for. @throws B0928 */
async function requireOwed(ctx: Ctx, shares: readonly Share[]): Promise<void> {
  const owing = shares.filter(({ request }) => request.kind !== 'EXPENSE');
  const named = owing.flatMap(({ parts }) => parts.flatMap(({ line }) => line.payableId ?? []));
  const debts = named.length > 0 ? await subjectsOf(ctx, named) : [];
  const paid = owing.flatMap(({ request, parts }) => {
    const lines = parts.map(({ line, amount }) => ({ payableId: line.payableId, amount }));
    return sharesOf(request, lines, debts);
  });
  const documents = new Map<string, (typeof paid)[number]>();
  for (const part of paid) {
    const key = `${part.type} ${part.id} ${part.currency}`;
    documents.set(key, { ...part, amount: sum([part.amount, documents.get(key)?.amount ?? '0']) });
  }
  await requireUnpaid(ctx, [...documents.values()]);
}

/**
 * Pays requests out of one account, all of them or none. Each gets a posting of its own; a batch is paid once.
 * @throws conflict stale version or state, refused B0922 account, B0924 more than is left, B0925 amounts that do not fit
 * the currencies, B0928 where less is owed than when it was asked for, B0934 for whoever approved
 * it, or what the ledger refuses
 */
export async function pay(ctx: Ctx, input: Input) {
  const documents = await documentsOf(
    ctx,
    input.requests.map((one) => one.id),
  );
  await holdDocuments(ctx, documents);
  const requests = await lockAll(ctx, input);
  // Only now: the same batch may have been under way and have paid just these.
  const before = await earlier(ctx, input.batchId);
  if (before) {
    ctx.audited = true;
    return { ...before, repeated: true };
  }
  for (const { approvedBy, number } of requests.values()) {
    await requireOtherPayer(ctx, approvedBy, PAY, `不能支付本人审核的请款单（${number}）`);
  }
  const account = await accountOf(ctx, input.cashAccountId);
  const shares = partitioned(input, account, requests);
  await writeBatch(ctx, input, shares);
  await lockParties(
    ctx,
    shares.map((share) => share.request.party.id),
  );
  await requireOwed(ctx, shares);
  for (const share of shares) await payShare(ctx, input, account, share);
  await moneyMoved(ctx, documents);
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
