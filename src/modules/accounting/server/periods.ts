import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, conflict, refused } from '#kit/server/errors.ts';
import { firstDay, monthAfter } from '../contract/fields.ts';
import type { Check, closePeriod, PeriodRow } from '../contract/periods.ts';
import type { VoucherType } from '../contract/vouchers.ts';
import { startOf, stateOf } from './book.ts';
import { takeCarriedBack, transferProfit, transferYear } from './closing.ts';
import { revalue, revaluedAt } from './revalue.ts';
import { seriesOf } from './write.ts';

const RESOURCE = 'accounting.period';

/** Months of the books up to the present one, the latest first; none where there are no books. */
export async function periodsOf(ctx: Ctx): Promise<PeriodRow[]> {
  const { startMonth } = await stateOf(ctx);
  if (startMonth === null) return [];
  const { rows } = await sql<Omit<PeriodRow, 'step'>>`
    SELECT to_char(m.month, 'YYYY-MM') AS month, coalesce(p.state, 'OPEN') AS state, v.vouchers, v.waiting,
           coalesce(p.changed_by_name, '') AS "changedBy", p.changed_at AS "changedAt", coalesce(p.reason, '') AS reason
      FROM (SELECT g::date AS month FROM generate_series(${firstDay(startMonth)}::date, ${ctx.clock.today()}::date, '1 month') AS g) AS m
      LEFT JOIN accounting.period AS p ON p.company_id = ${ctx.companyId} AND p.month = m.month
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS vouchers, count(*) FILTER (WHERE x.state IN ('draft', 'submitted', 'approved'))::int AS waiting
          FROM accounting.voucher AS x WHERE x.company_id = ${ctx.companyId} AND x.day >= m.month AND x.day < m.month + interval '1 month') AS v
     ORDER BY m.month DESC`.execute(ctx.db);
  const present = ctx.clock.today().slice(0, 7);
  const last = rows.find(({ state }) => state === 'CLOSED')?.month;
  const next = last === undefined ? startMonth : monthAfter(last, 1);
  const stepOf = (month: string) => (month === last ? 'reopen' : month === next && month < present ? 'close' : 'none');
  return rows.map((row) => ({ ...row, step: stepOf(row.month) }));
}

/** Which rate of the month's last day is not known, in words; '' where none is missing. */
async function lackingRate(ctx: Ctx, month: string): Promise<string> {
  try {
    await revaluedAt(ctx, month);
    return '';
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** What has to be in order before a month is closed: nothing waits, numbers have no gaps, rates are known, both sides are equal. */
export async function checksOf(ctx: Ctx, month: string): Promise<Check[]> {
  const first = await startOf(ctx);
  // Opening balances belong to the first month.
  const since = month === first ? monthAfter(month, -1) : month;
  const waiting = await sql<{ number: string }>`
    SELECT number FROM accounting.voucher
     WHERE company_id = ${ctx.companyId} AND day >= ${firstDay(since)}::date AND day < ${firstDay(monthAfter(month, 1))}::date
       AND state IN ('draft', 'submitted', 'approved') ORDER BY number LIMIT 10`.execute(ctx.db);
  const gaps = await sql<{ type: VoucherType; seq: number }>`
    SELECT x.type, s AS seq
      FROM (SELECT type, array_agg(seq) AS taken FROM accounting.voucher
             WHERE company_id = ${ctx.companyId} AND month = ${firstDay(month)}::date GROUP BY type) AS x
      CROSS JOIN LATERAL generate_series(1, (SELECT max(t) FROM unnest(x.taken) AS t)) AS s
     WHERE s <> ALL (x.taken) LIMIT 10`.execute(ctx.db);
  const sides = await sql<{ rest: string }>`
    SELECT coalesce(sum(debit - credit), 0)::text AS rest FROM accounting.balance
     WHERE company_id = ${ctx.companyId} AND month <= ${firstDay(month)}::date`.execute(ctx.db);
  const lacking = await lackingRate(ctx, month);
  const numbers = waiting.rows.map(({ number }) => number).join('、');
  const missing = gaps.rows
    .map(({ type, seq }) => `${seriesOf(type, month)}${String(seq).padStart(4, '0')}`)
    .join('、');
  const rest = sides.rows[0]?.rest ?? '0';
  return [
    { title: '全部凭证已过账', ok: numbers === '', detail: numbers && `未过账：${numbers}` },
    { title: '凭证号连续', ok: missing === '', detail: missing && `凭证号不连续：${missing}` },
    { title: '期末汇率齐全', ok: lacking === '', detail: lacking },
    { title: '试算平衡', ok: new Decimal(rest).isZero(), detail: new Decimal(rest).isZero() ? '' : `差额 ${rest}` },
  ];
}

/** The gate of the books, alone: no voucher is written or posted until the transaction ends. */
async function shutGate(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('accounting.gate:' || ${ctx.companyId}::text, 0))`.execute(
    ctx.db,
  );
}

/** @throws conflict where this step of a month is not the next one */
async function requireStep(ctx: Ctx, month: string, step: 'close' | 'reopen'): Promise<void> {
  const rows = await periodsOf(ctx);
  if (rows.find((row) => row.month === month)?.step === step) return;
  throw conflict(
    step === 'close'
      ? `${month} 不能结账：须按月份顺序，且月份已结束`
      : `${month} 不能反结账：只能反结账最后一个已结账的月份`,
  );
}

async function setState(ctx: Ctx, month: string, state: 'OPEN' | 'CLOSED', reason: string): Promise<void> {
  await sql`
    INSERT INTO accounting.period (company_id, month, state, reason, changed_by_name)
    VALUES (${ctx.companyId}, ${firstDay(month)}::date, ${state}, ${reason}, ${ctx.userName})
    ON CONFLICT (company_id, month) DO UPDATE
      SET state = excluded.state, reason = excluded.reason, changed_at = kit.now(), changed_by_name = excluded.changed_by_name`.execute(
    ctx.db,
  );
}

/**
 * Closes a month: the checks, the exchange differences, the transfer of profit and loss, in December that of the year, the
 * lock. Answers the numbers of what was made.
 * @throws conflict where another month is to be closed first, refused B2716 with what is not in order, B2718 without a rate
 */
export async function close(ctx: Ctx, month: string): Promise<Reply<typeof closePeriod>> {
  await shutGate(ctx);
  await requireStep(ctx, month, 'close');
  const bad = (await checksOf(ctx, month)).filter(({ ok }) => !ok);
  if (bad.length > 0) throw refused(bad.map(({ detail }) => detail).join('；'), 'B2716');
  const revaluation = await revalue(ctx, month);
  const number = await transferProfit(ctx, month);
  const yearEnd = await transferYear(ctx, month);
  await setState(ctx, month, 'CLOSED', '');
  const made = [revaluation, number, yearEnd].filter((each) => each !== null).join('、');
  await audit(ctx, { action: '结账', resource: RESOURCE, after: { month, number: made } });
  return { revaluation, number, yearEnd };
}

/** Opens the last closed month again and takes back what closing it carried. @throws conflict for any other month */
export async function reopen(ctx: Ctx, month: string, reason: string): Promise<{ number: string | null }> {
  await shutGate(ctx);
  await requireStep(ctx, month, 'reopen');
  await setState(ctx, month, 'OPEN', reason);
  const number = await takeCarriedBack(ctx, month, reason);
  await audit(ctx, { action: '反结账', resource: RESOURCE, after: { month, reason } });
  return { number };
}
