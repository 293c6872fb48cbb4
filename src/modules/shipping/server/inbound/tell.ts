import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { SHIP } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { hashOf } from './desk.ts';

/** Reminders that a plan at Amazon stands still until somebody does something. */
export const TROUBLE_EVENT = 'shipping.inboundTrouble';

/** Tells whoever sends goods that a plan is in trouble: they have long left the page. The same trouble once a day. */
export async function tellTrouble(ctx: Ctx, orderId: string, words: string): Promise<void> {
  const { number } = await ctx.db
    .selectFrom('shipping.ship_order')
    .select('number')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  await remind(ctx, {
    event: TROUBLE_EVENT,
    to: { permission: SHIP },
    title: `发货单 ${number} 的货件处理出错`,
    content: `${words}。请在「货件处理」中处理后重试。`,
    documentType: shipOrder.name,
    documentId: orderId,
    dedupeKey: `${TROUBLE_EVENT}:${orderId}:${ctx.clock.today()}:${hashOf(words).slice(0, 16)}`,
  });
}
