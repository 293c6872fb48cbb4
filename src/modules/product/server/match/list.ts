import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type MatchFilter, type MatchPart, MatchRow, type MatchState, type MatchWay } from '../../contract/match.ts';
import { anywhere } from '../catalogue/shared.ts';

interface DbRow {
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  name: string;
  image: string | null;
  asin: string | null;
  fnsku: string | null;
  match_id: string | null;
  way: string | null;
  valid_from: string | null;
  valid_to: string | null;
  updated_by_name: string | null;
  updated_at: string | null;
  parts: MatchPart[] | null;
  implied_id: string | null;
  implied_sku: string | null;
  implied_name: string | null;
}

/** Splits "marketplaceId-accountId". */
export function siteOf(value: string): { marketplaceId: string; accountId: string } {
  const at = value.indexOf('-');
  return { marketplaceId: value.slice(0, at), accountId: value.slice(at + 1) };
}

const STATES: Record<MatchState, ReturnType<typeof sql<boolean>>> = {
  matched: sql<boolean>`m.id IS NOT NULL`,
  implied: sql<boolean>`m.id IS NULL AND i.id IS NOT NULL`,
  unmatched: sql<boolean>`m.id IS NULL AND i.id IS NULL`,
};

/** Listings with the match of today (`m`) or the product of the same name (`i`). */
function matching(ctx: Ctx, filter: MatchFilter) {
  const today = ctx.clock.today();
  let query = ctx.db
    .selectFrom('listing.product as l')
    .leftJoin('product.sku_match as m', (join) =>
      join
        .onRef('m.company_id', '=', 'l.company_id')
        .onRef('m.account_id', '=', 'l.account_id')
        .onRef('m.marketplace_id', '=', 'l.marketplace_id')
        .onRef('m.msku', '=', 'l.seller_sku')
        .on(sql<boolean>`m.period @> ${today}::date`),
    )
    .leftJoin('product.local_product as i', (join) =>
      join
        .onRef('i.company_id', '=', 'l.company_id')
        .on(sql<boolean>`i.sku_key = lower(btrim(l.seller_sku))`)
        .on('i.is_spelling', '=', false),
    )
    .where('l.company_id', '=', ctx.companyId)
    .where('l.state', '<>', 'GONE');
  if (filter.state) query = query.where(STATES[filter.state]);
  if (filter.mskus?.length) query = query.where('l.seller_sku', 'in', filter.mskus);
  if (filter.asin) query = query.where('l.asin', '=', filter.asin);
  if (filter.sites?.length) {
    const sites = filter.sites.map(siteOf);
    query = query.where(
      sql<boolean>`(l.marketplace_id, l.account_id) IN (SELECT * FROM unnest(${sites.map((one) => one.marketplaceId)}::text[],
        ${sites.map((one) => one.accountId)}::uuid[]))`,
    );
  }
  if (filter.sku) {
    query = query.where(
      sql<boolean>`((m.id IS NULL AND i.sku ILIKE ${anywhere(filter.sku)}) OR EXISTS (
        SELECT FROM product.sku_match_line AS n JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
         WHERE n.company_id = m.company_id AND n.match_id = m.id AND p.sku ILIKE ${anywhere(filter.sku)}))`,
    );
  }
  return query;
}

const PARTS = sql<MatchPart[] | null>`(
  SELECT jsonb_agg(jsonb_build_object('productId', p.id, 'sku', p.sku, 'name', p.name, 'qty', n.qty) ORDER BY p.sku)
    FROM product.sku_match_line AS n JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
   WHERE n.company_id = m.company_id AND n.match_id = m.id)`;

function selected(ctx: Ctx, filter: MatchFilter) {
  return matching(ctx, filter)
    .select([
      'l.listing_id',
      'l.account_id',
      'l.marketplace_id',
      'l.seller_sku',
      'l.name',
      'l.image',
      'l.asin',
      'l.fnsku',
    ])
    .select(['m.id as match_id', 'm.way', 'm.valid_from', 'm.valid_to', 'm.updated_by_name', 'm.updated_at'])
    .select(['i.id as implied_id', 'i.sku as implied_sku', 'i.name as implied_name'])
    .select(PARTS.as('parts'));
}

/** 「A×2 + B×1」 */
export function partsText(parts: readonly MatchPart[]): string {
  return parts.map((part) => `${part.sku}×${part.qty}`).join(' + ');
}

function toRow(row: DbRow, stores: ReadonlyMap<string, string>): MatchRow {
  const implied =
    row.implied_id === null
      ? []
      : [{ productId: row.implied_id, sku: row.implied_sku ?? '', name: row.implied_name ?? '', qty: 1 }];
  const parts = row.match_id === null ? implied : (row.parts ?? []);
  const state = row.match_id !== null ? 'matched' : implied.length > 0 ? 'implied' : 'unmatched';
  return {
    id: row.listing_id,
    matchId: row.match_id,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    product: { name: row.name, code: row.seller_sku, image: row.image },
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    msku: row.seller_sku,
    asin: row.asin,
    fnsku: row.fnsku,
    state,
    partsText: partsText(parts),
    way: row.match_id === null ? (state === 'implied' ? 'implied' : null) : (row.way as MatchWay),
    validFrom: row.valid_from,
    validTo: row.valid_to,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    parts,
  };
}

async function listDef(ctx: Ctx, filter: MatchFilter): Promise<ListDef<DbRow, MatchRow>> {
  const stores = await storeNames(ctx);
  return {
    row: MatchRow,
    query: selected(ctx, filter) as unknown as ListDef<DbRow, MatchRow>['query'],
    sort: { product: 'l.seller_sku', msku: 'l.seller_sku', validFrom: 'm.valid_from', updatedAt: 'm.updated_at' },
    order: [['l.seller_sku', 'asc']],
    key: 'l.listing_id',
    map: (row) => toRow(row, stores),
  };
}

/** One page of listings with what they stand for, by MSKU. */
export async function matchPage(ctx: Ctx, request: PageRequest<MatchFilter>): Promise<PageOf<MatchRow>> {
  return page<DbRow, MatchRow>(ctx, request, await listDef(ctx, request.filter));
}

/** Numbers of listings by state of their match under the other filters. */
export async function matchCounts(ctx: Ctx, { state: _, ...others }: MatchFilter): Promise<Record<string, number>> {
  const row = await matching(ctx, others)
    .select([
      sql<number>`count(*) FILTER (WHERE ${STATES.unmatched})`.as('unmatched'),
      sql<number>`count(*) FILTER (WHERE ${STATES.implied})`.as('implied'),
      sql<number>`count(*) FILTER (WHERE ${STATES.matched})`.as('matched'),
      sql<number>`count(*)`.as('all'),
    ])
    .executeTakeFirstOrThrow();
  return row;
}

/** All listings of the filter as a file. */
export function matchFile(open: OpenCtx, body: ExportRequest<MatchFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: 'SKU配对',
    sheet: 'SKU配对',
    format: body.format,
    columns: exportColumns(ctx, MatchRow, body.columns),
    rows: streamed<DbRow, MatchRow>(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出SKU配对', resource: 'product.match', filter: body.filter },
  }));
}
