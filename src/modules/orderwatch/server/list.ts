import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { onDays } from '#kit/server/list/days.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { OrderStatus } from '#modules/order/contract/status.ts';
import { findOrder } from '#modules/order/server/index.ts';
import { type FindingFilter, FindingRow, type FindingState } from '../contract/findings.ts';
import { WATCH_KINDS, type WatchCode } from '../contract/kinds.ts';

interface DbRow {
  id: string;
  kind: string;
  account_id: string;
  marketplace_id: string;
  selling_partner_id: string;
  amazon_order_id: string;
  figure: string;
  threshold: string;
  words: string;
  state: string;
  note: string;
  handled_by_name: string | null;
  handled_at: string | null;
  found_at: string;
  status: string | null;
  purchased_at: string | null;
  quantity: number | null;
  lead_sku: string | null;
  name: string | null;
  image: string | null;
}

function findingsOf(ctx: Ctx, { state, kinds, sites, found, order }: FindingFilter) {
  let query = ctx.db.selectFrom('orderwatch.finding as f').where('f.company_id', '=', ctx.companyId);
  if (state) query = query.where('f.state', '=', state);
  if (kinds?.length) query = query.where('f.kind', 'in', kinds);
  if (sites?.length) query = query.where(atSites('f', sites));
  if (found) query = query.where(onDays('f.found_at', found));
  if (order) query = query.where('f.amazon_order_id', '=', order);
  return query;
}

/** What the rows of a page show of their orders and goods. */
function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow> {
  return listQuery<DbRow>(
    cutAs(ctx, rows, 'f')
      .leftJoin('order.amazon_order as o', (join) =>
        join
          .on('o.company_id', '=', ctx.companyId)
          .onRef('o.selling_partner_id', '=', 'f.selling_partner_id')
          .onRef('o.amazon_order_id', '=', 'f.amazon_order_id'),
      )
      .leftJoin('listing.product as g', (join) =>
        join
          .on('g.company_id', '=', ctx.companyId)
          .onRef('g.account_id', '=', 'f.account_id')
          .onRef('g.marketplace_id', '=', 'f.marketplace_id')
          .onRef('g.seller_sku', '=', 'o.lead_sku'),
      )
      .selectAll('f')
      .select(['o.status', 'o.purchased_at', 'o.quantity', 'o.lead_sku', 'g.name', 'g.image']),
  );
}

const plain = (value: string): string => new Decimal(value).toFixed();

async function listDef(ctx: Ctx, filter: FindingFilter): Promise<ListDef<DbRow, FindingRow>> {
  const stores = await storeNames(ctx);
  return {
    row: FindingRow,
    query: listQuery<DbRow>(findingsOf(ctx, filter).selectAll('f')),
    around: (rows) => around(ctx, rows),
    sort: { figure: 'f.figure', foundAt: 'f.found_at' },
    order: [['f.found_at', 'desc']],
    key: 'f.id',
    map: (row) => ({
      id: row.id,
      orderKey: `${row.selling_partner_id}~${row.amazon_order_id}`,
      orderId: row.amazon_order_id,
      kind: row.kind as WatchCode,
      product: { name: row.name ?? row.lead_sku ?? '—', code: row.lead_sku ?? '', image: row.image },
      store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
      status: row.status as OrderStatus | null,
      purchasedAt: row.purchased_at,
      quantity: row.quantity,
      figure: plain(row.figure),
      threshold: plain(row.threshold),
      unit: WATCH_KINDS[row.kind as WatchCode]?.unit ?? '',
      words: row.words,
      state: row.state as FindingState,
      foundAt: row.found_at,
      note: row.note,
      handledBy: row.handled_by_name,
      handledAt: row.handled_at,
    }),
  };
}

/** One page of findings, the newest first. */
export async function findingPage(ctx: Ctx, request: PageRequest<FindingFilter>): Promise<PageOf<FindingRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** All findings of a filter as a file. */
export async function findingFile(ctx: Ctx, body: ExportRequest<FindingFilter>): Promise<DownloadSpec> {
  return {
    name: `异常订单-${ctx.clock.today()}`,
    sheet: '异常订单',
    format: body.format,
    columns: exportColumns(ctx, FindingRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出异常订单', resource: 'orderwatch.finding', filter: body.filter },
  };
}

/** Numbers of findings by state under the other filters; "all" is their sum. */
export async function findingCounts(ctx: Ctx, filter: FindingFilter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  const rows = await findingsOf(ctx, others)
    .select(['f.state', sql<number>`count(*)::int`.as('n')])
    .groupBy('f.state')
    .execute();
  const found = Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  return { OPEN: 0, HANDLED: 0, IGNORED: 0, GONE: 0, ...found, all: rows.reduce((sum, { n }) => sum + n, 0) };
}

/** What is odd about one order. @throws notFound */
export async function findingsOfOne(ctx: Ctx, id: string): Promise<FindingRow[]> {
  const { selling_partner_id, amazon_order_id } = await findOrder(ctx, id);
  const { records } = await page(
    ctx,
    { currentpage: 1, pagesize: 50, filter: {} },
    await listDef(ctx, { order: amazon_order_id }),
  );
  return records.filter((row) => row.orderKey === `${selling_partner_id}~${amazon_order_id}`);
}
