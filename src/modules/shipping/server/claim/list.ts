import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import {
  type Cause,
  type ClaimFilter,
  type ClaimKind,
  ClaimRow,
  type ClaimState,
  claimCase,
  OPEN_STATES,
} from '../../contract/claim/claim.ts';
import { CLAIM_DAYS } from './windows.ts';

/** The last day on which the marketplace takes a claim; null where nobody saw the shipment close, or nothing is claimed. */
export const DEADLINE = sql<string | null>`(CASE WHEN d.kind = 'SHORT' THEN d.closed_on + coalesce((
    SELECT w.days FROM shipping.claim_window AS w
     WHERE w.company_id = d.company_id AND w.marketplace_id = d.marketplace_id), ${sql.lit(CLAIM_DAYS)}) END)`;
const LEFT = sql<number | null>`(${DEADLINE} - kit.day(kit.now()))`;

/** Those for which a claim can still be handed in. */
export const UNFILED = sql<boolean>`d.state IN ('found', 'toClaim', 'refused')`;

function matching(ctx: Ctx, filter: ClaimFilter) {
  let query = ctx.db
    .selectFrom('shipping.discrepancy as d')
    .innerJoin('shipping.ship_order as o', (join) =>
      join.onRef('o.company_id', '=', 'd.company_id').onRef('o.id', '=', 'd.order_id'),
    )
    .where('d.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('d.state', '=', filter.state);
  if (filter.kind) query = query.where('d.kind', '=', filter.kind);
  if (filter.authid?.length) query = query.where('d.account_id', 'in', filter.authid);
  if (filter.cause?.length) query = query.where('d.cause', 'in', filter.cause);
  if (filter.due === 'PAST') query = query.where(UNFILED).where(sql<boolean>`${LEFT} < 0`);
  if (filter.due === 'SOON') query = query.where(UNFILED).where(sql<boolean>`${LEFT} BETWEEN 0 AND 14`);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(d.number ILIKE ${like} OR d.shipment_no ILIKE ${like} OR d.msku ILIKE ${like} OR d.case_no ILIKE ${like}
        OR o.number ILIKE ${like})`,
    );
  }
  return query;
}

const PAID = sql<{ qty: number; currency: string; amount: string }[]>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('qty', x.qty, 'currency', x.currency, 'amount', x.amount) ORDER BY x.currency), '[]')
    FROM (SELECT currency, sum(qty)::int AS qty, trim_scale(sum(amount))::text AS amount FROM shipping.claim_payment AS p
           WHERE p.company_id = d.company_id AND p.discrepancy_id = d.id GROUP BY 1) AS x)`;
const FILES = sql<number>`(SELECT count(*)::int FROM kit.attachment AS a
  WHERE a.company_id = d.company_id AND a.document_type = ${sql.lit(claimCase.name)} AND a.document_id = d.id)`;

const selected = (ctx: Ctx, filter: ClaimFilter) =>
  matching(ctx, filter)
    .selectAll('d')
    .select(['o.number as order', DEADLINE.as('deadline'), LEFT.as('left'), PAID.as('paid'), FILES.as('files')]);
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, stores: ReadonlyMap<string, string>): ClaimRow {
  const [only] = row.paid;
  const open = OPEN_STATES.includes(row.state as ClaimState);
  return {
    id: row.id,
    number: row.number,
    state: row.state as ClaimState,
    kind: row.kind as ClaimKind,
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    shipmentNo: row.shipment_no,
    order: row.order,
    orderId: row.order_id,
    msku: row.msku,
    shipped: row.shipped,
    received: row.received,
    qty: row.qty,
    foundQty: row.found_qty,
    value: row.value,
    deadline: row.deadline,
    daysLeft: open ? row.left : null,
    cause: row.cause as Cause | null,
    caseNo: row.case_no,
    filedOn: row.filed_on,
    files: row.files,
    paidQty: row.paid.reduce((total, one) => total + one.qty, 0),
    paidAmount: row.paid.length === 1 ? (only?.amount ?? null) : null,
    currency: only?.currency ?? 'USD',
    paid: row.paid.map(({ amount, currency }) => ({ amount, currency })),
    createdAt: row.created_at,
    version: row.version,
  };
}

async function listDef(ctx: Ctx, filter: ClaimFilter): Promise<ListDef<DbRow, ClaimRow>> {
  const stores = await storeNames(ctx);
  return {
    row: ClaimRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'd.number', qty: 'd.qty', value: 'd.value', deadline: 'deadline', createdAt: 'd.created_at' },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: (row) => toRow(row, stores),
  };
}

/** One page of discrepancies, the newest first. */
export async function claimPage(ctx: Ctx, request: PageRequest<ClaimFilter>): Promise<PageOf<ClaimRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One discrepancy as its list shows it; undefined for one out of reach. */
export async function claimRow(ctx: Ctx, id: string): Promise<ClaimRow | undefined> {
  const row = await selected(ctx, {}).where('d.id', '=', id).executeTakeFirst();
  return row && toRow(row, await storeNames(ctx));
}

/** How many discrepancies are at each stage under the other filters; "all" is their sum. */
export async function claimCounts(ctx: Ctx, { state: _, ...others }: ClaimFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'd.state');
}

/** All discrepancies of the filter as a file. */
export function exportClaimRows(open: OpenCtx, body: ExportRequest<ClaimFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `货件差异-${ctx.clock.today()}`,
      sheet: '货件差异',
      format: body.format,
      columns: exportColumns(ctx, ClaimRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出货件差异', resource: claimCase.name, filter: body.filter },
    }),
  );
}
