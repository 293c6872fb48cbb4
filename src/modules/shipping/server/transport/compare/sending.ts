import type { z } from 'zod';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { VIEW } from '../../../contract/fields.ts';
import type { Sending } from '../../../contract/transport/compare.ts';
import { boxesOf } from '../../order/boxes.ts';
import { loaded } from '../../order/load.ts';
import type { Boxes } from '../rules/weigh.ts';

/** What is sent, where to, and on which day. */
export interface Shipment {
  boxes: Boxes[];
  /** Null where only one channel is asked, which knows it. */
  country: string | null;
  zone: string;
  day: string;
}

/**
 * The boxes that were written down, or those of a ship order within the caller's reach, bound for its site.
 * @throws refused B1341 without boxes, forbidden without the right to see ship orders, notFound for an order out of reach
 */
export async function shipmentOf(ctx: Ctx, input: z.output<typeof Sending>): Promise<Shipment> {
  const day = input.day ?? ctx.clock.today();
  const { zone, orderId } = input;
  if (orderId === null) {
    if (input.boxes.length === 0) throw refused('请填写箱子的尺寸和重量', 'B1341');
    return { boxes: input.boxes, country: input.country, zone, day };
  }
  if (!can(ctx, VIEW)) throw forbidden(VIEW);
  const order = await loaded(ctx, orderId);
  const boxes = (await boxesOf(ctx, orderId)).map(({ items: _, ...box }) => ({ count: 1, ...box }));
  if (boxes.length === 0) throw refused(`发货单 ${order.number} 还没有装箱，无法比价`, 'B1341');
  return { boxes, country: input.country ?? countryOf(order.marketplaceId), zone, day };
}
