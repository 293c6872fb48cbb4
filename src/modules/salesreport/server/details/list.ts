import { type RawBuilder, sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import { type Column, type DetailFilter, type DetailRow, pivotRow, DetailRow as Row } from '../../contract/details.ts';
import { isKnown, undivided } from '../days.ts';
import { isPartial } from '../exchange.ts';
import { keyed, SKU } from '../facts.ts';
import { together } from '../sources.ts';
import { labels, type NameCells, withNames } from './labels.ts';
import { type Plan, planned, planOf, shapeOf } from './plan.ts';

type Figure = string | number | null;

/** A row of the pivot as the database adds it up. */
interface SumRow extends NameCells {
  total: Figure;
  /** Of the days that are over: what the period before is held against. */
  closed: Figure;
  before: Figure;
  /** The SKUs that make it up, and how many rows there are in all. */
  skus: string[];
  found: number;
  /** Place to figure, in files only. */
  cells?: Record<string, Figure>;
}

/** Room for the sums of a hundred thousand products; with less they go through files. */
const WORK_MEM = '64MB';
const roomy = (ctx: Ctx) => sql`SELECT set_config('work_mem', ${WORK_MEM}, true)`.execute(ctx.db);

/** Sums of the rows of a filter by key. Nothing sold on either side is no row. */
function rowsOf(ctx: Ctx, plan: Plan): RawBuilder<SumRow> {
  const reading = planned(ctx, { ...plan, map: undivided(plan.map) });
  // A SKU stands there once for each side, an order line very often.
  const distinct = sql.raw(reading.lines ? 'DISTINCT' : '');
  return sql<SumRow>`
    SELECT x.*, count(*) OVER () AS found FROM (
      SELECT k.key, coalesce(${together(reading, "k.side <> 'before'")}, 0) AS total, coalesce(${together(reading, "k.side = 'now'")}, 0) AS closed,
             coalesce(${together(reading, "k.side = 'before'")}, 0) AS before, array_agg(${distinct} ${SKU}) AS skus, min(${SKU}) AS first
        FROM (${keyed(ctx, reading)}) AS k GROUP BY k.key) AS x
     WHERE x.total <> 0 OR x.before <> 0`;
}

/** The same with the figure of every period as an object. What adds up by day adds up by period, distinct orders too: each has one day. */
function wideRowsOf(ctx: Ctx, plan: Plan): RawBuilder<SumRow> {
  const reading = planned(ctx, plan);
  return sql<SumRow>`
    SELECT x.* FROM (
      SELECT g.key, min(g.first) AS first, coalesce(sum(g.value) FILTER (WHERE NOT g.earlier), 0) AS total, coalesce(sum(g.closed), 0) AS closed,
             coalesce(sum(g.value) FILTER (WHERE g.earlier), 0) AS before,
             coalesce(jsonb_object_agg(g.place, g.value::text) FILTER (WHERE NOT g.earlier), '{}') AS cells
        FROM (SELECT k.key, k.place, k.side = 'before' AS earlier, min(${SKU}) AS first, ${together(reading)} AS value,
                     ${together(reading, "k.side = 'now'")} AS closed
                FROM (${keyed(ctx, reading)}) AS k GROUP BY 1, 2, 3) AS g
       GROUP BY g.key) AS x
     WHERE x.total <> 0 OR x.before <> 0`;
}

const figure = (plan: Plan, value: Figure | undefined): string | number =>
  plan.kind === 'money' ? new Decimal(value ?? 0).toFixed() : Number(value ?? 0);

/** Whether a period without a figure had nothing: not before anything is known, nor where no rate converts its sales. */
const isNothing = (plan: Plan, column: Column): boolean =>
  isKnown(plan, column) && !(plan.exchange && isPartial(plan.exchange, column));

/** Figures of the periods by the keys of their columns; null where nothing is known. */
const cellsOf = (plan: Plan, at: (place: number) => Figure | undefined): Record<string, Figure> =>
  Object.fromEntries(
    plan.places.map((column, place) => {
      const value = at(place);
      return [column.key, (value ?? null) !== null || isNothing(plan, column) ? figure(plan, value) : null];
    }),
  );

function changes(plan: Plan, { total, closed, before }: Pick<SumRow, 'total' | 'closed' | 'before'>) {
  return {
    total: total === null ? null : figure(plan, total),
    totalBefore: plan.before ? figure(plan, before) : null,
    totalChange: plan.before ? changeOf(closed ?? 0, before ?? 0) : null,
    currency: plan.exchange?.currency ?? null,
  };
}

/** Sums over the whole filter: never of a page, and of orders never of rows. */
async function totalsOf(ctx: Ctx, plan: Plan) {
  const reading = planned(ctx, plan, 'all');
  const { rows } = await sql<{ place: number; side: string; value: Figure }>`
    SELECT k.place, k.side, ${together(reading)} AS value FROM (${keyed(ctx, reading)}) AS k GROUP BY 1, 2`.execute(
    ctx.db,
  );
  const sum = (of: (row: { place: number; side: string }) => boolean) =>
    Decimal.sum(0, ...rows.filter(of).map(({ value }) => value ?? 0)).toFixed();
  const own = rows.filter(({ side, value }) => side !== 'before' && value !== null);
  // Where no rate converts anything, nothing is known.
  const isUnknown = own.length === 0 && plan.exchange !== undefined && isPartial(plan.exchange, plan.period);
  const total = isUnknown ? null : sum(({ side }) => side !== 'before');
  return {
    ...changes(plan, {
      total,
      closed: sum(({ side }) => side === 'now'),
      before: sum(({ side }) => side === 'before'),
    }),
    share: Number(total) === 0 ? null : '1',
    ...cellsOf(plan, (place) =>
      own.some((row) => row.place === place) ? sum((row) => row.place === place && row.side !== 'before') : undefined,
    ),
  };
}

/** SKUs up to which the rows of a page are read again by their names; more are found by reading all. */
const FEW_SKUS = 2000;

/** Figures of the rows of a page by period. */
async function cellsOfPage(ctx: Ctx, plan: Plan, rows: readonly SumRow[]): Promise<Map<string, Figure>> {
  if (rows.length === 0) return new Map();
  const skus = [...new Set(rows.flatMap((row) => row.skus))];
  // Whole sites have no SKU, by which they could be found.
  const named = skus.length <= FEW_SKUS && plan.by !== 'store' && plan.by !== 'site' ? skus : undefined;
  const reading = planned(ctx, plan, plan.by, named);
  const { rows: cells } = await sql<{ key: string; place: number; value: Figure }>`
    SELECT k.key, k.place, ${together(reading)} AS value FROM (${keyed(ctx, reading)}) AS k
     WHERE k.side <> 'before' AND k.key = ANY (${rows.map(({ key }) => key)}::text[]) GROUP BY 1, 2`.execute(ctx.db);
  return new Map(cells.map(({ key, place, value }) => [`${key} ${place}`, value]));
}

const CHANGE = '((f.closed - f.before) / nullif(f.before, 0)::numeric)';

function listOf(ctx: Ctx, plan: Plan, rows: RawBuilder<SumRow>): ListDef<SumRow, SumRow> {
  return {
    row: Row,
    query: relation(ctx, rows),
    around: (cut) => listQuery<SumRow>(relation(ctx, withNames<SumRow>(ctx, plan.by, sql`${cut}`))),
    sort: { total: 'f.total', share: 'f.total', totalBefore: 'f.before', totalChange: CHANGE },
    order: [['f.total', 'desc']],
    key: 'f.key',
  };
}

/** One page of the pivot, with the totals of the whole filter. */
export async function detailPage(ctx: Ctx, request: PageRequest<DetailFilter>): Promise<PageOf<DetailRow>> {
  const plan = await planOf(ctx, request.filter);
  await roomy(ctx);
  const totals = await totalsOf(ctx, plan);
  const label = await labels(ctx, plan.by);
  const rows = rowsOf(ctx, plan);
  const counted = async () => {
    const all = await sql<{ n: number }>`SELECT count(*) AS n FROM (${rows}) AS x`.execute(ctx.db);
    return all.rows[0]?.n ?? 0;
  };
  const found = await page(ctx, request, {
    ...listOf(ctx, plan, rows),
    count: async ([row]) => row?.found ?? (await counted()),
    totals: async () => totals,
    asOf: () => salesAsOf(ctx, accountsOf(request.filter)),
  });
  const cells = await cellsOfPage(ctx, plan, found.records);
  return {
    ...found,
    records: found.records.map((row) => ({
      id: row.key,
      ...label(row),
      ...changes(plan, row),
      share: ratio(String(row.total), String(totals.total)),
      ...cellsOf(plan, (place) => cells.get(`${row.key} ${place}`)),
    })),
  };
}

const accountsOf = ({ sites = [] }: DetailFilter): string[] => [
  ...new Set(sites.map((site) => siteOf(site).accountId)),
];

/** The whole filter as a wide file: a column for each period. */
export function exportAll(open: OpenCtx, request: ExportRequest<DetailFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const plan = await planOf(ctx, request.filter);
    await roomy(ctx);
    const totals = await totalsOf(ctx, plan);
    const label = await labels(ctx, plan.by);
    const map = (row: SumRow): DetailRow => ({
      id: row.key,
      ...label(row),
      ...changes(plan, row),
      share: ratio(String(row.total), String(totals.total)),
      ...cellsOf(plan, (place) => row.cells?.[String(place)]),
    });
    const fields = shapeOf(plan);
    return {
      name: `销量详情 ${fields.measure} ${plan.period.from}至${plan.period.to}`,
      sheet: '销量详情',
      format: request.format,
      columns: exportColumns(ctx, pivotRow(fields), request.columns),
      rows: streamed(ctx, request, { ...listOf(ctx, plan, wideRowsOf(ctx, plan)), map }),
      audit: { action: '导出销量详情', resource: 'salesreport.details', filter: request.filter },
    };
  });
}
