import { type Kysely, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { Basis, Stage, TransitFilter } from '../../contract/transit.ts';
import { SHIPMENT_NOS, SHIPMENTS_OF_ORDERS } from '../shipment/of-order.ts';
import { arrivalDays } from './speed.ts';

/** An order of which pieces are on their way. */
export interface AwayRow {
  id: string;
  number: string;
  state: string;
  account_id: string;
  marketplace_id: string;
  warehouse_id: string;
  shipment_nos: string;
  transport: string;
  carrier: string;
  tracking_no: string;
  stage: Stage;
  left_on: string;
  expected_on: string | null;
  latest_on: string | null;
  basis: Basis;
  days_late: number | null;
  delivered_on: string | null;
  sent: number;
  qty: number;
}

const AT_DOOR = sql`s.status IN ('DELIVERED', 'CHECKED_IN', 'RECEIVING', 'CLOSED')`;

/**
 * Orders with pieces on their way. Expected is the day of dispatch and what the way took of late; where too few went it, what
 * the channel says that it is booked with, else the channels of its carrier, or of all carriers where it names none; else
 * nobody knows. What has reached Amazon's door is expected no more.
 *
 * The orders are cut out first (`gone`): the planner takes them for a third of all that ever left, and would look for the
 * shipments of every one of those.
 */
function away(ctx: Ctx) {
  const company = ctx.companyId;
  const ids = MARKETPLACES.map(({ id }) => id);
  const countries = MARKETPLACES.map(({ country }) => country);
  return sql<AwayRow>`(
    WITH rest AS MATERIALIZED (
      SELECT order_id, sum(shipped_qty - received_qty - lost_qty)::int AS qty FROM shipping.ship_order_line
       WHERE company_id = ${company} AND shipped_qty > received_qty + lost_qty GROUP BY 1),
    own AS MATERIALIZED (${arrivalDays(ctx)}),
    channel AS MATERIALIZED (
      SELECT m.id AS marketplace_id, c.mode AS transport, lower(k.name) AS carrier, min(c.days_min) AS least,
             max(c.days_max) AS most
        FROM shipping.channel AS c
        JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
        JOIN unnest(${ids}::text[], ${countries}::text[]) AS m (id, country) ON m.country = c.country
       WHERE c.company_id = ${company} AND NOT c.disabled AND NOT k.disabled AND c.days_max IS NOT NULL
       GROUP BY GROUPING SETS ((m.id, c.mode, lower(k.name)), (m.id, c.mode))),
    gone AS MATERIALIZED (
      SELECT o.*, rest.qty FROM rest JOIN shipping.ship_order AS o ON o.company_id = ${company} AND o.id = rest.order_id
       WHERE o.shipped_at IS NOT NULL)
    SELECT o.id, o.number, o.state, o.account_id, o.marketplace_id, o.warehouse_id, ${SHIPMENT_NOS} AS shipment_nos, o.transport,
           o.carrier, o.tracking_no, CASE WHEN d.there THEN 'DOOR' ELSE 'WAY' END AS stage, x.left_on,
           CASE WHEN NOT d.there THEN x.left_on + y.p50 END AS expected_on,
           CASE WHEN NOT d.there THEN x.left_on + y.p90 END AS latest_on, y.basis,
           CASE WHEN NOT d.there AND x.left_on + y.p90 < kit.day(kit.now())
             THEN kit.day(kit.now()) - (x.left_on + y.p90) END AS days_late,
           d.delivered_on, (SELECT sum(l.shipped_qty)::int FROM shipping.ship_order_line AS l
              WHERE l.company_id = o.company_id AND l.order_id = o.id) AS sent, o.qty
      FROM gone AS o
      CROSS JOIN LATERAL (SELECT kit.day(o.shipped_at) AS left_on) AS x
      LEFT JOIN own AS w ON w.transport = o.transport AND w.marketplace_id = o.marketplace_id
      LEFT JOIN channel AS c ON c.transport = o.transport AND c.marketplace_id = o.marketplace_id
        AND c.carrier IS NOT DISTINCT FROM nullif(lower(btrim(o.carrier)), '')
      LEFT JOIN shipping.channel AS b ON b.company_id = o.company_id AND b.id = o.channel_id AND b.days_max IS NOT NULL
      CROSS JOIN LATERAL (SELECT coalesce(b.days_max, c.most) AS most,
        CASE WHEN b.id IS NULL THEN c.least ELSE b.days_min END AS least) AS g
      CROSS JOIN LATERAL (
        SELECT coalesce(w.p50, (coalesce(g.least, g.most) + g.most + 1) / 2) AS p50, coalesce(w.p90, g.most) AS p90,
               CASE WHEN w.p50 IS NOT NULL THEN 'OWN' WHEN g.most IS NOT NULL THEN 'CHANNEL' ELSE 'NONE' END AS basis) AS y
      CROSS JOIN LATERAL (
        SELECT coalesce(bool_and(${AT_DOOR}), false) AS there,
               CASE WHEN bool_and(${AT_DOOR}) THEN max(kit.day(s.delivered_at)) END AS delivered_on
          FROM (SELECT) AS one LEFT JOIN ${SHIPMENTS_OF_ORDERS}) AS d)`;
}

type Tables = { t: AwayRow };

/** Orders with pieces on their way that a filter matches, as `t`. */
export function matching(ctx: Ctx, filter: TransitFilter) {
  const db = ctx.db as unknown as Kysely<Tables>;
  let query = db.selectFrom(away(ctx).as('t'));
  if (filter.stage) query = query.where('t.stage', '=', filter.stage);
  if (filter.transport?.length) query = query.where('t.transport', 'in', filter.transport);
  if (filter.authid?.length) query = query.where('t.account_id', 'in', filter.authid);
  if (filter.late) query = query.where(sql<boolean>`t.days_late > 0`);
  if (filter.expected?.from) query = query.where('t.expected_on', '>=', filter.expected.from);
  if (filter.expected?.to) query = query.where('t.expected_on', '<=', filter.expected.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(t.number ILIKE ${like} OR t.shipment_nos ILIKE ${like} OR t.tracking_no ILIKE ${like} OR EXISTS (
        SELECT FROM shipping.ship_order_line AS l
         WHERE l.company_id = ${ctx.companyId} AND l.order_id = t.id AND l.msku ILIKE ${like}))`,
    );
  }
  return query;
}
