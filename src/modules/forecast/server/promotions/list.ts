import { type RawBuilder, sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { cutAs, listQuery, page, type Query } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { countryOf, MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import {
  type PromotionFilter,
  type PromotionKind,
  PromotionRow,
  type PromotionState,
} from '../../contract/promotions.ts';

const ZONES = MARKETPLACES.map((one) => one.id);
const ZONE_NAMES = MARKETPLACES.map((one) => one.timeZone);
/** Days before a promotion that are usual. */
const USUAL_DAYS = 28;

interface DbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  name: string;
  kind: PromotionKind;
  state: PromotionState;
  from: string;
  to: string;
  skus: string[];
  expected: string | null;
  updated_by_name: string;
  updated_at: string;
  version: number;
}
interface Sold {
  units: number | null;
  actual: string | null;
}

/** Promotions with where they stand on the present day of their marketplace. */
function promotionsOf(ctx: Ctx, { state, sites, kind, keyword }: PromotionFilter): RawBuilder<DbRow> {
  const all = [sql`f.company_id = ${ctx.companyId}`];
  if (state?.length) all.push(sql`f.state = ANY (${state}::text[])`);
  if (sites?.length) all.push(atSites('f', sites));
  if (kind?.length) all.push(sql`f.kind = ANY (${kind}::text[])`);
  if (keyword) {
    const like = containingLower(keyword);
    all.push(sql`(lower(f.name) LIKE ${like} OR lower(array_to_string(f.skus, ' ')) LIKE ${like})`);
  }
  return sql<DbRow>`(
    SELECT f.* FROM (
      SELECT p.*, p.from_day::text AS "from", p.to_day::text AS "to", least(p.to_day, z.today - 1) AS last_day,
             p.from_day - ${USUAL_DAYS}::int AS since,
             CASE WHEN p.from_day > z.today THEN 'planned' WHEN p.to_day >= z.today THEN 'running' ELSE 'over' END AS state
        FROM forecast.promotion AS p
        LEFT JOIN LATERAL (
          SELECT (kit.now() AT TIME ZONE coalesce(max(z.zone), 'UTC'))::date AS today
            FROM unnest(${ZONES}::text[], ${ZONE_NAMES}::text[]) AS z (id, zone) WHERE z.id = p.marketplace_id) AS z ON true) AS f
     WHERE ${sql.join(all, sql` AND `)})`;
}

/**
 * Units of the days of a promotion that are over, and of those before it. Its first day stands in the page that is cut already:
 * reckoned here, row-level security would keep it from the index.
 */
const sold = (table: 'sales.sku_day' | 'sales.store_day', only: RawBuilder<unknown>) => sql`
  SELECT sum(s.units) FILTER (WHERE s.local_date >= f.from_day) AS units,
         sum(s.units) FILTER (WHERE s.local_date < f.from_day) AS usual
    FROM ${sql.raw(table)} AS s
   WHERE s.company_id = f.company_id AND s.account_id = f.account_id AND s.marketplace_id = f.marketplace_id
     AND s.local_date BETWEEN f.since AND f.last_day ${only}`;

/** What promotions brought: a SKU that sold nothing before has no multiple. */
function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow & Sold> {
  const brought = sql<Sold>`LATERAL (
    SELECT coalesce(x.units, 0)::int AS units,
           round(coalesce(x.units, 0)::numeric / (f.last_day - f.from_day + 1) / nullif(x.usual::numeric / ${USUAL_DAYS}::int, 0), 2)::text AS actual
      FROM (${sold('sales.store_day', sql`AND f.skus = '{}'`)}
            UNION ALL ${sold('sales.sku_day', sql`AND s.seller_sku = ANY (f.skus)`)}) AS x
     WHERE f.last_day >= f.from_day AND (x.units IS NOT NULL OR x.usual IS NOT NULL) LIMIT 1)`;
  return listQuery(
    cutAs(ctx, rows, 'f')
      .leftJoin(brought.as('b'), (join) => join.onTrue())
      .selectAll('f')
      .select(['b.units', 'b.actual']),
  );
}

/** One page of the calendar of promotions, those that begin last first. */
export async function promotionPage(ctx: Ctx, request: PageRequest<PromotionFilter>): Promise<PageOf<PromotionRow>> {
  const stores = await storeNames(ctx);
  return page<DbRow & Sold, PromotionRow>(ctx, request, {
    row: PromotionRow,
    query: listQuery(ctx.db.selectFrom(promotionsOf(ctx, request.filter).as('f')).selectAll('f')),
    around: (rows) => around(ctx, rows),
    sort: { from: 'f.from_day', to: 'f.to_day' },
    order: [['f.from_day', 'desc']],
    key: 'f.id',
    map: (row) => ({
      id: row.id,
      name: row.name,
      state: row.state,
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      kind: row.kind,
      from: row.from,
      to: row.to,
      products: row.skus.length || null,
      expected: row.expected,
      actual: row.actual,
      units: row.units,
      updatedBy: row.updated_by_name,
      updatedAt: row.updated_at,
      site: `${row.marketplace_id}-${row.account_id}`,
      skus: row.skus,
      version: row.version,
    }),
  });
}
