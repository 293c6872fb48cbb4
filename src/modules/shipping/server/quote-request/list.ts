import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { QuoteUnit } from '../../contract/quote-request/fields.ts';
import { type QuoteFilter, QuoteRequestRow, quoteRequest } from '../../contract/quote-request/request.ts';
import { shownState } from './choose.ts';

/** The last character there is: what begins like a text is before the text with it. */
const LAST = '\u{10FFFF}';

/** Texts that begin so, as a range: under row-level security LIKE finds nothing by an index, comparisons do. */
const begins = (column: string, text: string) =>
  sql<boolean>`(${sql.ref(column)} ~>=~ ${text} AND ${sql.ref(column)} ~<~ ${text + LAST})`;

/**
 * Requests whose number, or a ship order's, a shipment's or a booking's, begins like this: each by its own index, so that it
 * does not matter how many requests there are.
 */
const named = (ctx: Ctx, text: string) => {
  const upper = text.toUpperCase();
  // As an array: whatever the planner thinks of how many there are, each is looked up by its id.
  return sql<boolean>`q.id = ANY (ARRAY(
    SELECT x.id FROM shipping.quote_request AS x WHERE x.company_id = ${ctx.companyId} AND ${begins('x.number', upper)}
    UNION SELECT b.request_id FROM shipping.quote_booking AS b
     WHERE b.company_id = ${ctx.companyId} AND b.booking_no <> '' AND ${begins('b.booking_no', text)}
    UNION SELECT r.request_id FROM shipping.ship_order AS o
      JOIN shipping.quote_request_order AS r ON r.company_id = o.company_id AND r.order_id = o.id
     WHERE o.company_id = ${ctx.companyId} AND ${begins('o.number', upper)}
    UNION SELECT r.request_id FROM shipping.inbound_shipment AS i
      JOIN shipping.quote_request_order AS r ON r.company_id = i.company_id AND r.order_id = i.order_id
     WHERE i.company_id = ${ctx.companyId} AND i.shipment_no = ${upper}))`;
};

function matching(ctx: Ctx, filter: QuoteFilter) {
  const today = ctx.clock.today();
  let query = ctx.db.selectFrom('shipping.quote_request as q').where('q.company_id', '=', ctx.companyId);
  if (filter.state === 'asking') query = query.where('q.state', '=', 'asking').where('q.until', '>=', today);
  else if (filter.state === 'expired') query = query.where('q.state', '=', 'asking').where('q.until', '<', today);
  else if (filter.state) query = query.where('q.state', '=', filter.state);
  if (filter.warehouse?.length) query = query.where('q.warehouse_id', 'in', filter.warehouse);
  if (filter.carrier?.length) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM shipping.quote_ask AS k WHERE k.company_id = q.company_id AND k.request_id = q.id
        AND k.carrier_id = ANY (${filter.carrier}::uuid[]))`,
    );
  }
  if (filter.until?.from) query = query.where('q.until', '>=', filter.until.from);
  if (filter.until?.to) query = query.where('q.until', '<=', filter.until.to);
  const day = sql<string>`kit.day(q.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) query = query.where(named(ctx, filter.keyword));
  return query;
}

interface Sums {
  orders: string;
  center: string;
  boxes: number;
  pieces: number;
  weight: string | null;
  volumetric: string | null;
  volume: string | null;
  estimated: boolean;
}

/** A sum of numbers, null where one of them is not known. */
const sumOf = (column: string) =>
  sql`CASE WHEN bool_and(r.${sql.ref(column)} IS NOT NULL) THEN sum(r.${sql.ref(column)})::text END`;
const GOODS = sql<Sums>`(SELECT jsonb_build_object('orders', string_agg(o.number, '、' ORDER BY r.line_no),
    'center', coalesce(string_agg(DISTINCT nullif(r.center, ''), ','), ''), 'boxes', sum(r.boxes), 'pieces', sum(r.pieces),
    'weight', ${sumOf('weight')}, 'volumetric', ${sumOf('volumetric')}, 'volume', ${sumOf('volume')},
    'estimated', bool_or(r.estimated))
   FROM shipping.quote_request_order AS r
   JOIN shipping.ship_order AS o ON o.company_id = r.company_id AND o.id = r.order_id
  WHERE r.company_id = q.company_id AND r.request_id = q.id)`;
const ASKED = sql<number>`(SELECT count(*)::int FROM shipping.quote_ask AS k
  WHERE k.company_id = q.company_id AND k.request_id = q.id)`;
const ANSWERED = sql<number>`(SELECT count(DISTINCT a.carrier_id)::int FROM shipping.quote_answer AS a
  WHERE a.company_id = q.company_id AND a.request_id = q.id)`;

