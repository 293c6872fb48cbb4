import { actsForFlow, flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { examined, remind } from '#modules/message/server/index.ts';
import { APPROVE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import type { Order } from './load.ts';

/** Event that people subscribe to. */
export const ORDER_EVENT = 'purchase.order';

/** Steps before which nobody's approval was pending, and of which nobody is told. */
const QUIET: readonly string[] = ['place', 'complete', 'reopen'];

/** Says to whoever approves that an order waits, and to its maker what became of it; where a flow decides, the flow does. */
export async function tell(ctx: Ctx, order: Order, name: string, reason: string | undefined): Promise<void> {
  if (QUIET.includes(name)) return;
  // Any other step is refused while a flow decides, or has ended it.
  if (name === 'submit' ? await flowTells(ctx, purchaseOrder, order.id) : actsForFlow(ctx)) return;
  const about = { event: ORDER_EVENT, documentType: purchaseOrder.name, documentId: order.id };
  const words = `采购单 ${order.number}`;
  const dedupeKey = `${ORDER_EVENT}:${order.id}:${name}:${order.version}`;
  await examined(ctx, about);
  if (name === 'submit') {
    await remind(ctx, {
      ...about,
      to: { permission: APPROVE, except: ctx.userId },
      approval: true,
      title: `${words} 待审核`,
      content: `${ctx.userName} 提交了${words}，请审核。`,
      dedupeKey,
    });
  }
  if ((name === 'approve' || name === 'reject') && order.createdBy !== null && order.createdBy !== ctx.userId) {
    const result = name === 'approve' ? '已通过' : '被驳回';
    await remind(ctx, {
      ...about,
      to: [order.createdBy],
      title: `${words} ${result}`,
      content: `${ctx.userName} 审核了${words}：${result}${reason ? `，原因：${reason}` : ''}`,
      dedupeKey,
    });
  }
}
