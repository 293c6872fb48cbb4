import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { SpeedRow } from '../../contract/transit.ts';
import { SHIPMENTS_OF_ORDERS } from '../shipment/of-order.ts';

/** Shipments of so many days say how long a way takes, where they are at least so many. */
const OF_LATE = sql.raw("kit.now() - interval '180 days'");
export const FEWEST = 5;

/** Shipments that left within the last 180 days, `o` with `s`, one row each. */
const lately = (ctx: Ctx) => sql`shipping.ship_order AS o JOIN ${SHIPMENTS_OF_ORDERS}
   WHERE o.company_id = ${ctx.companyId} AND o.shipped_at >= ${OF_LATE} AND o.state IN ('shipped', 'receiving', 'done')`;

/**
 * Days from dispatch to Amazon's door by transport and site, p50 and p90, as a select: only ways that at least five
 * shipments of the last 180 days were seen to go (handbook, rule 12).
 */
export const arrivalDays = (ctx: Ctx) => sql`
  SELECT o.transport, o.marketplace_id,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY kit.day(s.delivered_at) - kit.day(o.shipped_at)) AS p50,
         percentile_disc(0.9) WITHIN GROUP (ORDER BY kit.day(s.delivered_at) - kit.day(o.shipped_at)) AS p90
    FROM ${lately(ctx)} AND s.delivered_at >= o.shipped_at
   GROUP BY 1, 2 HAVING count(*) >= ${sql.lit(FEWEST)}`;

/** p50 and p90 of days between two instants, where enough shipments have both. */
function span(name: string, from: string, to: string) {
  const days = sql`CASE WHEN ${sql.ref(to)} >= ${sql.ref(from)} THEN kit.day(${sql.ref(to)}) - kit.day(${sql.ref(from)}) END`;
  const at = (share: number) =>
    sql`CASE WHEN count(${days}) >= ${sql.lit(FEWEST)} THEN percentile_disc(${sql.lit(share)}) WITHIN GROUP (ORDER BY ${days}) END`;
  return sql`${at(0.5)} AS ${sql.id(`${name}50`)}, ${at(0.9)} AS ${sql.id(`${name}90`)}`;
}

/** How long a centre takes from the door to the shelf; `p90` is null where fewer than five shipments say so. */
export interface ShelfDays {
  seen: number;
  p90: number | null;
}

/** Days from delivery to the first pieces that were received, p90, of shipments of the last 180 days by fulfilment centre. */
export async function shelfDays(ctx: Ctx, centers: readonly string[]): Promise<Map<string, ShelfDays>> {
  const { rows } = await sql<ShelfDays & { center: string }>`
    SELECT s.center, count(*)::int AS seen,
           CASE WHEN count(*) >= ${sql.lit(FEWEST)} THEN percentile_disc(0.9)
             WITHIN GROUP (ORDER BY kit.day(s.first_received_at) - kit.day(s.delivered_at)) END AS p90
      FROM shipping.fba_shipment AS s
     WHERE s.company_id = ${ctx.companyId} AND s.center = ANY (${[...centers]}::text[])
       AND s.delivered_at >= ${OF_LATE} AND s.first_received_at >= s.delivered_at
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ center, ...days }) => [center, days]));
}

/** How long shipments of the last 180 days took by transport and site, the ways with most of them first. */
export async function speedRows(ctx: Ctx): Promise<SpeedRow[]> {
  const { rows } = await sql<Omit<SpeedRow, 'country'> & { marketplaceId: string }>`
    SELECT o.transport, o.marketplace_id AS "marketplaceId", count(*)::int AS shipments,
           ${span('approved', 'o.approved_at', 'o.shipped_at')}, ${span('delivered', 'o.shipped_at', 's.delivered_at')},
           ${span('received', 's.delivered_at', 's.first_received_at')}, ${span('closed', 'o.shipped_at', 's.closed_at')}
      FROM ${lately(ctx)} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`.execute(ctx.db);
  return rows.map(({ marketplaceId, ...row }) => ({ ...row, country: countryOf(marketplaceId) }));
}
