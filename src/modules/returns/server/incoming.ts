import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { containing } from '#kit/server/list/words.ts';
import { type IncomingFact, incomingRowsSelect } from '#modules/inventory/server/index.ts';
import { atSites, ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type IncomingFilter, IncomingRow, type IncomingState } from '../contract/receipts.ts';

/** Goods on their way with what of them was received. */
export interface Incoming extends IncomingFact {
  good: number;
  repair: number;
  scrap: number;
  reason: string | null;
  state: IncomingState;
}
interface Shown extends Incoming {
  name?: string | null;
  image?: string | null;
  asin?: string | null;
}

/** Rows `f` with their receipts; `where` are conditions on the rows of the reports. */
export function incomingSelect(ctx: Ctx, where: readonly RawBuilder<unknown>[]): RawBuilder<Incoming> {
  return sql<Incoming>`
    SELECT x.*, CASE WHEN x.good + x.repair + x.scrap >= x.sent THEN 'done' WHEN x.reason IS NOT NULL THEN 'settled'
                     WHEN x.good + x.repair + x.scrap > 0 THEN 'part' ELSE 'coming' END AS state
      FROM (
        SELECT f.*, coalesce(r.good, 0) AS good, coalesce(r.repair, 0) AS repair, coalesce(r.scrap, 0) AS scrap, s.reason
          FROM (${incomingRowsSelect()}) AS f
          LEFT JOIN LATERAL (
            SELECT sum(c.good)::int AS good, sum(c.repair)::int AS repair, sum(c.scrap)::int AS scrap FROM returns.receipt AS c
             WHERE c.company_id = ${ctx.companyId} AND c.account_id = f.account_id AND c.kind = f.kind AND c.day = f.day
               AND c.row_id = f.row_id AND c.cancelled_at IS NULL) AS r ON true
          LEFT JOIN returns.settled AS s ON s.company_id = ${ctx.companyId} AND s.account_id = f.account_id AND s.kind = f.kind
           AND s.day = f.day AND s.row_id = f.row_id
         WHERE f.company_id = ${ctx.companyId} AND f.expected AND ${sql.join([sql`true`, ...where], sql` AND `)}) AS x`;
}

function filtered(ctx: Ctx, filter: IncomingFilter): RawBuilder<Incoming> {
  const { state, dates, kind, sites, keyword, tracking, orderId } = filter;
  const where: RawBuilder<unknown>[] = [];
  if (dates?.from) where.push(sql`f.day >= ${dates.from}::date`);
  if (dates?.to) where.push(sql`f.day <= ${dates.to}::date`);
  if (kind) where.push(sql`f.kind = ${kind}`);
  if (sites?.length) where.push(atSites('f', sites));
  if (keyword?.trim()) where.push(sql`concat_ws(' ', f.seller_sku, f.fnsku) ILIKE ${containing(keyword)}`);
  if (tracking?.trim()) where.push(sql`f.tracking ILIKE ${containing(tracking)}`);
  if (orderId?.trim()) where.push(sql`f.order_id ILIKE ${containing(orderId)}`);
  const rows = incomingSelect(ctx, where);
  return state ? sql<Incoming>`SELECT y.* FROM (${rows}) AS y WHERE y.state = ${state}` : rows;
}

const around = (ctx: Ctx, rows: Query<Shown>): Query<Shown> =>
  relation(
    ctx,
    sql<Shown>`
    SELECT f.*, p.name, p.image, p.asin FROM (${rows}) AS f LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`,
  );

function rowOf(row: Shown, stores: ReadonlyMap<string, string>): IncomingRow {
  const received = row.good + row.repair + row.scrap;
  return {
    id: [row.kind, row.account_id, row.day, row.row_id].join('.'),
    day: row.day,
    kind: row.kind,
    orderId: row.order_id,
    product: {
      name: row.name ?? '',
      code: row.seller_sku || row.fnsku,
      image: row.image ?? null,
      extra: row.fnsku || row.asin || null,
    },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    state: row.state,
    carrier: row.carrier,
    tracking: row.tracking,
    sent: row.sent,
    received,
    good: row.good,
    repair: row.repair,
    scrap: row.scrap,
    difference: row.sent - received,
    reason: row.reason,
  };
}

async function listOf(ctx: Ctx, filter: IncomingFilter): Promise<ListDef<Shown, IncomingRow>> {
  const stores = await storeNames(ctx);
  return {
    row: IncomingRow,
    query: relation(ctx, filtered(ctx, filter)),
    around: (rows) => around(ctx, rows),
    sort: { day: 'f.day', product: 'f.seller_sku', sent: 'f.sent' },
    order: [['f.day', 'desc']],
    key: 'f.row_id',
    map: (row) => rowOf(row, stores),
  };
}

/** One page of goods on their way to the seller, the newest first, with the pieces of the whole filter. */
export async function incomingPage(ctx: Ctx, request: PageRequest<IncomingFilter>): Promise<PageOf<IncomingRow>> {
  const { rows } = await sql<Record<'rows' | 'sent' | 'received' | 'good' | 'repair' | 'scrap' | 'difference', number>>`
    SELECT count(*)::int AS rows, coalesce(sum(f.sent), 0)::int AS sent, coalesce(sum(f.good + f.repair + f.scrap), 0)::int AS received,
           coalesce(sum(f.good), 0)::int AS good, coalesce(sum(f.repair), 0)::int AS repair, coalesce(sum(f.scrap), 0)::int AS scrap,
           coalesce(sum(f.sent - f.good - f.repair - f.scrap), 0)::int AS difference
      FROM (${filtered(ctx, request.filter)}) AS f`.execute(ctx.db);
  const { rows: number = 0, ...totals } = rows[0] ?? {};
  return page(ctx, request, {
    ...(await listOf(ctx, request.filter)),
    count: async () => number,
    totals: async () => totals,
  });
}

/** Rows of each state; the state of the filter itself narrows nothing. */
export async function incomingCounts(
  ctx: Ctx,
  { state: _, ...filter }: IncomingFilter,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; n: number }>`
    SELECT f.state, count(*)::int AS n FROM (${filtered(ctx, filter)}) AS f GROUP BY f.state`.execute(ctx.db);
  const counts = Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  return { ...counts, all: rows.reduce((sum, { n }) => sum + n, 0) };
}

/** What came of one removal order, oldest first; an order of somebody else has nothing. */
export async function parcelRows(ctx: Ctx, orderId: string): Promise<IncomingRow[]> {
  const rows = incomingSelect(ctx, [sql`f.kind = 'REMOVAL'`, sql`f.order_id = ${orderId}`]);
  const query = around(ctx, relation<Shown>(ctx, rows)).orderBy(sql`f.day, f.row_id`).limit(500);
  const stores = await storeNames(ctx);
  return (await query.execute()).map((row) => rowOf(row, stores));
}

/** The list as a file. */
export function exportIncoming(open: OpenCtx, request: ExportRequest<IncomingFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '退件验收',
    sheet: '退件验收',
    format: request.format,
    columns: exportColumns(ctx, IncomingRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)),
    audit: { action: '导出退件验收', resource: 'returns.receipt', filter: request.filter },
  }));
}
