import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Transport } from '../../../contract/fields.ts';
import type { carrierDetail, listChannels } from '../../../contract/transport/calls.ts';
import type { ChannelForm } from '../../../contract/transport/carrier.ts';
import { cardsOf } from '../price/cards.ts';
import { carrierRow } from './list.ts';

/** Fields of channel `c` as its form names them. */
export const CHANNEL = sql`
  c.id, c.name, c.mode, c.country, c.zone, c.days_min AS "daysMin", c.days_max AS "daysMax", c.bill_unit AS "billUnit",
  c.divisor, trim_scale(c.weight_step)::text AS "weightStep", c.round_per AS "roundPer",
  trim_scale(c.min_billable)::text AS "minBillable", trim_scale(c.split_rate)::text AS "splitRate",
  c.break_up AS "breakUp", trim_scale(c.kg_per_cbm)::text AS "kgPerCbm", c.disabled`;

async function channelsOf(ctx: Ctx, carrier: string): Promise<(ChannelForm & { id: string })[]> {
  const { rows } = await sql<ChannelForm & { id: string }>`
    SELECT ${CHANNEL} FROM shipping.channel AS c
     WHERE c.company_id = ${ctx.companyId} AND c.carrier_id = ${carrier} ORDER BY c.disabled, c.country, c.id`.execute(
    ctx.db,
  );
  return rows;
}

/** A carrier with its channels and the card that each of them has now. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Reply<typeof carrierDetail>> {
  const row = await carrierRow(ctx, id);
  if (!row) throw notFound('物流商不存在');
  const channels = await channelsOf(ctx, id);
  const cards = await cardsOf(
    ctx,
    channels.map((channel) => channel.id),
  );
  const now = new Map(
    cards.filter((card) => card.state === 'current').map(({ channelId, ...card }) => [channelId, card]),
  );
  const { name, code, contact, phone, terms, supplierId, remark } = row;
  return {
    row,
    form: { name, code, contact, phone, terms, supplierId, remark, disabled: row.state === 'disabled' },
    channels: channels.map((channel) => ({ ...channel, card: now.get(channel.id) ?? null })),
  };
}

/** Channels in use, by carrier and name. */
export async function channelChoices(ctx: Ctx): Promise<Reply<typeof listChannels>> {
  const rows = await ctx.db
    .selectFrom('shipping.channel as c')
    .innerJoin('shipping.carrier as k', (join) =>
      join.onRef('k.company_id', '=', 'c.company_id').onRef('k.id', '=', 'c.carrier_id'),
    )
    .select(['c.id', 'k.name as carrier', 'c.name', 'c.mode', 'c.country'])
    .where('c.company_id', '=', ctx.companyId)
    .where('c.disabled', '=', false)
    .where('k.disabled', '=', false)
    .orderBy('k.name')
    .orderBy('c.name')
    .limit(5000)
    .execute();
  return rows.map((row) => ({ ...row, mode: row.mode as Transport }));
}
