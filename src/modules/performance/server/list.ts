import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { hiddenFields, type ListDef, listQuery, page, streamed, stripped } from '#kit/server/list/page.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { freshness, goodsNames, ownerMonths } from '#modules/profit/server/index.ts';
import {
  MOST_MONTHS,
  type PerformanceFilter,
  PerformanceMonth,
  PerformanceRow,
  type performanceMonths,
  SORTABLE,
} from '../contract/report.ts';
import { combined, type Figures, figuresOf } from './figures.ts';
import { requirePerson, seesAll } from './people.ts';
import { rulesOf } from './rules.ts';
import { targetsOf } from './targets.ts';

/** Id of the row of what nobody answers for. */
const NONE = 'none';

/** Months of a filter, ascending; this month where none is named. @throws B2805 upside down, B2806 too many */
function monthsOf(ctx: Ctx, { from, to }: Pick<PerformanceFilter, 'from' | 'to'>): string[] {
  const last = to ?? from ?? ctx.clock.today().slice(0, 7);
  const first = from ?? last;
  if (first > last) throw refused('起始月份不能晚于截止月份', 'B2805');
  const months: string[] = [];
  for (let month = first; month <= last; ) {
    months.push(month);
    if (months.length > MOST_MONTHS) throw refused(`一次最多查询 ${MOST_MONTHS} 个月`, 'B2806');
    const [year = 0, number = 0] = month.split('-').map(Number);
    month = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  }
  return months;
}

const empty = { units: 0, refundUnits: 0, netSales: '0', ads: '0', profit: '0' };

/** Every month of everybody whom the caller may see and the filter names: who sold something, or should have. */
async function figures(ctx: Ctx, filter: PerformanceFilter): Promise<Figures[]> {
  const months = monthsOf(ctx, filter);
  const [first = '', last = ''] = [months[0], months.at(-1)];
  const rules = await rulesOf(ctx);
  const targets = new Map((await targetsOf(ctx, first, last)).map((row) => [`${row.member} ${row.month}`, row]));
  const brought = await ownerMonths(ctx, months);
  const known = new Set(brought.map(({ owner, month }) => `${owner} ${month}`));
  const idle = [...targets]
    .filter(([key]) => !known.has(key))
    .map(([, row]) => ({ owner: row.member, ...row, ...empty }));
  const wanted = filter.members?.length ? new Set(filter.members) : undefined;
  const all = seesAll(ctx);
  return [...brought, ...idle.map(({ member: _, amount: __, ...row }) => row)]
    .filter(({ owner }) => (all || owner === ctx.userId) && (!wanted || wanted.has(owner)))
    .map((row) => figuresOf(row, targets.get(`${row.owner} ${row.month}`)?.amount ?? null, rules));
}

type Named = (owner: string) => Pick<PerformanceRow, 'id' | 'name' | 'department'>;

async function naming(ctx: Ctx): Promise<Named> {
  const { members, departments } = await chartOf(ctx);
  const nameOf = await goodsNames(ctx, 'owner');
  return (owner) => ({
    id: owner === '' ? NONE : owner,
    name: nameOf(owner),
    department: departments.get(members.get(owner)?.department ?? '')?.name ?? null,
  });
}

async function listDef(ctx: Ctx, filter: PerformanceFilter): Promise<ListDef<PerformanceRow, PerformanceRow>> {
  const found = await figures(ctx, filter);
  const named = await naming(ctx);
  const people = Map.groupBy(found, ({ owner }) => owner);
  const rows = [...people].map(([owner, months]) => ({ ...named(owner), ...combined(months) }));
  const numeric = ['netSales', 'refundRate', 'ads', 'profit', 'margin', 'target', 'achieved', 'commission'];
  const relation = sql<PerformanceRow>`(
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS p(
      id text, name text, department text, units int, "refundUnits" int, ${sql.raw(numeric.map((key) => `"${key}" numeric`).join(', '))}))`;
  return {
    row: PerformanceRow,
    query: listQuery(ctx.db.selectFrom(relation.as<'r'>(sql.ref('r'))).selectAll()),
    sort: Object.fromEntries(SORTABLE.map((key) => [key, `r."${key}"`])),
    order: [['r."netSales"', 'desc', 'last']],
    key: 'r.id',
    totals: async () => combined(found),
    asOf: () => freshness(ctx),
  };
}

/** One page of people, who sold most first; the totals are the profit report's where the caller sees everybody. */
export async function performancePage(
  ctx: Ctx,
  request: PageRequest<PerformanceFilter>,
): Promise<PageOf<PerformanceRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** Everybody of a filter as a file. */
export function performanceFile(open: OpenCtx, body: ExportRequest<PerformanceFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `业绩报告-${ctx.clock.today()}`,
    sheet: '业绩报告',
    format: body.format,
    columns: exportColumns(ctx, PerformanceRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出业绩报告', resource: 'performance.report', filter: body.filter },
  }));
}

/** One person's months, the newest first, and all of them together. @throws forbidden, not found: see `requirePerson` */
export async function monthsOfPerson(
  ctx: Ctx,
  { person, from, to }: z.output<typeof performanceMonths.body>,
): Promise<Reply<typeof performanceMonths>> {
  if (person !== NONE) await requirePerson(ctx, person);
  else if (!seesAll(ctx)) throw notFound();
  const owner = person === NONE ? '' : person;
  const found = (await figures(ctx, { from, to })).filter((month) => month.owner === owner);
  const hidden = hiddenFields(ctx, PerformanceMonth);
  const months = found
    .map((month): PerformanceMonth => ({ month: month.month, ...combined([month]) }))
    .toSorted((a, b) => b.month.localeCompare(a.month));
  const row: PerformanceRow = { ...(await naming(ctx))(owner), ...combined(found) };
  return { row: stripped(row, hidden), months: months.map((month) => stripped(month, hidden)) };
}
