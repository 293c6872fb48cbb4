import { flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { APPROVE, expenseDocument, PAY } from '../contract/document.ts';
import type { Expense } from './load.ts';

/** Event that people subscribe to. */
export const EXPENSE_EVENT = 'expense.document';

const RESULTS: Record<string, string> = {
  approve: '已通过，等待付款',
  return: '被退回',
  pay: '已付款',
  unpay: '的付款已冲销',
  reverse: '已冲销',
};

/**
 * Says to whoever approves or asks for the payment that an expense waits, and to its maker what became of it; where a flow
 * decides, the flow says who approves and how it ended.
 */
export async function tell(ctx: Ctx, doc: Expense, name: string, reason: string | undefined): Promise<void> {
  const about = { event: EXPENSE_EVENT, documentType: expenseDocument.name, documentId: doc.id };
  const words = `费用单 ${doc.number}`;
  const dedupeKey = `${EXPENSE_EVENT}:${doc.id}:${name}:${doc.version}`;
  const flow = await flowTells(ctx, expenseDocument, doc.id);
  if ((name === 'submit' && !flow) || name === 'approve') {
    const waits = name === 'submit' ? '待审核' : '待申请付款';
    await remind(ctx, {
      ...about,
      to: { permission: name === 'submit' ? APPROVE : PAY },
      approval: name === 'submit',
      title: `${words} ${waits}`,
      content: `${ctx.userName} ${name === 'submit' ? '提交' : '审核通过'}了${words}（${doc.currency} ${doc.amount}），${waits}。`,
      dedupeKey: `${dedupeKey}:next`,
    });
  }
  const result = RESULTS[name];
  if (result && !flow && doc.createdBy !== null && doc.createdBy !== ctx.userId) {
    await remind(ctx, {
      ...about,
      to: [doc.createdBy],
      title: `${words} ${result}`,
      content: `${ctx.userName} 处理了${words}：${result}${reason ? `，原因：${reason}` : ''}`,
      dedupeKey,
    });
  }
}
