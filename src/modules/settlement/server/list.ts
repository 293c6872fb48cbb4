import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf } from '#modules/marketplace/server/index.ts';
import { type SettlementFilter, SettlementRow } from '../contract/settlements.ts';
import { settlementPlan } from './loader.ts';
import { inStores } from './stores.ts';

interface DbRow {
  id: string;
  settlement_id: string;
  marketplace_id: string;
  store_name: string;
  start_at: string | null;
  end_at: string;
  deposit_at: string | null;
  transfer: SettlementRow['transfer'];
  currency: string;
  total_amount: string;
  line_sum: string;
  line_count: number;
  order_count: number;
  unmapped_count: number;
  form: string;
  version: number;
  file_name: string;
  created_at: string;
}

/** A payout is due on its deposit date; a settlement that pays nothing out has none. */
const TRANSFER = sql<SettlementRow['transfer']>`CASE WHEN s.total_amount <= 0 THEN 'owed'
  WHEN coalesce(s.deposit_at, s.end_at) <= kit.now() THEN 'paid' ELSE 'pending' END`;

/** Current versions of the settlements that a filter lets through; `kit.now()` decides what is paid. */
export function settlementsOf(ctx: Ctx, filter: SettlementFilter) {
  let query = ctx.db
    .selectFrom('settlement.settlement as s')
    .where('s.company_id', '=', ctx.companyId)
    .where('s.superseded_at', 'is', null);
  const { date, dateType, recon, search, stores, transfer } = filter;
  if (stores?.length) query = query.where(inStores('s', stores));
  if (search) query = query.where('s.settlement_id', 'like', containing(search));
  if (recon) query = query.where('s.unmapped_count', recon === 'unmapped' ? '>' : '=', 0);
  if (transfer) query = query.where(TRANSFER, '=', transfer);
  const column = sql.ref(dateType === 'deposit' ? 's.deposit_at' : 's.end_at');
  if (date?.from) query = query.where(sql<boolean>`${column} >= ${date.from}::date`);
  if (date?.to) query = query.where(sql<boolean>`${column} < ${date.to}::date + 1`);
  return query;
}

function rowsOf(ctx: Ctx, filter: SettlementFilter) {
  return settlementsOf(ctx, filter)
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 's.company_id').onRef('a.id', '=', 's.account_id'),
    )
    .innerJoin('marketplace.store as g', (join) =>
      join.onRef('g.company_id', '=', 'a.company_id').onRef('g.id', '=', 'a.store_id'),
    )
    .select(['s.id', 's.settlement_id', 's.marketplace_id', 'g.name as store_name', 's.start_at', 's.end_at'])
    .select(['s.deposit_at', 's.currency', 's.total_amount', 's.line_sum', 's.line_count', 's.order_count'])
    .select(['s.unmapped_count', 's.form', 's.version', 's.file_name', 's.created_at'])
    .select(TRANSFER.as('transfer'));
}

function toRow(row: DbRow): SettlementRow {
  return {
    id: row.id,
    settlementId: row.settlement_id,
    store: { name: row.store_name, country: countryOf(row.marketplace_id) },
    startAt: row.start_at,
    endAt: row.end_at,
    transfer: row.transfer,
    currency: row.currency,
    total: row.total_amount,
    lineSum: row.line_sum,
    gap: new Decimal(row.total_amount).minus(row.line_sum).toFixed(4),
    recon: row.unmapped_count > 0 ? 'unmapped' : 'balanced',
    depositAt: row.deposit_at,
    lineCount: row.line_count,
    orderCount: row.order_count,
    unmapped: row.unmapped_count,
    form: row.form === 'v1' ? 'v1' : 'v2',
    version: row.version,
    fileName: row.file_name,
    loadedAt: row.created_at,
  };
}

const MONEY = ['total', 'lineSum', 'gap'] as const;

/** Sums of the whole filter; those of several currencies stand as mixedOf() reads them. */
async function totalsOf(ctx: Ctx, filter: SettlementFilter): Promise<Totals> {
  const rows = await settlementsOf(ctx, filter)
    .select([
      's.currency',
      sql<string>`sum(s.total_amount)`.as('total'),
      sql<string>`sum(s.line_sum)`.as('lineSum'),
      sql<string>`sum(s.total_amount - s.line_sum)`.as('gap'),
      sql<number>`sum(s.line_count)::bigint`.as('lineCount'),
      sql<number>`sum(s.order_count)::bigint`.as('orderCount'),
      sql<number>`sum(s.unmapped_count)::bigint`.as('unmapped'),
    ])
    .groupBy('s.currency')
    .orderBy('s.currency')
    .execute();
  const added = (key: 'lineCount' | 'orderCount' | 'unmapped') => rows.reduce((n, row) => n + row[key], 0);
  return {
    lineCount: added('lineCount'),
    orderCount: added('orderCount'),
    unmapped: added('unmapped'),
    ...(await moneyTotals(ctx, rows, MONEY)),
  };
}

const SORT = {
  settlementId: 's.settlement_id',
  startAt: 's.start_at',
  endAt: 's.end_at',
  depositAt: 's.deposit_at',
  total: 's.total_amount',
  lineCount: 's.line_count',
  orderCount: 's.order_count',
  unmapped: 's.unmapped_count',
  loadedAt: 's.created_at',
};

function listDef(ctx: Ctx, filter: SettlementFilter) {
  return {
    row: SettlementRow,
    query: listQuery<DbRow>(rowsOf(ctx, filter)),
    sort: SORT,
    order: [['s.end_at', 'desc']] as const,
    key: 's.id',
    map: toRow,
  };
}

/** One page of settlements, newest period first. */
export function settlementPage(ctx: Ctx, request: PageRequest<SettlementFilter>): Promise<PageOf<SettlementRow>> {
  return page<DbRow, SettlementRow>(ctx, request, {
    ...listDef(ctx, request.filter),
    totals: () => totalsOf(ctx, request.filter),
    asOf: () => freshness(ctx),
  });
}

/** When the oldest of the accounts was last asked for new settlements. */
function freshness(ctx: Ctx): Promise<string | null> {
  return freshnessOf(ctx, [settlementPlan.code]);
}

/** One settlement as the list shows it; undefined for an unknown or superseded one. */
export async function settlementRow(ctx: Ctx, id: string): Promise<SettlementRow | undefined> {
  const row = await rowsOf(ctx, {}).where('s.id', '=', id).executeTakeFirst();
  return row && toRow(row as DbRow);
}

/** Numbers of settlements by transfer state under the other filters. */
export async function settlementCounts(ctx: Ctx, filter: SettlementFilter): Promise<Record<string, number>> {
  const { transfer: _, ...others } = filter;
  const rows = await settlementsOf(ctx, others)
    .select([TRANSFER.as('state'), sql<number>`count(*)`.as('n')])
    .groupBy(TRANSFER)
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}

/** All settlements of the filter as a file; money columns bring their currency along. */
export function settlementFile(ctx: Ctx, body: ExportRequest<SettlementFilter>): DownloadSpec {
  return {
    name: '结算记录',
    sheet: '结算记录',
    format: body.format,
    columns: exportColumns(ctx, SettlementRow, body.columns),
    rows: streamed<DbRow, SettlementRow>(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出结算记录', resource: 'settlement.settlement', filter: body.filter },
  };
}
