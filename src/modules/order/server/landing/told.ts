import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import {
  type AccountRef,
  type Days,
  forgetTaken,
  itemsAside,
  type LandCounts,
  type ReportSource,
  type Taking,
  taking,
} from '#modules/marketplace/server/index.ts';
import { packagesWait } from '../acts/confirm.ts';

/** Deliveries of one selling partner wait for each other until the transaction ends. */
export async function holdOrders(ctx: Ctx, account: AccountRef): Promise<void> {
  const key = `orders:${ctx.companyId}:${account.sellingPartnerId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
}

const placeOf = ({ sellingPartnerId }: AccountRef): string => `orders:${sellingPartnerId}`;

/** Business days of purchase of the orders of this delivery, as it tells them and as they were known. */
async function daysOf(ctx: Ctx): Promise<Days | undefined> {
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    SELECT least(n.first, t.first)::text AS first, greatest(n.last, t.last)::text AS last
      FROM (SELECT least(min(local_date), min(old_date)) AS first, greatest(max(local_date), max(old_date)) AS last
              FROM pg_temp.landing_order) AS n,
           (SELECT min(local_date) AS first, max(local_date) AS last FROM pg_temp.touched_orders) AS t`.execute(ctx.db);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? undefined : { first, last };
}

/** Somebody tells something about orders of these days: files that told of them before may say something else now. */
export async function forgetTold(ctx: Ctx, account: AccountRef): Promise<void> {
  const days = await daysOf(ctx);
  if (days) await forgetTaken(ctx, placeOf(account), days);
}

/** What is known of a report of orders. */
export function toldBefore(ctx: Ctx, source: ReportSource): Promise<Taking> {
  return taking(ctx, source, placeOf(source.account));
}

/** Remembers a report of which every order was taken over, in the transaction that landed it. */
export async function keepTold(ctx: Ctx, file: Taking, counts: LandCounts): Promise<void> {
  const days = await daysOf(ctx);
  if (days) await file.keep(counts, days);
}

/**
 * A report whose orders nobody has told anything about since it was loaded: each of its orders would be kept as it is.
 * Undefined where it must be read all the same: its orders would confirm packages that were reported meanwhile, or settle
 * what of an order waits in the quarantine.
 */
export async function toldAgain(ctx: Ctx, source: ReportSource): Promise<LandCounts | undefined> {
  await holdOrders(ctx, source.account);
  const { known } = await toldBefore(ctx, source);
  if (!known) return undefined;
  const aside = await itemsAside(ctx, source.account.id, source.reportType);
  return aside.length === 0 && !(await packagesWait(ctx, source.account.id)) ? known : undefined;
}
