import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type BillFilter, BillRow, type BillState, platformBill, UPLOAD } from '../../contract/bills/bill.ts';

function matching(ctx: Ctx, filter: BillFilter) {
  let query = ctx.db.selectFrom('finance.platform_bill as b').where('b.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('b.state', '=', filter.state);
  if (filter.statementDate?.from) query = query.where('b.statement_date', '>=', filter.statementDate.from);
  if (filter.statementDate?.to) query = query.where('b.statement_date', '<=', filter.statementDate.to);
  if (filter.dueOn?.from) query = query.where('b.due_on', '>=', filter.dueOn.from);
  if (filter.dueOn?.to) query = query.where('b.due_on', '<=', filter.dueOn.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([
        eb('b.number', 'ilike', like),
        eb('b.buyer_account', 'ilike', like),
        sql<boolean>`EXISTS (SELECT FROM finance.platform_bill_order AS o
                              WHERE o.company_id = b.company_id AND o.bill_id = b.id AND o.order_id = ${filter.keyword})`,
      ]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: BillFilter) {
  return matching(ctx, filter)
    .select(['b.id', 'b.number', 'b.state', 'b.version', 'b.buyer_account as buyerAccount', 'b.amount', 'b.reason'])
    .select(['b.order_count as orderCount', 'b.statement_date as statementDate', 'b.due_on as dueOn'])
    .select(['b.exported_at as exportedAt', 'b.created_by_name as createdByName', 'b.created_at as createdAt']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): BillRow => ({
  ...row,
  state: row.state as BillState,
  matchedCount: 0,
  difference: '0',
  requested: '0',
  paid: '0',
});

interface Sums {
  id: string;
  matchedCount: number;
  difference: string;
  requested: string;
  paid: string;
}

/** What is matched, asked for and paid of bills, for the rows of a page. CNY. */
async function withSums(ctx: Ctx, rows: readonly BillRow[]): Promise<BillRow[]> {
  const { rows: sums } = await sql<Sums>`
    SELECT b.id, l.*, p.*
      FROM unnest(${rows.map((row) => row.id)}::uuid[]) AS b(id)
     CROSS JOIN LATERAL (
       SELECT (count(*) FILTER (WHERE o.matched <> 'NONE'))::int AS "matchedCount",
              coalesce(sum(o.amount - o.order_amount), 0) AS difference
         FROM finance.platform_bill_order AS o WHERE o.company_id = ${ctx.companyId} AND o.bill_id = b.id) AS l
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(p.amount), 0) AS requested,
              coalesce(sum(p.amount) FILTER (WHERE r.state = 'paid'), 0) AS paid
         FROM finance.platform_bill_payment AS p
         JOIN finance.payment_request AS r ON r.company_id = p.company_id AND r.id = p.request_id
        WHERE p.company_id = ${ctx.companyId} AND p.bill_id = b.id AND p.live) AS p`.execute(ctx.db);
  const known = new Map(sums.map((one) => [one.id, one]));
  return rows.map((row) => ({ ...row, ...known.get(row.id) }));
}

/** One page of bills, the newest first. */
export async function billPage(ctx: Ctx, request: PageRequest<BillFilter>): Promise<PageOf<BillRow>> {
  const def: ListDef<DbRow, BillRow> = {
    row: BillRow,
    query: listQuery<DbRow>(selected(ctx, request.filter)),
    sort: {
      number: 'b.number',
      statementDate: 'b.statement_date',
      dueOn: 'b.due_on',
      amount: 'b.amount',
      createdAt: 'b.created_at',
    },
    order: [['b.id', 'desc']],
    key: 'b.id',
    map: toRow,
  };
  const found = await page(ctx, request, def);
  return { ...found, records: await withSums(ctx, found.records) };
}

/** How many bills are in each state, whatever state the filter names. */
export function billCounts(ctx: Ctx, filter: BillFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 'b.state');
}

interface Counts {
  orders: number;
  repayments: number;
  refunds: number;
  topups: number;
  payments: number;
  unmatched: number;
  payable: number;
}

async function countsOf(ctx: Ctx, id: string): Promise<Counts> {
  const of = (table: string) =>
    sql`(SELECT count(*)::int FROM ${sql.table(table)} AS t WHERE t.company_id = ${ctx.companyId} AND t.bill_id = ${id})`;
  const { rows } = await sql<Counts>`
    SELECT count(*)::int AS orders, (count(*) FILTER (WHERE o.matched = 'NONE'))::int AS unmatched,
           (count(*) FILTER (WHERE o.matched IN ('AUTO', 'HAND') AND o.amount > 0 AND p.request_id IS NULL))::int AS payable,
           ${of('finance.platform_bill_repayment')} AS repayments, ${of('finance.platform_bill_refund')} AS refunds,
           ${of('finance.platform_bill_topup')} AS topups, ${of('finance.platform_bill_payment')} AS payments
      FROM finance.platform_bill_order AS o
      LEFT JOIN finance.platform_bill_payment AS p
        ON p.company_id = o.company_id AND p.order_line_id = o.id AND p.live
     WHERE o.company_id = ${ctx.companyId} AND o.bill_id = ${id}`.execute(ctx.db);
  const [counts] = rows;
  if (!counts) throw notFound();
  return counts;
}

/** A bill as its page shows it. @throws notFound */
export async function billDetail(ctx: Ctx, id: string) {
  const found = await selected(ctx, {}).where('b.id', '=', id).executeTakeFirst();
  if (!found) throw notFound();
  const [document = toRow(found)] = await withSums(ctx, [toRow(found)]);
  return {
    document,
    counts: await countsOf(ctx, id),
    actions: actionsOf(platformBill, document.state, new Set(can(ctx, UPLOAD) ? [UPLOAD] : [])),
    timeline: await timelineOf(ctx, platformBill.name, id),
  };
}
