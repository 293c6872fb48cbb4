import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/** Number of the change of an order that waits for approval; undefined where none does. */
export async function waitingChange(ctx: Ctx, orderId: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('purchase.amendment')
    .select('number')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row?.number;
}

/** An order whose change waits is held: what it comes to is open. @throws refused B1081 */
export async function requireNoChange(ctx: Ctx, orderId: string): Promise<void> {
  const number = await waitingChange(ctx, orderId);
  if (number !== undefined) throw refused(`变更单${number}还在审核，请先处理`, 'B1081');
}
