import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { cartonUnitsSelect, matchedCartonsSelect } from '#modules/product/server/index.ts';
import { paceSelect } from '#modules/sales/server/index.ts';
import type { Pace, PlanFilter, PlanItem } from '../../contract/plan.ts';
import { planDays } from './days.ts';

/** A listing with its figures; those of stock and of what comes are of all sites that sell out of the same stock. */
export interface PlanDbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  msku: string;
  name: string;
  image: string | null;
  asin: string | null;
  /** Marketplaces that offer it out of the same stock, this one among them. */
  sites: string[];
  units7: number;
  units14: number;
  units30: number;
  daily: string;
  shared_daily: string;
  fulfillable: number;
  reserved: number;
  sellable: number;
  inbound: number;
  transit: number;
  waiting: number;
  coming: number;
  target_days: number;
  need: number;
  box_qty: number | null;
  suggested: number;
  cover: string | null;
  planned: number | null;
  /** Rows of the whole filter. */
  total: number;
  items: Omit<PlanItem, 'warehouse'>[];
}

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);
const SPAN: Record<Pace, number> = { D7: 7, D14: 14, D30: 30 };

/**
 * Listings that are planned for: those that are on sale, or were until they ran out. What narrows the sites of a stock comes
 * after they were reckoned together.
 */
function shown(filter: PlanFilter): RawBuilder<unknown> {
  const conditions = [
    sql`(l.state = 'ACTIVE' OR l.units30 > 0)`,
    ...(filter.site?.length ? [sql`l.marketplace_id = ANY (${filter.site}::text[])`] : []),
    ...(filter.keyword ? [sql`l.search LIKE ${containingLower(filter.keyword)}`] : []),
  ];
  return sql.join(conditions, sql` AND `);
}

/**
 * SKUs that a word finds, with all sites that share their stock; nothing where no word was given. What they sell and have is
 * then read for them alone and not for the whole company.
 */
function skusOf(ctx: Ctx, { keyword }: PlanFilter): RawBuilder<unknown> | undefined {
  if (!keyword) return undefined;
  return sql`SELECT DISTINCT seller_sku FROM listing.product WHERE company_id = ${ctx.companyId} AND search LIKE ${containingLower(keyword)}`;
}

/**
 * One statement for the rows of the plan. What is sold, lies at Amazon and comes is gathered once each, so that no listing
 * asks for itself. Sites that share a stock are reckoned together; what they need is suggested for the one of them that
 * sells most.
 */
