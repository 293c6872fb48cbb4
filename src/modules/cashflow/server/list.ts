import { sql } from 'kysely';
import { sum } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { type CashFilter, CashItem, SORTABLE } from '../contract/forecast.ts';
import { gather } from './gather.ts';
import type { Placed } from './project.ts';

/** Whether an item is one of those that a filter lets through. */
function passes(item: Placed, filter: CashFilter): boolean {
  const { date, state, direction, kinds, stores, currency, keyword } = filter;
  if (date?.from && item.day < date.from) return false;
  if (date?.to && item.day > date.to) return false;
  if (state && item.state !== state) return false;
  if (direction && item.direction !== direction) return false;
  if (kinds?.length && !kinds.includes(item.kind)) return false;
  if (stores?.length && !stores.includes(item.store?.key ?? '')) return false;
  if (currency && item.currency !== currency) return false;
  if (!keyword) return true;
  const word = keyword.toLowerCase();
  return [item.title, item.number, item.party].some((text) => text.toLowerCase().includes(word));
}

/** What rows are sorted by; what they show is at hand already, by their places. */
type DbRow = Pick<CashItem, 'day' | 'amount' | 'worth' | 'dueOn' | 'number' | 'party'> & { n: number; sort: number };

function rowAt(rows: readonly CashItem[], n: number): CashItem {
  const row = rows[n];
  if (!row) throw new Error(`no item ${n}`);
  return row;
}

async function listDef(ctx: Ctx, filter: CashFilter): Promise<ListDef<DbRow, CashItem>> {
  const { items, sources } = await gather(ctx, filter.horizon);
  const titles = new Map(sources.map(({ kind, title }) => [kind, title]));
  const found = items.filter((item) => passes(item, filter));
  const rows = found.map(
    ({ key, kind, sort: _sort, signed, store, certainty: _certainty, ...item }): CashItem => ({
      ...item,
      id: `${kind}:${key}`,
      kind: titles.get(kind) ?? kind,
      store: store ? { name: store.name, country: store.country } : null,
      amount: signed,
    }),
  );
  const sorted = found.map(
    ({ sort, day, signed, worth, dueOn, number, party }, n): DbRow => ({
      n,
      sort,
      day,
      amount: signed,
      worth,
      dueOn,
      number,
      party,
    }),
  );
  const relation = sql<DbRow>`(
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) AS p(
      n int, sort int, day date, amount numeric, worth numeric, "dueOn" date, number text, party text))`;
  return {
    row: CashItem,
    query: listQuery<DbRow>(ctx.db.selectFrom(relation.as<'r'>(sql.ref('r'))).selectAll()),
    sort: { ...Object.fromEntries(SORTABLE.map((key) => [key, `r."${key}"`])), kind: 'r.sort' },
    order: [
      ['r.day', 'asc'],
      ['r.sort', 'asc'],
    ],
    key: 'r.n',
    map: ({ n }) => rowAt(rows, n),
    count: async () => rows.length,
    totals: async () => ({ worth: sum(rows.flatMap(({ worth }) => (worth === null ? [] : [worth]))) }),
  };
}

/** One page of what is expected until the horizon, what comes first at the front. */
export async function cashPage(ctx: Ctx, request: PageRequest<CashFilter>): Promise<PageOf<CashItem>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** All that is expected of a filter as a file. */
export function cashFile(open: OpenCtx, body: ExportRequest<CashFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `现金流预测-${ctx.clock.today()}`,
    sheet: '预计收付',
    format: body.format,
    columns: exportColumns(ctx, CashItem, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出预计收付', resource: 'cashflow.forecast', filter: body.filter },
  }));
}
