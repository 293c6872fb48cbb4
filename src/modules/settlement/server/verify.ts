import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { classOf, PL_CLASS_NAMES, type PlClass, type PlSection } from '../contract/fees.ts';
import type { ProofCheck } from '../contract/settlements.ts';

interface SectionSum {
  pl_section: PlSection;
  amount: string;
}

interface Head {
  id: string;
  account_id: string;
  marketplace_id: string;
  currency: string;
  start_at: string | null;
  total_amount: string;
}

function check(code: ProofCheck['code'], title: string, expected: string, actual: string, detail: string): ProofCheck {
  const gap = new Decimal(actual).minus(expected);
  return { code, title, expected, actual, gap: gap.toFixed(), ok: gap.isZero(), detail };
}

async function headOf(ctx: Ctx, id: string): Promise<Head> {
  const row = await ctx.db
    .selectFrom('settlement.settlement')
    .select(['id', 'account_id', 'marketplace_id', 'currency', 'start_at', 'total_amount'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('superseded_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound('结算单不存在或已被新版本替换');
  return row;
}

/** Every amount belongs to one class, and the classes add up to the total. */
function classes(head: Head, rows: readonly SectionSum[]): ProofCheck {
  const byClass = (name: PlClass) =>
    sum(rows.filter((row) => classOf(row.pl_section) === name).map((row) => row.amount));
  const parts = (Object.keys(PL_CLASS_NAMES) as PlClass[]).map((name) => ({
    title: PL_CLASS_NAMES[name],
    amount: byClass(name),
  }));
  const detail = parts.map(({ title, amount }) => `${title} ${formatMoney(amount, head.currency)}`).join(' + ');
  return check('B', '费用分类完整', head.total_amount, sum(parts.map((part) => part.amount)), detail);
}

/** What this settlement takes over as reserve is what the one before held back. No check without the one before. */
async function reserve(ctx: Ctx, head: Head): Promise<ProofCheck[]> {
  const { rows } = await sql<{ settlement_id: string; closing: string; opening: string }>`
    SELECT p.settlement_id, coalesce(c.amount, 0) AS closing, coalesce(o.amount, 0) AS opening
      FROM settlement.settlement AS p
      LEFT JOIN LATERAL (SELECT sum(amount) AS amount FROM settlement.fee_total
                          WHERE company_id = p.company_id AND source_doc_id = p.id AND fee_code = 'RESERVE_CURR') AS c ON true
      LEFT JOIN LATERAL (SELECT sum(amount) AS amount FROM settlement.fee_total
                          WHERE company_id = p.company_id AND source_doc_id = ${head.id}::uuid AND fee_code = 'RESERVE_PREV') AS o ON true
     WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${head.account_id} AND p.superseded_at IS NULL
       AND p.marketplace_id = ${head.marketplace_id} AND p.currency = ${head.currency}
       AND p.end_at = ${head.start_at}::timestamptz AND p.id <> ${head.id}::uuid
     LIMIT 1`.execute(ctx.db);
  return rows.map((row) =>
    check(
      'C',
      '上期预留衔接',
      new Decimal(row.closing).negated().toFixed(),
      row.opening,
      `上一账期 ${row.settlement_id} 本期预留 ${formatMoney(row.closing, head.currency)}`,
    ),
  );
}

/** The proofs of a settlement from sums that are at hand. */
export async function checksOf(ctx: Ctx, id: string, rows: readonly SectionSum[]): Promise<ProofCheck[]> {
  const head = await headOf(ctx, id);
  const lines = sum(rows.map((row) => row.amount));
  const total = check('A', '文件总额 = Σ行', head.total_amount, lines, `Σ行 ${formatMoney(lines, head.currency)}`);
  return [total, classes(head, rows), ...(await reserve(ctx, head))];
}

/** The same proofs, from the stored lines themselves instead of the sums kept of them. */
export async function verify(ctx: Ctx, id: string): Promise<{ ok: boolean; checks: ProofCheck[] }> {
  const rows = await ctx.db
    .selectFrom('settlement.money_line')
    .select(['pl_section', sql<string>`sum(amount)`.as('amount')])
    .where('company_id', '=', ctx.companyId)
    .where('source_doc_id', '=', id)
    .groupBy('pl_section')
    .execute();
  const checks = await checksOf(ctx, id, rows as SectionSum[]);
  return { ok: checks.every((one) => one.ok), checks };
}
