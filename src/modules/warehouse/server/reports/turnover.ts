import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type exportTurnover, type TurnoverFilter, TurnoverRow } from '../../contract/reports.ts';
import { type FlowScope, flows, inScope, THERE, visible, wholly } from './flows.ts';

const DAY = 86_400_000;

function scopeOf(ctx: Ctx, filter: TurnoverFilter): FlowScope {
  const to = filter.period?.to ?? ctx.clock.today();
  const from = filter.period?.from ?? new Date(Date.parse(to) - 29 * DAY).toISOString().slice(0, 10);
  return {
    from,
    to,
    warehouses: visible(ctx, filter.warehouses),
    like: filter.keyword ? containing(filter.keyword) : undefined,
  };
}

/** Days of a range, both ends included. */
const daysOf = ({ from, to }: FlowScope) => Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/**
 * Turns = pieces that went ÷ average of the daily closings, two decimals half up; days = days of the range ÷ turns, one
 * decimal. Null where nothing was there or nothing went.
 */
export function turnsOf(out: number, average: Decimal, days: number): { turns: string | null; days: string | null } {
  if (average.lte(0) || out <= 0) return { turns: null, days: null };
  const exact = new Decimal(out).div(average);
  return { turns: round(exact, 2), days: round(new Decimal(days).div(exact), 1) };
}

interface DbRow {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  opening: number;
  received: number;
  sold: number;
  dispatched: number;
  moved: number;
  assembled: number;
  used: number;
  counted: number;
  other: number;
  closing: number;
  weighted: number;
}

/** Products `p` that have or had pieces in the warehouses of the filter. */
function productsOf(ctx: Ctx, scope: FlowScope) {
  return ctx.db
    .selectFrom('product.local_product as p')
    .where('p.company_id', '=', ctx.companyId)
    .where(
      sql<boolean>`EXISTS (SELECT FROM warehouse.stock_balance AS b WHERE b.company_id = ${ctx.companyId}
        AND b.product_id = p.id AND b.status IN ${THERE} AND ${inScope('b', { warehouses: scope.warehouses })})`,
    )
    .$if(scope.like !== undefined, (query) =>
      query.where(sql<boolean>`(p.sku ILIKE ${scope.like} OR p.name ILIKE ${scope.like})`),
    );
}

/** Figures of the products of a page: balances now, less what came after the range, are its closing. */
function figures(ctx: Ctx, scope: FlowScope) {
  const sum = (kind: string) => sql.raw(`coalesce(sum(f.qty) FILTER (WHERE f.kind = '${kind}'), 0)::int`);
  const one = { ...scope, like: undefined, product: sql.ref<string>('s.id') };
  const entries = sql`warehouse.stock_entry AS e WHERE e.company_id = ${ctx.companyId}
    AND e.status IN ${THERE} AND ${inScope('e', one)}`;
  return sql<Omit<DbRow, 'id' | 'sku' | 'name' | 'image'>>`(
    SELECT (SELECT coalesce(sum(e.qty), 0)::int FROM ${entries} AND e.business_date < ${scope.from}::date) AS opening,
           (SELECT coalesce(sum(b.qty), 0)::int FROM warehouse.stock_balance AS b WHERE b.company_id = ${ctx.companyId}
               AND b.status IN ${THERE} AND ${inScope('b', one)})
             - (SELECT coalesce(sum(e.qty), 0)::int FROM ${entries} AND e.business_date > ${scope.to}::date
                  AND e.posted_at >= ${scope.to}::date) AS closing,
           ${sum('RECEIVED')} AS received, -${sum('SOLD')} AS sold, -${sum('DISPATCHED')} AS dispatched, ${sum('MOVED')} AS moved,
           ${sum('ASSEMBLED')} AS assembled, ${sum('COUNTED')} AS counted, ${sum('OTHER')} AS other,
           greatest(0, -coalesce(sum(f.qty) FILTER (WHERE f.kind = 'ASSEMBLED'), 0))::int AS used,
           coalesce(sum(f.qty * (${scope.to}::date - f.day + 1)), 0)::bigint AS weighted
      FROM (${flows(ctx, one)}) AS f)`;
}

