import { sql } from 'kysely';
import { lengthOf, type Period } from '#kit/contract/compare.ts';
import { dayAfter, dayIn } from '#kit/contract/day.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { nowThere } from '#modules/order/server/index.ts';
import type { Column } from '../contract/details.ts';
import { AMOUNT_MEASURES, type Grain, type Measure, MOST_PERIODS, type SalesFilter } from '../contract/fields.ts';
import { placesOf, wholeOf } from './days.ts';
import { siteCondition } from './filter.ts';

/** The days that a filter means and their periods, the oldest first. */
export interface Scope {
  filter: SalesFilter;
  grain: Grain;
  /** The first day that is not over at every site of the filter. */
  today: string;
  period: Period;
  places: Column[];
  /** The first day of which sales are known: what lies before is unknown, not zero. Null before the first order. */
  since: string | null;
}

/** Marketplaces that the filter looks at; none before the first store. */
export async function marketsOf(ctx: Ctx, { sites }: SalesFilter): Promise<string[]> {
  if (sites?.length) return [...new Set(sites.map((site) => siteOf(site).marketplaceId))];
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT marketplace_id AS id FROM marketplace.seller_marketplace WHERE company_id = ${ctx.companyId}
     ORDER BY 1`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

async function firstDay(ctx: Ctx, filter: SalesFilter): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT min(s.local_date) AS day FROM sales.store_day AS s
     WHERE s.company_id = ${ctx.companyId} AND ${siteCondition('s', filter)}`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** How many periods are shown where no days are asked for. */
const USUAL: Record<Grain, number> = { day: 30, week: 13, month: 12 };

function usual(grain: Grain, end: string): string {
  let from = wholeOf(end, grain).from;
  for (let more = 1; more < USUAL[grain]; more += 1) from = wholeOf(dayAfter(from, -1), grain).from;
  return from;
}

/**
 * Days and periods of a filter. Without dates it is thirty days, thirteen weeks or twelve months that end with yesterday: with the
 * last day that is over at every site. @throws B0950 more than 366 periods
 */
export async function scopeOf(ctx: Ctx, filter: SalesFilter): Promise<Scope> {
  const now = await nowThere(ctx.runtime);
  const zones = (await marketsOf(ctx, filter)).map((id) => marketplaceOf(id)?.timeZone ?? 'UTC');
  const today = zones.map((zone) => dayIn(zone, now)).sort()[0] ?? dayIn('UTC', now);
  const grain = filter.grain ?? 'day';
  const { from, to } = filter.dates ?? {};
  const yesterday = dayAfter(today, -1);
  const end = to ?? (from && from > yesterday ? from : yesterday);
  const period = { from: from ?? usual(grain, end), to: end };
  // Periods are made day by day: nobody may ask for a century of them.
  if (lengthOf(period) > MOST_PERIODS * 31) throw refused(`一次最多查询 ${MOST_PERIODS} 个周期`, 'B0950');
  const places = placesOf(period, grain, today);
  if (places.length > MOST_PERIODS)
    throw refused(`一次最多查询 ${MOST_PERIODS} 个周期，请缩短日期或改按周、月`, 'B0950');
  return { filter, grain, today, period, places, since: await firstDay(ctx, filter) };
}

/** @throws forbidden where a measure is an amount and the caller may see none */
export function mayRead(ctx: Ctx, measure: Measure): void {
  if (AMOUNT_MEASURES.includes(measure) && !can(ctx, AMOUNTS)) throw forbidden(AMOUNTS);
}
