import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { ignoreBank, matchBank, payFromBank } from '../../contract/bank.ts';
import { pay } from '../requests/pay.ts';
import { accountOf, lockBank, RESOURCE } from './account.ts';
import { type BankLine, bankLines, heldLines, requireOpen } from './lines.ts';

interface Entry {
  seq: string;
  account: string;
  amount: string;
  matched: boolean;
}

async function entriesOf(ctx: Ctx, ids: readonly string[]): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    SELECT e.seq::text AS seq, e.item_id AS account, e.amount::text AS amount, m.match_id IS NOT NULL AS matched
      FROM finance.entry AS e
      LEFT JOIN finance.bank_match_entry AS m ON m.company_id = e.company_id AND m.entry_seq = e.seq
     WHERE e.company_id = ${ctx.companyId} AND e.book = 'ACCOUNT' AND e.seq = ANY (${[...ids]}::bigint[])`.execute(
    ctx.db,
  );
  return rows;
}

/** Writes a match; the account is held, lines and entries are free and of the same sum. */
async function put(ctx: Ctx, lines: readonly BankLine[], entries: readonly Entry[], amount: string): Promise<string> {
  const { id } = await ctx.db
    .insertInto('finance.bank_match')
    .values({
      company_id: ctx.companyId,
      cash_account_id: lines[0]?.account ?? '',
      amount,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO finance.bank_match_entry (company_id, match_id, entry_seq)
    SELECT ${ctx.companyId}, ${id}, unnest(${entries.map((entry) => entry.seq)}::bigint[])`.execute(ctx.db);
  await sql`
    UPDATE finance.bank_line SET match_id = ${id}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${lines.map((line) => line.id)}::uuid[])`.execute(ctx.db);
  return id;
}

/** Joins lines and entries of an account. @throws refused B0961, B0962 for entries that do not fit, B0963 for other sums */
async function join(ctx: Ctx, lines: readonly BankLine[], entryIds: readonly string[]) {
  requireOpen(lines);
  const ids = [...new Set(entryIds)];
  const entries = await entriesOf(ctx, ids);
  if (entries.length < ids.length || entries.some((entry) => entry.account !== lines[0]?.account)) {
    throw refused('账户流水不存在，或不属于该账户', 'B0962');
  }
  if (entries.some((entry) => entry.matched)) throw refused('账户流水已与其他银行流水匹配', 'B0962');
  const amount = sum(lines.map((line) => line.amount));
  const booked = sum(entries.map((entry) => entry.amount));
  if (!new Decimal(amount).eq(booked)) {
    const difference = new Decimal(amount).minus(booked).toFixed(2);
    throw refused(
      `银行流水合计 ${new Decimal(amount).toFixed(2)} 与账户流水合计 ${new Decimal(booked).toFixed(2)} 不一致，差额 ${difference}`,
      'B0963',
    );
  }
  return { matchId: await put(ctx, lines, entries, amount), amount };
}

/** Says that lines and entries are the same money. @throws notFound, refused B0960 to B0963 */
export async function match(ctx: Ctx, { ids, entries }: z.output<typeof matchBank.body>) {
  const lines = await heldLines(ctx, ids);
  const made = await join(ctx, lines, entries);
  await audit(ctx, {
    action: '匹配银行流水',
    resource: RESOURCE,
    resourceId: made.matchId,
    after: { lines: ids, entries, amount: made.amount },
  });
  return made;
}

/** Takes the match of a line apart; nothing where it has none. @throws notFound */
export async function unmatch(ctx: Ctx, id: string): Promise<{ lines: number }> {
  const [line] = await heldLines(ctx, [id]);
  if (line.matchId === null) return { lines: 0 };
  const freed = await ctx.db
    .updateTable('finance.bank_line')
    .set({ match_id: null })
    .where('company_id', '=', ctx.companyId)
    .where('match_id', '=', line.matchId)
    .returning('id')
    .execute();
  await ctx.db
    .deleteFrom('finance.bank_match')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', line.matchId)
    .execute();
  await audit(ctx, {
    action: '取消匹配银行流水',
    resource: RESOURCE,
    resourceId: line.matchId,
    before: { lines: freed.map((one) => one.id) },
  });
  return { lines: freed.length };
}

async function setIgnored(ctx: Ctx, ids: readonly string[], ignored: boolean, reason: string): Promise<number> {
  const changed = await ctx.db
    .updateTable('finance.bank_line')
    .set({ ignored, reason })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .where('ignored', '=', !ignored)
    .returning('id')
    .execute();
  await audit(ctx, {
    action: ignored ? '忽略银行流水' : '恢复银行流水',
    resource: RESOURCE,
    resourceId: ids[0] ?? null,
    after: { lines: ids, reason },
  });
  return changed.length;
}

