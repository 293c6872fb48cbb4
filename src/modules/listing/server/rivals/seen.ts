import { type RawBuilder, sql } from 'kysely';
import { dayAfter, dayIn } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';

/** Between readings that are further apart than that, nobody knows who had the Buy Box. */
export const GAP_HOURS = 6;
/** Days of the past that are kept. */
export const SEEN_DAYS = 90;

// Whole seconds, so that parts of a time add up to it.
const at = (name: string) => sql.raw(`date_trunc('second', ${name})`);
const span = sql`extract(epoch FROM ${at('excluded.as_of')} - ${at('b.as_of')})::bigint`;
const gap = (from: string, to: string) => sql`${at(to)} - ${at(from)} > make_interval(hours => ${sql.lit(GAP_HOURS)})`;
const known = sql`(b.own_price IS NOT NULL AND NOT (${gap('b.as_of', 'excluded.as_of')}))`;

/**
 * The totals `(owned_sec, lost_sec, unseen_sec)` of the book `b` when `excluded` lands over it. The time between the two belongs to
 * what the older one said: owned or lost. It is unseen where we offered nothing then, and where it is a gap: readings that are more
 * than six hours apart. Exactly six hours are seen. A gap is as long as its readings are apart, whatever part of it lies within a
 * day: of one from 22:00 to 04:00 and a second, four hours are the next day's.
 */
export const TOTALS: RawBuilder<unknown> = sql`
  b.owned_sec + CASE WHEN ${known} AND b.own_featured THEN ${span} ELSE 0 END,
  b.lost_sec + CASE WHEN ${known} AND NOT b.own_featured THEN ${span} ELSE 0 END,
  b.unseen_sec + CASE WHEN ${known} THEN 0 ELSE ${span} END`;

/** What a book was before another one landed over it, for `RETURNING`; null where there was none. */
export const WAS: RawBuilder<unknown> = sql`
  old.as_of AS was_at, old.owned_sec AS owned_was, old.lost_sec AS lost_was, old.unseen_sec AS unseen_was`;

/**
 * An INSERT that puts the times of the books of `merged` (rows of the table with `WAS`) to the days of their sites. Days have as many
 * hours as the site gave them.
 */
export function keepSeenDays(): RawBuilder<unknown> {
  const part = sql`extract(epoch FROM least(s.until, d.ends) - greatest(s.since, d.begins))::int`;
  const earlier = sql`extract(epoch FROM greatest(s.since, d.begins) - s.since)::bigint`;
  return sql`
    INSERT INTO listing.offer_seen_day AS d (company_id, account_id, marketplace_id, asin, day, owned, lost, unseen, gaps,
           owned_before, lost_before)
    SELECT s.company_id, s.account_id, s.marketplace_id, s.asin, d.day, CASE WHEN s.owned THEN ${part} ELSE 0 END,
           CASE WHEN s.lost THEN ${part} ELSE 0 END, CASE WHEN s.owned OR s.lost THEN 0 ELSE ${part} END,
           (s.gap AND d.begins <= s.since)::int, s.owned_was + CASE WHEN s.owned THEN ${earlier} ELSE 0 END,
           s.lost_was + CASE WHEN s.lost THEN ${earlier} ELSE 0 END
      FROM (SELECT m.*, z.zone, ${at('was_at')} AS since, ${at('as_of')} AS until, owned_sec > owned_was AS owned,
                   lost_sec > lost_was AS lost, ${gap('was_at', 'as_of')} AS gap
              FROM merged AS m
              JOIN unnest(${MARKETPLACES.map(({ id }) => id)}::text[], ${MARKETPLACES.map(({ timeZone }) => timeZone)}::text[])
                AS z (marketplace_id, zone) ON z.marketplace_id = m.marketplace_id
             WHERE was_at IS NOT NULL) AS s
     CROSS JOIN LATERAL (
       SELECT day::date AS day, day AT TIME ZONE s.zone AS begins, (day + interval '1 day') AT TIME ZONE s.zone AS ends
         FROM generate_series(
                greatest((s.since AT TIME ZONE s.zone)::date, (s.until AT TIME ZONE s.zone)::date - ${sql.lit(SEEN_DAYS)})::timestamp,
                (s.until AT TIME ZONE s.zone)::date::timestamp, interval '1 day') AS g (day)) AS d
     WHERE least(s.until, d.ends) > greatest(s.since, d.begins)
     ORDER BY s.marketplace_id, s.asin, d.day
    ON CONFLICT (company_id, account_id, marketplace_id, asin, day) DO UPDATE
       SET (owned, lost, unseen, gaps) =
           (d.owned + excluded.owned, d.lost + excluded.lost, d.unseen + excluded.unseen, d.gaps + excluded.gaps)`;
}

/** Some days of each site, both included: how many, and how many days before the present one of the site the last is. */
export interface SeenPeriod {
  days: number;
  endsAgo: number;
}

/** First and last day of a period at a site, YYYY-MM-DD. */
export function seenDays(ctx: Ctx, zone: string, { days, endsAgo }: SeenPeriod): { from: string; to: string } {
  const to = dayAfter(dayIn(zone, ctx.clock.ms()), -endsAgo);
  return { from: dayAfter(to, 1 - days), to };
}

