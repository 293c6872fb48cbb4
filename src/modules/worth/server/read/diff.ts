import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { GroupBy, WorthFilter } from '../../contract/fields.ts';
import type { worthDiff } from '../../contract/worth.ts';
import { dayOf, KEYS, linesAt, roomy } from './at.ts';
import { namer } from './names.ts';

type Effects = Reply<typeof worthDiff>['total'];
type Found = Effects & { g: string | null; sku: string | null; place: number };

const MOST = 200;

const side = (ctx: Ctx, day: string, filter: WorthFilter, by: GroupBy) => sql`
  SELECT k.key, ${sql.raw(KEYS[by])} AS g, ${by === 'PRODUCT' ? sql`p.sku` : sql`NULL::text`} AS sku,
         k.qty - k.uncosted AS qty, k.total, k.reserve
    FROM ${linesAt(ctx, day, filter)}`;

/** Net value before and after, and what lies between: the effects of a line add up to its change to the last unit. */
const EFFECTS = sql`
  coalesce(a.total - a.reserve, 0) AS before, coalesce(b.total - b.reserve, 0) AS after,
  CASE WHEN a.qty > 0 AND b.key IS NOT NULL THEN round((b.qty - a.qty) * a.total / a.qty, 4) ELSE 0 END AS quantity,
  CASE WHEN a.key IS NULL OR b.key IS NULL THEN 0
       WHEN a.qty > 0 THEN b.total - a.total - round((b.qty - a.qty) * a.total / a.qty, 4) ELSE b.total - a.total END AS cost,
  CASE WHEN a.key IS NULL THEN b.total ELSE 0 END AS fresh, CASE WHEN b.key IS NULL THEN -a.total ELSE 0 END AS gone,
  coalesce(a.reserve, 0) - coalesce(b.reserve, 0) AS write_down`;

/**
 * What made the worth of one day that of another, by group, the largest changes first; CNY. A line that is there on both days
 * has moved by its pieces at their former cost and by what a piece costs more now. @throws refused B1605 for an unknown day
 */
export async function diff(
  ctx: Ctx,
  { from, to, by, filter }: { from: string; to: string; by: GroupBy; filter: WorthFilter },
): Promise<Reply<typeof worthDiff>> {
  const before = await dayOf(ctx, { day: from });
  const after = await dayOf(ctx, { day: to });
  const names = await namer(ctx);
  await roomy(ctx);
  const { rows } = await sql<Found>`
    WITH a AS MATERIALIZED (${side(ctx, before, filter, by)}), b AS MATERIALIZED (${side(ctx, after, filter, by)}),
    each AS (
      SELECT coalesce(b.g, a.g) AS g, coalesce(b.sku, a.sku) AS sku, ${EFFECTS}
        FROM a FULL JOIN b ON b.key = a.key),
    grouped AS (
      SELECT g, min(sku) AS sku, sum(before) AS before, sum(quantity) AS quantity, sum(cost) AS cost, sum(fresh) AS fresh,
             sum(gone) AS gone, sum(write_down) AS write_down, sum(after) AS after FROM each GROUP BY 1),
    placed AS (
      SELECT *, least(row_number() OVER (ORDER BY abs(after - before) DESC, g), ${sql.lit(MOST + 1)}) AS place FROM grouped)
    SELECT CASE WHEN count(*) = 1 AND NOT GROUPING(place)::boolean THEN min(g) END AS g, min(sku) AS sku,
           coalesce(place, 0)::int AS place, coalesce(sum(before), 0)::text AS before,
           coalesce(sum(quantity), 0)::text AS quantity, coalesce(sum(cost), 0)::text AS cost,
           coalesce(sum(fresh), 0)::text AS fresh, coalesce(sum(gone), 0)::text AS gone,
           coalesce(sum(write_down), 0)::text AS "writeDown", coalesce(sum(after), 0)::text AS after,
           coalesce(sum(after - before), 0)::text AS change
      FROM placed GROUP BY GROUPING SETS ((place), ()) ORDER BY 3`.execute(ctx.db);
  const effects = ({ g: _, sku: __, place: ___, ...rest }: Found): Effects => rest;
  const total = rows.find((row) => row.place === 0);
  if (!total) throw new Error('no sums of a difference');
  return {
    total: effects(total),
    rows: rows
      .filter((row) => row.place > 0)
      .map((row) => ({
        id: row.g ?? 'rest',
        name: row.g === null ? '其余' : by === 'PRODUCT' ? (row.sku ?? names(by, row.g)) : names(by, row.g),
        ...effects(row),
      })),
  };
}
