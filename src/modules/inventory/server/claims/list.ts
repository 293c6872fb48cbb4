import { type Selectable, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import {
  type ClaimFilter,
  ClaimRow,
  type ClaimState,
  type ClaimType,
  fbaClaim,
  UNFILED,
} from '../../contract/claims.ts';
import { siteOf } from '../query.ts';

const LEFT = sql<number>`(c.deadline - kit.day(kit.now()))`;
const VALUE = sql<string | null>`(c.unit_value * c.qty)`;

function matching(ctx: Ctx, filter: ClaimFilter) {
  let query = ctx.db.selectFrom('inventory.claim as c').where('c.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('c.state', '=', filter.state);
  if (filter.types?.length) query = query.where('c.type', 'in', filter.types);
  if (filter.sites?.length) {
    const sites = filter.sites.map(siteOf);
    query = query.where((eb) =>
      eb.or(
        sites.map(({ accountId, marketplaceId }) =>
          eb.and([eb('c.account_id', '=', accountId), eb('c.marketplace_id', '=', marketplaceId)]),
        ),
      ),
    );
  }
  if (filter.due) {
    query = query.where('c.state', 'in', [...UNFILED]).where(sql<boolean>`${LEFT} BETWEEN 0 AND ${Number(filter.due)}`);
  }
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`concat_ws(' ', c.number, c.seller_sku, c.fnsku, c.asin, c.reference, c.case_no) ILIKE ${like}`,
    );
  }
  return query;
}

/** Claims with what their rows show of the listing. */
function shown(ctx: Ctx, claims: Query<Selectable<Database['inventory.claim']>>) {
  return cutAs(ctx, claims, 'c')
    .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 'c')))
    .selectAll('c')
    .select(['p.name', 'p.image', LEFT.as('left'), VALUE.as('value')]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number];

function toRow(row: DbRow, stores: ReadonlyMap<string, string>): ClaimRow {
  const state = row.state as ClaimState;
  return {
    id: row.id,
    number: row.number,
    state,
    type: row.type as ClaimType,
    product: { name: row.name ?? '', code: row.seller_sku || row.fnsku, image: row.image, extra: row.asin || null },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    day: row.event_day,
    fnsku: row.fnsku,
    reference: row.reference,
    lost: row.lost,
    found: row.found,
    paid: row.paid,
    qty: row.qty,
    opensOn: row.opens_on,
    deadline: row.deadline,
    daysLeft: UNFILED.includes(state) ? row.left : null,
    unitValue: row.unit_value,
    value: row.value,
    currency: row.currency,
    caseNo: row.case_no,
    filedOn: row.filed_on,
    granted: row.granted,
    createdAt: row.created_at,
    version: row.version,
  };
}

async function listDef(ctx: Ctx, filter: ClaimFilter): Promise<ListDef<DbRow, ClaimRow>> {
  const stores = await storeNames(ctx);
  return {
    row: ClaimRow,
    query: listQuery<DbRow>(matching(ctx, filter).selectAll('c')),
    around: (rows) => listQuery<DbRow>(shown(ctx, rows)),
    sort: {
      number: 'c.number',
      product: 'c.seller_sku',
      day: 'c.event_day',
      qty: 'c.qty',
      value: '(c.unit_value * c.qty)',
      deadline: 'c.deadline',
    },
    order: [['c.event_day', 'desc']],
    key: 'c.id',
    map: (row) => toRow(row, stores),
  };
}

/** Claims of a filter, their pieces and what they are worth, by currency; pieces of unknown worth are in the former alone. */
async function sumsOf(ctx: Ctx, filter: ClaimFilter) {
  const sums = await matching(ctx, filter)
    .select([
      'c.currency',
      sql<number>`count(*)::int`.as('n'),
      sql<number>`sum(c.qty)::int`.as('qty'),
      sql<string | null>`sum(${VALUE})::text`.as('value'),
    ])
    .groupBy('c.currency')
    .orderBy('c.currency')
    .execute();
  const sum = (field: 'n' | 'qty') => sums.reduce((all, row) => all + row[field], 0);
  const worth = sums.flatMap(({ currency, value }) =>
    currency === null || value === null ? [] : [{ currency, value }],
  );
  return { n: sum('n'), totals: { qty: sum('qty'), ...(await moneyTotals(ctx, worth, ['value'])) } };
}

/** One page of claims, the newest happening first. */
export async function claimPage(ctx: Ctx, request: PageRequest<ClaimFilter>): Promise<PageOf<ClaimRow>> {
  const def = await listDef(ctx, request.filter);
  const { n, totals } = await sumsOf(ctx, request.filter);
  return page(ctx, request, { ...def, count: async () => n, totals: async () => totals });
}

/** One claim as its list shows it; undefined for one out of reach. */
export async function claimRow(ctx: Ctx, id: string): Promise<ClaimRow | undefined> {
  const one = matching(ctx, {}).where('c.id', '=', id).selectAll('c');
  const row = await shown(ctx, listQuery(one)).executeTakeFirst();
  return row && toRow(row, await storeNames(ctx));
}

/** How many claims are in each state under the other filters; "all" is their sum. */
export async function claimCounts(ctx: Ctx, { state: _, ...others }: ClaimFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'c.state');
}

/** All claims of the filter as a file. */
export function exportClaimRows(open: OpenCtx, body: ExportRequest<ClaimFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `索赔发现-${ctx.clock.today()}`,
    sheet: '索赔发现',
    format: body.format,
    columns: exportColumns(ctx, ClaimRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出索赔', resource: fbaClaim.name, filter: body.filter },
  }));
}
