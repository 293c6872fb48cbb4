import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ReportBy } from '../../contract/report/fields.ts';
import type { ShipSumFilter } from '../../contract/report/summary.ts';
import { BILLED, CENTERS, linesOf, orderConditions, RECEIVING_AT } from './orders.ts';
import { worthOf } from './worth.ts';

/** What rows are put together by, as text, over a line `x` and its order `w`. */
const KEYS: Record<ReportBy, RawBuilder<string>> = {
  CARRIER: sql`x.carrier`,
  CHANNEL: sql`coalesce(x.channel_id::text, '')`,
  CENTER: sql`w.centers`,
  WAREHOUSE: sql`x.warehouse_id::text`,
  STORE: sql`x.account_id::text`,
  SITE: sql`x.marketplace_id`,
  SKU: sql`x.msku`,
  ORDER: sql`x.order_id::text`,
};

/** Figures of ship orders; boxes, kg and m³ are null where rows are parts of orders. Money in CNY, `value` at cost, days with a decimal. */
export interface Figures {
  orders: number;
  abnormal: number;
  planned: number;
  shipped: number;
  received: number;
  diff: number | null;
  to_ship: number;
  to_receive: number;
  boxes: number | null;
  weight: string | null;
  volume: string | null;
  billable: string | null;
  freight: string | null;
  duty: string | null;
  value: string | null;
  days: string | null;
}

const COLUMNS = [
  'orders',
  'abnormal',
  'planned',
  'shipped',
  'received',
  'diff',
  'to_ship',
  'to_receive',
  'boxes',
  'weight',
  'volume',
  'billable',
  'freight',
  'duty',
  'value',
  'days',
] as const satisfies readonly (keyof Figures)[];

/** A group, with the figures of all groups beside it and how many groups there are. */
export type GroupRow = { id: string; name: string; groups: number } & Figures & {
    [K in keyof Figures as `all_${K}`]: Figures[K];
  };

/** Figures of all groups, as each of their rows carries them. */
export function allOf(row: GroupRow): Figures {
  return Object.fromEntries(COLUMNS.map((name) => [name, row[`all_${name}`]])) as unknown as Figures;
}

/** Boxes of whole orders, how long they were on their way, where they go, whether their bill is confirmed. kg, m³, days. */
const wholes = (ctx: Ctx, filter: ShipSumFilter) => sql`
  SELECT o.id AS order_id, b.boxes, b.weight, b.volume, ${filter.by === 'CENTER' ? CENTERS : sql`''`} AS centers,
         extract(epoch FROM ${RECEIVING_AT} - o.shipped_at) / 86400 AS days, ${BILLED} AS billed
    FROM shipping.ship_order AS o
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS boxes, sum(x.weight) AS weight, sum(x.length * x.width * x.height) / 1000000 AS volume
        FROM shipping.box AS x WHERE x.company_id = o.company_id AND x.order_id = o.id) AS b ON true
   WHERE ${orderConditions(ctx, filter)}`;

const SUMS = sql`
  sum(planned)::int AS planned, sum(shipped)::int AS shipped, sum(received)::int AS received, sum(diff)::int AS diff,
  sum(to_ship)::int AS to_ship, sum(to_receive)::int AS to_receive, sum(billable) AS billable, sum(freight) AS freight,
  sum(duty) AS duty, sum(value) AS value`;
const OF_ORDERS = sql`
  count(*)::int AS orders, count(*) FILTER (WHERE diff <> 0)::int AS abnormal, sum(boxes)::int AS boxes,
  sum(weight) AS weight, sum(volume) AS volume, avg(days) AS days`;
const SHOWN = sql`
  orders, abnormal, planned, shipped, received, diff, to_ship, to_receive, boxes, round(weight, 3) AS weight,
  round(volume, 3) AS volume, round(billable, 3) AS billable, freight, duty, value, round(days::numeric, 1) AS days`;

/**
 * Orders of a filter put together by what it says, read once for the groups and for all of them. What belongs to whole orders
 * is taken once for each, whatever lines it has; an average is that of the orders, never of averages.
 */
export function grouped(ctx: Ctx, filter: ShipSumFilter, by: ReportBy): RawBuilder<GroupRow> {
  const perSku = by === 'SKU';
  const own = perSku
    ? sql`NULL::int AS boxes, NULL::numeric AS weight, NULL::numeric AS volume`
    : sql`boxes, weight, volume`;
  return sql<GroupRow>`(
    WITH whole AS MATERIALIZED (${wholes(ctx, filter)}),
    worth AS MATERIALIZED (${worthOf(ctx, filter)}),
    part AS MATERIALIZED (
      SELECT ${KEYS[by]} AS key, order_id, max(CASE WHEN ${sql.lit(perSku)} THEN title ELSE number END) AS name, ${SUMS}
        FROM (${linesOf(orderConditions(ctx, filter), sql`whole`)}) AS x JOIN whole AS w USING (order_id)
        LEFT JOIN worth AS v USING (line_id)
       GROUP BY 1, 2),
    by_key AS (SELECT key, max(name) AS name, ${SUMS} FROM part GROUP BY key),
    of_key AS (SELECT key, ${OF_ORDERS} FROM part JOIN (SELECT order_id, ${own}, days FROM whole) AS w USING (order_id) GROUP BY key),
    everything AS (
      SELECT ${SHOWN} FROM (SELECT ${SUMS} FROM part) AS s
       CROSS JOIN (SELECT ${OF_ORDERS} FROM (SELECT order_id, sum(diff) AS diff FROM part GROUP BY 1) AS p
                     JOIN whole USING (order_id)) AS o)
    SELECT g.*, count(*) OVER ()::int AS groups, ${sql.join(COLUMNS.map((name) => sql`e.${sql.ref(name)} AS ${sql.ref(`all_${name}`)}`))}
      FROM (SELECT key AS id, name, ${SHOWN} FROM by_key JOIN of_key USING (key)) AS g CROSS JOIN everything AS e)`;
}
