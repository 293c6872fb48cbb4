import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { ShipState } from '../../contract/order.ts';
import { type TransitFilter, TransitRow } from '../../contract/transit.ts';
import { type AwayRow, matching } from './query.ts';
import { awayValues } from './value.ts';

/** A row that also says how many the filter has. */
type Counted = AwayRow & { total: number };

async function listDef(
  ctx: Ctx,
  filter: TransitFilter,
  values: ReadonlyMap<string, string>,
): Promise<ListDef<Counted, TransitRow>> {
  const stores = await storeNames(ctx);
  const places = await warehouses(ctx);
  // Every order is looked at for the order of the rows, so that they are counted on the way and not by a second reading.
  const query = matching(ctx, filter).selectAll().select(sql<number>`count(*) OVER ()::int`.as('total'));
  return {
    row: TransitRow,
    query: listQuery(query),
    count: async ([first]) => first?.total ?? (await query.limit(1).executeTakeFirst())?.total ?? 0,
    sort: {
      number: 't.number',
      leftOn: 't.left_on',
      expectedOn: 't.expected_on',
      daysLate: 't.days_late',
      qty: 't.qty',
    },
    order: [
      ['t.left_on', 'asc'],
      ['t.number', 'asc'],
    ],
    key: 't.id',
    map: (row) => ({
      id: row.id,
      number: row.number,
      state: row.state as ShipState,
      store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
      warehouse: places.get(row.warehouse_id)?.name ?? '—',
      shipmentNos: row.shipment_nos,
      transport: row.transport as Transport,
      carrier: row.carrier,
      trackingNo: row.tracking_no,
      stage: row.stage,
      leftOn: row.left_on,
      expectedOn: row.expected_on,
      latestOn: row.latest_on,
      basis: row.basis,
      daysLate: row.days_late,
      deliveredOn: row.delivered_on,
      sent: row.sent,
      qty: row.qty,
      value: values.get(row.id) ?? null,
    }),
  };
}

/** One page of orders with pieces on their way, what left first first. */
export async function transitPage(ctx: Ctx, request: PageRequest<TransitFilter>): Promise<PageOf<TransitRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter, new Map()));
  const values = await awayValues(
    ctx,
    found.records.map((row) => row.id),
  );
  // Whoever may not see cost has no such field in his rows.
  const records = found.records.map((row) => ('value' in row ? { ...row, value: values.get(row.id) ?? null } : row));
  return { ...found, records };
}

/** All orders of the filter as a file. */
export function exportTransitRows(open: OpenCtx, body: ExportRequest<TransitFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `在途-${ctx.clock.today()}`,
      sheet: '在途',
      format: body.format,
      columns: exportColumns(ctx, TransitRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter, await awayValues(ctx))),
      audit: { action: '导出在途', resource: 'shipping.order', filter: body.filter },
    }),
  );
}
