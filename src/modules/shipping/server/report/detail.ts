import { type RawBuilder, sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import { type ShipState, shipOrder } from '../../contract/order.ts';
import { ShipOrderReportRow } from '../../contract/report/detail.ts';
import type { OrdersFilter } from '../../contract/report/fields.ts';
import { SHIPMENT_NOS } from '../shipment/of-order.ts';
import { BILLED, CENTERS, linesOf, orderConditions, RECEIVING_AT } from './orders.ts';

const TITLE = '发货详情与时效';
/** Orders are counted exactly up to here. */
const COUNTED = 10_000;

interface DbRow {
  id: string;
  number: string;
  state: ShipState;
  shipment_nos: string;
  account_id: string;
  marketplace_id: string;
  warehouse_id: string;
  centers: string;
  carrier: string;
  channel: string | null;
  transport: Transport;
  skus: number;
  planned: number;
  shipped: number;
  received: number;
  boxes: number;
  weight: string | null;
  volume: string | null;
  billable: string | null;
  fee: string | null;
  created_at: string;
  approved_at: string | null;
  picked_at: string | null;
  packed_at: string | null;
  shipped_at: string | null;
  receiving_at: string | null;
  done_at: string | null;
  ship_days: string | null;
  receive_days: string | null;
  total_days: string | null;
}

/** The last time that an order came into a state, as its timeline tells: a step that was taken back counts by its last time. */
const reached = (state: ShipState) => sql`(
  SELECT max(t.at) FROM kit.timeline AS t
   WHERE t.company_id = o.company_id AND t.document_type = ${shipOrder.name} AND t.document_id = o.id
     AND t.kind = 'transition' AND t.to_state = ${state})`;
const daysBetween = (from: string, to: string) =>
  sql`round(extract(epoch FROM ${sql.raw(to)} - ${sql.raw(from)})::numeric / 86400, 1)`;

/** One row for each of some orders, with what its lines, boxes, events and bills say. */
const reported = (ctx: Ctx, orders: RawBuilder<unknown>) => sql<DbRow>`(
  SELECT r.*, ${daysBetween('r.created_at', 'r.shipped_at')} AS ship_days,
         ${daysBetween('r.shipped_at', 'r.receiving_at')} AS receive_days,
         ${daysBetween('r.created_at', 'r.done_at')} AS total_days
    FROM (SELECT o.id, o.number, o.state, ${SHIPMENT_NOS} AS shipment_nos, o.account_id, o.marketplace_id, o.warehouse_id,
                 ${CENTERS} AS centers, o.carrier, c.name AS channel, o.transport, l.skus, l.planned, l.shipped, l.received,
                 coalesce(b.boxes, 0) AS boxes, b.weight, b.volume, l.billable, l.fee, o.created_at, o.approved_at,
                 ${reached('packing')} AS picked_at, ${reached('ready')} AS packed_at, o.shipped_at,
                 ${RECEIVING_AT} AS receiving_at, CASE WHEN o.state = 'done' THEN ${reached('done')} END AS done_at
            FROM (SELECT o.*, o.id AS this_order, ${BILLED} AS is_billed FROM ${orders} AS o) AS o
           CROSS JOIN LATERAL (
              SELECT count(*)::int AS skus, coalesce(sum(planned), 0)::int AS planned, coalesce(sum(shipped), 0)::int AS shipped,
                     coalesce(sum(received), 0)::int AS received, round(sum(billable), 3) AS billable,
                     CASE WHEN count(freight) > 0 OR count(duty) > 0
                          THEN coalesce(sum(freight), 0) + coalesce(sum(duty), 0) END AS fee
                FROM (${linesOf(
                  sql`o.company_id = ${ctx.companyId} AND o.id = this_order`,
                  sql`(SELECT this_order AS order_id, is_billed AS billed)`,
                )}) AS x) AS l
            LEFT JOIN shipping.channel AS c ON c.company_id = o.company_id AND c.id = o.channel_id
            LEFT JOIN LATERAL (
              SELECT count(*)::int AS boxes, sum(x.weight) AS weight,
                     round(sum(x.length * x.width * x.height) / 1000000, 3) AS volume
                FROM shipping.box AS x WHERE x.company_id = o.company_id AND x.order_id = o.id) AS b ON true) AS r)`;

/** Orders of a filter, exactly up to what a list counts: what stands in their rows does not find them. */
async function countOrders(ctx: Ctx, filter: OrdersFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM shipping.ship_order AS o WHERE ${orderConditions(ctx, filter)} LIMIT ${COUNTED + 1}) AS x`.execute(
    ctx.db,
  );
  return rows[0]?.n ?? 0;
}

const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

type Rows = Query<DbRow>;

/** Orders that the order alone puts in their places; for these a page reads the lines of its own orders only. */
const BY_ORDER: readonly (string | undefined)[] = [undefined, '', 'number', 'createdAt', 'shippedAt'];

function queryOf(
  ctx: Ctx,
  filter: OrdersFilter,
  sort: string | undefined,
): Pick<ListDef<DbRow, never>, 'query' | 'around'> {
  const orders = sql`(SELECT o.* FROM shipping.ship_order AS o WHERE ${orderConditions(ctx, filter)})`;
  const rowsOf = (source: RawBuilder<unknown>) =>
    ctx.db.selectFrom(source.as<'r'>(sql.ref('r'))).selectAll() as unknown as Rows;
  if (!BY_ORDER.includes(sort)) return { query: rowsOf(reported(ctx, orders)) };
  return { query: rowsOf(orders), around: (rows) => rowsOf(reported(ctx, sql`(${rows})`)) };
}

async function listDef(
  ctx: Ctx,
  { filter, sort }: { filter: OrdersFilter; sort?: string | undefined },
): Promise<ListDef<DbRow, ShipOrderReportRow>> {
  const stores = await storeNames(ctx);
  const places = await warehouses(ctx);
  return {
    row: ShipOrderReportRow,
    ...queryOf(ctx, filter, sort),
    sort: {
      number: 'r.number',
      planned: 'r.planned',
      shipped: 'r.shipped',
      received: 'r.received',
      fee: 'r.fee',
      createdAt: 'r.created_at',
      shippedAt: 'r.shipped_at',
      shipDays: 'r.ship_days',
      receiveDays: 'r.receive_days',
      totalDays: 'r.total_days',
    },
    order: [['r.id', 'desc']],
    key: 'r.id',
    count: () => countOrders(ctx, filter),
    map: (row) => ({
      id: row.id,
      number: row.number,
      state: row.state,
      shipmentNos: row.shipment_nos,
      store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
      warehouse: places.get(row.warehouse_id)?.name ?? '—',
      centers: row.centers,
      carrier: [row.carrier, row.channel].filter(Boolean).join(' / '),
      transport: row.transport,
      skus: row.skus,
      planned: row.planned,
      shipped: row.shipped,
      received: row.received,
      boxes: row.boxes,
      weight: plain(row.weight),
      volume: plain(row.volume),
      billable: plain(row.billable),
      fee: row.fee,
      createdAt: row.created_at,
      approvedAt: row.approved_at,
      pickedAt: row.picked_at,
      packedAt: row.packed_at,
      shippedAt: row.shipped_at,
      receivingAt: row.receiving_at,
      doneAt: row.done_at,
      shipDays: plain(row.ship_days),
      receiveDays: plain(row.receive_days),
      totalDays: plain(row.total_days),
    }),
  };
}

/** 发货详情与时效: one row per ship order, the newest first. */
export async function shipOrderReport(
  ctx: Ctx,
  request: PageRequest<OrdersFilter>,
): Promise<PageOf<ShipOrderReportRow>> {
  return page(ctx, request, await listDef(ctx, request));
}

/** The rows of a filter as a file. */
export function exportShipOrderReport(open: OpenCtx, body: ExportRequest<OrdersFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `${TITLE}-${ctx.clock.today()}`,
      sheet: TITLE,
      format: body.format,
      columns: exportColumns(ctx, ShipOrderReportRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body)),
      audit: { action: `导出${TITLE}`, resource: 'shipping.order', filter: body.filter },
    }),
  );
}