export async function planQuery(ctx: Ctx, filter: PlanFilter) {
  const span = SPAN[filter.pace ?? 'D30'];
  const units = sql.raw(`units${span}`);
  const days = await planDays(ctx);
  const company = ctx.companyId;
  const skus = skusOf(ctx, filter);
  const asked = skus && sql`SELECT seller_sku FROM asked`;
  const only = (column: string) => (asked ? sql`AND ${sql.ref(column)} IN (${asked})` : sql``);
  const select = sql<Omit<PlanDbRow, 'total'>>`(
    WITH site AS MATERIALIZED (SELECT * FROM unnest(${IDS}::text[], ${STOCKS}::text[]) AS s (marketplace_id, stock)),
    ${skus ? sql`asked AS MATERIALIZED (${skus}),` : sql``}
    way AS MATERIALIZED (SELECT * FROM unnest(${days.map((one) => one.transport)}::text[],
      ${days.map((one) => one.leadDays + one.safetyDays)}::int[]) AS w (transport, days)),
    pace AS MATERIALIZED (${paceSelect(ctx, asked)}),
    listed AS (
      SELECT l.listing_id, l.account_id, l.marketplace_id, l.seller_sku, l.name, l.image, l.asin, l.state, l.search,
             coalesce(s.stock, l.marketplace_id) AS stock, coalesce(p.units7, 0) AS units7, coalesce(p.units14, 0) AS units14,
             coalesce(p.units30, 0) AS units30, coalesce(p.${units}, 0) AS units,
             (sum(coalesce(p.${units}, 0)) OVER g)::int AS shared_units, array_agg(l.marketplace_id) OVER g AS sites,
             first_value(l.marketplace_id) OVER (g ORDER BY coalesce(p.${units}, 0) DESC, l.marketplace_id) AS lead
        FROM listing.product AS l
        LEFT JOIN site AS s ON s.marketplace_id = l.marketplace_id
        LEFT JOIN pace AS p ON p.account_id = l.account_id AND p.marketplace_id = l.marketplace_id
         AND p.seller_sku = l.seller_sku
       WHERE l.company_id = ${company} AND l.fulfilled_by = 'AMAZON' AND l.state IN ('ACTIVE', 'INACTIVE')
         ${only('l.seller_sku')} ${filter.authid?.length ? sql`AND l.account_id::text = ANY (${filter.authid}::text[])` : sql``}
      WINDOW g AS (PARTITION BY l.account_id, coalesce(s.stock, l.marketplace_id), l.seller_sku)),
    fba AS MATERIALIZED (
      SELECT account_id, stock, seller_sku, max(fulfillable)::int AS fulfillable, max(reserved)::int AS reserved,
             max(sellable)::int AS sellable, max(inbound)::int AS inbound
        FROM (
          SELECT f.account_id, coalesce(s.stock, f.marketplace_id) AS stock, f.seller_sku, sum(f.fulfillable) AS fulfillable,
                 sum(f.reserved) AS reserved, sum(f.inbound) AS inbound,
                 sum(f.fulfillable + coalesce(f.reserved_transfer, 0) + coalesce(f.reserved_processing, 0)) AS sellable
            FROM inventory.fba_stock AS f
            LEFT JOIN site AS s ON s.marketplace_id = f.marketplace_id
           WHERE f.company_id = ${company} ${only('f.seller_sku')}
           GROUP BY f.account_id, f.marketplace_id, s.stock, f.seller_sku) AS each
       GROUP BY 1, 2, 3),
    own AS MATERIALIZED (
      SELECT c.account_id, coalesce(s.stock, c.marketplace_id) AS stock, c.msku, sum(c.transit)::int AS transit,
             sum(c.waiting)::int AS waiting, sum(c.numbered)::int AS numbered
        FROM shipping.coming() AS c
        LEFT JOIN site AS s ON s.marketplace_id = c.marketplace_id
       GROUP BY 1, 2, 3),
    item AS MATERIALIZED (
      SELECT account_id, marketplace_id, msku, sum(qty)::int AS qty,
             CASE WHEN min(transport) = max(transport) THEN min(transport) END AS transport,
             jsonb_agg(jsonb_build_object('id', id, 'version', version, 'warehouseId', warehouse_id, 'transport', transport,
               'qty', qty, 'plannedOn', planned_on, 'remark', remark) ORDER BY id) AS items
        FROM shipping.plan_item WHERE company_id = ${company} AND state = 'open' GROUP BY 1, 2, 3),
    carton AS MATERIALIZED (${matchedCartonsSelect(ctx)}),
    named AS MATERIALIZED (${cartonUnitsSelect(ctx)}),
    figure AS (
      SELECT l.listing_id AS id, l.account_id, l.marketplace_id, l.seller_sku AS msku, l.name, l.image, l.asin, l.sites,
             l.units7, l.units14, l.units30, l.units, l.shared_units, l.marketplace_id = l.lead AS leads,
             coalesce(f.fulfillable, 0) AS fulfillable, coalesce(f.reserved, 0) AS reserved,
             coalesce(f.sellable, 0) AS sellable, coalesce(f.inbound, 0) AS inbound,
             coalesce(o.transit, 0) AS transit, coalesce(o.waiting, 0) AS waiting,
             greatest(coalesce(f.inbound, 0), coalesce(o.numbered, 0))
               + coalesce(o.transit + o.waiting - o.numbered, 0) AS coming,
             w.days AS target_days, ceil(l.shared_units * w.days / ${span}::numeric)::int AS need,
             CASE WHEN c.msku IS NULL THEN n.units ELSE c.units END AS box_qty, i.qty AS planned,
             coalesce(i.items, '[]') AS items
        FROM listed AS l
        LEFT JOIN fba AS f ON f.account_id = l.account_id AND f.stock = l.stock AND f.seller_sku = l.seller_sku
        LEFT JOIN own AS o ON o.account_id = l.account_id AND o.stock = l.stock AND o.msku = l.seller_sku
        LEFT JOIN item AS i ON i.account_id = l.account_id AND i.marketplace_id = l.marketplace_id AND i.msku = l.seller_sku
        LEFT JOIN carton AS c ON c.account_id = l.account_id AND c.marketplace_id = l.marketplace_id
         AND c.msku = l.seller_sku
        LEFT JOIN named AS n ON n.sku_key = lower(btrim(l.seller_sku))
        JOIN way AS w ON w.transport = coalesce(i.transport, ${filter.transport ?? 'SEA'})
       WHERE ${shown(filter)})
    SELECT *, round(units / ${span}::numeric, 2) AS daily, round(shared_units / ${span}::numeric, 2) AS shared_daily,
           round((sellable + inbound) * ${span}::numeric / nullif(shared_units, 0), 1) AS cover,
           CASE WHEN leads AND need > sellable + coming
             THEN (ceil((need - sellable - coming)::numeric / coalesce(box_qty, 1)) * coalesce(box_qty, 1))::int
             ELSE 0 END AS suggested
      FROM figure)`;
  // Every row is computed for the order anyway, so that they are counted on the way: with a limit of its own a count would be
  // planned as if few of them were wanted.
  let query = ctx.db.selectFrom(select.as('r')).selectAll('r').select(sql<number>`count(*) OVER ()::int`.as('total'));
  if (filter.suggested !== undefined) query = query.where('r.suggested', filter.suggested ? '>' : '=', 0);
  if (filter.cover !== undefined) query = query.where(sql<boolean>`r.cover <= ${filter.cover}`);
  if (filter.planned !== undefined) query = query.where('r.planned', filter.planned ? 'is not' : 'is', null);
  return query;
}
