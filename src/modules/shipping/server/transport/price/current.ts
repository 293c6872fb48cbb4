import { sql } from 'kysely';

/**
 * The price card of channel `c` (an alias of shipping.channel) that counts on a day, as `v`: the last written of those that
 * have begun. It may have come to its own end before; whoever asks has to look at `valid_to`.
 */
export const cardOn = (day: string) => sql`LATERAL (
  SELECT p.* FROM shipping.price_version AS p
   WHERE p.company_id = c.company_id AND p.channel_id = c.id AND p.valid_from <= ${day}::date
   ORDER BY p.seq DESC LIMIT 1) AS v`;

/** Tiers of card `v` from the lowest up, as JSON. */
export const TIERS = sql`(
  SELECT jsonb_agg(jsonb_build_object('from', trim_scale(t.from_qty)::text, 'to', trim_scale(t.to_qty)::text,
                                      'price', trim_scale(t.price)::text) ORDER BY t.from_qty)
    FROM shipping.price_tier AS t WHERE t.company_id = v.company_id AND t.version_id = v.id)`;
