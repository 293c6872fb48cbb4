import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { ReportBy } from '../../contract/report/fields.ts';
import { type ShipSumFilter, ShipSumRow } from '../../contract/report/summary.ts';
import { allOf, type Figures, type GroupRow, grouped } from './grouped.ts';

const TITLE = '发货统计';

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

function nameOf({ id, name }: GroupRow, by: ReportBy, { stores, places, channels }: Names): string {
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

const figuresOf = (row: Figures) => ({
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
  value: row.value,
  days: plain(row.days),
});

async function listDef(ctx: Ctx, filter: ShipSumFilter): Promise<ListDef<GroupRow, ShipSumRow>> {
  const by = filter.by ?? 'CARRIER';
  const names = await namesOf(ctx);
  const relation = grouped(ctx, filter, by).as<'g'>(sql.ref('g'));
  return {
    row: ShipSumRow,
    query: listQuery<GroupRow>(ctx.db.selectFrom(relation).selectAll()),
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
      value: 'g.value',
      days: 'g.days',
    },
    order: [['g.shipped', 'desc']],
    key: 'g.id',
    map: (row) => ({ id: row.id, name: nameOf(row, by, names), ...figuresOf(row) }),
    count: async ([row]) => row?.groups ?? 0,
    totals: async ([row]) => (row ? figuresOf(allOf(row)) : {}),
  };
}

/** 发货统计: ship orders by carrier, centre, warehouse, store, site or SKU, what sent most first. */
export async function shipSumPage(ctx: Ctx, request: PageRequest<ShipSumFilter>): Promise<PageOf<ShipSumRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
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
