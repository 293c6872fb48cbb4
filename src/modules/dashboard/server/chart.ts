import { sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { compare, HomeFilter, marketPie, salesChart } from '../contract.ts';
import { addDays } from './days.ts';
import { returnsOf } from './returns.ts';
import { type Scope, scopeOf } from './scope.ts';
import { bySlot, sourceOf } from './source.ts';

type Chart = Reply<typeof salesChart>;

const SLOTS = Array.from(
  { length: 48 },
  (_, index) => `${String(index >> 1).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);

interface Point {
  place: string;
  current: boolean;
  units: number;
  orders: number;
}

/** Half hours of one day and of the day before it. Slots that are not over have no value. */
async function slotChart(ctx: Ctx, scope: Scope): Promise<Chart> {
  const { rows } = await sql<Point>`
    SELECT to_char(time, 'HH24:MI') AS place, current, sum(units)::int AS units, sum(orders)::int AS orders
      FROM (${bySlot(ctx, scope)}) AS s GROUP BY 1, 2`.execute(ctx.db);
  const last = scope.spans.map((span) => span.cut.slice(0, 5)).sort();
  const open = scope.unfinished ? (last.at(-1) ?? '00:00') : '24:00';
  const at = (place: string, current: boolean) => rows.find((row) => row.place === place && row.current === current);
  const now = (pick: (row: Point) => number) =>
    SLOTS.map((slot) => {
      const row = at(slot, true);
      return slot < open ? (row ? pick(row) : 0) : null;
    });
  return {
    labels: SLOTS,
    grain: 'slot',
    units: now((row) => row.units),
    orders: now((row) => row.orders),
    returns: null,
    previousUnits: SLOTS.map((slot) => at(slot, false)?.units ?? 0),
    unfinished: 0,
    range: scope.range,
  };
}

/** The running day after a period that ends with yesterday: drawn dotted, in no sum. */
function withToday(scope: Scope): Scope {
  if (scope.unfinished || addDays(scope.range.to, 1) !== scope.today) return scope;
  return {
    ...scope,
    spans: scope.spans.map((span) => ({ ...span, to: scope.today })),
    unfinished: false,
  };
}

async function dayChart(ctx: Ctx, scope: Scope): Promise<Chart> {
  const wide = withToday(scope);
  const { rows } = await sql<Point>`
    SELECT day AS place, current, sum(units)::int AS units, sum(orders)::int AS orders
      FROM (${sourceOf(ctx, wide)}) AS s GROUP BY 1, 2`.execute(ctx.db);
  const { range } = scope;
  const count = range.days + (wide === scope ? 0 : 1);
  const labels = Array.from({ length: count }, (_, index) => addDays(range.from, index));
  const byDay = new Map(rows.map((row) => [row.place, row]));
  return {
    labels,
    grain: 'day',
    units: labels.map((day) => byDay.get(day)?.units ?? 0),
    orders: labels.map((day) => byDay.get(day)?.orders ?? 0),
    returns: await returnsOf(ctx, scope, labels),
    previousUnits: labels.map((day) => byDay.get(addDays(day, -range.days))?.units ?? 0),
    unfinished: labels.filter((day) => day >= scope.today).length,
    range,
  };
}

/** Units and orders of the period with the period before at the same places. */
export async function salesChartOf(ctx: Ctx, filter: HomeFilter): Promise<Chart> {
  const scope = await scopeOf(ctx, filter);
  return scope.range.days === 1 ? slotChart(ctx, scope) : dayChart(ctx, scope);
}

/** Units by marketplace, most first; their sum is that of the strip. */
export async function marketPieOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof marketPie>> {
  const scope = await scopeOf(ctx, filter);
  const { rows } = await sql<{ id: string; units: number; base: number; previous: number }>`
    SELECT marketplace_id AS id, coalesce(sum(units) FILTER (WHERE current), 0)::int AS units,
           coalesce(sum(units) FILTER (WHERE current AND closed), 0)::int AS base,
           coalesce(sum(units) FILTER (WHERE NOT current AND closed), 0)::int AS previous
      FROM (${sourceOf(ctx, scope)}) AS s GROUP BY 1 ORDER BY 2 DESC, 1`.execute(ctx.db);
  return {
    units: rows.reduce((total, row) => total + row.units, 0),
    markets: rows.map(({ id, units, base, previous }) => ({
      marketplaceId: id,
      country: countryOf(id),
      name: marketplaceOf(id)?.name ?? id,
      units,
      previous,
      change: changeOf(base, previous),
    })),
    range: scope.range,
  };
}

interface PaceRow {
  id: string;
  ago: number;
  units: number;
  orders: number;
  all_units: number;
  all_orders: number;
}

/**
 * Today against other days up to the same time of each site's clock: the last half hour that is over and has been read.
 * Comparing a part of a day with a whole one would always show a fall.
 */
export async function compareOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof compare>> {
  const scope = await scopeOf(ctx, { ...filter, period: 'today' });
  const week = { ...scope, spans: scope.spans.map((span) => ({ ...span, previousFrom: addDays(span.today, -7) })) };
  const { rows } = await sql<PaceRow>`
    SELECT s.marketplace_id AS id, p.today - s.day AS ago,
           coalesce(sum(s.units) FILTER (WHERE s.time < p.cut), 0)::int AS units,
           coalesce(sum(s.orders) FILTER (WHERE s.time < p.cut), 0)::int AS orders,
           sum(s.units)::int AS all_units, sum(s.orders)::int AS all_orders
      FROM (${bySlot(ctx, week)}) AS s
      JOIN unnest(${week.spans.map((span) => span.marketplaceId)}::text[],
                  ${week.spans.map((span) => span.today)}::date[], ${week.spans.map((span) => span.cut)}::time[])
           AS p (id, today, cut) ON p.id = s.marketplace_id
     GROUP BY 1, 2`.execute(ctx.db);
  const pace = (ago: number, id?: string) => {
    const own = rows.filter((row) => row.ago === ago && (id === undefined || row.id === id));
    const total = (pick: (row: PaceRow) => number) => own.reduce((acc, row) => acc + pick(row), 0);
    return {
      part: { units: total((r) => r.units), orders: total((r) => r.orders) },
      all: { units: total((r) => r.all_units), orders: total((r) => r.all_orders) },
    };
  };
  const [today, yesterday, lastWeek] = [pace(0).part, pace(1).part, pace(7).part];
  return {
    today,
    yesterday,
    dayBefore: pace(2).part,
    lastWeek,
    yesterdayAll: pace(1).all,
    vsYesterday: changeOf(today.units, yesterday.units),
    vsLastWeek: changeOf(today.units, lastWeek.units),
    sites: week.spans
      .map((span) => {
        const [now, before] = [pace(0, span.marketplaceId).part.units, pace(1, span.marketplaceId).part.units];
        return {
          marketplaceId: span.marketplaceId,
          country: countryOf(span.marketplaceId),
          until: span.cut.slice(0, 5),
          today: now,
          yesterday: before,
          change: changeOf(now, before),
        };
      })
      .filter((site) => site.today + site.yesterday > 0)
      .sort((a, b) => b.today - a.today),
  };
}
