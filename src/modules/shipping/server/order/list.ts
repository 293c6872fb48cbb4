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
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import type { InboundState, PackType, StockMode, Transport } from '../../contract/fields.ts';
import { type ShipFilter, ShipRow, type ShipState } from '../../contract/order.ts';
import { SHIPMENT_NOS } from '../shipment/of-order.ts';

function matching(ctx: Ctx, filter: ShipFilter) {
  let query = ctx.db.selectFrom('shipping.ship_order as o').where('o.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('o.state', '=', filter.state);
  if (filter.authid?.length) query = query.where('o.account_id', 'in', filter.authid);
  if (filter.warehouse?.length) query = query.where('o.warehouse_id', 'in', filter.warehouse);
  if (filter.transport?.length) query = query.where('o.transport', 'in', filter.transport);
  const day = sql<string>`kit.day(o.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.planned?.from) query = query.where('o.planned_on', '>=', filter.planned.from);
  if (filter.planned?.to) query = query.where('o.planned_on', '<=', filter.planned.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(o.number ILIKE ${like} OR ${SHIPMENT_NOS} ILIKE ${like} OR o.tracking_no ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.ship_order_line AS l
         WHERE l.company_id = o.company_id AND l.order_id = o.id AND l.msku ILIKE ${like}))`,
    );
  }
  return query;
}

interface Sums {
  skus: number;
  qty: number;
  pickedQty: number;
  shippedQty: number;
  receivedQty: number;
}

const SUMS = sql<Sums>`(SELECT jsonb_build_object('skus', count(*), 'qty', coalesce(sum(l.qty), 0),
    'pickedQty', coalesce(sum(l.picked_qty), 0), 'shippedQty', coalesce(sum(l.shipped_qty), 0),
    'receivedQty', coalesce(sum(l.received_qty), 0))
   FROM shipping.ship_order_line AS l WHERE l.company_id = o.company_id AND l.order_id = o.id)`;
const BOXES = sql<number>`(SELECT count(*)::int FROM shipping.box AS b WHERE b.company_id = o.company_id AND b.order_id = o.id)`;
const CLAIMS = sql<number>`(SELECT count(*)::int FROM shipping.discrepancy AS d
  WHERE d.company_id = o.company_id AND d.order_id = o.id)`;

/** How far its way through Amazon's inbound API is. */
const INBOUND = sql<InboundState | null>`(SELECT i.state FROM shipping.inbound AS i
  WHERE i.company_id = o.company_id AND i.order_id = o.id)`;
/** Not gone yet, though its day is over. */
const OVERDUE = sql<boolean>`o.state IN ('draft', 'pending', 'rejected', 'held', 'picking', 'packing', 'ready')
  AND coalesce(o.planned_on < kit.day(kit.now()), false)`;

function selected(ctx: Ctx, filter: ShipFilter) {
  return matching(ctx, filter)
    .selectAll('o')
    .select([
      SUMS.as('sums'),
      BOXES.as('boxes'),
      CLAIMS.as('claims'),
      OVERDUE.as('overdue'),
      SHIPMENT_NOS.as('shipmentNos'),
      INBOUND.as('inbound'),
    ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

interface Names {
  stores: ReadonlyMap<string, string>;
  places: ReadonlyMap<string, Pick<Warehouse, 'name'>>;
}

const toRow = (row: DbRow, { stores, places }: Names): ShipRow => ({
  id: row.id,
  number: row.number,
  state: row.state as ShipState,
  inbound: row.inbound,
  store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
  warehouse: places.get(row.warehouse_id)?.name ?? '—',
  ...row.sums,
  claims: row.claims,
  boxes: row.boxes,
  packType: row.pack_type as PackType,
  transport: row.transport as Transport,
  stockMode: row.stock_mode as StockMode,
  shipmentNo: row.shipment_no,
  shipmentNos: row.shipmentNos,
  carrier: row.carrier,
  channelId: row.channel_id,
  trackingNo: row.tracking_no,
  plannedOn: row.planned_on,
  shippedAt: row.shipped_at,
  overdue: row.overdue,
  remark: row.remark,
  createdByName: row.created_by_name,
  createdAt: row.created_at,
  approvedByName: row.approved_by_name,
  approvedAt: row.approved_at,
  version: row.version,
});

const namesOf = async (ctx: Ctx): Promise<Names> => ({ stores: await storeNames(ctx), places: await warehouses(ctx) });

async function listDef(ctx: Ctx, filter: ShipFilter): Promise<ListDef<DbRow, ShipRow>> {
  const names = await namesOf(ctx);
  return {
    row: ShipRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'o.number', plannedOn: 'o.planned_on', createdAt: 'o.created_at' },
    order: [['o.id', 'desc']],
    key: 'o.id',
    map: (row) => toRow(row, names),
  };
}

/** One page of ship orders, the newest first. */
export async function orderPage(ctx: Ctx, request: PageRequest<ShipFilter>): Promise<PageOf<ShipRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One order as its list shows it. */
export async function orderRow(ctx: Ctx, id: string): Promise<ShipRow | undefined> {
  const row = await selected(ctx, {}).where('o.id', '=', id).executeTakeFirst();
  return row && toRow(row, await namesOf(ctx));
}

/** How many orders are in each state under the other filters; "all" is their sum. */
export async function orderCounts(ctx: Ctx, { state: _, ...others }: ShipFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'o.state');
}

/** All orders of the filter as a file. */
export function exportOrders(open: OpenCtx, body: ExportRequest<ShipFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `发货单-${ctx.clock.today()}`,
      sheet: '发货单',
      format: body.format,
      columns: exportColumns(ctx, ShipRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出发货单', resource: 'shipping.order', filter: body.filter },
    }),
  );
}
