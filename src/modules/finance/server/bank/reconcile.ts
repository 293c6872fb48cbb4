import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { accountOf } from './account.ts';

interface Sums {
  from: string | null;
  to: string | null;
  book: string;
  /** Of the bank: before its first line, and all its lines. */
  before: string;
  lines: string;
  unbooked: string;
  unbookedCount: number;
  ignored: string;
  ignoredCount: number;
  /** Entries without a line: since the bank's first day, and before it. */
  unbanked: string;
  unbankedCount: number;
  older: string;
}

/**
 * The balance of the books beside that of the bank, and what makes the difference (银行余额调节). Matched lines and entries
 * are the same sums and fall out; what is left on both sides and the beginning explain all of it, to the cent.
 * @throws refused B0903 account
 */
export async function reconcile(ctx: Ctx, accountId: string) {
  const account = await accountOf(ctx, accountId);
  const { rows } = await sql<Sums>`
    WITH line AS (
      SELECT min(day) AS first, max(day) AS last, coalesce(sum(amount), 0) AS total,
             coalesce(sum(amount) FILTER (WHERE match_id IS NULL AND NOT ignored), 0) AS unbooked,
             count(*) FILTER (WHERE match_id IS NULL AND NOT ignored)::int AS unbooked_count,
             coalesce(sum(amount) FILTER (WHERE ignored), 0) AS ignored, count(*) FILTER (WHERE ignored)::int AS ignored_count
        FROM finance.bank_line WHERE company_id = ${ctx.companyId} AND cash_account_id = ${accountId}
    ), entry AS (
      SELECT coalesce(sum(e.amount), 0) AS total,
             coalesce(sum(e.amount) FILTER (WHERE m.entry_seq IS NULL AND e.business_date >= line.first), 0) AS unbanked,
             count(*) FILTER (WHERE m.entry_seq IS NULL AND e.business_date >= line.first)::int AS unbanked_count,
             coalesce(sum(e.amount) FILTER (WHERE m.entry_seq IS NULL AND (line.first IS NULL OR e.business_date < line.first)), 0)
               AS older
        FROM line
        LEFT JOIN finance.entry AS e ON e.company_id = ${ctx.companyId} AND e.item_id = ${accountId} AND e.book = 'ACCOUNT'
        LEFT JOIN finance.bank_match_entry AS m ON m.company_id = e.company_id AND m.entry_seq = e.seq
    )
    SELECT line.first AS from, line.last AS to, entry.total::text AS book, line.total::text AS lines,
           coalesce((SELECT amount FROM finance.bank_opening
             WHERE company_id = ${ctx.companyId} AND cash_account_id = ${accountId}), 0)::text AS before,
           line.unbooked::text AS unbooked, line.unbooked_count AS "unbookedCount",
           line.ignored::text AS ignored, line.ignored_count AS "ignoredCount",
           entry.unbanked::text AS unbanked, entry.unbanked_count AS "unbankedCount", entry.older::text AS older
      FROM line, entry`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new Error('an aggregate gave no row');
  const bank = new Decimal(found.before).plus(found.lines);
  return {
    currency: account.currency,
    from: found.from,
    to: found.to,
    book: found.book,
    bank: bank.toFixed(),
    difference: bank.minus(found.book).toFixed(),
    opening: new Decimal(found.before).minus(found.older).toFixed(),
    unbooked: { amount: found.unbooked, count: found.unbookedCount },
    ignored: { amount: found.ignored, count: found.ignoredCount },
    unbanked: { amount: found.unbanked, count: found.unbankedCount },
  };
}
