import { type RawBuilder, type Selectable, sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type AlertFilter, AlertRow, type AlertState, type alertHistory, type FigureRow } from '../contract/alerts.ts';
import { kindsOf } from './kinds.ts';
import { memberNames } from './people.ts';

interface DbRow {
  id: string;
  kind: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  figure: string;
  threshold: string;
  words: string;
  seen: AlertState;
  opened_at: string;
  seen_at: string;
  closed_at: string | null;
  times: number;
  who: string | null;
  muted_until: string | null;
  mute_reason: string;
  version: number;
  name: string | null;
  image: string | null;
  asin: string | null;
}

/** As people see it: an open alert that nobody wants to hear of is muted. */
const SEEN = sql<AlertState>`CASE WHEN a.state = 'CLOSED' THEN 'CLOSED' WHEN a.muted_until > kit.now() THEN 'MUTED' ELSE 'OPEN' END`;
const NOW = sql`(SELECT kit.now())`;
/** The same as conditions: the state as it is stored goes by an index, in the order of the list. */
const IN_STATE: Readonly<Record<AlertState, RawBuilder<boolean>>> = {
  OPEN: sql`a.state = 'OPEN' AND (a.muted_until IS NULL OR a.muted_until <= ${NOW})`,
  MUTED: sql`a.state = 'OPEN' AND a.muted_until > ${NOW}`,
  CLOSED: sql`a.state = 'CLOSED'`,
};
const WHO = sql<string | null>`coalesce(a.assignee_id, a.owner_id)`;

function alertsOf(ctx: Ctx, { state, kinds, sites, owners, keyword }: AlertFilter) {
  let query = ctx.db.selectFrom('alert.alert as a').where('a.company_id', '=', ctx.companyId);
  if (state) query = query.where(IN_STATE[state]);
  if (kinds?.length) query = query.where('a.kind', 'in', kinds);
  if (sites?.length)
    query = query.where(sql<boolean>`a.marketplace_id || '-' || a.account_id = ANY (${[...sites]}::text[])`);
  if (owners?.length) query = query.where(sql<boolean>`${WHO} = ANY (${owners}::uuid[])`);
  if (keyword) {
    const like = containingLower(keyword);
    query = query.where(sql<boolean>`lower(a.seller_sku) LIKE ${like}`);
  }
  return query;
}

const plain = (value: string): string => new Decimal(value).toFixed();

/** What the rows of a page show of their listings, and how they are seen now. */
function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow> {
  const shown = cutAs(ctx, rows as Query<unknown> as Query<Selectable<Database['alert.alert']>>, 'a')
    .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 'a')))
    .selectAll('a')
    .select(['p.name', 'p.image', 'p.asin', SEEN.as('seen'), WHO.as('who')]);
  return listQuery(shown);
}

async function listDef(ctx: Ctx, filter: AlertFilter): Promise<ListDef<DbRow, AlertRow>> {
  const stores = await storeNames(ctx);
  const people = await memberNames(ctx);
  const kinds = kindsOf(ctx);
  return {
    row: AlertRow,
    query: listQuery(alertsOf(ctx, filter).selectAll('a')),
    around: (rows) => around(ctx, rows),
    sort: { figure: 'a.figure', openedAt: 'a.opened_at', seenAt: 'a.seen_at', times: 'a.times' },
    order: [['a.opened_at', 'desc']],
    key: 'a.id',
    map: (row) => {
      const kind = kinds.get(row.kind);
      return {
        id: row.id,
        title: kind?.title ?? row.kind,
        product: { name: row.name ?? row.seller_sku, code: row.seller_sku, image: row.image, extra: row.asin },
        store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
        state: row.seen,
        figure: plain(row.figure),
        threshold: plain(row.threshold),
        unit: kind?.unit ?? '',
        words: row.words,
        openedAt: row.opened_at,
        seenAt: row.seen_at,
        closedAt: row.closed_at,
        times: row.times,
        owner: row.who === null ? null : (people.get(row.who) ?? '—'),
        mutedUntil: row.muted_until,
        muteReason: row.mute_reason,
        path: kind?.path(row.seller_sku) ?? '/amazon/sale/listing',
        version: row.version,
      };
    },
  };
}

/** One page of alerts, the newest first. */
export async function alertPage(ctx: Ctx, request: PageRequest<AlertFilter>): Promise<PageOf<AlertRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: ExportRequest<AlertFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `预警-${ctx.clock.today()}`,
    sheet: '预警',
    format: request.format,
    columns: exportColumns(ctx, AlertRow, request.columns),
    rows: streamed(ctx, request, await listDef(ctx, request.filter)),
    audit: { action: '导出预警', resource: 'alert.alert', filter: request.filter },
  }));
}

/** Numbers of alerts by state under the other filters. */
export async function counts(ctx: Ctx, filter: AlertFilter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  const rows = await alertsOf(ctx, others)
    .select([SEEN.as('seen'), sql<number>`count(*)::int`.as('n')])
    .groupBy('seen')
    .execute();
  const found = Object.fromEntries(rows.map(({ seen, n }) => [seen, n]));
  return { OPEN: 0, MUTED: 0, CLOSED: 0, ...found, all: rows.reduce((sum, { n }) => sum + n, 0) };
}

const MOST = 500;

/** The figures of one alert over time. @throws notFound */
export async function history(ctx: Ctx, id: string): Promise<Reply<typeof alertHistory>> {
  const row = await ctx.db
    .selectFrom('alert.alert')
    .select(['kind', 'seller_sku'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('预警不存在');
  const kind = kindsOf(ctx).get(row.kind);
  const { rows } = await sql<FigureRow>`
    SELECT id, at, what, figure::text AS figure, threshold::text AS threshold
      FROM (SELECT * FROM alert.figure WHERE company_id = ${ctx.companyId} AND alert_id = ${id} ORDER BY id DESC LIMIT ${MOST}) AS f
     ORDER BY id`.execute(ctx.db);
  return { title: kind?.title ?? row.kind, sku: row.seller_sku, unit: kind?.unit ?? '', figures: rows };
}
