import { formatMoney } from '#kit/contract/format.ts';
import { flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { APPROVE, blocRequest, CARRY } from '../../contract/bloc.ts';
import type { Bloc } from './load.ts';

/** Event that people subscribe to. */
export const BLOC_EVENT = 'finance.blocRequest';

const RESULTS: Record<string, string> = {
  approve: '已通过，等待执行',
  return: '被退回',
  carry: '已执行',
  void: '已作废，账已冲回',
};

/**
 * Says to whoever approves or carries out that a request waits, and to its maker what became of it; where a flow decides,
 * the flow says who approves and how it ended.
 * @param name the step that was taken
 */
export async function tell(ctx: Ctx, doc: Bloc, name: string, reason: string | undefined): Promise<void> {
  const about = { event: BLOC_EVENT, documentType: blocRequest.name, documentId: doc.id };
  const words = `往来申请 ${doc.number}`;
  const dedupeKey = `${BLOC_EVENT}:${doc.id}:${name}:${doc.version}`;
  const flow = await flowTells(ctx, blocRequest, doc.id);
  if ((name === 'submit' && !flow) || name === 'approve') {
    const [waits, did] = name === 'submit' ? ['待审核', '提交'] : ['待执行', '审核通过'];
    await remind(ctx, {
      ...about,
      to: { permission: name === 'submit' ? APPROVE : CARRY },
      approval: name === 'submit',
      title: `${words} ${waits}`,
      content: `${ctx.userName} ${did}了${words}（${formatMoney(doc.amount, doc.currency)}），${waits}。`,
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
