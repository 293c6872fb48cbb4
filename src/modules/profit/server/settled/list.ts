import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { page, streamed } from '#kit/server/list/page.ts';
import {
  SETTLED_ROWS,
  SETTLED_VIEWS,
  type SettledFilter,
  SettledRow,
  type SettledView,
} from '../../contract/settled.ts';
import { freshness, inBatches, relation, SORT, totalsRow, visible } from '../list.ts';
import { profitRows } from '../rows.ts';
import {
  type Conversion,
  nettedSql,
  type ReportRow,
  sumsSql,
  type WithTotal,
  wholeOf,
  withTotalSql,
} from '../source.ts';
import { type Settlement, settledConversion, settledLines, settlementsFor, VIEW_KEYS } from './source.ts';

/** `document_id` is there where rows are of one settlement each. */
interface DbRow extends ReportRow {
  document_id?: string;
}

/** What a request reads: its settlements, and the sums of their lines. */
interface Asked {
  view: SettledView;
  /** Each SKU has one row for each currency. */
  single: boolean;
  settlements: Settlement[];
  conversion: Conversion;
  sums: RawBuilder<unknown>;
}

async function askedOf(ctx: Ctx, filter: SettledFilter): Promise<Asked> {
  const { view = 'sku', skus = [], currency = 'ORIGINAL' } = filter;
  const settlements = await settlementsFor(ctx, filter);
  const conversion = await settledConversion(ctx, settlements, currency, false);
  const sums = sumsSql(settledLines(ctx, settlements, skus), conversion, VIEW_KEYS[view]);
  const single = view === 'sku' || settlements.length === 1;
  return { view, single, settlements, conversion, sums };
}

const SHOP_FIRST = [["(r.sku = '')", 'desc']] as const;

/** Best sellers first; the money without a SKU above them where it has one row for each currency, else among them. */
function listDef<Row extends DbRow>(ctx: Ctx, { view, single }: Asked, rows: RawBuilder<unknown>) {
  return {
    row: SettledRow,
    query: relation<Row>(ctx, rows),
    sort: SORT,
    order: [...(single ? SHOP_FIRST : []), ['r.sales', 'desc', 'last']] as const,
    key: view === 'settlement' ? 'r.row_key, r.document_id' : 'r.row_key',
  };
}

const SHOP = { name: '店铺费用', code: '未分摊' };

/** Rows with the names of their goods and the settlement that each is of. */
async function settledRows(ctx: Ctx, { settlements }: Asked, rows: readonly DbRow[]): Promise<SettledRow[]> {
  const known = new Map(settlements.map((one) => [one.id, one]));
  const named = await profitRows(ctx, rows, 'msku');
  const full = named.map(({ goods: _, name, day, month, fees, roi, settledShare, ...row }, at) => {
    const of = known.get(rows[at]?.document_id ?? '');
    return {
      ...row,
      id: `${of?.id ?? '-'}\t${row.id}`,
      documentId: of?.id ?? null,
      settlementId: of?.settlementId ?? null,
      endAt: of?.endAt ?? null,
      depositAt: of?.depositAt ?? null,
      product: row.sku === '' ? SHOP : row.product,
    };
  });
  return visible(ctx, full);
}

/** The row of everything in one currency: CNY where the settlements have several. */
async function wholeRow(ctx: Ctx, { settlements }: Asked, { skus = [], currency = 'ORIGINAL' }: SettledFilter) {
  const conversion = await settledConversion(ctx, settlements, currency, true);
  const { rows } = await sql<ReportRow>`
    SELECT * FROM ${nettedSql(sumsSql(settledLines(ctx, settlements, skus), conversion, []))} AS r`.execute(ctx.db);
  return rows[0];
}

/** One page of the money of settlements by SKU, best sellers first. The lines are read once for rows, number and totals. */
export async function settledPage(ctx: Ctx, request: PageRequest<SettledFilter>): Promise<PageOf<SettledRow>> {
  const asked = await askedOf(ctx, request.filter);
  const found = await page<DbRow & WithTotal, DbRow>(ctx, request, {
    ...listDef<DbRow & WithTotal>(ctx, asked, withTotalSql(asked.sums, asked.conversion)),
    // A page past the end has no row that could tell.
    count: async ([first]) => first?.row_count ?? (await countOf(ctx, asked)),
    totals: async ([first]) => (first ? totalsRow(wholeOf(first) ?? (await wholeRow(ctx, asked, request.filter))) : {}),
    asOf: () => freshness(ctx),
  });
  return { ...found, records: await settledRows(ctx, asked, found.records) };
}

async function countOf(ctx: Ctx, { sums }: Asked): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sums} AS r`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** The whole filter as a file, with the columns of its view. */
export async function settledFile(ctx: Ctx, body: ExportRequest<SettledFilter>): Promise<DownloadSpec> {
  const asked = await askedOf(ctx, body.filter);
  // The cursor holds the connection, so names are looked up once all rows are read.
  const rows: DbRow[] = [];
  for await (const row of streamed<DbRow>(ctx, body, listDef<DbRow>(ctx, asked, nettedSql(asked.sums)))) {
    rows.push(row);
  }
  return {
    name: `账期SKU-${SETTLED_VIEWS[asked.view]}`,
    sheet: '账期SKU',
    format: body.format,
    columns: exportColumns(ctx, SETTLED_ROWS[asked.view], body.columns),
    rows: inBatches(rows, (batch) => settledRows(ctx, asked, batch)),
    audit: { action: '导出账期SKU', resource: 'profit.settled', filter: body.filter },
  };
}
