import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { refundClaimSelect } from '#modules/inventory/server/index.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type ReconcileFilter, ReconcileRow } from '../contract/reconcile.ts';
import { daysBetween } from './list.ts';
import { type ReconcileCells, reconcileSelect } from './reconcile-rows.ts';

interface Shown extends ReconcileCells {
  name?: string | null;
  image?: string | null;
  asin?: string | null;
  claim_id?: string | null;
  claim?: string | null;
}

/** Listing and claim of each row of a page. */
function around(ctx: Ctx, rows: Query<Shown>): Query<Shown> {
  return relation(
    ctx,
    sql<Shown>`
    SELECT f.*, p.name, p.image, p.asin, c.id AS claim_id, c.number AS claim FROM (${rows}) AS f
      LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}
      LEFT JOIN LATERAL (${refundClaimSelect(ctx, 'f')}) AS c ON true`,
  );
}

async function listOf(ctx: Ctx, filter: ReconcileFilter): Promise<ListDef<Shown, ReconcileRow>> {
  const stores = await storeNames(ctx);
  const today = ctx.clock.today();
  return {
    row: ReconcileRow,
    query: relation(ctx, reconcileSelect(ctx, filter)),
    around: (rows) => around(ctx, rows),
    sort: {
      product: 'f.seller_sku',
      refundedOn: 'f.refunded_on',
      refund: 'f.refund',
      over: 'f.over',
      returned: 'f.returned',
    },
    order: [
      ['f.refunded_on', 'desc', 'last'],
      ['f.returned_on', 'desc', 'last'],
    ],
    key: 'f.key',
    map: (row) => ({
      id: row.key,
      orderId: row.order_id,
      product: { name: row.name ?? '', code: row.seller_sku, image: row.image ?? null, extra: row.asin ?? null },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      channel: row.channel,
      state: row.state,
      ordered: row.ordered,
      returned: row.returned,
      paid: row.paid,
      refund: row.refund,
      over: row.over,
      currency: row.currency,
      refundedOn: row.refunded_on,
      daysOpen: row.refunded_on === null ? null : daysBetween(row.refunded_on, today),
      returnedOn: row.returned_on,
      claim: row.claim ?? null,
      claimId: row.claim_id ?? null,
    }),
  };
}

interface Sums {
  currency: string;
  rows: number;
  returned: number;
  paid: string | null;
  refund: string | null;
  over: string | null;
}

/** Number of rows, pieces and amounts of each currency, of the whole filter. */
async function sumsOf(ctx: Ctx, filter: ReconcileFilter): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    SELECT coalesce(f.currency, '') AS currency, count(*)::int AS rows, sum(f.returned)::int AS returned, sum(f.paid)::text AS paid,
           sum(f.refund)::text AS refund, sum(f.over)::text AS over
      FROM (${reconcileSelect(ctx, filter)}) AS f GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** One page of what was refunded beside what came back, the newest refund first, with the sums of the whole filter. */
export async function reconcilePage(ctx: Ctx, request: PageRequest<ReconcileFilter>): Promise<PageOf<ReconcileRow>> {
  const sums = await sumsOf(ctx, request.filter);
  const added = (of: 'rows' | 'returned') => sums.reduce((all, row) => all + row[of], 0);
  // Rows without any amount have no currency.
  const amounts = sums.filter(({ currency }) => currency !== '');
  return page(ctx, request, {
    ...(await listOf(ctx, request.filter)),
    count: async () => added('rows'),
    totals: async () => ({
      returned: added('returned'),
      ...(await moneyTotals(
        ctx,
        amounts.map(({ rows: _r, returned: _q, ...row }) => row),
        ['paid', 'refund', 'over'],
      )),
    }),
  });
}

/** Rows of each state; the state of the filter itself narrows nothing. */
export async function reconcileCounts(
  ctx: Ctx,
  { state: _, ...filter }: ReconcileFilter,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; n: number }>`
    SELECT f.state, count(*)::int AS n FROM (${reconcileSelect(ctx, filter)}) AS f GROUP BY f.state`.execute(ctx.db);
  const counts = Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  return { ...counts, all: rows.reduce((sum, { n }) => sum + n, 0) };
}

/** The same as a file. */
export function exportReconciled(open: OpenCtx, request: ExportRequest<ReconcileFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '退款对账',
    sheet: '退款对账',
    format: request.format,
    columns: exportColumns(ctx, ReconcileRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)),
    audit: { action: '导出退款对账', resource: 'returns.reconcile', filter: request.filter },
  }));
}
