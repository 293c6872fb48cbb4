import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { lockBank } from './account.ts';

/** A line of the bank as its rules see it. */
export interface BankLine {
  id: string;
  account: string;
  currency: string;
  day: string;
  /** + came in, − went out. */
  amount: string;
  counterparty: string;
  ignored: boolean;
  matchId: string | null;
}

/** Lines of one account. @throws notFound, refused B0960 for lines of several accounts */
export async function bankLines(ctx: Ctx, ids: readonly string[]): Promise<[BankLine, ...BankLine[]]> {
  const { rows } = await sql<BankLine>`
    SELECT l.id, l.cash_account_id AS account, a.currency, l.day, l.amount::text AS amount, l.counterparty, l.ignored,
           l.match_id AS "matchId"
      FROM finance.bank_line AS l
      JOIN finance.cash_account AS a ON a.company_id = l.company_id AND a.id = l.cash_account_id
     WHERE l.company_id = ${ctx.companyId} AND l.id = ANY (${[...new Set(ids)]}::uuid[])
     ORDER BY l.day, l.seq`.execute(ctx.db);
  const [first, ...rest] = rows;
  if (!first || rows.length < new Set(ids).size) throw notFound('银行流水不存在或已删除');
  if (rest.some((line) => line.account !== first.account)) throw refused('请选择同一账户的银行流水', 'B0960');
  return [first, ...rest];
}

/** As bankLines, with the account held until the transaction ends. */
export async function heldLines(ctx: Ctx, ids: readonly string[]): Promise<[BankLine, ...BankLine[]]> {
  const [first] = await bankLines(ctx, ids);
  await lockBank(ctx, first.account);
  return bankLines(ctx, ids);
}

/** @throws refused B0961 for lines that are matched or ignored */
export function requireOpen(lines: readonly BankLine[]): void {
  if (lines.some((line) => line.ignored)) throw refused('银行流水已忽略，请先恢复', 'B0961');
  if (lines.some((line) => line.matchId !== null)) throw refused('银行流水已匹配，请先取消匹配', 'B0961');
}
