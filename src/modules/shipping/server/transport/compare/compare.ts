import type { z } from 'zod';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { quoteChannel } from '../../../contract/transport/calls.ts';
import type { Comparison, QuoteRow, Sending } from '../../../contract/transport/compare.ts';
import { scalesOf } from '../rules/weigh.ts';
import { inZone } from '../rules/zone.ts';
import { type PricedChannel, pricedChannels } from './cards.ts';
import { quoteOf, ranked } from './quote.ts';
import { shipmentOf } from './sending.ts';

/** Reads size and weight of boxes and nothing else. */
const PLAIN = {
  billUnit: 'CBM',
  divisor: 6000,
  weightStep: '0',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  kgPerCbm: null,
} as const;

const ratesFor = (ctx: Ctx, channels: readonly PricedChannel[], day: string) =>
  ratesOn(
    ctx,
    channels.flatMap(({ card }) => card?.currency ?? []),
    day,
  );

/**
 * 比价: what every channel in use into a country and zone asks for boxes on a day, the best first.
 * @throws refused B1341 without boxes, B1342 without a destination
 */
export async function compare(ctx: Ctx, input: z.output<typeof Sending>): Promise<Comparison> {
  const { boxes, country, zone, day } = await shipmentOf(ctx, input);
  if (country === null) throw refused('请选择目的国', 'B1342');
  const channels = (await pricedChannels(ctx, { country }, day)).filter((channel) => inZone(channel.zone, zone));
  const rates = await ratesFor(ctx, channels, day);
  const scales = scalesOf(boxes);
  const plain = scales(PLAIN);
  return {
    day,
    country,
    boxes: boxes.reduce((sum, box) => sum + box.count, 0),
    weight: 'why' in plain ? null : plain.actual,
    volume: 'why' in plain ? null : plain.volume,
    quotes: ranked(channels.map((channel) => quoteOf(channel, scales, day, rates))),
  };
}

/** What one channel asks for boxes on a day. @throws notFound, refused B1341 without boxes */
export async function quote(ctx: Ctx, input: z.output<typeof quoteChannel.body>): Promise<QuoteRow> {
  const { boxes, day } = await shipmentOf(ctx, input);
  const [channel] = await pricedChannels(ctx, { channelId: input.channelId }, day);
  if (!channel) throw notFound('渠道不存在');
  return quoteOf(channel, scalesOf(boxes), day, await ratesFor(ctx, [channel], day));
}