/** Lines that are none of the books' business. @throws notFound, refused B0961 for matched ones */
export async function ignore(ctx: Ctx, { ids, reason }: z.output<typeof ignoreBank.body>) {
  const lines = await heldLines(ctx, ids);
  requireOpen(lines.filter((line) => !line.ignored));
  return { changed: await setIgnored(ctx, ids, true, reason) };
}

export async function restore(ctx: Ctx, ids: readonly string[]) {
  await heldLines(ctx, ids);
  return { changed: await setIgnored(ctx, ids, false, '') };
}

/**
 * Pays a request by what the bank says that it paid, and matches both. The payment comes first: it locks documents and
 * parties, and whether the line is still free is asked when the account is held.
 * @throws notFound, refused B0964 for money that came in or a fee that is all of it, B0961, and as paying refuses
 */
export async function payByLine(ctx: Ctx, input: z.output<typeof payFromBank.body>) {
  const { id, requestId, version, batchId, amount, fee } = input;
  const [line] = await bankLines(ctx, [id]);
  requireOpen([line]);
  const paid = new Decimal(line.amount).neg().minus(fee);
  if (paid.lte(0)) throw refused('该银行流水不是付款，或手续费超过支出金额', 'B0964');
  const { rows } = await sql<{ currency: string }>`
    SELECT currency FROM finance.payment_request WHERE company_id = ${ctx.companyId} AND id = ${requestId}`.execute(
    ctx.db,
  );
  const same = rows[0]?.currency === line.currency;
  if (same && !paid.eq(amount)) {
    throw refused(`付款金额 ${amount} 加手续费 ${fee} 应等于银行支出 ${paid.plus(fee).toFixed(2)}`, 'B0964');
  }
  await pay(ctx, {
    batchId,
    cashAccountId: line.account,
    fee,
    day: line.day,
    note: '',
    requests: [{ id: requestId, version, amount, ...(same ? {} : { paid: paid.toFixed() }) }],
  });
  await lockBank(ctx, line.account);
  const { rows: booked } = await sql<{ seq: string }>`
    SELECT e.seq::text AS seq FROM finance.payment AS p
      JOIN finance.entry AS e ON e.company_id = p.company_id AND e.posting_id = p.posting_id AND e.book = 'ACCOUNT'
     WHERE p.company_id = ${ctx.companyId} AND p.batch_id = ${batchId}`.execute(ctx.db);
  return join(
    ctx,
    await bankLines(ctx, [id]),
    booked.map((entry) => entry.seq),
  );
}

/** Days by which the bank and the books may differ. */
export const NEAR_DAYS = 3;

/**
 * Matches lines and entries that are alone with each other: the same amount within three days, no other line and no other
 * entry like them. @throws refused B0903 account
 */
export async function matchAlike(ctx: Ctx, account: string): Promise<{ matched: number }> {
  await accountOf(ctx, account);
  await lockBank(ctx, account);
  const { rows } = await sql<{ id: string; seq: string }>`
    WITH pair AS (
      SELECT l.id, e.seq, count(*) OVER (PARTITION BY l.id) AS entries, count(*) OVER (PARTITION BY e.seq) AS lines
        FROM finance.bank_line AS l
        JOIN finance.entry AS e ON e.company_id = l.company_id AND e.item_id = l.cash_account_id AND e.book = 'ACCOUNT'
         AND e.amount = l.amount AND e.business_date BETWEEN l.day - ${NEAR_DAYS}::int AND l.day + ${NEAR_DAYS}::int
       WHERE l.company_id = ${ctx.companyId} AND l.cash_account_id = ${account} AND l.match_id IS NULL AND NOT l.ignored
         AND NOT EXISTS (SELECT FROM finance.bank_match_entry AS m WHERE m.company_id = e.company_id AND m.entry_seq = e.seq)
    )
    SELECT id, seq::text AS seq FROM pair WHERE entries = 1 AND lines = 1 ORDER BY id LIMIT 1000`.execute(ctx.db);
  for (const { id, seq } of rows) await join(ctx, await bankLines(ctx, [id]), [seq]);
  await audit(ctx, {
    action: '自动匹配银行流水',
    resource: RESOURCE,
    resourceId: account,
    after: { matched: rows.length },
  });
  return { matched: rows.length };
}
