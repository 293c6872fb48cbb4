import { sql } from 'kysely';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import type { FreightKind } from '../../contract/freight/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import type { QuoteRow } from '../../contract/transport/compare.ts';
import { boxesOf } from '../order/boxes.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { type Agreed, agreedOf } from '../quote-request/agreed.ts';
import { pricedChannels } from '../transport/compare/cards.ts';
import { quoteOf } from '../transport/compare/quote.ts';
import { type Refusal, scalesOf } from '../transport/rules/weigh.ts';
import { basisOf } from './basis.ts';
import { putLines } from './lines.ts';
import { shareOver } from './rules/share.ts';

/** What freight is expected to come to, in its currency: by an answer that was chosen, else by the channel's card. */
interface Expected {
  currency: string;
  parts: { kind: FreightKind; amount: string }[];
  /** kg or m³ that are paid for; null where something else is counted. */
  quantity: string | null;
  versionId: string | null;
  answerId: string | null;
}

const some = (parts: Expected['parts']) => parts.filter(({ amount }) => new Decimal(amount).gt(0));

const byAnswer = ({ currency, freight, tax, otherFee, quantity, answerId }: Agreed): Expected => ({
  currency,
  parts: some([
    { kind: 'FREIGHT', amount: freight },
    { kind: 'DUTY', amount: tax },
    { kind: 'OTHER', amount: otherFee },
  ]),
  quantity,
  versionId: null,
  answerId,
});

const byCard = ({ currency, freight, fuelFee, fees, quantity, versionId }: QuoteRow): Expected => ({
  currency,
  parts: some([
    { kind: 'FREIGHT', amount: freight ?? '0' },
    { kind: 'SURCHARGE', amount: fuelFee ?? '0' },
    { kind: 'OTHER', amount: fees ?? '0' },
  ]),
  quantity,
  versionId,
  answerId: null,
});

async function expected(ctx: Ctx, order: ShipOrder, day: string): Promise<Expected | Refusal> {
  const agreed = await agreedOf(ctx, order);
  if (agreed) return byAnswer(agreed);
  if (order.channelId === null) return { why: '未选择渠道' };
  const [channel] = await pricedChannels(ctx, { channelId: order.channelId }, day);
  if (!channel) return { why: '未选择渠道' };
  const boxes = (await boxesOf(ctx, order.id)).map(({ items: _, ...box }) => ({ count: 1, ...box }));
  // Its rate is looked up apart: an estimate without one waits for it.
  const quote = quoteOf(channel, scalesOf(boxes), day, new Map([[channel.card?.currency ?? 'CNY', '1']]));
  return quote.total === null ? { why: quote.why ?? '' } : byCard(quote);
}

async function write(
  ctx: Ctx,
  order: ShipOrder,
  { parts, currency, quantity, versionId, answerId }: Expected,
  day: string,
): Promise<string | null> {
  const amounts = parts.map(({ amount }) => amount);
  const rate = (await knownRate(ctx, currency, day))?.rate ?? null;
  const total = rate === null ? null : round(new Decimal(sum(amounts)).times(rate), 2);
  const shares = total === null ? null : shareOver(total, amounts, 2);
  const rows = parts.map((part, index) => ({ n: index + 1, ...part, cny: shares?.[index] ?? null }));
  await sql`
    INSERT INTO shipping.freight_charge (company_id, order_id, line_no, shipment_no, kind, currency, amount, rate, rate_day,
      amount_cny, billed_weight, version_id, answer_id)
    SELECT ${ctx.companyId}, ${order.id}, r.n, ${order.shipmentNo}, r.kind, ${currency}, r.amount, ${rate},
           ${rate === null ? null : day}::date, r.cny, CASE WHEN r.n = 1 THEN ${quantity}::numeric END, ${versionId}, ${answerId}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, kind text, amount numeric, cny numeric)`.execute(
    ctx.db,
  );
  return total;
}

/**
 * 头程预估: what the forwarder's chosen answer comes to, else what the card of an order's channel asks for its boxes on a day,
 * takes the place of the estimate before, and is shared over its lines by billable weight. The order is locked by the caller. Answers why there is none, or why its lines
 * have none; nothing is refused, so that no dispatch waits for it.
 */
async function estimate(ctx: Ctx, order: ShipOrder, day = ctx.clock.today()): Promise<Refusal | undefined> {
  await sql`DELETE FROM shipping.freight_charge
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND bill_id IS NULL`.execute(ctx.db);
  const found = await expected(ctx, order, day);
  const asked = 'parts' in found && found.parts.length > 0 ? found : undefined;
  const total = asked ? await write(ctx, order, asked, day) : null;
  const basis = await basisOf(ctx, order, 'BILLABLE', undefined);
  if ('why' in basis) {
    // They are listed without a share, so that somebody sees what is missing.
    const sent = order.lines.filter(({ shipped }) => shipped > 0);
    await putLines(ctx, order.id, asked ? sent.map(({ id }) => ({ line: id, billable: null, estimated: null })) : []);
    return asked || !('why' in found) ? basis : found;
  }
  const weights = basis.lines.map(({ weight }) => weight);
  const shares = total === null ? [] : shareOver(total, weights, 2);
  const lines = basis.lines.map(({ line, weight }, index) => {
    return { line: line.id, billable: weight, estimated: shares[index] ?? null };
  });
  await putLines(ctx, order.id, asked ? lines : []);
  if (!asked) return 'why' in found ? found : { why: '价卡没有金额' };
  return total === null ? { why: `缺少 ${asked.currency} ${day} 汇率` } : undefined;
}

/** Estimates an order that has left, or left just now, and notes on it why it could not be. */
export async function estimateSent(ctx: Ctx, orderId: string): Promise<Refusal | undefined> {
  const order = await loaded(ctx, orderId);
  const problem = await estimate(ctx, order);
  if (problem && (order.channelId !== null || (await agreedOf(ctx, order)))) {
    await note(ctx, shipOrder.name, orderId, { kind: 'note', title: '头程费用未预估', body: problem.why });
  }
  return problem;
}
