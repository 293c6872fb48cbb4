import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { onDays } from '#kit/server/list/days.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf } from '#modules/marketplace/server/index.ts';
import { type BalanceFilter, type BalanceReason, BalanceRow } from '../../contract/balances.ts';
import { holdMoney } from '../coverage.ts';
import { inStores } from '../stores.ts';
import { reconcileClosed, reconcileOpen } from './reconcile.ts';
import { eventGroups } from './stream.ts';

interface DbRow {
  id: string;
  group_id: string;
  account_id: string;
  store_name: string;
  marketplace_id: string | null;
  processing: BalanceRow['state'];
  start_at: string | null;
  end_at: string | null;
  currency: string;
  beginning: string | null;
  total: string | null;
  ours: string | null;
  difference: string | null;
  verdict: BalanceRow['verdict'];
  reason: BalanceReason | null;
  deferred: string | null;
  transfer_status: string | null;
  transfer_at: string | null;
  settlement_id: string | null;
  settlement_doc: string | null;
  converted_currency: string | null;
  converted: string | null;
  trace_id: string | null;
  account_tail: string | null;
  read_at: string;
  checked_at: string | null;
}

/** Amazon's words for the way of the money; it has spelled them differently over the years. */
export function transferOf(status: string | null): BalanceRow['transfer'] {
  if (status === null) return null;
  if (/^(succe|transfer+ed)/i.test(status)) return 'succeeded';
  if (/^(process|initiat|pending)/i.test(status)) return 'processing';
  return /^fail/i.test(status) ? 'failed' : 'other';
}

function balancesOf(ctx: Ctx, filter: BalanceFilter) {
  const { verdict, stores, state, date, currency, search } = filter;
  let query = ctx.db
    .selectFrom('settlement.event_group as g')
    .leftJoin('settlement.settlement as s', (join) =>
      join.onRef('s.company_id', '=', 'g.company_id').onRef('s.id', '=', 'g.settlement_doc'),
    )
    .where('g.company_id', '=', ctx.companyId);
  if (verdict) query = query.where('g.verdict', '=', verdict);
  if (stores?.length) query = query.where(inStores('g', stores));
  if (state) query = query.where('g.processing', '=', state);
  if (date) query = query.where(onDays('g.start_at', date));
  if (currency) query = query.where('g.currency', '=', currency);
  if (search) query = query.where((eb) => eb.or([eb('g.group_id', '=', search), eb('s.settlement_id', '=', search)]));
  return query;
}

function rowsOf(ctx: Ctx, filter: BalanceFilter) {
  return balancesOf(ctx, filter)
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'g.company_id').onRef('a.id', '=', 'g.account_id'),
    )
    .innerJoin('marketplace.store as t', (join) =>
      join.onRef('t.company_id', '=', 'a.company_id').onRef('t.id', '=', 'a.store_id'),
    )
    .select(['g.id', 'g.group_id', 'g.account_id', 't.name as store_name', 'g.marketplace_id', 'g.processing'])
    .select(['g.start_at', 'g.end_at'])
    .select(['g.currency', 'g.beginning', 'g.total', 'g.ours', 'g.difference', 'g.verdict', 'g.reason', 'g.deferred'])
    .select(['g.transfer_status', 'g.transfer_at', 's.settlement_id', 'g.settlement_doc', 'g.converted_currency'])
    .select(['g.converted', 'g.trace_id', 'g.account_tail', 'g.read_at', 'g.checked_at']);
}

function toRow(row: DbRow): BalanceRow {
  return {
    id: row.id,
    groupId: row.group_id,
    store: { name: row.store_name, country: countryOf(row.marketplace_id ?? '') },
    storeKey: row.marketplace_id && `${row.marketplace_id}-${row.account_id}`,
    state: row.processing,
    startAt: row.start_at,
    endAt: row.end_at,
    currency: row.currency,
    beginning: row.beginning,
    total: row.total,
    ours: row.ours,
    difference: row.difference,
    verdict: row.verdict,
    reason: row.reason,
    deferred: row.deferred,
    transfer: transferOf(row.transfer_status),
    transferAt: row.transfer_at,
    settlementId: row.settlement_id,
    settlementDoc: row.settlement_doc,
    convertedCurrency: row.converted_currency,
    converted: row.converted,
    traceId: row.trace_id,
    accountTail: row.account_tail,
    readAt: row.read_at,
    checkedAt: row.checked_at,
  };
}

const SORT = {
  startAt: 'g.start_at',
  endAt: 'g.end_at',
  beginning: 'g.beginning',
  total: 'g.total',
  ours: 'g.ours',
  difference: 'g.difference',
  deferred: 'g.deferred',
  transferAt: 'g.transfer_at',
  readAt: 'g.read_at',
};

function listDef(ctx: Ctx, filter: BalanceFilter) {
  return {
    row: BalanceRow,
    query: listQuery<DbRow>(rowsOf(ctx, filter)),
    sort: SORT,
    order: [['g.start_at', 'desc']] as const,
    key: 'g.id',
    map: toRow,
  };
}

const MONEY = ['total', 'ours', 'difference'] as const;

async function totalsOf(ctx: Ctx, filter: BalanceFilter): Promise<Totals> {
  const rows = await balancesOf(ctx, filter)
    .select(['g.currency', sql<string | null>`sum(g.total)`.as('total'), sql<string | null>`sum(g.ours)`.as('ours')])
    .select(sql<string | null>`sum(g.difference)`.as('difference'))
    .groupBy('g.currency')
    .orderBy('g.currency')
    .execute();
  return moneyTotals(ctx, rows, MONEY);
}

/** One page of periods, the newest first. */
export function balancePage(ctx: Ctx, request: PageRequest<BalanceFilter>): Promise<PageOf<BalanceRow>> {
  return page<DbRow, BalanceRow>(ctx, request, {
    ...listDef(ctx, request.filter),
    totals: () => totalsOf(ctx, request.filter),
    asOf: () => freshnessOf(ctx, [eventGroups.code]),
  });
}

/** Numbers of periods by verdict under the other filters. */
export async function balanceCounts(ctx: Ctx, filter: BalanceFilter): Promise<Record<string, number>> {
  const { verdict: _, ...others } = filter;
  const rows = await balancesOf(ctx, others)
    .select(['g.verdict', sql<number>`count(*)`.as('n')])
    .groupBy('g.verdict')
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.verdict, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}

/** Adds the books of one period up again. @throws 404 for a period that is unknown or not the caller's */
export async function recheck(ctx: Ctx, id: string): Promise<BalanceRow> {
  const find = () => rowsOf(ctx, {}).where('g.id', '=', id).executeTakeFirst();
  const before = await find();
  if (!before) throw notFound('账期余额不存在');
  await holdMoney(ctx, before.account_id);
  if (before.processing === 'open') await reconcileOpen(ctx, before.account_id);
  else await reconcileClosed(ctx, before.account_id, { id });
  return toRow((await find()) as unknown as DbRow);
}

/** All periods of the filter as a file; money columns bring their currency along. */
export function balanceFile(ctx: Ctx, body: ExportRequest<BalanceFilter>): DownloadSpec {
  return {
    name: '余额核对',
    sheet: '余额核对',
    format: body.format,
    columns: exportColumns(ctx, BalanceRow, body.columns),
    rows: streamed<DbRow, BalanceRow>(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出余额核对', resource: 'settlement.event_group', filter: body.filter },
  };
}
