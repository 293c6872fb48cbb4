import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { CardInput } from '../../../contract/transport/price.ts';
import { tierProblem } from '../rules/tiers.ts';
import { requireChannel } from './cards.ts';
import { TIERS } from './current.ts';

/** Why a card cannot be, in words for the user; undefined for a good one. */
export function cardProblem({ validFrom, validTo, tiers }: CardInput): string | undefined {
  if (validTo !== null && validTo < validFrom) return '失效日期不能早于生效日期';
  return tierProblem(tiers);
}

type Kept = Pick<CardInput, 'validFrom' | 'validTo' | 'currency' | 'fuel' | 'minCharge' | 'remark' | 'fees' | 'tiers'>;

/** A card as text that is the same where it says the same. */
function told(card: Kept): string {
  const { validFrom, validTo, currency, fuel, minCharge, remark } = card;
  return JSON.stringify([
    [validFrom, validTo, currency, plainDecimal(fuel), plainDecimal(minCharge), remark],
    card.fees.map(({ name, amount, per }) => [name, plainDecimal(amount), per]),
    card.tiers.map(({ from, to, price }) => [plainDecimal(from), to && plainDecimal(to), plainDecimal(price)]),
  ]);
}

async function newest(ctx: Ctx, channelId: string): Promise<(Kept & { id: string; seq: number }) | undefined> {
  const { rows } = await sql<Kept & { id: string; seq: number }>`
    SELECT v.id, v.seq, v.valid_from AS "validFrom", v.valid_to AS "validTo", v.currency, v.fuel::text,
           v.min_charge::text AS "minCharge", v.remark, v.fees, ${TIERS} AS tiers
      FROM shipping.price_version AS v
     WHERE v.company_id = ${ctx.companyId} AND v.channel_id = ${channelId} ORDER BY v.seq DESC LIMIT 1`.execute(ctx.db);
  return rows[0];
}

async function write(ctx: Ctx, channelId: string, seq: number, card: CardInput, origin: string): Promise<string> {
  const { id } = await ctx.db
    .insertInto('shipping.price_version')
    .values({
      company_id: ctx.companyId,
      channel_id: channelId,
      seq,
      valid_from: card.validFrom,
      valid_to: card.validTo,
      currency: card.currency,
      fuel: card.fuel,
      min_charge: card.minCharge,
      fees: JSON.stringify(card.fees),
      origin,
      remark: card.remark,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('shipping.price_tier')
    .values(
      card.tiers.map(({ from, to, price }) => ({
        company_id: ctx.companyId,
        version_id: id,
        from_qty: from,
        to_qty: to,
        price,
      })),
    )
    .execute();
  return id;
}

/**
 * Adds a price card to a channel. From its first day on it counts instead of all that were written before, which stay as
 * they are; a card that says what the newest one says is not added again.
 * @throws notFound for an unknown channel, refused B1331 for a card that cannot be
 */
export async function addCard(ctx: Ctx, channelId: string, card: CardInput, origin: 'manual' | 'import') {
  const problem = cardProblem(card);
  if (problem) throw refused(problem, 'B1331');
  const channel = await requireChannel(ctx, channelId, true);
  const last = await newest(ctx, channelId);
  if (last && told(last) === told(card)) return { id: last.id, seq: last.seq, added: false };
  const seq = (last?.seq ?? 0) + 1;
  const id = await write(ctx, channelId, seq, card, origin);
  await audit(ctx, {
    action: origin === 'import' ? '导入价卡' : '新增价卡',
    resource: 'shipping.price',
    resourceId: channelId,
    after: { channel: channel.name, seq, ...card },
  });
  return { id, seq, added: true };
}
