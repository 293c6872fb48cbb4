import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { Valuation } from '../../contract/costs.ts';
import { callLedger, operatorOf } from './wire.ts';

/** How long a closing may take, in ms as text. */
const LONGEST_MS = '1800000';

/** Type of the postings that a closing makes; their id is the month, yyyy-MM. */
export const MONTH_END = 'warehouse.period';

interface Month {
  /** The method by which its issues are priced: the one of its last closing, else the one in force then. */
  valuation: Valuation;
  closed: boolean;
  /** Whether anything was posted in it. */
  used: boolean;
}

/** A month by its first day (yyyy-MM-dd), `shift` months later. */
async function monthOf(ctx: Ctx, month: string, shift: number): Promise<Month & { name: string }> {
  const { rows } = await unscoped(ctx, () =>
    sql<Month & { name: string }>`
      SELECT to_char(m.day, 'YYYY-MM') AS name,
             coalesce(p.valuation, CASE WHEN s.next_from <= m.day THEN s.next_valuation ELSE s.valuation END, 'FIFO') AS valuation,
             coalesce(p.state = 'CLOSED', false) AS closed,
             EXISTS (SELECT FROM warehouse.stock_posting AS o WHERE o.company_id = ${ctx.companyId}
               AND o.business_date >= m.day AND o.business_date < m.day + interval '1 month') AS used
        FROM (SELECT (${month}::date + make_interval(months => ${shift}::int))::date AS day) AS m
        LEFT JOIN warehouse.setting AS s ON s.company_id = ${ctx.companyId}
        LEFT JOIN warehouse.inventory_period AS p ON p.company_id = ${ctx.companyId} AND p.month = m.day`.execute(
      ctx.db,
    ),
  );
  const found = rows[0];
  if (!found) throw new Error('a month without a row');
  return found;
}

/**
 * Refuses an order of closing that months priced at their end do not allow: what a month leaves is what the next begins
 * with, so they close one after the other and open from the newest. Answers the method of the month.
 * @throws refused B0814 with the month that comes first
 */
export async function requireOrder(ctx: Ctx, month: string, state: 'OPEN' | 'CLOSED'): Promise<Valuation> {
  const { valuation } = await monthOf(ctx, month, 0);
  if (state === 'CLOSED' && valuation === 'MONTHLY') {
    const before = await monthOf(ctx, month, -1);
    if (before.used && !before.closed) throw refused(`请先关闭 ${before.name} 的账期`, 'B0814');
  }
  if (state === 'OPEN') {
    const after = await monthOf(ctx, month, 1);
    if (after.closed && after.valuation === 'MONTHLY') throw refused(`请先反关账 ${after.name}`, 'B0814');
  }
  return valuation;
}

export interface Priced {
  /** Issues that cost something else now. */
  issues: number;
  /** By how much what left the company costs more, CNY. */
  outgoing: string;
}

/** Told before each step of a closing: whole percent and what comes next. By throwing it calls the closing off. */
export type Watch = (percent: number, next: string) => Promise<void>;

const unwatched: Watch = async () => {};

/** Key and operator of the next closing of a month, as the ledger's functions read them. */
async function closingOf(ctx: Ctx, month: string): Promise<object> {
  const name = month.slice(0, 7);
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(event_seq), 0) + 1 AS seq FROM warehouse.stock_posting
     WHERE company_id = ${ctx.companyId} AND source_type = ${MONTH_END} AND source_id = ${name}`.execute(ctx.db);
  return {
    type: MONTH_END,
    id: name,
    event: 'close',
    seq: rows[0]?.seq ?? 1,
    number: `月末加权 ${name}`,
    month,
    ...operatorOf(ctx, '月末加权结转'),
  };
}

/**
 * Gives the issues of a month (its first day, yyyy-MM-dd) their price: what was there and what came, by value over pieces,
 * for each product and warehouse. What stays takes the rest, to the last unit; lines of documents show the new cost. All of
 * it is the caller's transaction: nothing is written where `watch` calls it off, nor where the transaction does not commit.
 */
export function priceMonth(ctx: Ctx, month: string, watch: Watch = unwatched): Promise<Priced> {
  return unscoped(ctx, async () => {
    const event = await closingOf(ctx, month);
    const before = await sql<{ id: string }>`
      SELECT id FROM warehouse.issue_cost WHERE company_id = ${ctx.companyId} ORDER BY id DESC LIMIT 1`.execute(ctx.db);
    // The month of a large company takes longer than a call usually may.
    await sql`SELECT set_config('statement_timeout', ${LONGEST_MS}, true)`.execute(ctx.db);
    await watch(5, '正在汇总当月出库');
    const found = await callLedger<{ issues: number; pools: number }>(ctx, 'month_gather', event);
    await watch(40, `正在计算 ${found.issues} 笔出库的加权单价`);
    await callLedger(ctx, 'month_price', event);
    await watch(60, '正在写入，不能再取消');
    const priced = await callLedger<Priced>(ctx, 'month_write', event);
    await correctLines(ctx, before.rows[0]?.id ?? null);
    return priced;
  });
}

/**
 * Brings the amounts of documents up to what their issues cost now: `after` is the last correction that they know. The
 * first line of a product takes all of it; what a count loses stands with a minus.
 */
async function correctLines(ctx: Ctx, after: string | null): Promise<void> {
  await sql`
    UPDATE warehouse.document_line AS l SET amount = l.amount + x.amount
      FROM (SELECT DISTINCT ON (s.document_id, s.product_id) d.id,
                   CASE WHEN h.kind = 'stocktake' THEN -s.amount ELSE s.amount END AS amount
              FROM (SELECT e.document_id, c.product_id, sum(c.amount) AS amount
                      FROM warehouse.issue_cost AS c
                      JOIN warehouse.document_event AS e ON e.company_id = c.company_id AND e.posting_id = c.posting_id
                     WHERE c.company_id = ${ctx.companyId} AND (${after}::uuid IS NULL OR c.id > ${after}::uuid)
                     GROUP BY 1, 2) AS s
              JOIN warehouse.document AS h ON h.company_id = ${ctx.companyId} AND h.id = s.document_id
              JOIN warehouse.document_line AS d ON d.company_id = ${ctx.companyId} AND d.document_id = s.document_id
               AND d.product_id = s.product_id AND d.amount IS NOT NULL
             ORDER BY s.document_id, s.product_id, d.line_no) AS x
     WHERE l.company_id = ${ctx.companyId} AND l.id = x.id`.execute(ctx.db);
}
