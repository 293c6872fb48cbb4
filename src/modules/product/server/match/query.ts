import { type Selectable, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import { cutAs, listQuery, type Query } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { MatchFilter, MatchPart, MatchState } from '../../contract/match.ts';

/** A listing of the list with its match of today, or the product of the same name. */
export interface MatchDbRow {
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
  parts: (MatchPart & { cost: string | null; weight: string | null })[] | null;
  conflict: string | null;
}

/** Splits "marketplaceId-accountId". */
export function siteOf(value: string): { marketplaceId: string; accountId: string } {
  const at = value.indexOf('-');
  return { marketplaceId: value.slice(0, at), accountId: value.slice(at + 1) };
}

/**
 * The state of a listing over the joins of joined(). As one expression: a join that is asked for what it does not find is taken
 * for the rarest case by the planner, which then looks through the conflicts once for every listing; of this it only knows that
 * all have to be joined, and takes a time that grows with their number.
 */
export const STATE = sql<MatchState>`CASE WHEN x.msku IS NOT NULL THEN 'conflict' WHEN m.id IS NOT NULL THEN 'matched'
  WHEN i.id IS NOT NULL THEN 'implied' ELSE 'unmatched' END`;

/**
 * That a match holds on a day, as two dates: how many do is known of dates, while of a period the planner takes one in two hundred
 * for granted.
 */
const heldOn = (alias: string, day: string) =>
  sql<boolean>`${sql.ref(`${alias}.valid_from`)} <= ${day}::date
    AND (${sql.ref(`${alias}.valid_to`)} IS NULL OR ${sql.ref(`${alias}.valid_to`)} >= ${day}::date)`;

/** What joins a table of listings to `l`. */
const ofListing = (alias: string) =>
  sql.raw(`${alias}.company_id = l.company_id AND ${alias}.account_id = l.account_id
    AND ${alias}.marketplace_id = l.marketplace_id AND ${alias}.msku = l.seller_sku`);

/** The pairing `alias` of `l`, looked for in the one index: not in that of periods, which takes five times as long for each look. */
const lookedUp = (alias: string) =>
  sql.raw(`${alias}.company_id = l.company_id AND ${alias}.account_id = l.account_id
    AND ${alias}.marketplace_id = l.marketplace_id AND ${alias}.msku = ANY (ARRAY[l.seller_sku])`);

const CONFLICTS = sql<boolean>`EXISTS (SELECT FROM product.match_conflict AS x WHERE ${ofListing('x')})`;

/** That a listing is paired: looked up for one after the other, as for a page, or put together for all, as for their number. */
const paired = (today: string, way: 'page' | 'all') =>
  sql<boolean>`EXISTS (SELECT FROM product.sku_match AS y
    WHERE ${way === 'page' ? lookedUp('y') : ofListing('y')} AND ${heldOn('y', today)}) AND NOT ${CONFLICTS}`;

/** The states that are told by a row that exists, without any join. */
function byRow(state: MatchState | undefined, today: string, way: 'page' | 'all') {
  if (state === 'conflict') return CONFLICTS;
  return state === 'matched' ? paired(today, way) : undefined;
}

/** Listings `l` of the filter, its state and the local SKU aside. */
function listings(ctx: Ctx, filter: MatchFilter) {
  let query = ctx.db
    .selectFrom('listing.product as l')
    .where('l.company_id', '=', ctx.companyId)
    .where('l.state', '<>', 'GONE');
  if (filter.mskus?.length) query = query.where('l.seller_sku', 'in', filter.mskus);
  if (filter.asin) query = query.where('l.asin', '=', filter.asin);
  if (filter.fnsku) query = query.where('l.fnsku', '=', filter.fnsku);
  if (filter.sites?.length) {
    const sites = filter.sites.map(siteOf);
    query = query.where(
      sql<boolean>`(l.marketplace_id, l.account_id) IN (SELECT * FROM unnest(${sites.map((one) => one.marketplaceId)}::text[],
        ${sites.map((one) => one.accountId)}::uuid[]))`,
    );
  }
  return query;
}

/** The same with the match of today (`m`), the product of the same name (`i`) and the conflict (`x`), by the local SKU too. */
export function joined(ctx: Ctx, { state, ...filter }: MatchFilter) {
  const today = ctx.clock.today();
  let query = listings(ctx, filter)
    .leftJoin('product.sku_match as m', (join) =>
      join
        .onRef('m.company_id', '=', 'l.company_id')
        .onRef('m.account_id', '=', 'l.account_id')
        .onRef('m.marketplace_id', '=', 'l.marketplace_id')
        .onRef('m.msku', '=', 'l.seller_sku')
        .on(heldOn('m', today)),
    )
    .leftJoin('product.local_product as i', (join) =>
      join
        .onRef('i.company_id', '=', 'l.company_id')
        .onRef('i.sku_key', '=', 'l.product_key')
        .on('i.is_spelling', '=', false),
    )
    .leftJoin('product.match_conflict as x', (join) =>
      join
        .onRef('x.company_id', '=', 'l.company_id')
        .onRef('x.account_id', '=', 'l.account_id')
        .onRef('x.marketplace_id', '=', 'l.marketplace_id')
        .onRef('x.msku', '=', 'l.seller_sku'),
    );
  if (state) query = query.where(STATE, '=', state);
  if (filter.sku) {
    query = query.where(
      sql<boolean>`((m.id IS NULL AND i.sku ILIKE ${containing(filter.sku)}) OR EXISTS (
        SELECT FROM product.sku_match_line AS n JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
         WHERE n.company_id = m.company_id AND n.match_id = m.id AND p.sku ILIKE ${containing(filter.sku)}))`,
    );
  }
  return query;
}

/** What finds and orders a listing, and what its row shows of it. */
const OWN = [
  'l.company_id',
  'l.listing_id',
  'l.account_id',
  'l.marketplace_id',
  'l.seller_sku',
  'l.sku_key',
  'l.product_key',
  'l.name',
  'l.image',
  'l.asin',
  'l.fnsku',
] as const;

/** A row of a page before anything is joined to it; the match stands in it where the page is ordered by it. */
interface CutRow {
  company_id: string;
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  sku_key: string;
  product_key: string;
  name: string;
  image: string | null;
  asin: string | null;
  fnsku: string | null;
}

/** Sorted by a match, which then is there before the page is cut. */
const BY_MATCH: readonly (string | undefined)[] = ['validFrom', 'updatedAt'];

/** Listings of the filter, no more than what finds and orders them: a page is cut along the index of their SKUs. */
export function rowsOf(ctx: Ctx, filter: MatchFilter, sort?: string): Query<MatchDbRow> {
  const told = byRow(filter.state, ctx.clock.today(), 'page');
  if (filter.sku || (filter.state && !told) || BY_MATCH.includes(sort)) {
    return listQuery(joined(ctx, filter).select([...OWN, 'm.valid_from', 'm.updated_at']));
  }
  const all = listings(ctx, filter);
  const some = (told ? all.where(told) : all).select([...OWN]);
  if (filter.state !== 'conflict') return listQuery(some);
  // Conflicts are few: found first and then ordered, where the index of SKUs would have most listings looked at for a page of them.
  const few = listQuery<CutRow>(some.offset(0));
  return listQuery(cutAs(ctx, few, 'l').selectAll());
}

/** As many listings as rowsOf() has, to be counted. */
export function countedRows(ctx: Ctx, filter: MatchFilter): Query<MatchDbRow> {
  const { state, ...others } = filter;
  const told = byRow(state, ctx.clock.today(), 'all');
  if (filter.sku || state === undefined) return rowsOf(ctx, filter);
  if (told) return listQuery(listings(ctx, filter).where(told));
  // Of a case the planner expects one in two: listings then go past what they are joined with, no further than they are counted.
  return listQuery(joined(ctx, others).where(sql<boolean>`CASE WHEN ${STATE} = ${state} THEN true ELSE false END`));
}

/** [{productId, sku, name, qty, bundle, cost, weight}] of the products `from` tells, with `qty` of each. */
const partsOf = (from: ReturnType<typeof sql>, qty: ReturnType<typeof sql>, today: string) => sql`(
  SELECT jsonb_agg(jsonb_build_object('productId', p.id, 'sku', p.sku, 'name', p.name, 'qty', ${qty},
           'bundle', p.structure = 'bundle', 'cost', c.unit_cost::text, 'weight', d.weight::text) ORDER BY p.sku)
    FROM ${from}
    LEFT JOIN LATERAL (SELECT s.unit_cost FROM product.sku_cost AS s WHERE s.company_id = p.company_id AND s.sku = p.sku
       AND s.valid_from <= ${today}::date ORDER BY s.valid_from DESC LIMIT 1) AS c ON true
    LEFT JOIN LATERAL (SELECT z.weight FROM product.dimension AS z WHERE z.company_id = p.company_id AND z.product_id = p.id
       AND z.role IN ('packed', 'net') AND z.weight IS NOT NULL ORDER BY z.role DESC LIMIT 1) AS d ON true`;

/** What the rows of a page show beside, each found by an index. */
export function shownRows(ctx: Ctx, rows: Query<MatchDbRow>): Query<MatchDbRow> {
  const today = ctx.clock.today();
  const paired = partsOf(
    sql`product.sku_match_line AS n JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id`,
    sql`n.qty`,
    today,
  );
  const named = partsOf(sql`product.local_product AS p`, sql`1`, today);
  const match = sql<Selectable<Database['product.sku_match']>>`LATERAL (SELECT * FROM product.sku_match AS f
    WHERE ${lookedUp('f')} AND ${heldOn('f', today)})`;
  const shown = cutAs(ctx, rows as Query<unknown> as Query<CutRow>, 'l')
    .leftJoin(match.as('m'), (join) => join.onTrue())
    .select([...OWN, 'm.id as match_id', 'm.way', 'm.valid_from', 'm.valid_to', 'm.updated_by_name', 'm.updated_at'])
    .select([
      sql`(SELECT x.kind FROM product.match_conflict AS x WHERE ${ofListing('x')})`.as('conflict'),
      sql`CASE WHEN m.id IS NOT NULL THEN ${paired} WHERE n.company_id = m.company_id AND n.match_id = m.id)
           ELSE ${named} WHERE p.company_id = l.company_id AND p.sku_key = l.product_key AND NOT p.is_spelling) END`.as(
        'parts',
      ),
    ]);
  return listQuery(shown);
}
