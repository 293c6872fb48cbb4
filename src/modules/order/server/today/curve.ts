import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { TodayFilter } from '../../contract/today.ts';
import { nowThere } from '../freshness.ts';
import { COUNTED, LINES } from '../measures.ts';
import { clockOf, narrowed, siteRows } from './days.ts';

const SLOTS = Array.from({ length: 48 }, (_, at) => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(at / 2))}:${at % 2 === 0 ? '00' : '30'}`;
});

/**
 * Units per half hour of one marketplace's wall clock, today, yesterday and a week ago. The hour that a change of the
 * clocks repeats falls into the same slots; one that it skips stays empty.
 */
export async function todayCurve(ctx: Ctx, marketplaceId: string, filter: TodayFilter) {
  const clock = clockOf(marketplaceId, await nowThere(ctx.runtime));
  const { rows } = await sql<{ ago: number; slot: number; units: number }>`
    SELECT site.today - l.local_date AS ago, sum(l.quantity)::int AS units,
           floor(extract(epoch FROM (l.purchased_at AT TIME ZONE site.zone)::time) / 1800)::int AS slot
      FROM ${siteRows([clock])} JOIN ${LINES} ON l.marketplace_id = site.marketplace_id
     WHERE l.local_date IN (site.today, site.today - 1, site.today - 7) AND ${COUNTED} AND ${narrowed(ctx, filter)}
     GROUP BY 1, 3`.execute(ctx.db);
  const line = (ago: number): number[] => {
    const units = new Map(rows.filter((row) => row.ago === ago).map((row) => [row.slot, row.units]));
    return SLOTS.map((_, slot) => units.get(slot) ?? 0);
  };
  const over = SLOTS.indexOf(clock.closed);
  return {
    slots: SLOTS,
    today: line(0).map((units, slot) => (slot < over ? units : null)),
    yesterday: line(1),
    lastWeek: line(7),
  };
}
