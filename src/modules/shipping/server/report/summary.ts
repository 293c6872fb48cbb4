import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { ReportBy } from '../../contract/report/fields.ts';
import { type ShipSumFilter, ShipSumRow } from '../../contract/report/summary.ts';
import { CENTERS, linesOf, orderConditions, RECEIVING_AT } from './orders.ts';

const TITLE = '发货统计';

/** What rows are put together by, as text, over a line `x`; the centres come with orders. */
const KEYS: Record<ReportBy, RawBuilder<string>> = {
  CARRIER: sql`x.carrier`,
  CHANNEL: sql`coalesce(x.channel_id::text, '')`,
  CENTER: sql`w.centers`,
  WAREHOUSE: sql`x.warehouse_id::text`,
  STORE: sql`x.account_id::text`,
  SITE: sql`x.marketplace_id`,
  SKU: sql`x.msku`,
  ORDER: sql`x.order_id::text`,
};

interface DbRow {
  id: string;
  name: string;
  orders: number;
  abnormal: number;
  planned: number;
  shipped: number;
  received: number;
  diff: number | null;
  to_ship: number;
  to_receive: number;
  boxes: number | null;
  weight: string | null;
  volume: string | null;
  billable: string | null;
  freight: string | null;
  duty: string | null;
  days: string | null;
}

/** Boxes of whole orders, how long they were on their way, and where they go. kg, m³, days. */
const wholes = (ctx: Ctx, filter: ShipSumFilter) => sql`
  SELECT o.id AS order_id, b.boxes, b.weight, b.volume, ${filter.by === 'CENTER' ? CENTERS : sql`''`} AS centers,
         extract(epoch FROM ${RECEIVING_AT} - o.shipped_at) / 86400 AS days
    FROM shipping.ship_order AS o
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS boxes, sum(x.weight) AS weight, sum(x.length * x.width * x.height) / 1000000 AS volume
        FROM shipping.box AS x WHERE x.company_id = o.company_id AND x.order_id = o.id) AS b ON true
   WHERE ${orderConditions(ctx, filter)}`;

/**
 * Orders of a filter put together by what it says. Sums of whole orders are taken once each, whatever lines they have; an
 * average is that of the orders, never of averages.
 */
function grouped(ctx: Ctx, filter: ShipSumFilter, by: ReportBy | 'ALL'): RawBuilder<DbRow> {
  const key = by === 'ALL' ? sql`''` : KEYS[by];
  const perSku = by === 'SKU';
  const whole = (column: RawBuilder<unknown>) => (perSku ? sql`NULL` : column);
  return sql<DbRow>`(
    WITH lines AS MATERIALIZED (${linesOf(ctx, filter)}), whole AS MATERIALIZED (${wholes(ctx, filter)}),
    keyed AS (SELECT ${key} AS key, x.*, w.boxes, w.weight, w.volume, w.days
                FROM lines AS x JOIN whole AS w ON w.order_id = x.order_id),
    summed AS (
      SELECT key, max(CASE WHEN ${sql.lit(perSku)} THEN title ELSE number END) AS name, sum(planned)::int AS planned,
             sum(shipped)::int AS shipped, sum(received)::int AS received, sum(diff)::int AS diff, sum(to_ship)::int AS to_ship,
             sum(to_receive)::int AS to_receive, sum(billable) AS billable, sum(freight) AS freight, sum(duty) AS duty
        FROM keyed GROUP BY key),
    parts AS (SELECT key, order_id, sum(diff) AS diff, min(boxes) AS boxes, min(weight) AS weight, min(volume) AS volume,
                     min(days) AS days FROM keyed GROUP BY key, order_id),
    wholes AS (
      SELECT key, count(*)::int AS orders, count(*) FILTER (WHERE diff <> 0)::int AS abnormal, sum(boxes)::int AS boxes,
             sum(weight) AS weight, sum(volume) AS volume, avg(days) AS days
        FROM parts GROUP BY key)
    SELECT s.key AS id, s.name, o.orders, o.abnormal, s.planned, s.shipped, s.received, s.diff, s.to_ship, s.to_receive,
           ${whole(sql`o.boxes`)}::int AS boxes, ${whole(sql`round(o.weight, 3)`)}::numeric AS weight,
           ${whole(sql`round(o.volume, 3)`)}::numeric AS volume, round(s.billable, 3) AS billable, s.freight, s.duty,
           round(o.days::numeric, 1) AS days
      FROM summed AS s JOIN wholes AS o USING (key))`;
}

