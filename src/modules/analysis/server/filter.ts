import { type RawBuilder, sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { containingLower } from '#kit/server/list/words.ts';
import type { WallFilter } from '../contract/wall.ts';
import { ratioSql } from './rules.ts';

type Condition = RawBuilder<unknown>;
/** More tenths of a day than numeric(14, 1) has. */
const MOST_TENTHS = 1e15;

/** A text to be found anywhere in what is in lower case. */
export const like = (text: string) => containingLower(text);

/** Which listings are shown at all. */
const SHOWN = {
  shown: sql`NOT m.hidden AND m.state <> 'GONE'`,
  hidden: sql`m.hidden`,
  gone: sql`m.state = 'GONE'`,
  all: sql`true`,
};

/** A few sites are compared one by one: that goes by an index, and no row has to be joined. */
const FEW_SITES = 20;

/** Listings `m` of sites, each a marketplace and an account. */
function atSites(pairs: readonly (readonly [site: string, account: string])[]): Condition {
  if (pairs.length > FEW_SITES) {
    return sql`(m.marketplace_id, m.account_id) IN (SELECT * FROM unnest(${pairs.map(([id]) => id)}::text[],
      ${pairs.map(([, id]) => id)}::uuid[]))`;
  }
  const each = pairs.map(([site, account]) => sql`(m.marketplace_id = ${site} AND m.account_id = ${account}::uuid)`);
  return sql`(${sql.join(each, sql` OR `)})`;
}

/**
 * A word in what is looked through. Under row-level security the planner takes it for very rare, whatever it is, and reads and orders
 * all listings for a page; of a case that is not of a column it expects one in two, and walks the order of the list.
 */
const worded = (keyword: string, common: boolean): Condition =>
  common ? sql`CASE WHEN m.search LIKE ${like(keyword)} THEN true ELSE false END` : sql`m.search LIKE ${like(keyword)}`;

/**
 * Conditions on listings `m`: what is looked at, before listings are put together. `common`: the filter is known to find many.
 */
export function listingConditions(ctx: Ctx, filter: WallFilter, common = false): Condition {
  const { sites, owners, keyword, skus, state, fulfilledBy, tags, shown = 'shown', unowned, remarked } = filter;
  const all: Condition[] = [sql`m.company_id = ${ctx.companyId}`, SHOWN[shown]];
  if (sites?.length) {
    all.push(atSites(sites.map((site) => [site.slice(0, site.indexOf('-')), site.slice(site.indexOf('-') + 1)])));
  }
  if (owners?.length) all.push(sql`m.owner_id = ANY (${owners}::uuid[])`);
  if (unowned !== undefined) all.push(unowned ? sql`m.owner_id IS NULL` : sql`m.owner_id IS NOT NULL`);
  if (keyword?.trim()) all.push(worded(keyword, common));
  if (skus?.length) {
    all.push(
      sql`(m.seller_sku = ANY (${skus}::text[]) OR m.asin = ANY (${skus}::text[]) OR m.family = ANY (${skus}::text[]))`,
    );
  }
  if (state?.length) all.push(sql`m.state = ANY (${state}::text[])`);
  if (fulfilledBy) all.push(sql`m.fulfilled_by = ${fulfilledBy}`);
  if (tags?.length) all.push(sql`m.tag_ids && ${tags}::uuid[]`);
  if (remarked !== undefined) all.push(remarked ? sql`m.remark <> ''` : sql`m.remark = ''`);
  return sql.join(all, sql` AND `);
}

/** Days as tenths of a day, the nearest whole number within a range; what no stock reaches is the most that there is. */
const tenths = (days: number, way: Decimal.Rounding): string => whole(new Decimal(days).times(10), way);

const whole = (value: Decimal.Value, way: Decimal.Rounding): string =>
  Decimal.clamp(value, -MOST_TENTHS, MOST_TENTHS).toFixed(0, way);

/** Whole figures that ranges narrow: compared as such, since a row that has to be made a numeric first takes twice as long. */
const WHOLE = { units30: 'm.units30', sessions7: 'm.sessions7' } as const;

/** Other figures that ranges narrow, as SQL over a row `m`; percentages as people write them. */
const RANGES = {
  avgDaily: 'm.avg_daily',
  conversion7: `100 * ${ratioSql('m.traffic_units7', 'm.sessions7')}`,
  adSpend7: 'm.ad_spend7',
  acos7: `100 * ${ratioSql('m.ad_spend7', 'm.ad_sales7')}`,
  margin30: `100 * m.profit30 / nullif(greatest(m.net_sales30, 0), 0)`,
} as const;

/**
 * Conditions on the figures of a row `m` of the wall, whatever is put together in it; undefined where there are none. What is
 * not known is in no range. @throws refused for profit where the caller may not see costs
 */
export function figureConditions(ctx: Ctx, filter: WallFilter): Condition | undefined {
  const all: Condition[] = [];
  if (filter.margin30 && !can(ctx, 'fin:cost:view')) throw refused('没有查看成本的权限，不能按毛利率筛选', 'B0921');
  for (const [name, expression] of Object.entries(RANGES)) {
    const range = filter[name as keyof typeof RANGES];
    if (range?.from !== undefined) all.push(sql`${sql.raw(expression)} >= ${range.from}::numeric`);
    if (range?.to !== undefined) all.push(sql`${sql.raw(expression)} <= ${range.to}::numeric`);
  }
  for (const [name, column] of Object.entries(WHOLE)) {
    const range = filter[name as keyof typeof WHOLE];
    const bound = (value: number, way: Decimal.Rounding) => sql`${whole(value, way)}::bigint`;
    if (range?.from !== undefined) all.push(sql`${sql.raw(column)} >= ${bound(range.from, Decimal.ROUND_CEIL)}`);
    if (range?.to !== undefined) all.push(sql`${sql.raw(column)} <= ${bound(range.to, Decimal.ROUND_FLOOR)}`);
  }
  const { from, to } = filter.coverDays ?? {};
  if (from !== undefined) all.push(sql`m.cover_tenths >= ${tenths(from, Decimal.ROUND_CEIL)}::bigint`);
  if (to !== undefined) all.push(sql`m.cover_tenths <= ${tenths(to, Decimal.ROUND_FLOOR)}::bigint`);
  if (filter.cover?.length) all.push(sql`m.cover_state = ANY (${filter.cover}::text[])`);
  if (filter.wasted !== undefined) {
    const wasted = sql`(coalesce(m.ad_spend7, 0) > 0 AND coalesce(m.ad_sales7, 0) = 0)`;
    all.push(filter.wasted ? wasted : sql`NOT ${wasted}`);
  }
  return all.length === 0 ? undefined : sql.join(all, sql` AND `);
}
