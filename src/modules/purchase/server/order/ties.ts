import type { Ctx } from '#kit/server/context.ts';
import { type ExtensionPoint, extensionPoint } from '#kit/server/extension.ts';

/** What other modules made of a purchase order, and purchasing cannot know of as it lies below them. */
export interface OrderTie {
  /** Why the order cannot be given up yet, in words for whoever tries; undefined where nothing stands in the way. */
  why(ctx: Ctx, orderId: string): Promise<string | undefined>;
}

export const orderTies: ExtensionPoint<OrderTie> = extensionPoint('purchase.orderTies');
