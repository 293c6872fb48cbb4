import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ChannelForm } from '../../../contract/transport/carrier.ts';
import type { FeeInput, TierInput } from '../../../contract/transport/price.ts';
import { CHANNEL } from '../carrier/detail.ts';
import { cardOn, TIERS } from '../price/current.ts';

/** A channel with the card that was begun last on a day; null where none was. */
export interface PricedChannel extends ChannelForm {
  id: string;
  carrier: string;
  card: {
    id: string;
    validTo: string | null;
    currency: string;
    fuel: string;
    minCharge: string;
    fees: FeeInput[];
    tiers: TierInput[];
  } | null;
}

/**
 * Channels in use into a country, or one channel by its id, with their cards of a day: one statement, which reads the tiers
 * of those cards alone.
 */
export async function pricedChannels(
  ctx: Ctx,
  wanted: { country: string } | { channelId: string },
  day: string,
): Promise<PricedChannel[]> {
  const condition =
    'channelId' in wanted
      ? sql`c.id = ${wanted.channelId}`
      : sql`c.country = ${wanted.country} AND NOT c.disabled AND NOT k.disabled`;
  const { rows } = await sql<PricedChannel>`
    SELECT ${CHANNEL}, k.name AS carrier, CASE WHEN v.id IS NOT NULL THEN jsonb_build_object(
             'id', v.id, 'validTo', v.valid_to, 'currency', v.currency, 'fuel', trim_scale(v.fuel)::text,
             'minCharge', trim_scale(v.min_charge)::text, 'fees', v.fees, 'tiers', ${TIERS}) END AS card
      FROM shipping.channel AS c
      JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
      LEFT JOIN ${cardOn(day)} ON true
     WHERE c.company_id = ${ctx.companyId} AND ${condition} ORDER BY c.id`.execute(ctx.db);
  return rows;
}
