import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Marketplace, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { TodayFilter } from '../../contract/today.ts';
import { containing } from '../list/filter.ts';

const SLOT_MIN = 30;

/** A marketplace and its wall clock at one instant. */
export interface SiteClock {
  id: string;
  known: Marketplace | undefined;
  zone: string;
  /** "yyyy-MM-dd". */
  today: string;
  /** "yyyy-MM-dd HH:mm". */
  time: string;
  /** Begin of the half hour that is running, "HH:mm": everything before it is over. */
  closed: string;
}

/** "yyyy-MM-dd HH:mm" on the wall of a zone: the Swedish way of writing is ISO. */
function wallClock(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now);
}

/** The wall clock of a marketplace. Days before today are calendar days, whatever their length. */
export function clockOf(id: string, now: Date): SiteClock {
  const known = marketplaceOf(id);
  const zone = known?.timeZone ?? 'UTC';
  const time = wallClock(now, zone);
  const [today = '', clock = '00:00'] = time.split(' ');
  const [hour = '00', minute = '00'] = clock.split(':');
  return { id, known, zone, today, time, closed: `${hour}:${Number(minute) < SLOT_MIN ? '00' : '30'}` };
}

/** Marketplaces in which the company sells or has sold, under a filter, in the order of their ids. */
export async function sitesOf(ctx: Ctx, filter: TodayFilter): Promise<string[]> {
  const accounts = filter.accountIds?.length ? sql`AND account_id = ANY(${filter.accountIds}::uuid[])` : sql``;
  const { rows } = await sql<{ id: string }>`
    SELECT marketplace_id AS id FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId} AND enabled AND is_participating ${accounts}
     UNION SELECT marketplace_id FROM "order".order_day
     WHERE company_id = ${ctx.companyId} AND local_date > kit.now()::date - 32 ${accounts}
     ORDER BY 1`.execute(ctx.db);
  const ids = rows.map((row) => row.id);
  return filter.marketplaceIds?.length ? ids.filter((id) => filter.marketplaceIds?.includes(id)) : ids;
}

/** Site clocks as rows of a query: site (marketplace_id, zone, today, closed). */
export function siteRows(clocks: readonly SiteClock[]) {
  const rows = clocks.map(({ id, zone, today, closed }) => sql`(${id}, ${zone}, ${today}::date, ${closed}::time)`);
  return sql`(VALUES ${sql.join(rows)}) AS site (marketplace_id, zone, today, closed)`;
}

/** Whether a line was bought before its own day's closed time: the same hours of every day. */
export const BEFORE_CLOSED = sql<boolean>`(l.purchased_at < (l.local_date + site.closed) AT TIME ZONE site.zone)`;

/** Conditions of the filter on lines `l` and orders `o`. */
export function narrowed(ctx: Ctx, filter: TodayFilter) {
  const parts = [sql`l.company_id = ${ctx.companyId}`, sql`l.superseded_by IS NULL`];
  if (filter.accountIds?.length) parts.push(sql`l.account_id = ANY(${filter.accountIds}::uuid[])`);
  if (filter.fulfilledBy) parts.push(sql`o.fulfilled_by = ${filter.fulfilledBy}`);
  if (filter.isBusiness !== undefined) parts.push(sql`o.is_business = ${filter.isBusiness}`);
  if (filter.sku) parts.push(sql`l.seller_sku ILIKE ${containing(filter.sku)}`);
  return sql.join(parts, sql` AND `);
}
