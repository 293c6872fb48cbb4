import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import type { ClaimWindow } from '../../contract/claim/claim.ts';
import {
  FBA_STATES,
  type FbaItemRow,
  type FbaShipmentFilter,
  FbaShipmentRow,
  type FbaState,
} from '../../contract/shipment.ts';
import { DEADLINE, UNFILED } from '../claim/list.ts';
import { claimWindows } from '../claim/windows.ts';
import { listingsBySku } from '../order/listings.ts';
import { arriveBy } from './abandoned.ts';
import { FIRST_OF_PLAN, ORDER_OF_SHIPMENT, ORPHAN } from './of-order.ts';

/** Cases about shipment `s`, and the first deadline of those that nobody has handed in yet. */
const CLAIMS = sql<{ count: number; deadline: string | null }>`(
  SELECT jsonb_build_object('count', count(*), 'deadline', min(${DEADLINE}) FILTER (WHERE ${UNFILED}))
    FROM shipping.discrepancy AS d
   WHERE d.company_id = s.company_id AND d.account_id = s.account_id AND d.shipment_no = s.shipment_no)`;

function matching(ctx: Ctx, filter: FbaShipmentFilter) {
  let query = ctx.db.selectFrom('shipping.fba_shipment as s').where('s.company_id', '=', ctx.companyId);
  if (filter.status) query = query.where('s.status', '=', filter.status);
  if (filter.authid?.length) query = query.where('s.account_id', 'in', filter.authid);
  if (filter.orphan) query = query.where('s.ignored', '=', false).where(ORPHAN);
  if (filter.differs) query = query.where(sql<boolean>`s.shipped <> s.received`);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(s.shipment_no ILIKE ${like} OR s.name ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.fba_shipment_item AS i
         WHERE i.company_id = s.company_id AND i.shipment_id = s.id AND i.msku ILIKE ${like}))`,
    );
  }
  return query;
}

const SKUS = sql<number>`(SELECT count(*)::int FROM shipping.fba_shipment_item AS i
  WHERE i.company_id = s.company_id AND i.shipment_id = s.id)`;

const selected = (ctx: Ctx, filter: FbaShipmentFilter) =>
  matching(ctx, filter)
    .selectAll('s')
    .select([ORDER_OF_SHIPMENT.as('order'), FIRST_OF_PLAN.as('first_on'), SKUS.as('skus'), CLAIMS.as('claims')]);
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** What of other modules and settings stands in rows. */
interface Around {
  stores: ReadonlyMap<string, string>;
  places: ReadonlyMap<string, Pick<Warehouse, 'country'>>;
  limits: ReadonlyMap<string, ClaimWindow>;
}

const around = async (ctx: Ctx): Promise<Around> => ({
  stores: await storeNames(ctx),
  places: await warehouses(ctx),
  limits: new Map((await claimWindows(ctx)).map((one) => [one.marketplaceId, one])),
});

const toRow = (ctx: Ctx, row: DbRow, { stores, places, limits }: Around): FbaShipmentRow => ({
  id: row.id,
  shipmentNo: row.shipment_no,
  status: (row.status in FBA_STATES ? row.status : 'ERROR') as FbaState,
  store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
  name: row.name,
  center: row.center,
  skus: row.skus,
  shipped: row.shipped,
  received: row.received,
  missing: row.shipped - row.received,
  order: row.order?.number ?? null,
  orderId: row.order?.id ?? null,
  claims: row.claims.count,
  deadline: row.claims.deadline,
  arriveBy: arriveBy(
    {
      status: row.status,
      seenOn: ctx.clock.dayOf(new Date(row.first_seen_at)),
      from: places.get(row.order?.warehouse ?? '')?.country,
      to: countryOf(row.marketplace_id),
      firstOn: row.first_on,
    },
    limits.get(row.marketplace_id),
  ),
  ignored: row.ignored,
  changedAt: row.changed_at,
  readAt: row.read_at,
  accountId: row.account_id,
  marketplaceId: row.marketplace_id,
});

async function listDef(ctx: Ctx, filter: FbaShipmentFilter): Promise<ListDef<DbRow, FbaShipmentRow>> {
  const known = await around(ctx);
  return {
    row: FbaShipmentRow,
    query: listQuery(selected(ctx, filter)),
    sort: { shipmentNo: 's.shipment_no', shipped: 's.shipped', received: 's.received', changedAt: 's.changed_at' },
    order: [
      ['s.changed_at', 'desc'],
      ['s.id', 'asc'],
    ],
    key: 's.id',
    map: (row) => toRow(ctx, row, known),
  };
}

/** One page of shipments, what changed last first. */
export async function shipmentPage(ctx: Ctx, request: PageRequest<FbaShipmentFilter>): Promise<PageOf<FbaShipmentRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** How many shipments are in each of Amazon's states under the other filters. */
export async function shipmentCounts(
  ctx: Ctx,
  { status: _, ...others }: FbaShipmentFilter,
): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 's.status');
}

/** All shipments of the filter as a file. */
export function exportShipments(open: OpenCtx, body: ExportRequest<FbaShipmentFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `货件-${ctx.clock.today()}`,
      sheet: '货件',
      format: body.format,
      columns: exportColumns(ctx, FbaShipmentRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出货件', resource: 'shipping.shipment', filter: body.filter },
    }),
  );
}

/** A shipment with its items. @throws notFound */
export async function shipmentDetail(ctx: Ctx, id: string): Promise<{ shipment: FbaShipmentRow; items: FbaItemRow[] }> {
  const row = await selected(ctx, {}).where('s.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('货件不存在或已删除');
  const { rows } = await sql<{ msku: string; fnsku: string | null; shipped: number; received: number }>`
    SELECT msku, fnsku, shipped, received FROM shipping.fba_shipment_item
     WHERE company_id = ${ctx.companyId} AND shipment_id = ${id} ORDER BY msku`.execute(ctx.db);
  const listings = await listingsBySku(
    ctx,
    row.account_id,
    row.marketplace_id,
    rows.map(({ msku }) => msku),
  );
  return {
    shipment: toRow(ctx, row, await around(ctx)),
    items: rows.map((item) => {
      const listing = listings.get(item.msku);
      return {
        ...item,
        product: { name: listing?.name ?? item.msku, code: item.msku, image: listing?.image ?? null },
        missing: item.shipped - item.received,
      };
    }),
  };
}

/** Says that shipments are no concern of ours, or that they are again. @throws notFound for one that is not there */
export async function ignoreShipments(
  ctx: Ctx,
  ids: readonly string[],
  ignored: boolean,
): Promise<{ changed: number }> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<{ no: string; was: boolean }>`
    UPDATE shipping.fba_shipment SET ignored = ${ignored}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${wanted}::uuid[])
    RETURNING new.shipment_no AS no, old.ignored AS was`.execute(ctx.db);
  if (rows.length < wanted.length) throw notFound('货件不存在或已删除');
  await audit(ctx, {
    action: ignored ? '忽略货件' : '取消忽略货件',
    resource: 'shipping.shipment',
    after: { shipments: rows.map(({ no }) => no) },
  });
  return { changed: rows.filter(({ was }) => was !== ignored).length };
}