function rowOf(row: DbRow, days: number): TurnoverRow {
  const { id, sku, name, image, used, weighted, ...rest } = row;
  const average = new Decimal(row.opening).plus(new Decimal(weighted).div(days));
  const came = row.received - row.sold - row.dispatched + row.moved + row.assembled + row.counted + row.other;
  return {
    id,
    product: { name: name || sku, code: sku, image },
    ...rest,
    difference: row.opening + came - row.closing,
    average: round(average, 1),
    ...turnsOf(row.sold + row.dispatched + used, average, days),
  };
}

function listDef(ctx: Ctx, filter: TurnoverFilter): ListDef<DbRow, TurnoverRow> {
  const scope = scopeOf(ctx, filter);
  const query = productsOf(ctx, scope).select(['p.id', 'p.sku', 'p.name', 'p.image']);
  return {
    row: TurnoverRow,
    query: listQuery(query),
    // A ledger of years is read for the products of the page only.
    around: (rows) =>
      listQuery(
        cutAs(ctx, rows, 's')
          .innerJoinLateral(figures(ctx, scope).as('f'), (join) => join.onTrue())
          .selectAll(),
      ),
    sort: { product: 'sku' },
    order: [['sku', 'asc']],
    key: 'id',
    map: (row) => rowOf(row, daysOf(scope)),
  };
}

/** One page of how products turned over. */
export function turnoverPage(ctx: Ctx, request: PageRequest<TurnoverFilter>): Promise<PageOf<TurnoverRow>> {
  return unscoped(ctx, () => page(ctx, request, listDef(ctx, request.filter)));
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportTurnover.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '周转报告',
    sheet: '周转报告',
    format: request.format,
    columns: exportColumns(ctx, TurnoverRow, request.columns),
    rows: wholly(ctx, () => streamed(ctx, request, listDef(ctx, request.filter))) as AsyncIterable<object>,
    audit: { action: '导出周转报告', resource: 'warehouse.stock', filter: request.filter },
  }));
}

interface CourseDay {
  day: string;
  came: number;
  out: number;
  used: number;
}

/** All products together: turns, and pieces that were there and went by day. */
export function turnoverTotals(ctx: Ctx, filter: TurnoverFilter) {
  return unscoped(ctx, () => totalsOf(ctx, scopeOf(ctx, filter)));
}

async function totalsOf(ctx: Ctx, scope: FlowScope) {
  const { rows: now } = await sql<{ qty: number }>`
    SELECT coalesce(sum(b.qty), 0)::bigint - coalesce((SELECT sum(e.qty) FROM warehouse.stock_entry AS e
             WHERE e.company_id = ${ctx.companyId} AND e.status IN ${THERE} AND e.business_date >= ${scope.from}::date
               AND e.posted_at >= ${scope.from}::date - interval '1 day' AND ${inScope('e', scope)}), 0)::bigint AS qty
      FROM warehouse.stock_balance AS b
     WHERE b.company_id = ${ctx.companyId} AND b.status IN ${THERE} AND ${inScope('b', scope)}`.execute(ctx.db);
  const { rows } = await sql<CourseDay>`
    SELECT d::date AS day, coalesce(sum(f.qty), 0)::int AS came,
           coalesce(-sum(f.qty) FILTER (WHERE f.kind IN ('SOLD', 'DISPATCHED')), 0)::int AS out,
           coalesce(-sum(f.qty) FILTER (WHERE f.kind = 'ASSEMBLED' AND f.qty < 0), 0)::int AS used
      FROM generate_series(${scope.from}::date, ${scope.to}::date, interval '1 day') AS d
      LEFT JOIN (${flows(ctx, scope)}) AS f ON f.day = d::date GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  let closing = now[0]?.qty ?? 0;
  const course = rows.map((row) => {
    closing += row.came;
    return { day: row.day, closing, out: row.out + row.used };
  });
  const average = new Decimal(course.reduce((sum, { closing: there }) => sum + there, 0)).div(course.length);
  const out = course.reduce((sum, day) => sum + day.out, 0);
  return { average: round(average, 1), ...turnsOf(out, average, course.length), course };
}
