import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { onDays } from '#kit/server/list/days.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { PLATFORMS, type Platform } from '#modules/channel/contract/fields.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf, storeNames } from '#modules/marketplace/server/index.ts';
import { type McfFilter, McfRow } from '../../contract/orders.ts';
import { type McfState, type Speed, TAB_STATES } from '../../contract/states.ts';
import { mcfOrders } from '../land/stream.ts';

/** An order as it is read for lists. */
export interface McfCells {
  id: string;
  account_id: string;
  marketplace_id: string;
  number: string;
  origin: string;
  platform: string;
  order_no: string;
  ordered_at: string;
  state: string;
  speed: string;
  policy: string;
  hold: boolean;
  blank_box: boolean;
  comment: string;
  fee: string | null;
  currency: string | null;
  country: string;
  region: string;
  postal_prefix: string;
  lead_sku: string;
  line_count: number;
  units: number;
  cancelled_units: number;
  unfulfillable_units: number;
  package_count: number;
  tracking_number: string | null;
  estimated_arrival_at: string | null;
  delivered_at: string | null;
  problem: string | null;
  read_at: string | null;
  created_by_name: string;
}
interface Around {
  name: string | null;
  image: string | null;
}

const COLUMNS = sql.raw(
  (
    'id account_id marketplace_id number origin platform order_no ordered_at state speed policy hold blank_box comment fee currency ' +
    'country region postal_prefix lead_sku line_count units cancelled_units unfulfillable_units package_count tracking_number ' +
    'estimated_arrival_at delivered_at problem read_at created_by_name'
  )
    .split(' ')
    .map((name) => `o.${name}`)
    .join(', '),
);

function ordersOf(ctx: Ctx, filter: McfFilter): RawBuilder<unknown> {
  const { tab, sites, numbers, skus, state, speed, platforms, date } = filter;
  const all = [sql`o.company_id = ${ctx.companyId}`];
  if (tab) all.push(sql`o.state = ANY (${[...TAB_STATES[tab]]}::text[])`);
  if (sites?.length) all.push(atSites('o', sites));
  if (numbers?.length) all.push(sql`(o.number = ANY (${numbers}::text[]) OR o.order_no = ANY (${numbers}::text[]))`);
  if (skus?.length) {
    all.push(sql`EXISTS (SELECT FROM fulfillment.mcf_line AS l WHERE l.company_id = ${ctx.companyId} AND l.mcf_id = o.id
                   AND l.seller_sku = ANY (${skus}::text[]))`);
  }
  if (state?.length) all.push(sql`o.state = ANY (${state}::text[])`);
  if (speed?.length) all.push(sql`o.speed = ANY (${speed}::text[])`);
  if (platforms?.length) all.push(sql`o.platform = ANY (${platforms}::text[])`);
  if (date) all.push(onDays('o.ordered_at', date));
  return sql`fulfillment.mcf_order AS o WHERE ${sql.join(all, sql` AND `)}`;
}

/** What rows of a page show beside their order: name and picture of its first line. */
function around(ctx: Ctx, rows: Query<McfCells>): Query<McfCells & Around> {
  return listQuery(
    cutAs(ctx, rows, 'o')
      .leftJoin('listing.product as p', (join) =>
        join.on(sql<boolean>`p.company_id = ${ctx.companyId} AND p.account_id = o.account_id
          AND p.marketplace_id = o.marketplace_id AND p.seller_sku = o.lead_sku`),
      )
      .selectAll('o')
      .select(['p.name', 'p.image']),
  );
}

/** A stored order as lists show it. */
export function rowOf(row: McfCells & Partial<Around>, stores: ReadonlyMap<string, string>): McfRow {
  return {
    id: row.id,
    number: row.number,
    state: row.state as McfState,
    product: {
      name: row.name ?? '',
      code: row.lead_sku,
      image: row.image ?? null,
      ...(row.line_count > 1 ? { more: row.line_count - 1 } : {}),
    },
    units: row.units,
    platform: (Object.hasOwn(PLATFORMS, row.platform) ? row.platform : 'OTHER') as Platform,
    orderNo: row.order_no,
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    speed: row.speed as Speed,
    country: row.country,
    region: row.region,
    postal: row.postal_prefix,
    arrivalAt: row.estimated_arrival_at,
    packages: row.package_count,
    tracking: row.tracking_number,
    deliveredAt: row.delivered_at,
    fee: row.fee,
    currency: row.currency,
    cancelledUnits: row.cancelled_units,
    unfulfillableUnits: row.unfulfillable_units,
    problem: row.problem,
    orderedAt: row.ordered_at,
    createdBy: row.created_by_name,
  };
}

const SORT = {
  orderedAt: 'o.ordered_at',
  arrivalAt: 'o.estimated_arrival_at',
  deliveredAt: 'o.delivered_at',
  units: 'o.units',
  fee: 'o.fee',
};

/** How the list of a filter is read, for pages and for exports. */
async function mcfList(ctx: Ctx, filter: McfFilter): Promise<ListDef<McfCells & Around, McfRow>> {
  const stores = await storeNames(ctx);
  const orders = sql<McfCells>`(SELECT ${COLUMNS} FROM ${ordersOf(ctx, filter)})`;
  return {
    row: McfRow,
    query: listQuery<McfCells & Around>(ctx.db.selectFrom(orders.as('o')).selectAll('o')),
    around: (rows) => around(ctx, rows),
    sort: SORT,
    order: [['o.ordered_at', 'desc']],
    key: 'o.id',
    map: (row) => rowOf(row, stores),
    asOf: () => freshnessOf(ctx, [mcfOrders.code]),
  };
}

/** One page of orders, the newest first. */
export async function mcfPage(ctx: Ctx, request: PageRequest<McfFilter>): Promise<PageOf<McfRow>> {
  return page(ctx, request, await mcfList(ctx, request.filter));
}

/** One order with its first line's product; undefined where there is none. */
export async function mcfCells(ctx: Ctx, id: string): Promise<(McfCells & Around) | undefined> {
  const orders = sql<McfCells>`(SELECT ${COLUMNS} FROM fulfillment.mcf_order AS o WHERE o.company_id = ${ctx.companyId} AND o.id = ${id})`;
  const [cells] = await around(ctx, listQuery<McfCells>(ctx.db.selectFrom(orders.as('o')).selectAll('o'))).execute();
  return cells;
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: ExportRequest<McfFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `多渠道订单-${ctx.clock.today()}`,
    sheet: '多渠道订单',
    format: request.format,
    columns: exportColumns(ctx, McfRow, request.columns),
    rows: streamed(ctx, request, await mcfList(ctx, request.filter)),
    audit: { action: '导出多渠道订单', resource: 'fulfillment.mcf', filter: request.filter },
  }));
}

/** How many orders of the other filters stand in each view, all of them in one reading. */
export async function counts(ctx: Ctx, { tab: _, ...filter }: McfFilter): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: McfState; n: number }>`
    SELECT o.state, count(*)::int AS n FROM ${ordersOf(ctx, filter)} GROUP BY o.state`.execute(ctx.db);
  const of = (states: readonly McfState[]) =>
    rows.reduce((sum, { state, n }) => sum + (states.includes(state) ? n : 0), 0);
  const tabs = Object.entries(TAB_STATES).map(([tab, states]) => [tab, of(states)]);
  return { ...Object.fromEntries(tabs), all: rows.reduce((sum, { n }) => sum + n, 0) };
}