interface Best {
  carrier: string;
  unit: QuoteUnit;
  price: string;
  tax: string;
  otherFee: string;
  total: string;
  currency: string;
  totalCny: string | null;
  bookingNo: string | null;
}

/** The answer that is chosen, else the cheapest of those that hold. */
const best = (today: string) => sql<Best | null>`(
  SELECT jsonb_build_object('carrier', k.name, 'unit', a.bill_unit, 'price', trim_scale(a.price)::text, 'tax', a.tax::text,
           'otherFee', a.other_fee::text, 'total', a.total::text, 'currency', a.currency, 'totalCny', a.total_cny::text,
           'bookingNo', b.booking_no)
    FROM shipping.quote_answer AS a
    JOIN shipping.carrier AS k ON k.company_id = a.company_id AND k.id = a.carrier_id
    LEFT JOIN shipping.quote_booking AS b
      ON b.company_id = a.company_id AND b.request_id = a.request_id AND b.answer_id = a.id AND b.state <> 'cancelled'
   WHERE a.company_id = q.company_id AND a.request_id = q.id
     AND (b.id IS NOT NULL OR NOT a.superseded AND (a.valid_until IS NULL OR a.valid_until >= ${today}::date))
   ORDER BY b.id IS NULL, a.total_cny NULLS LAST, a.id LIMIT 1)`;

function selected(ctx: Ctx, filter: QuoteFilter) {
  return matching(ctx, filter).select([
    'q.id',
    'q.number',
    'q.state',
    'q.version',
    'q.warehouse_id as warehouse',
    'q.country',
    'q.postal_code as postalCode',
    'q.mode',
    'q.divisor',
    'q.ready_on as readyOn',
    'q.until',
    'q.remark',
    'q.created_by_name as createdByName',
    'q.created_at as createdAt',
    GOODS.as('goods'),
    ASKED.as('asked'),
    ANSWERED.as('answered'),
    best(ctx.clock.today()).as('best'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, places: ReadonlyMap<string, { name: string }>, today: string): QuoteRequestRow {
  const { goods, best: found, state, mode, warehouse, ...rest } = row;
  const { estimated, ...sums } = goods;
  return {
    ...rest,
    ...sums,
    state: shownState({ state, until: row.until }, today),
    mode: mode as Transport | null,
    warehouse: places.get(warehouse)?.name ?? '—',
    basis: estimated ? 'ESTIMATED' : 'PACKED',
    carrier: found?.carrier ?? '',
    unit: found?.unit ?? null,
    price: found?.price ?? null,
    tax: found?.tax ?? null,
    otherFee: found?.otherFee ?? null,
    total: found?.total ?? null,
    currency: found?.currency ?? null,
    totalCny: found?.totalCny ?? null,
    bookingNo: found?.bookingNo ?? '',
  };
}

async function listDef(ctx: Ctx, filter: QuoteFilter): Promise<ListDef<DbRow, QuoteRequestRow>> {
  const places = await warehouses(ctx);
  const today = ctx.clock.today();
  return {
    row: QuoteRequestRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'q.number', until: 'q.until', createdAt: 'q.created_at' },
    order: [['q.id', 'desc']],
    key: 'q.id',
    map: (row) => toRow(row, places, today),
  };
}

/** One page of requests, the newest first. Weights in kg, amounts of the answer that is chosen, else of the cheapest. */
export async function requestPage(ctx: Ctx, request: PageRequest<QuoteFilter>): Promise<PageOf<QuoteRequestRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One request as its list shows it; undefined for one out of reach. */
export async function requestRow(ctx: Ctx, id: string): Promise<QuoteRequestRow | undefined> {
  const row = await selected(ctx, {}).where('q.id', '=', id).executeTakeFirst();
  return row && toRow(row, await warehouses(ctx), ctx.clock.today());
}

/** How many requests are in each state under the other filters, those whose day is over apart; "all" is their sum. */
export async function requestCounts(ctx: Ctx, { state: _, ...others }: QuoteFilter): Promise<Record<string, number>> {
  const today = ctx.clock.today();
  const shown = sql<string>`CASE WHEN q.state = 'asking' AND q.until < ${today}::date THEN 'expired' ELSE q.state END`;
  const rows = await matching(ctx, others)
    .select([shown.as('value'), sql<number>`count(*)::int`.as('n')])
    .groupBy(sql`1`)
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.value, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}

/** All requests of the filter as a file. */
export function exportRequests(open: OpenCtx, body: ExportRequest<QuoteFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `物流询价-${ctx.clock.today()}`,
      sheet: '物流询价',
      format: body.format,
      columns: exportColumns(ctx, QuoteRequestRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出物流询价', resource: quoteRequest.name, filter: body.filter },
    }),
  );
}
