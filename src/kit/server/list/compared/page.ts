import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { plainDecimal } from '../../../contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '../../../contract/page.ts';
import type { Ctx } from '../../context.ts';
import type { FileReply, OpenCtx } from '../../http/serve.ts';
import { download } from '../download.ts';
import { exportColumns } from '../export.ts';
import { type ListDef, page, streamed } from '../page.ts';
import { relation } from '../relation.ts';
import { type ComparedDbRow, type ComparedFilter, type ComparedList, fieldsOf } from './def.ts';
import { type Periods, periodsOf } from './periods.ts';
import { grouped, rowsOf, workedOut } from './sums.ts';
import { type CurrencySums, totalsOf } from './totals.ts';

/** Room for the sums of a hundred thousand products; with less they go through files. */
const WORK_MEM = '64MB';

/** What the statement of a page says of all products, on each of its rows. */
interface All {
  products: number;
  sums: CurrencySums[];
}

type DbRow = ComparedDbRow & Record<keyof All, never>;
type Row = Record<string, unknown>;

/** Name of a row: a hash of what it stands for, in the form of an id. */
function idOf(row: ComparedDbRow, by: readonly string[]): string {
  const key = ['account_id', 'marketplace_id', 'currency', ...by].map((name) => row[name] ?? '').join('|');
  return createHash('md5').update(key).digest('hex');
}

/** Figures as they are shown: other decimals without the zeros of their scale. */
function figuresOf(row: ComparedDbRow, { measures }: ComparedList, fields: readonly string[]): Row {
  const isDecimal = (name: string) => measures[name.replace(/Before$/, '')]?.kind === 'decimal';
  const shown = (name: string) => {
    const value = row[name] ?? null;
    return value !== null && isDecimal(name) ? plainDecimal(String(value)) : value;
  };
  return Object.fromEntries(fields.map((name) => [name, shown(name)]));
}

function defOf(ctx: Ctx, list: ComparedList, periods: Periods): ListDef<ComparedDbRow, Row> {
  const fields = fieldsOf(list);
  const values = workedOut(list);
  const added = Object.entries(values).map(([name, value]) => `${value} AS "${name}"`);
  return {
    row: list.row,
    query: relation(ctx, rowsOf<ComparedDbRow>(list, periods)),
    around: (rows) => {
      const all = relation(ctx, sql<ComparedDbRow>`SELECT f.*, ${sql.raw(added.join(', '))} FROM (${rows}) AS f`);
      return list.around ? list.around(all) : all;
    },
    sort: { product: list.product, ...Object.fromEntries(fields.map((name) => [name, values[name] ?? `f."${name}"`])) },
    order: [[`f."${list.first}"`, 'desc', 'last']],
    key: [...list.by, 'account_id', 'marketplace_id', 'currency'].map((name) => `f.${name}`).join(', '),
    map: (row) => ({
      ...list.show(row),
      id: idOf(row, list.by),
      currency: row.currency,
      ...figuresOf(row, list, fields),
    }),
  };
}

/** Sums and number of products where no row of the page can carry them. */
async function allOf(ctx: Ctx, list: ComparedList, periods: Periods): Promise<All> {
  const { rows } = await sql<All>`${grouped(list, periods)} SELECT products, sums FROM s`.execute(ctx.db);
  return rows[0] ?? { products: 0, sums: [] };
}

/** One page of products with both periods of a filter, and the sums of all of them. */
export async function comparedPage(
  ctx: Ctx,
  request: PageRequest<ComparedFilter>,
  list: ComparedList,
): Promise<PageOf<Row>> {
  const periods = periodsOf(ctx, request.filter, list.step);
  await sql`SELECT set_config('work_mem', ${WORK_MEM}, true)`.execute(ctx.db);
  // Counted and added up in the reading of the page: products are known only once all facts of both periods are read.
  let all: All | undefined;
  const ofAll = async ([row]: readonly ComparedDbRow[]): Promise<All> => {
    all ??= row ? (row as DbRow & All) : await allOf(ctx, list, periods);
    return all;
  };
  return page(ctx, request, {
    ...defOf(ctx, list, periods),
    count: async (rows) => (await ofAll(rows)).products,
    totals: async (rows) => totalsOf(ctx, list, (await ofAll(rows)).sums),
  });
}

/** All products of a filter with both periods as a file, which names them. */
export function comparedFile(
  open: OpenCtx,
  request: ExportRequest<ComparedFilter>,
  make: (ctx: Ctx) => Promise<ComparedList>,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = await make(ctx);
    const periods = periodsOf(ctx, request.filter, list.step);
    const { now, before } = periods;
    return {
      name: `${list.title} ${now.from}至${now.to} 对比 ${before.from}至${before.to}`,
      sheet: list.title,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, defOf(ctx, list, periods)),
      audit: { action: `导出${list.title}`, resource: list.resource, filter: request.filter },
    };
  });
}
