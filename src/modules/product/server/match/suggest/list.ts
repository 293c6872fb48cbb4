import { type Selectable, sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { cutAs, listQuery, page, type Query } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { MatchPart } from '../../../contract/match.ts';
import {
  type SuggestFilter,
  type SuggestKind,
  SuggestRow,
  type SuggestState,
} from '../../../contract/match-suggest.ts';
import { partsText } from '../list.ts';
import { siteOf } from '../query.ts';

interface DbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  msku: string;
  score: number;
  kind: string;
  reasons: string[];
  state: string;
  made_at: string;
  decided_by_name: string | null;
  decided_at: string | null;
  name: string | null;
  image: string | null;
  asin: string | null;
  parts_named: MatchPart[] | null;
}

/** A row of a page before anything is joined to it. */
type CutRow = Selectable<Database['product.match_suggestion']>;

function suggestions(ctx: Ctx, filter: SuggestFilter) {
  let query = ctx.db.selectFrom('product.match_suggestion as s').where('s.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('s.state', '=', filter.state);
  if (filter.kind?.length) query = query.where('s.kind', 'in', filter.kind);
  if (filter.mskus?.length) query = query.where('s.msku', 'in', filter.mskus);
  if (filter.minScore !== undefined) query = query.where('s.score', '>=', filter.minScore);
  if (filter.sites?.length) {
    const sites = filter.sites.map(siteOf);
    query = query.where(
      sql<boolean>`(s.marketplace_id, s.account_id) IN (SELECT * FROM unnest(${sites.map((one) => one.marketplaceId)}::text[],
        ${sites.map((one) => one.accountId)}::uuid[]))`,
    );
  }
  return query;
}

/** What rows of a page show of their listings and products. */
function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow> {
  const shown = cutAs(ctx, rows as Query<unknown> as Query<CutRow>, 's')
    .leftJoin('listing.product as l', (join) =>
      join
        .onRef('l.company_id', '=', 's.company_id')
        .onRef('l.account_id', '=', 's.account_id')
        .onRef('l.marketplace_id', '=', 's.marketplace_id')
        .onRef('l.seller_sku', '=', 's.msku'),
    )
    .selectAll('s')
    .select([
      sql`l.name`.as('name'),
      sql`l.image`.as('image'),
      sql`l.asin`.as('asin'),
      sql`(SELECT jsonb_agg(jsonb_build_object('productId', p.id, 'sku', p.sku, 'name', p.name, 'qty', j.qty,
                    'bundle', p.structure = 'bundle') ORDER BY p.sku)
             FROM jsonb_to_recordset(s.parts) AS j("productId" uuid, qty int)
             JOIN product.local_product AS p ON p.company_id = s.company_id AND p.id = j."productId")`.as(
        'parts_named',
      ),
    ]);
  return listQuery(shown);
}

function toRow(row: DbRow, stores: ReadonlyMap<string, string>): SuggestRow {
  const parts = row.parts_named ?? [];
  return {
    id: row.id,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    product: { name: row.name ?? row.msku, code: row.msku, image: row.image },
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    msku: row.msku,
    asin: row.asin,
    partsText: partsText(parts),
    score: row.score,
    kind: row.kind as SuggestKind,
    reasonText: row.reasons.join('；'),
    state: row.state as SuggestState,
    madeAt: row.made_at,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at,
    parts,
  };
}

/** One page of suggestions, the surest first. */
export async function suggestionPage(ctx: Ctx, request: PageRequest<SuggestFilter>): Promise<PageOf<SuggestRow>> {
  const stores = await storeNames(ctx);
  return page<DbRow, SuggestRow>(ctx, request, {
    row: SuggestRow,
    query: listQuery(suggestions(ctx, request.filter).selectAll()),
    around: (rows) => around(ctx, rows),
    sort: { product: 's.msku', score: 's.score', madeAt: 's.made_at' },
    order: [['s.score', 'desc']],
    key: 's.id',
    map: (row) => toRow(row, stores),
  });
}

/** Numbers of suggestions by state under the other filters. */
export async function suggestionCounts(
  ctx: Ctx,
  { state: _, ...others }: SuggestFilter,
): Promise<Record<string, number>> {
  return countsBy(suggestions(ctx, others), 's.state');
}
