import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type exportUnsalable, type UnsalableFilter, UnsalableRow } from '../../contract/reports.ts';
import { type FlowScope, flows, inScope, visible, wholly } from './flows.ts';

const DAY = 86_400_000;
/** Days over which the daily outbound is averaged, and for which stock should last where nobody says otherwise. */
const LOOK_BACK = 90;
const TARGET = 90;

interface DbRow {
  product_id: string;
  sku: string;
  name: string;
  image: string | null;
  qty: number;
  value: string;
  d30: number;
  d60: number;
  d90: number;
  d180: number;
  d365: number;
  over: number;
  out30: number;
  out60: number;
  out90: number;
  surplus: number;
  advice: UnsalableRow['advice'];
}

const AGE = sql.raw('warehouse.today() - y.original_date');

/** Layers of what lies in the warehouses, by product and age. */
function ages(ctx: Ctx, scope: FlowScope) {
  const bucket = (low: number, high: number) =>
    sql`coalesce(sum(y.qty_remaining) FILTER (WHERE ${AGE} BETWEEN ${low} AND ${high}), 0)::int`;
  return sql`
    SELECT y.product_id, sum(y.qty_remaining)::int AS qty, sum(y.amount_remaining) AS value, ${bucket(-1, 30)} AS d30,
           ${bucket(31, 60)} AS d60, ${bucket(61, 90)} AS d90, ${bucket(91, 180)} AS d180, ${bucket(181, 365)} AS d365,
           ${bucket(366, 100_000)} AS over
      FROM warehouse.cost_layer AS y
     WHERE y.company_id = ${ctx.companyId} AND y.open AND NOT y.in_transit AND ${inScope('y', scope)}
     GROUP BY 1`;
}

/** Pieces that went to customers, abroad or into kits, by product. */
function outs(ctx: Ctx, scope: FlowScope) {
  const within = (days: number) =>
    sql`greatest(0, -coalesce(sum(f.qty) FILTER (WHERE f.day > warehouse.today() - ${days}::int), 0))::int`;
  return sql`
    SELECT f.product_id, ${within(30)} AS out30, ${within(60)} AS out60, ${within(LOOK_BACK)} AS out90
      FROM (${flows(ctx, scope)}) AS f
     WHERE f.kind IN ('SOLD', 'DISPATCHED') OR (f.kind = 'ASSEMBLED' AND f.qty < 0) GROUP BY 1`;
}

function rowsOf(ctx: Ctx, filter: UnsalableFilter) {
  const to = ctx.clock.today();
  const scope: FlowScope = {
    from: new Date(Date.parse(to) - (LOOK_BACK - 1) * DAY).toISOString().slice(0, 10),
    to,
    warehouses: visible(ctx, filter.warehouses),
    like: filter.keyword ? containing(filter.keyword) : undefined,
  };
  const target = filter.targetDays ?? TARGET;
  const table = sql<DbRow>`(
    SELECT r.*, CASE WHEN r.out90 = 0 THEN 'DEAD' WHEN r.surplus > 0 THEN 'SLOW' ELSE 'FINE' END AS advice FROM (
      SELECT a.*, coalesce(o.out30, 0) AS out30, coalesce(o.out60, 0) AS out60, coalesce(o.out90, 0) AS out90,
             greatest(0, a.qty - floor(coalesce(o.out90, 0)::numeric * ${target}::int / ${LOOK_BACK}::int))::int AS surplus
        FROM (${ages(ctx, scope)}) AS a LEFT JOIN (${outs(ctx, scope)}) AS o USING (product_id)) AS r)`;
  return ctx.db
    .selectFrom(table.as('s'))
    .innerJoin('product.local_product as p', (join) =>
      join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 's.product_id'),
    )
    .$if(filter.advice !== undefined, (query) => query.where('s.advice', '=', filter.advice ?? 'DEAD'));
}

function rowOf(row: DbRow): UnsalableRow {
  const daily = new Decimal(row.out90).div(LOOK_BACK);
  const { product_id: id, sku, name, image, value, ...rest } = row;
  return {
    id,
    product: { name: name || sku, code: sku, image },
    qty: rest.qty,
    d30: rest.d30,
    d60: rest.d60,
    d90: rest.d90,
    d180: rest.d180,
    d365: rest.d365,
    over: rest.over,
    out30: rest.out30,
    out60: rest.out60,
    out90: rest.out90,
    daysLeft: daily.isZero() ? null : round(new Decimal(row.qty).div(daily), 1),
    surplus: rest.surplus,
    surplusValue: round(new Decimal(value).times(row.surplus).div(row.qty), 2),
    advice: rest.advice,
  };
}

function listDef(ctx: Ctx, filter: UnsalableFilter): ListDef<DbRow, UnsalableRow> {
  const query = rowsOf(ctx, filter).selectAll('s').select(['p.sku', 'p.name', 'p.image']);
  return {
    row: UnsalableRow,
    query: listQuery<DbRow>(query),
    sort: { product: 'p.sku', qty: 's.qty', surplus: 's.surplus', over: 's.over', out90: 's.out90' },
    order: [['s.surplus', 'desc']],
    key: 's.product_id',
    map: rowOf,
  };
}

/** One page of products by how much of them is too much. */
export function unsalablePage(ctx: Ctx, request: PageRequest<UnsalableFilter>): Promise<PageOf<UnsalableRow>> {
  const sum = (key: 'qty' | 'surplus' | 'd30' | 'd60' | 'd90' | 'd180' | 'd365' | 'over') =>
    sql<number>`coalesce(sum(${sql.ref(`s.${key}`)}), 0)::bigint`.as(key);
  const totals = () =>
    rowsOf(ctx, request.filter)
      .select([sum('qty'), sum('surplus'), sum('d30'), sum('d60'), sum('d90'), sum('d180'), sum('d365'), sum('over')])
      .select(sql<string>`coalesce(sum(round(s.value * s.surplus / s.qty, 2)), 0)`.as('surplusValue'))
      .executeTakeFirstOrThrow();
  return unscoped(ctx, () => page(ctx, request, { ...listDef(ctx, request.filter), totals }));
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportUnsalable.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '本地滞销',
    sheet: '本地滞销',
    format: request.format,
    columns: exportColumns(ctx, UnsalableRow, request.columns),
    rows: wholly(ctx, () => streamed(ctx, request, listDef(ctx, request.filter))) as AsyncIterable<object>,
    audit: { action: '导出本地滞销', resource: 'warehouse.stock', filter: request.filter },
  }));
}
