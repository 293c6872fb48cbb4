import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import type { ReturnFact } from '#modules/inventory/server/index.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { classOf, type Party } from '../contract/fields.ts';
import { type ReturnFilter, ReturnRow } from '../contract/returns.ts';
import { orderOf, refundOf, rowsOf, rowsSelect } from './rows.ts';

interface Shown extends ReturnFact {
  purchased_on: string | null;
  refund: string | null;
  currency: string | null;
  party: Party | null;
  note: string | null;
  judged_by: string | null;
  name: string | null;
  image: string | null;
}

/** Order, refund, judgement and listing of each row of a page. */
function around(ctx: Ctx, rows: Query<Shown>): Query<Shown> {
  return relation(
    ctx,
    sql<Shown>`
    SELECT x.*, p.name, p.image FROM (
      SELECT f.channel, f.company_id, f.account_id, f.day, f.row_id, coalesce(o.marketplace_id, f.marketplace_id) AS marketplace_id,
             f.seller_sku, f.fnsku, f.asin, f.title, f.order_id, f.returned_at, f.quantity, f.centre, f.disposition, f.reason,
             f.status, f.plate, f.tracking, f.comments, coalesce(o.local_date, f.ordered_day) AS purchased_on, m.refund,
             m.currency, a.party, a.note, a.updated_by_name AS judged_by
        FROM (${rows}) AS f
        LEFT JOIN LATERAL (${orderOf(ctx, sql`o.marketplace_id, o.local_date`)}) AS o ON true
        LEFT JOIN LATERAL (${refundOf(ctx)}) AS m ON true
        LEFT JOIN returns.attribution AS a ON a.company_id = ${ctx.companyId} AND a.account_id = f.account_id
         AND a.channel = f.channel AND a.day = f.day AND a.row_id = f.row_id) AS x
      LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'x')}`,
  );
}

const DAY_MS = 86_400_000;
/** Days from one day "yyyy-MM-dd" to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

function rowOf(row: Shown, stores: ReadonlyMap<string, string>): ReturnRow {
  return {
    id: [row.channel, row.account_id, row.day, row.row_id].join('.'),
    day: row.day,
    product: {
      name: row.name ?? row.title,
      code: row.seller_sku || row.fnsku,
      image: row.image,
      extra: row.asin || row.fnsku || null,
    },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    channel: row.channel,
    orderId: row.order_id,
    purchasedOn: row.purchased_on,
    returnedAt: row.returned_at,
    daysAfter: row.purchased_on === null ? null : daysBetween(row.purchased_on, row.day),
    quantity: row.quantity,
    refund: row.refund,
    currency: row.currency,
    disposition: row.disposition,
    status: row.status,
    reason: row.reason,
    reasonClass: classOf(row.reason),
    party: row.party,
    note: row.note,
    judgedBy: row.judged_by,
    comments: row.comments,
    plate: row.plate,
    tracking: row.tracking,
    centre: row.centre,
    fnsku: row.fnsku,
  };
}

async function listOf(ctx: Ctx, filter: ReturnFilter): Promise<ListDef<Shown, ReturnRow>> {
  const stores = await storeNames(ctx);
  return {
    row: ReturnRow,
    query: rowsOf(ctx, filter) as Query<Shown>,
    around: (rows) => around(ctx, rows),
    sort: {
      day: 'f.day',
      product: 'f.seller_sku',
      returnedAt: 'f.returned_at',
      quantity: 'f.quantity',
      reason: 'f.reason',
    },
    // In the order of both tables' own index, which a page is cut from.
    order: [['f.day', 'desc']],
    key: 'f.row_id',
    map: (row) => rowOf(row, stores),
  };
}

/** One page of returns of both kinds, the newest first, with the pieces of the whole filter. */
export async function returnPage(ctx: Ctx, request: PageRequest<ReturnFilter>): Promise<PageOf<ReturnRow>> {
  let all: Promise<{ rows: number; quantity: number }> | undefined;
  const ofAll = () => {
    all ??= sql<{ rows: number; quantity: number }>`
      SELECT count(*)::int AS rows, coalesce(sum(f.quantity), 0)::int AS quantity
        FROM (${rowsSelect(ctx, request.filter)}) AS f`
      .execute(ctx.db)
      .then(({ rows: [sums] }) => sums ?? { rows: 0, quantity: 0 });
    return all;
  };
  return page(ctx, request, {
    ...(await listOf(ctx, request.filter)),
    count: async () => (await ofAll()).rows,
    totals: async () => ({ quantity: (await ofAll()).quantity }),
  });
}

/** The same as a file. */
export function exportReturns(open: OpenCtx, request: ExportRequest<ReturnFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '退货订单',
    sheet: '退货订单',
    format: request.format,
    columns: exportColumns(ctx, ReturnRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)),
    audit: { action: '导出退货订单', resource: 'returns.order', filter: request.filter },
  }));
}
