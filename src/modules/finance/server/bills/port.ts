import type { Ctx } from '#kit/server/context.ts';
import { type ExtensionPoint, extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Subject } from '../ledger/types.ts';

/** A purchase order as a bill needs it. */
export interface Purchase {
  subject: Subject;
  supplierId: string;
  /** What it says for what is billed; CNY, decimal text. */
  amount: string;
}

/** What finance cannot know of purchases at the platform, as it lies below both; given by the module that orders there. */
export interface BillPurchases {
  /** Purchase orders by the platform's number of an order; `amount` is for that order only. Unknown ones are missing. */
  byPlatformOrder(ctx: Ctx, orderIds: readonly string[]): Promise<ReadonlyMap<string, Purchase>>;
  /** A purchase order that went out; `amount` is its whole. @throws refused B0953 for none, another currency or a draft */
  byNumber(ctx: Ctx, number: string): Promise<Purchase>;
}

export const billPurchases: ExtensionPoint<BillPurchases> = extensionPoint('finance.billPurchases');

/** The purchases behind the bills. */
export function purchasesOf(ctx: Ctx): BillPurchases {
  const [purchases] = extensionsOf(ctx.runtime.modules, billPurchases);
  if (!purchases) throw new Error('no module knows the purchases behind the bills');
  return purchases;
}
