import { type RawBuilder, sql } from 'kysely';

/**
 * CTEs `allocated (run, goods, type, happening, found, paid, open)`: how many pieces of each loss were found and paid for,
 * and how many are still open. Needs a CTE `move (run, goods, side, kind, type, happening, day, qty)`: losses have side 'L',
 * what makes them good has side 'C' and a kind, FOUND or PAID.
 *
 * Within one `goods` the oldest loss is made good first; what comes while nothing is open makes nothing good that is lost
 * later, so that a balance is never below 0. On one day losses come before what makes them good. Both sides are laid along
 * the same line of pieces, and what overlaps belongs together.
 */
export const ALLOCATED: RawBuilder<unknown> = sql`
  running AS (
    SELECT m.*, sum(qty) FILTER (WHERE side = 'L') OVER w AS lost_to, sum(qty) FILTER (WHERE side = 'C') OVER w AS made_to,
           sum(CASE side WHEN 'L' THEN qty ELSE -qty END) OVER w AS balance,
           row_number() OVER w AS place
      FROM move AS m WHERE qty > 0
    WINDOW w AS (PARTITION BY run, goods ORDER BY day, side DESC, happening, kind ROWS UNBOUNDED PRECEDING)),
  floored AS (
    SELECT r.*, least(0, min(balance) OVER (PARTITION BY run, goods ORDER BY place)) AS wasted FROM running AS r),
  made AS (
    SELECT run, goods, kind, made_to + wasted AS till,
           lag(made_to + wasted, 1, 0::numeric) OVER (PARTITION BY run, goods ORDER BY place) AS since
      FROM floored WHERE side = 'C'),
  allocated AS (
    SELECT l.run, l.goods, l.type, l.happening, min(l.qty) AS lost,
           coalesce(sum(least(l.lost_to, c.till) - greatest(l.lost_to - l.qty, c.since)) FILTER (WHERE c.kind = 'FOUND'), 0)::int
             AS found,
           coalesce(sum(least(l.lost_to, c.till) - greatest(l.lost_to - l.qty, c.since)) FILTER (WHERE c.kind = 'PAID'), 0)::int
             AS paid
      FROM floored AS l
      LEFT JOIN made AS c ON c.run = l.run AND c.goods = l.goods AND c.since < l.lost_to AND c.till > l.lost_to - l.qty
     WHERE l.side = 'L' GROUP BY l.run, l.goods, l.type, l.happening)`;

/**
 * A lateral `w (opens_on, deadline)` for a row `f (type, marketplace_id, day)`: the window of its type that was valid on that
 * day, one of its marketplace before one of all. Needs a CTE `policy (type, marketplace, opens_after, closes_after,
 * valid_from, place)`.
 */
export const WINDOW: RawBuilder<unknown> = sql`LATERAL (
    SELECT f.day + p.opens_after AS opens_on, f.day + p.closes_after AS deadline
      FROM policy AS p WHERE p.type = f.type AND p.marketplace IN ('', f.marketplace_id) AND p.valid_from <= f.day
     ORDER BY p.marketplace DESC, p.place DESC LIMIT 1) AS w`;

/** The CTE `policy` from windows in the order in which later ones replace earlier ones. */
export function policyCte(policies: readonly object[]): RawBuilder<unknown> {
  return sql`policy AS (
    SELECT (e.value->>'type') AS type, e.value->>'marketplaceId' AS marketplace, (e.value->>'opensAfter')::int AS opens_after,
           (e.value->>'closesAfter')::int AS closes_after, (e.value->>'validFrom')::date AS valid_from, e.ordinality AS place
      FROM jsonb_array_elements(${JSON.stringify(policies)}::jsonb) WITH ORDINALITY AS e)`;
}
