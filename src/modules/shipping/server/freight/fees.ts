import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { FreightState } from '../../contract/freight/fields.ts';
import { type FreightFeeFilter, FreightFeeRow } from '../../contract/freight/report.ts';

/** Whether any bill of the order stands, and whether its estimate waits for a rate. */
const BILLED = sql<boolean>`EXISTS (
  SELECT FROM shipping.freight_charge AS c
    JOIN shipping.freight_bill AS b ON b.company_id = c.company_id AND b.id = c.bill_id
   WHERE c.company_id = o.company_id AND c.order_id = o.id AND b.state = 'confirmed')`;
const UNRATED = sql<boolean>`EXISTS (
  SELECT FROM shipping.freight_charge AS c
   WHERE c.company_id = o.company_id AND c.order_id = o.id AND c.bill_id IS NULL AND c.amount_cny IS NULL)`;
const ESTIMATED = sql<boolean>`EXISTS (
  SELECT FROM shipping.freight_charge AS c
   WHERE c.company_id = o.company_id AND c.order_id = o.id AND c.bill_id IS NULL)`;
const STATE = sql<FreightState>`CASE WHEN ${BILLED} THEN 'billed' WHEN ${UNRATED} THEN 'unrated' ELSE 'estimated' END`;
const FEE = sql<string | null>`CASE WHEN ${BILLED} THEN f.billed ELSE f.estimated END`;

function matching(ctx: Ctx, filter: FreightFeeFilter) {
  let query = ctx.db
    .selectFrom('shipping.freight_line as f')
    .innerJoin('shipping.ship_order_line as l', (join) =>
      join.onRef('l.company_id', '=', 'f.company_id').onRef('l.id', '=', 'f.line_id'),
    )
    .innerJoin('shipping.ship_order as o', (join) =>
      join.onRef('o.company_id', '=', 'f.company_id').onRef('o.id', '=', 'f.order_id'),
    )
    .leftJoin('shipping.channel as h', (join) =>
      join.onRef('h.company_id', '=', 'o.company_id').onRef('h.id', '=', 'o.channel_id'),
    )
    .where('f.company_id', '=', ctx.companyId)
    // What neither an estimate nor a bill speaks of any more.
    .where(sql<boolean>`(f.billed <> 0 OR ${ESTIMATED})`);
  if (filter.state) query = query.where(STATE, '=', filter.state);
  if (filter.authid?.length) query = query.where('o.account_id', 'in', filter.authid);
  if (filter.channel?.length) query = query.where('o.channel_id', 'in', filter.channel);
  const day = sql<string>`kit.day(o.shipped_at)`;
  if (filter.shipped?.from) query = query.where(day, '>=', filter.shipped.from);
  if (filter.shipped?.to) query = query.where(day, '<=', filter.shipped.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(o.number ILIKE ${like} OR o.shipment_no ILIKE ${like} OR l.msku ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.ship_order_part AS q
          JOIN product.local_product AS p ON p.company_id = q.company_id AND p.id = q.product_id
         WHERE q.company_id = l.company_id AND q.line_id = l.id AND p.sku ILIKE ${like}))`,
    );
  }
  return query;
}

const LOCAL = sql<string>`coalesce((
  SELECT string_agg(p.sku || CASE WHEN q.qty_per > 1 THEN '×' || q.qty_per ELSE '' END, ' + ' ORDER BY p.sku)
    FROM shipping.ship_order_part AS q
    JOIN product.local_product AS p ON p.company_id = q.company_id AND p.id = q.product_id
   WHERE q.company_id = l.company_id AND q.line_id = l.id), '')`;
const placed = (column: 'to_layers' | 'variance') => sql<string>`(
  SELECT coalesce(sum(s.${sql.ref(column)}), 0)::text FROM shipping.freight_share AS s
   WHERE s.company_id = l.company_id AND s.line_id = l.id)`;

function selected(ctx: Ctx, filter: FreightFeeFilter) {
  return matching(ctx, filter).select([
    'l.id',
    'o.id as orderId',
    'l.title',
    'l.msku',
    'l.image',
    LOCAL.as('local'),
    'o.number as order',
    'o.shipment_no as shipmentNo',
    'o.account_id as account',
    'o.marketplace_id as marketplaceId',
    'o.carrier',
    sql<string>`coalesce(h.name, '')`.as('channel'),
    sql<string>`o.shipped_at`.as('shippedAt'),
    'l.shipped_qty as qty',
    sql<string | null>`trim_scale(round(f.billable, 3))::text`.as('billable'),
    STATE.as('state'),
    FEE.as('fee'),
    sql<string | null>`f.estimated::text`.as('estimated'),
    placed('to_layers').as('toLayers'),
    placed('variance').as('variance'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, stores: ReadonlyMap<string, string>): FreightFeeRow {
  const { title, msku, image, account, marketplaceId, ...rest } = row;
  return {
    ...rest,
    product: { name: title || msku, code: msku, image },
    store: { name: stores.get(account) ?? '—', country: countryOf(marketplaceId) },
    // For the eye: the sum of a line is what counts.
    unitFee: row.fee === null || row.qty === 0 ? null : round(new Decimal(row.fee).div(row.qty), 6),
  };
}

async function totals(ctx: Ctx, filter: FreightFeeFilter) {
  return matching(ctx, filter)
    .select([sql<string>`sum(l.shipped_qty)::text`.as('qty'), sql<string | null>`sum(${FEE})::text`.as('fee')])
    .executeTakeFirstOrThrow();
}

async function listDef(ctx: Ctx, filter: FreightFeeFilter): Promise<ListDef<DbRow, FreightFeeRow>> {
  const stores = await storeNames(ctx);
  return {
    row: FreightFeeRow,
    query: listQuery(selected(ctx, filter)),
    sort: {
      order: 'o.number',
      shippedAt: 'o.shipped_at',
      qty: 'l.shipped_qty',
      billable: 'f.billable',
      fee: 'fee',
    },
    order: [
      ['o.shipped_at', 'desc'],
      ['o.id', 'desc'],
      ['l.line_no', 'asc'],
    ],
    key: 'l.id',
    map: (row) => toRow(row, stores),
  };
}

/** 头程费用分摊: one page of lines that left with freight, the newest first. CNY. */
export async function feePage(ctx: Ctx, request: PageRequest<FreightFeeFilter>): Promise<PageOf<FreightFeeRow>> {
  const def = await listDef(ctx, request.filter);
  return page(ctx, request, { ...def, totals: () => totals(ctx, request.filter) });
}

/** The lines of one order with their freight. */
export async function feesOfOrder(ctx: Ctx, orderId: string): Promise<FreightFeeRow[]> {
  const rows = await selected(ctx, {}).where('o.id', '=', orderId).orderBy('l.line_no').execute();
  const stores = await storeNames(ctx);
  return rows.map((row) => toRow(row, stores));
}

/** All lines of the filter as a file. */
export function exportFees(open: OpenCtx, body: ExportRequest<FreightFeeFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `头程费用分摊-${ctx.clock.today()}`,
      sheet: '头程费用分摊',
      format: body.format,
      columns: exportColumns(ctx, FreightFeeRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出头程费用分摊', resource: 'shipping.freight', filter: body.filter },
    }),
  );
}
