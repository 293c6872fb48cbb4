import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { CardRow, CardState, FeeInput, TierInput } from '../../../contract/transport/price.ts';
import { TIERS } from './current.ts';

interface Found extends Omit<CardRow, 'state' | 'endsOn' | 'tierText' | 'feeText'> {
  channelId: string;
  validTo: string | null;
  /** First day of a later written card. */
  nextFrom: string | null;
}

const tierText = (tiers: readonly TierInput[]) =>
  tiers.map(({ from, to, price }) => `${to === null ? `${from}+` : `${from}–${to}`}: ${price}`).join('；');

const feeText = (fees: readonly FeeInput[]) =>
  fees
    .map(({ name, amount, per }) => `${name} ${new Decimal(amount).toFixed(2)}${per === 'BOX' ? '/箱' : ''}`)
    .join('；');

/** When a card stops to count, and what it is on a day. One that never counted has no end. */
function placeOf({ validFrom, validTo, nextFrom }: Found, today: string): Pick<CardRow, 'state' | 'endsOn'> {
  const before = nextFrom && dayAfter(nextFrom, -1);
  if (before && before < validFrom) return { state: 'replaced', endsOn: null };
  const isReplaced = before !== null && (validTo === null || before < validTo);
  const endsOn = isReplaced ? before : validTo;
  const state = (): CardState => {
    if (validFrom > today) return 'coming';
    if (endsOn === null || endsOn >= today) return 'current';
    return isReplaced ? 'replaced' : 'expired';
  };
  return { state: state(), endsOn };
}

/** Price cards of channels, the newest first. */
export async function cardsOf(ctx: Ctx, channels: readonly string[]): Promise<(CardRow & { channelId: string })[]> {
  const { rows } = await sql<Found>`
    SELECT v.id, v.channel_id AS "channelId", v.seq, v.valid_from AS "validFrom", v.valid_to AS "validTo", v.currency,
           trim_scale(v.fuel)::text AS fuel, trim_scale(v.min_charge)::text AS "minCharge", v.fees, v.origin, v.remark,
           v.created_by_name AS "createdByName", v.created_at AS "createdAt", ${TIERS} AS tiers,
           min(v.valid_from) OVER (PARTITION BY v.channel_id ORDER BY v.seq
                                   ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS "nextFrom"
      FROM shipping.price_version AS v
     WHERE v.company_id = ${ctx.companyId} AND v.channel_id = ANY (${[...channels]}::uuid[])
     ORDER BY v.channel_id, v.seq DESC`.execute(ctx.db);
  const today = ctx.clock.today();
  return rows.map((row) => {
    const { validTo: _, nextFrom: __, ...card } = row;
    return { ...card, ...placeOf(row, today), tierText: tierText(row.tiers), feeText: feeText(row.fees) };
  });
}

/** A channel by its id. @throws notFound */
export async function requireChannel(ctx: Ctx, id: string, lock = false) {
  const query = ctx.db
    .selectFrom('shipping.channel')
    .select(['id', 'name', 'bill_unit as billUnit', 'carrier_id as carrierId'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id);
  const channel = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!channel) throw notFound('渠道不存在');
  return channel;
}

/** All cards of one channel, the newest first. @throws notFound */
export async function channelCardsOf(ctx: Ctx, id: string): Promise<CardRow[]> {
  await requireChannel(ctx, id);
  return (await cardsOf(ctx, [id])).map(({ channelId: _, ...card }) => card);
}