/** How we stand among the offers of a product: now, and over a period, in seconds. */
export interface SeenOffer {
  account_id: string;
  marketplace_id: string;
  asin: string;
  as_of: string;
  own_featured: boolean;
  featured_seller: string | null;
  /** Landed prices in the currency of the site; null where there is none. */
  own_landed: string | null;
  lowest_price: string | null;
  offer_count: number;
  /** Whether we offer it at all. */
  offered: boolean;
  owned: number;
  observed: number;
  /** Of the period until now, all of it. */
  elapsed: number;
}

/**
 * SELECT of SeenOffer, a row for each product whose offers were read, to join; of the products that `some` names alone (a SELECT with
 * account_id, marketplace_id and asin). Seconds of a period are the difference of what the totals were at its two ends, so that it
 * takes two rows of a product, however long it is.
 */
export function seenSelect(ctx: Ctx, period: SeenPeriod, some?: RawBuilder<unknown>): RawBuilder<SeenOffer> {
  const sites = MARKETPLACES.map(({ id, timeZone }) => {
    const { from, to } = seenDays(ctx, timeZone, period);
    return { id, timeZone, since: from, next: dayAfter(to, 1) };
  });
  const total = (name: 'owned' | 'lost', day: 'a' | 'z', begins: 'begins' | 'ends') =>
    sql.raw(
      `CASE WHEN ${day}.day IS NOT NULL THEN ${day}.${name}_before WHEN b.as_of <= t.${begins} THEN b.${name}_sec ELSE 0 END`,
    );
  const within = (name: 'owned' | 'lost') => sql`(${total(name, 'z', 'ends')} - ${total(name, 'a', 'begins')})`;
  // Sites live in two days at most. Named beforehand, these are found by an index; reckoned from each row, all days would be read.
  const dayOf = (alias: 'a' | 'z', day: 'since' | 'next', days: readonly string[]) => sql`
    LEFT JOIN listing.offer_seen_day AS ${sql.ref(alias)} ON ${sql.ref(`${alias}.company_id`)} = ${ctx.companyId}
     AND ${sql.ref(`${alias}.day`)} = ANY (${[...new Set(days)]}::date[]) AND ${sql.ref(`${alias}.day`)} = ${sql.ref(`t.${day}`)}
     AND ${sql.ref(`${alias}.account_id`)} = b.account_id AND ${sql.ref(`${alias}.marketplace_id`)} = b.marketplace_id
     AND ${sql.ref(`${alias}.asin`)} = b.asin`;
  return sql<SeenOffer>`
    SELECT b.account_id, b.marketplace_id, b.asin, b.as_of, b.own_featured, b.featured_seller, b.lowest_price, b.offer_count,
           b.own_price IS NOT NULL AS offered,
           (SELECT min((o.offer->>'landed')::numeric) FROM jsonb_array_elements(b.offers) AS o (offer)
             WHERE (o.offer->>'own')::boolean) AS own_landed,
           ${within('owned')} AS owned, ${within('owned')} + ${within('lost')} AS observed, t.elapsed
      FROM (SELECT *, extract(epoch FROM least(kit.now(), ends) - begins)::bigint AS elapsed
              FROM (SELECT site, since, next, since::timestamp AT TIME ZONE zone AS begins, next::timestamp AT TIME ZONE zone AS ends
                      FROM unnest(${sites.map(({ id }) => id)}::text[], ${sites.map(({ timeZone }) => timeZone)}::text[],
                                  ${sites.map(({ since }) => since)}::date[], ${sites.map(({ next }) => next)}::date[])
                        AS s (site, zone, since, next)) AS s) AS t
      JOIN listing.offer_book AS b ON b.company_id = ${ctx.companyId} AND b.marketplace_id = t.site
      ${
        some
          ? sql`JOIN (SELECT DISTINCT account_id, marketplace_id, asin FROM (${some}) AS k) AS k
        ON k.account_id = b.account_id AND k.marketplace_id = b.marketplace_id AND k.asin = b.asin`
          : sql``
      }
      ${dayOf(
        'a',
        'since',
        sites.map(({ since }) => since),
      )} ${dayOf(
        'z',
        'next',
        sites.map(({ next }) => next),
      )}`;
}

/** SELECT of the products that we offer while we do not have the Buy Box, by the newest offers known. */
export function lostSelect({ companyId }: Pick<Ctx, 'companyId'>): RawBuilder<{
  account_id: string;
  marketplace_id: string;
  asin: string;
}> {
  return sql`
    SELECT account_id, marketplace_id, asin FROM listing.offer_book
     WHERE company_id = ${companyId} AND own_price IS NOT NULL AND NOT own_featured`;
}

/** A day of a site: seconds in which a product's Buy Box was ours, was not, and was not looked at. */
export interface SeenDay {
  day: string;
  owned: number;
  lost: number;
  unseen: number;
}

/** SELECT of how the Buy Box of a product went by day, of days that lie between its first reading and its last. */
export function seenDaysSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, marketplaceId, asin }: { accountId: string; marketplaceId: string; asin: string | null },
): RawBuilder<SeenDay> {
  return sql<SeenDay>`
    SELECT day, owned, lost, unseen FROM listing.offer_seen_day
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId} AND asin = ${asin}`;
}
