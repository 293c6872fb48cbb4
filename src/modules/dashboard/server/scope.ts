import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { nowThere, ordersReadUpTo } from '#modules/order/server/index.ts';
import type { HomeFilter, Zone } from '../contract.ts';
import { addDays, dayIn, daysBetween, timeIn } from './days.ts';

const BEIJING = 'Asia/Shanghai';
const SLOT_MS = 30 * 60_000;

/** The days asked for in one marketplace, and its wall clock up to which an unfinished day is compared. */
export interface Span {
  marketplaceId: string;
  zone: string;
  today: string;
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
  /** "HH:mm:ss"; days before `today` are whole. */
  cut: string;
}

export interface Range {
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
  days: number;
}

/** What every card asks about: whose sales, on which days, by which clock. */
export interface Scope {
  filter: HomeFilter;
  zone: Zone;
  spans: readonly Span[];
  range: Range;
  /** The marketplace's present instant. */
  now: Date;
  /** The day that is running where the day began last; every earlier day is over everywhere. */
  today: string;
  /** The period reaches into a day that is not over. */
  unfinished: boolean;
}

/** Sites that the company sells at and the filter lets through; all known ones before the first authorisation. */
async function marketsOf(ctx: Ctx, filter: HomeFilter): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT marketplace_id AS id FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId}
       ${filter.accountIds.length > 0 ? sql`AND account_id = ANY (${filter.accountIds}::uuid[])` : sql``}
     ORDER BY 1`.execute(ctx.db);
  const own = rows.length > 0 ? rows.map((row) => row.id) : MARKETPLACES.map((one) => one.id);
  return filter.marketplaceIds.length > 0 ? own.filter((id) => filter.marketplaceIds.includes(id)) : own;
}

/** Instant up to which the orders of the accounts have been read, in marketplace time; now where no feed runs. */
async function readTo(ctx: Ctx, filter: HomeFilter, now: Date): Promise<Date> {
  const at = await ordersReadUpTo(ctx, filter.accountIds);
  return at !== null && new Date(at) < now ? new Date(at) : now;
}

function periodOf(filter: HomeFilter, today: string): { from: string; to: string } {
  const yesterday = addDays(today, -1);
  switch (filter.period) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: yesterday, to: yesterday };
    case 'd7':
      return { from: addDays(today, -7), to: yesterday };
    case 'month':
      return today.endsWith('-01') ? { from: today, to: today } : { from: `${today.slice(0, 8)}01`, to: yesterday };
    case 'custom':
      return filter.dates ?? { from: addDays(today, -30), to: yesterday };
    default:
      return { from: addDays(today, -30), to: yesterday };
  }
}

function rangeOf({ from, to }: { from: string; to: string }): Range {
  const days = daysBetween(from, to) + 1;
  return { from, to, previousFrom: addDays(from, -days), previousTo: addDays(from, -1), days };
}

/** Where a site's own clock stands at the last half hour that is over and has been read; nothing before its midnight. */
function cutOf(zone: string, today: string, at: Date): string {
  const closed = new Date(Math.floor(at.getTime() / SLOT_MS) * SLOT_MS);
  return dayIn(zone, closed) === today ? timeIn(zone, closed) : '00:00:00';
}

/**
 * Turns a filter into days. 今天 and 昨日 are each site's own; longer periods end with the same day for all, the last
 * that is over at every site, so that no part of a day is compared with a whole one.
 */
export async function scopeOf(ctx: Ctx, filter: HomeFilter): Promise<Scope> {
  const now = await nowThere(ctx.runtime);
  const read = await readTo(ctx, filter, now);
  const markets = await marketsOf(ctx, filter);
  const clocks = markets.map((marketplaceId) => {
    const zone = filter.zone === 'beijing' ? BEIJING : (marketplaceOf(marketplaceId)?.timeZone ?? 'UTC');
    return { marketplaceId, zone, today: dayIn(zone, now) };
  });
  const today = clocks.map((clock) => clock.today).sort()[0] ?? dayIn(BEIJING, now);
  const range = rangeOf(periodOf(filter, today));
  const own = filter.period === 'today' || filter.period === 'yesterday';
  const spans = clocks.map((clock) => ({
    ...clock,
    ...(own ? rangeOf(periodOf(filter, clock.today)) : range),
    cut: cutOf(clock.zone, clock.today, read),
  }));
  return { filter, zone: filter.zone, spans, range, now, today, unfinished: range.to >= today };
}
