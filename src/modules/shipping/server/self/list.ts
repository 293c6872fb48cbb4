import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
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
import type { ShipmentState } from '#modules/order/contract/acts.ts';
import { aboutNowThere, packageState } from '#modules/order/server/index.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { type SelfState, selfDoc } from '../../contract/self/doc.ts';
import type { Origin, Urgency } from '../../contract/self/fields.ts';
import type { LabelState } from '../../contract/self/label-state.ts';
import { type SelfFilter, SelfRow } from '../../contract/self/rows.ts';
import { urgencyOf } from './due.ts';

const LEFT = sql`d.state NOT IN ('pending', 'short', 'printing', 'ready', 'held')`;
const urgency = (now: Date) => urgencyOf(sql.ref('d.latest_ship_at'), now, LEFT);

function matching(ctx: Ctx, filter: SelfFilter, now: Date) {
  let query = ctx.db.selectFrom('shipping.self_doc as d').where('d.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('d.state', '=', filter.state);
  if (filter.origin) query = query.where('d.origin', '=', filter.origin);
  if (filter.labelState) query = query.where('d.label_state', '=', filter.labelState);
  if (filter.authid?.length) query = query.where('d.account_id', 'in', filter.authid);
  if (filter.warehouse?.length) query = query.where('d.warehouse_id', 'in', filter.warehouse);
  if (filter.urgency) query = query.where(sql<boolean>`${urgency(now)} = ${filter.urgency}`);
  const day = sql<string>`kit.day(d.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(d.number ILIKE ${like} OR d.tracking_no ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.self_line AS l WHERE l.company_id = d.company_id AND l.doc_id = d.id
           AND (l.msku ILIKE ${like} OR l.amazon_order_id ILIKE ${like})))`,
    );
  }
  return query;
}

const SUMS = sql<{ skus: number; qty: number }>`(
  SELECT jsonb_build_object('skus', count(DISTINCT l.msku), 'qty', coalesce(sum(l.qty), 0))
    FROM shipping.self_line AS l WHERE l.company_id = d.company_id AND l.doc_id = d.id)`;
const STATE = packageState(sql.ref('s.company_id'), sql.ref('s.write_id'));
const ORDERS = sql<{ number: string; state: ShipmentState | null }[]>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('number', s.amazon_order_id, 'state', ${STATE}) ORDER BY s.amazon_order_id), '[]')
    FROM shipping.self_order AS s WHERE s.company_id = d.company_id AND s.doc_id = d.id)`;
const CHANNEL = sql<string | null>`(
  SELECT k.name || ' ' || c.name FROM shipping.channel AS c
    JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
   WHERE c.company_id = d.company_id AND c.id = d.channel_id)`;

function selected(ctx: Ctx, filter: SelfFilter, now: Date) {
  return matching(ctx, filter, now)
    .selectAll('d')
    .select([SUMS.as('sums'), ORDERS.as('orders'), CHANNEL.as('channel'), urgency(now).as('urgency')]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

interface Names {
  stores: ReadonlyMap<string, string>;
  places: ReadonlyMap<string, Pick<Warehouse, 'name'>>;
}

function sizeOf({ length_cm, width_cm, height_cm }: DbRow): string {
  const sides = [length_cm, width_cm, height_cm];
  return sides.includes(null) ? '' : sides.map((side) => plainDecimal(side ?? '0')).join('×');
}

/** What of the packages of a parcel needs somebody comes first, then what is still under way. */
const RANK = ['refused', 'unknown', 'cancelled', 'queued', 'accepted', 'confirmed'] as const;

const markOf = ({ orders }: DbRow) => RANK.find((rank) => orders.some(({ state }) => state === rank)) ?? null;

const toRow = (row: DbRow, { stores, places }: Names): SelfRow => ({
  id: row.id,
  number: row.number,
  state: row.state as SelfState,
  problem: row.problem,
  origin: row.origin as Origin,
  store:
    row.account_id === null
      ? null
      : { name: stores.get(row.account_id) ?? '—', country: row.marketplace_id ? countryOf(row.marketplace_id) : '' },
  orders: row.orders.map(({ number }) => number).join('、'),
  urgency: row.urgency as Urgency,
  latestShipAt: row.latest_ship_at,
  warehouse: places.get(row.warehouse_id)?.name ?? '—',
  country: row.country,
  ...row.sums,
  channel: row.channel ?? '',
  carrier: row.carrier,
  trackingNo: row.tracking_no,
  labelState: row.label_state as LabelState,
  mark: markOf(row),
  weightG: row.weight_g,
  size: sizeOf(row),
  estimatedFee: row.estimated_fee,
  actualFee: row.actual_fee,
  currency: row.currency,
  remark: row.remark,
  createdByName: row.created_by_name,
  createdAt: row.created_at,
  approvedByName: row.approved_by_name,
  approvedAt: row.approved_at,
  outAt: row.out_at,
  shippedAt: row.shipped_at,
  version: row.version,
});

const namesOf = async (ctx: Ctx): Promise<Names> => ({ stores: await storeNames(ctx), places: await warehouses(ctx) });

async function listDef(ctx: Ctx, filter: SelfFilter): Promise<ListDef<DbRow, SelfRow>> {
  const names = await namesOf(ctx);
  const now = await aboutNowThere(ctx.runtime);
  return {
    row: SelfRow,
    query: listQuery(selected(ctx, filter, now)),
    sort: { number: 'd.number', latestShipAt: 'd.latest_ship_at', createdAt: 'd.created_at' },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: (row) => toRow(row, names),
  };
}

/** One page of documents, the newest first. */
export async function docPage(ctx: Ctx, request: PageRequest<SelfFilter>): Promise<PageOf<SelfRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One document as its list shows it. */
export async function docRow(ctx: Ctx, id: string): Promise<SelfRow | undefined> {
  const now = await aboutNowThere(ctx.runtime);
  const row = await selected(ctx, {}, now).where('d.id', '=', id).executeTakeFirst();
  return row && toRow(row, await namesOf(ctx));
}

/** How many documents are in each state under the other filters; "all" is their sum. */
export async function docCounts(ctx: Ctx, { state: _, ...others }: SelfFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others, await aboutNowThere(ctx.runtime)), 'd.state');
}

/** Documents that have not left and whose time to ship is nearly over, the first of them first. */
export async function dueDocs(ctx: Ctx, now: Date, most: number): Promise<{ id: string; number: string }[]> {
  return matching(ctx, { urgency: 'hours' }, now)
    .select(['d.id', 'd.number'])
    .orderBy('d.latest_ship_at')
    .limit(most)
    .execute();
}

/** All documents of the filter as a file. */
export function exportDocs(open: OpenCtx, body: ExportRequest<SelfFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `自发货单-${ctx.clock.today()}`,
      sheet: '自发货单',
      format: body.format,
      columns: exportColumns(ctx, SelfRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出自发货单', resource: selfDoc.name, filter: body.filter },
    }),
  );
}
