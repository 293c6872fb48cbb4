import type { Ctx } from '#kit/server/context.ts';
import { type ExtensionPoint, extensionPoint, extensionsOf } from '#kit/server/extension.ts';

/** A purchase order that a file names. */
export interface NamedOrder {
  id: string;
  supplierId: string;
  skus: readonly string[];
}

/** What is asked for an order; amounts in its currency. */
export interface OrderAsking {
  id: string;
  kind: 'DEPOSIT' | 'BALANCE';
  cashAccountId: string;
  remark: string;
  lines: readonly { title: string; amount: string }[];
}

/** What finance cannot know of purchase orders, as it lies below them; given by the module that orders. */
export interface OrderPayments {
  /** As the subjects of money name them, e.g. 'purchase.order'. */
  type: string;
  /** Orders by their numbers, as far as the caller may see them. */
  find(ctx: Ctx, numbers: readonly string[]): Promise<ReadonlyMap<string, NamedOrder>>;
  /** Asks to be paid for an order as its page does. @throws refused where it may not be asked for, or for more than is left */
  ask(ctx: Ctx, asking: OrderAsking): Promise<void>;
}

export const orderPayments: ExtensionPoint<OrderPayments> = extensionPoint('finance.orderPayments');

export function ordersOf(ctx: Ctx): OrderPayments {
  const [orders] = extensionsOf(ctx.runtime.modules, orderPayments);
  if (!orders) throw new Error('no module knows purchase orders');
  return orders;
}