interface Names {
  stores: ReadonlyMap<string, string>;
  places: ReadonlyMap<string, { name: string }>;
  channels: ReadonlyMap<string, string>;
}

async function namesOf(ctx: Ctx): Promise<Names> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT c.id, k.name || ' ' || c.name AS name FROM shipping.channel AS c
      JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
     WHERE c.company_id = ${ctx.companyId}`.execute(ctx.db);
  return {
    stores: await storeNames(ctx),
    places: await warehouses(ctx),
    channels: new Map(rows.map(({ id, name }) => [id, name])),
  };
}

function nameOf({ id, name }: DbRow, by: ReportBy, { stores, places, channels }: Names): string {
  const names: Record<ReportBy, string | undefined> = {
    CARRIER: id || '未填物流商',
    CHANNEL: channels.get(id) ?? '未选渠道',
    CENTER: id || '配送中心未知',
    WAREHOUSE: places.get(id)?.name,
    STORE: stores.get(id),
    SITE: countryOf(id),
    SKU: name === '' ? id : `${id} ${name}`,
    ORDER: name,
  };
  return names[by] ?? '—';
}

const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

const figuresOf = (row: DbRow) => ({
  orders: row.orders,
  abnormal: row.abnormal,
  planned: row.planned,
  shipped: row.shipped,
  received: row.received,
  diff: row.diff,
  toShip: row.to_ship,
  toReceive: row.to_receive,
  boxes: row.boxes,
  weight: plain(row.weight),
  volume: plain(row.volume),
  billable: plain(row.billable),
  freight: row.freight,
  duty: row.duty,
  days: plain(row.days),
});

async function listDef(ctx: Ctx, filter: ShipSumFilter): Promise<ListDef<DbRow, ShipSumRow>> {
  const by = filter.by ?? 'CARRIER';
  const names = await namesOf(ctx);
  const relation = grouped(ctx, filter, by).as<'g'>(sql.ref('g'));
  return {
    row: ShipSumRow,
    query: ctx.db.selectFrom(relation).selectAll() as unknown as SelectQueryBuilder<never, never, DbRow>,
    sort: {
      orders: 'g.orders',
      abnormal: 'g.abnormal',
      planned: 'g.planned',
      shipped: 'g.shipped',
      received: 'g.received',
      diff: 'g.diff',
      toReceive: 'g.to_receive',
      boxes: 'g.boxes',
      billable: 'g.billable',
      freight: 'g.freight',
      days: 'g.days',
    },
    order: [['g.shipped', 'desc']],
    key: 'g.id',
    map: (row) => ({ id: row.id, name: nameOf(row, by, names), ...figuresOf(row) }),
  };
}

/** Sums over the whole filter: those of all orders, not of the rows' averages. */
async function totals(ctx: Ctx, filter: ShipSumFilter): Promise<Record<string, string | number | null>> {
  const { rows } = await sql<DbRow>`SELECT * FROM ${grouped(ctx, filter, 'ALL')} AS g`.execute(ctx.db);
  return rows[0] ? figuresOf(rows[0]) : {};
}

/** 发货统计: ship orders by carrier, centre, warehouse, store, site or SKU, what sent most first. */
export async function shipSumPage(ctx: Ctx, request: PageRequest<ShipSumFilter>): Promise<PageOf<ShipSumRow>> {
  const def = await listDef(ctx, request.filter);
  return page(ctx, request, { ...def, totals: () => totals(ctx, request.filter) });
}

/** The rows of a filter as a file. */
export function exportShipSums(open: OpenCtx, body: ExportRequest<ShipSumFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `${TITLE}-${ctx.clock.today()}`,
      sheet: TITLE,
      format: body.format,
      columns: exportColumns(ctx, ShipSumRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: `导出${TITLE}`, resource: 'shipping.order', filter: body.filter },
    }),
  );
}
