import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf } from '#modules/marketplace/server/index.ts';
import { feeTitle } from '../contract/fees.ts';
import { type OpenFilter, OpenRow } from '../contract/open.ts';
import { wasOpen } from './open-span.ts';
import { inStores } from './stores.ts';
import { finances } from './stream.ts';

interface DbRow {
  source_doc_id: string;
  line_no: number;
  part: number;
  ref_value: string | null;
  marketplace_id: string;
  store_name: string;
  state: OpenRow['state'];
  posted_at: string;
  matures_at: string | null;
  transaction_type: string;
  sku: string;
  fee_code: string;
  amount_description: string;
  quantity: number | null;
  currency: string;
  amount: string;
}

/**
 * Whether a document `d` is money that Amazon holds: a transaction that counts and no settlement file covers. A released
 * one that already names its settlement is paid, only its file is not here; it counts in profit, but it is not open.
 */
export const isOpen = (alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`${column('kind')} = 'TRANSACTION' AND ${column('state')} = 'ACTIVE'
    AND ${column('settlement_id')} IS NULL`;
};

/** A deferred one that Amazon has released is no longer deferred, though the release itself is still to come. */
const STATE = sql<OpenRow['state']>`CASE WHEN d.status = 'DEFERRED' THEN 'deferred' ELSE 'released' END`;

/** Amounts of the open transactions that a filter lets through. */
function openOf(ctx: Ctx, filter: OpenFilter) {
  const { state, stores, date, order, sku, currency, group, fee, asOf } = filter;
  let query = ctx.db
    .selectFrom('settlement.source_doc as d')
    .innerJoin('settlement.money_line as l', (join) =>
      join.onRef('l.company_id', '=', 'd.company_id').onRef('l.source_doc_id', '=', 'd.id'),
    )
    .where('d.company_id', '=', ctx.companyId)
    .where(asOf ? wasOpen(asOf) : isOpen('d'));
  if (fee) query = query.where('l.fee_code', '=', fee);
  if (state) query = query.where(STATE, '=', state);
  if (stores?.length) query = query.where(inStores('d', stores));
  if (date?.from) query = query.where('l.posted_date', '>=', date.from);
  if (date?.to) query = query.where('l.posted_date', '<=', date.to);
  if (order) query = query.where('l.order_id', '=', order);
  if (sku) query = query.where('l.sku', '=', sku);
  if (currency) query = query.where('d.currency', '=', currency);
  if (group) query = query.where('d.event_group_id', '=', group);
  return query;
}

function rowsOf(ctx: Ctx, filter: OpenFilter) {
  return openOf(ctx, filter)
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'd.company_id').onRef('a.id', '=', 'd.account_id'),
    )
    .innerJoin('marketplace.store as g', (join) =>
      join.onRef('g.company_id', '=', 'a.company_id').onRef('g.id', '=', 'a.store_id'),
    )
    .select(['l.source_doc_id', 'l.line_no', 'l.part', 'l.ref_value', 'l.marketplace_id', 'g.name as store_name'])
    .select(['l.posted_at', 'd.matures_at', 'l.transaction_type', 'l.sku', 'l.fee_code', 'l.amount_description'])
    .select(['l.quantity', 'l.currency', 'l.amount', STATE.as('state')]);
}

function toRow(row: DbRow): OpenRow {
  return {
    id: `${row.source_doc_id}:${row.line_no}:${row.part}`,
    reference: row.ref_value,
    store: { name: row.store_name, country: countryOf(row.marketplace_id) },
    state: row.state,
    postedAt: row.posted_at,
    maturesAt: row.matures_at,
    transactionType: row.transaction_type,
    sku: row.sku,
    feeTitle: feeTitle(row.fee_code),
    amountDescription: row.amount_description,
    quantity: row.quantity,
    currency: row.currency,
    amount: row.amount,
  };
}

const SORT = { postedAt: 'l.posted_at', maturesAt: 'd.matures_at', amount: 'l.amount', sku: 'l.sku' };

/** Pages may be turned up to here. */
const MOST_ROWS = 2_000_000;

function listDef(ctx: Ctx, filter: OpenFilter) {
  return {
    row: OpenRow,
    query: rowsOf(ctx, filter) as never,
    sort: SORT,
    order: [['l.posted_at', 'desc']] as const,
    key: 'l.source_doc_id, l.line_no, l.part',
    map: toRow,
  };
}

/** Number and sums of the amounts of a filter, from one reading. */
async function sumsOf(ctx: Ctx, filter: OpenFilter): Promise<{ total: number; totals: Totals }> {
  const rows = await openOf(ctx, filter)
    .select(['d.currency', sql<string>`sum(l.amount)`.as('amount'), sql<number>`count(*)`.as('n')])
    .groupBy('d.currency')
    .orderBy('d.currency')
    .execute();
  const sums = rows.map(({ currency, amount }) => ({ currency, amount }));
  return { total: rows.reduce((all, row) => all + row.n, 0), totals: await moneyTotals(ctx, sums, ['amount']) };
}

/** One page of the open amounts, newest first. */
export function openPage(ctx: Ctx, request: PageRequest<OpenFilter>): Promise<PageOf<OpenRow>> {
  let all: ReturnType<typeof sumsOf> | undefined;
  const ofAll = () => {
    all ??= sumsOf(ctx, request.filter);
    return all;
  };
  return page<DbRow, OpenRow>(ctx, request, {
    ...listDef(ctx, request.filter),
    countLimit: MOST_ROWS,
    count: async () => (await ofAll()).total,
    totals: async () => (await ofAll()).totals,
    asOf: () => freshnessOf(ctx, [finances.code]),
  });
}

/** Numbers of open amounts by state under the other filters. */
export async function openCounts(ctx: Ctx, filter: OpenFilter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  const rows = await openOf(ctx, others)
    .select([STATE.as('state'), sql<number>`count(*)`.as('n')])
    .groupBy(STATE)
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}

/** All open amounts of the filter as a file. */
export function openFile(ctx: Ctx, body: ExportRequest<OpenFilter>): DownloadSpec {
  return {
    name: '未结算明细',
    sheet: '未结算明细',
    format: body.format,
    columns: exportColumns(ctx, OpenRow, body.columns),
    rows: streamed<DbRow, OpenRow>(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出未结算明细', resource: 'settlement.settlement', filter: body.filter },
  };
}
