import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { firstDay } from '../contract/fields.ts';
import { takeBack } from './act.ts';
import { locked } from './load.ts';
import { kept } from './refusal.ts';
import { draft, type PaperLine } from './write.ts';

/** What vouchers are made from that carry profit and loss to 本年利润. */
export const TRANSFER = 'PROFIT_TRANSFER';
/** What vouchers are made from that carry 本年利润 to 利润分配-未分配利润 at the end of a year. */
const YEAR_END = 'YEAR_END';
/** What vouchers are made from that value money, debts and claims in other currencies anew at the end of a month. */
export const REVALUATION = 'FX_REVALUATION';
/** 本年利润 */
export const PROFIT = '3103';
/** 利润分配-未分配利润 */
const RETAINED = '310401';

/** 财务费用-汇兑损益 */
export const GAIN = '560301';

interface Open {
  id: string;
  /** Debits less credits at the end of the month. */
  rest: string;
}

/** An amount on its side: + is a debit. */
export const sideOf = (amount: Decimal) =>
  amount.gt(0) ? { debit: round(amount, 2), credit: '' } : { debit: '', credit: round(amount.negated(), 2) };

/** The leaf with a code. @throws refused B2715 where the chart has none */
export async function leafOf(ctx: Ctx, code: string, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM accounting.subject WHERE company_id = ${ctx.companyId} AND code = ${code} AND leaf`.execute(ctx.db);
  if (!rows[0]) throw refused(`缺少末级科目 ${code} ${name}，请先套用模板`, 'B2715');
  return rows[0].id;
}

/** What leaves hold at the end of a month, those that hold something. */
async function openOf(ctx: Ctx, month: string, of: { kind: string } | { prefix: string }): Promise<Open[]> {
  const which =
    'kind' in of
      ? sql<boolean>`s.kind = ${of.kind}`
      : sql<boolean>`left(s.code, ${of.prefix.length}::int) = ${of.prefix}`;
  const { rows } = await sql<Open>`
    SELECT s.id, sum(b.debit - b.credit)::text AS rest
      FROM accounting.balance AS b
      JOIN accounting.subject AS s ON s.company_id = b.company_id AND s.id = b.subject_id
     WHERE b.company_id = ${ctx.companyId} AND b.month <= ${firstDay(month)}::date AND ${which}
     GROUP BY s.id, s.code HAVING sum(b.debit - b.credit) <> 0 ORDER BY s.code`.execute(ctx.db);
  return rows;
}

interface Carried {
  month: string;
  source: string;
  summary: string;
  rows: readonly Open[];
  /** Subject that takes what the rows held. */
  target: string;
}

/** Writes a voucher that closing a month asks for, posted at once; answers its number. */
export async function postedNow(
  ctx: Ctx,
  { day, source, lines }: { day: string; source: string; lines: readonly PaperLine[] },
): Promise<string> {
  const { id, number } = await draft(ctx, { type: 'TRANSFER', day, attachments: 0, source, lines });
  for (const state of ['approved', 'posted']) {
    await kept(() =>
      sql`
        UPDATE accounting.voucher SET state = ${state}, version = version + 1, approved_by_name = ${ctx.userName}, posted_by_name = ${ctx.userName}
         WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db),
    );
  }
  return number;
}

/** Writes the voucher that empties subjects into another one, posted at once; answers its number. */
async function carry(ctx: Ctx, { month, source, summary, rows, target }: Carried): Promise<string> {
  const total = new Decimal(sum(rows.map(({ rest }) => rest)));
  const lines = rows.map(({ id, rest }) => ({ summary, subjectId: id, ...sideOf(new Decimal(rest).negated()) }));
  return postedNow(ctx, {
    day: lastDayOf(month),
    source,
    lines: total.isZero() ? lines : [...lines, { summary, subjectId: target, ...sideOf(total) }],
  });
}

/** Carries what profit and loss subjects hold to 本年利润; answers the voucher's number, null where there is nothing. */
export async function transferProfit(ctx: Ctx, month: string): Promise<string | null> {
  const rows = await openOf(ctx, month, { kind: 'PROFIT' });
  if (rows.length === 0) return null;
  const target = await leafOf(ctx, PROFIT, '本年利润');
  return carry(ctx, { month, source: TRANSFER, summary: `结转 ${month} 损益`, rows, target });
}

/** Carries 本年利润 to 利润分配-未分配利润 with the last month of a year; answers the voucher's number, null where there is nothing. */
export async function transferYear(ctx: Ctx, month: string): Promise<string | null> {
  if (!month.endsWith('-12')) return null;
  const rows = await openOf(ctx, month, { prefix: PROFIT });
  if (rows.length === 0) return null;
  const target = await leafOf(ctx, RETAINED, '利润分配-未分配利润');
  return carry(ctx, { month, source: YEAR_END, summary: `结转 ${month.slice(0, 4)} 年本年利润`, rows, target });
}

/** Takes back what closing a month has carried and valued, the last first; answers the number of the transfer of profit and loss. */
export async function takeCarriedBack(ctx: Ctx, month: string, reason: string): Promise<string | null> {
  const { rows } = await sql<{ id: string; number: string; source: string }>`
    SELECT id, number, source FROM accounting.voucher
     WHERE company_id = ${ctx.companyId} AND type = 'TRANSFER' AND month = ${firstDay(month)}::date
       AND source IN (${TRANSFER}, ${YEAR_END}, ${REVALUATION}) AND state = 'posted' AND reversal_of IS NULL
     ORDER BY seq DESC`.execute(ctx.db);
  for (const { id } of rows) await takeBack(ctx, await locked(ctx, id), `反结账：${reason}`.slice(0, 200));
  return rows.find(({ source }) => source === TRANSFER)?.number ?? null;
}
