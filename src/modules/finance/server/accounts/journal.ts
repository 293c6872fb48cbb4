import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import type { JournalForm, TransferForm } from '../../contract/accounts.ts';
import { minus } from '../../contract/fields.ts';
import { post, reverse } from '../ledger/post.ts';
import type { Line } from '../ledger/types.ts';
import { requireCategory } from './categories.ts';

/** Postings that people write by hand and may take back by hand; the others belong to a document. */
export const BY_HAND = ['finance.journal', 'finance.transfer', 'finance.opening'];

const RESOURCE = 'finance.journal';

/** Currency of an account. @throws refused B0903 for one that does not exist */
async function currencyOf(ctx: Ctx, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .select('currency')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw refused('账户不存在或已删除', 'B0903');
  return row.currency;
}

interface Written {
  number: string;
  postingId: string;
}

/** Money that came in or went out, by hand. @throws refused B0913 category, or what the ledger refuses */
export async function write(ctx: Ctx, form: z.output<typeof JournalForm>): Promise<Written> {
  const { cashAccountId, direction, categoryId, amount, day, memo } = form;
  await requireCategory(ctx, categoryId, direction);
  const currency = await currencyOf(ctx, cashAccountId);
  const number = await nextNumber(ctx, 'JZ{yyMMdd}{seq:4}', ctx.clock.today());
  const out = direction === 'OUT';
  const said = { currency, purpose: 'MANUAL', category: categoryId, memo } as const;
  const { id } = await post(ctx, {
    source: { type: RESOURCE, id: randomUUID(), event: 'write', number },
    title: out ? '支出' : '收入',
    day,
    lines: [
      { ...said, book: 'ACCOUNT', item: cashAccountId, amount: out ? minus(amount) : amount },
      { ...said, book: out ? 'EXPENSE' : 'INCOME', amount: out ? amount : minus(amount) },
    ],
  });
  await audit(ctx, { action: '记一笔', resource: RESOURCE, resourceId: id, after: { number, ...form } });
  return { number, postingId: id };
}

/** Lines of a change of currency: what leaves in one and comes in the other; both sides meet in the book of exchange. */
export function exchanged(outCurrency: string, out: string, inCurrency: string, into: string): Line[] {
  if (outCurrency === inCurrency) return [];
  return [
    { book: 'EXCHANGE', currency: outCurrency, amount: out, purpose: 'EXCHANGE' },
    { book: 'EXCHANGE', currency: inCurrency, amount: minus(into), purpose: 'EXCHANGE' },
  ];
}

/**
 * Moves money between two accounts; the fee is paid by the first.
 * @throws refused B0914 same account, B0915 amounts that do not fit the currencies, or what the ledger refuses
 */
export async function transfer(ctx: Ctx, form: z.output<typeof TransferForm>): Promise<Written> {
  const { fromId, toId, amount, fee, day, memo } = form;
  if (fromId === toId) throw refused('转出账户与转入账户不能相同', 'B0914');
  const from = await currencyOf(ctx, fromId);
  const to = await currencyOf(ctx, toId);
  const received = form.received ?? (from === to ? amount : undefined);
  if (received === undefined) throw refused(`两个账户币种不同，请填写转入金额（${to}）`, 'B0915');
  if (from === to && !new Decimal(received).eq(amount)) {
    throw refused('同币种互转的转出与转入金额须相同，差额请填写为手续费', 'B0915');
  }
  const number = await nextNumber(ctx, 'ZZ{yyMMdd}{seq:4}', ctx.clock.today());
  const paid = /[1-9]/.test(fee);
  const { id } = await post(ctx, {
    source: { type: 'finance.transfer', id: randomUUID(), event: 'move', number },
    title: from === to ? '账户互转' : '换汇',
    day,
    lines: [
      { book: 'ACCOUNT', item: fromId, currency: from, amount: minus(amount), purpose: 'TRANSFER', memo },
      { book: 'ACCOUNT', item: toId, currency: to, amount: received, purpose: 'TRANSFER', memo },
      ...exchanged(from, amount, to, received),
      ...(paid ? feeLines(fromId, from, fee) : []),
    ],
  });
  await audit(ctx, { action: '账户互转', resource: RESOURCE, resourceId: id, after: { number, ...form } });
  return { number, postingId: id };
}

/** A bank's fee out of an account. */
export function feeLines(account: string, currency: string, fee: string): Line[] {
  return [
    { book: 'ACCOUNT', item: account, currency, amount: minus(fee), purpose: 'FEE' },
    { book: 'EXPENSE', currency, amount: fee, purpose: 'FEE' },
  ];
}

/**
 * Takes back what was written by hand, by opposite entries dated today.
 * @throws refused B0916 for what a document posted, B0904 for a closed month, or what the ledger refuses
 */
export async function undo(ctx: Ctx, postingId: string, reason: string): Promise<{ postingId: string }> {
  const { rows } = await sql<{ type: string; number: string; closed: boolean }>`
    SELECT p.source_type AS type, p.source_number AS number, m.month IS NOT NULL AS closed
      FROM finance.posting AS p
      LEFT JOIN finance.period AS m ON m.company_id = p.company_id AND m.state = 'CLOSED'
       AND m.month = date_trunc('month', p.business_date)::date
     WHERE p.company_id = ${ctx.companyId} AND p.id = ${postingId}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound();
  if (!BY_HAND.includes(row.type)) throw refused('该流水由单据产生，请在原单据中冲销', 'B0916');
  if (row.closed) throw refused('该期间已关账', 'B0904');
  const { id } = await reverse(ctx, postingId, reason);
  await audit(ctx, {
    action: '撤销流水',
    resource: RESOURCE,
    resourceId: postingId,
    after: { number: row.number, reason },
  });
  return { postingId: id };
}
