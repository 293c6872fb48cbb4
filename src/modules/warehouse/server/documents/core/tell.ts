import { flowTells } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { examined, remind } from '#modules/message/server/index.ts';
import type { StockDocument, StockKind } from './load.ts';

/** Event that people subscribe to. */
export const DOCUMENT_EVENT = 'warehouse.document';

/** Says to whoever approves that a document waits, and to its maker what became of it; where a flow decides, the flow does. */
export async function tell(
  ctx: Ctx,
  kind: StockKind,
  doc: StockDocument,
  name: string,
  reason: string | undefined,
): Promise<void> {
  if (await flowTells(ctx, kind.def, doc.id)) return;
  const about = { event: DOCUMENT_EVENT, documentType: kind.def.name, documentId: doc.id };
  const words = `${kind.def.title} ${doc.number}`;
  const dedupeKey = `${DOCUMENT_EVENT}:${doc.id}:${name}:${doc.version}`;
  await examined(ctx, about);
  if (name === 'submit' || name === 'recounted') {
    await remind(ctx, {
      ...about,
      to: { permission: kind.audit, except: ctx.userId },
      approval: true,
      title: `${words} 待审核`,
      content: `${ctx.userName} 提交了${words}，请审核。`,
      dedupeKey,
    });
  }
  if ((name === 'approve' || name === 'reject') && doc.createdBy !== null && doc.createdBy !== ctx.userId) {
    const result = name === 'approve' ? '已通过' : '被驳回';
    await remind(ctx, {
      ...about,
      to: [doc.createdBy],
      title: `${words} ${result}`,
      content: `${ctx.userName} 审核了${words}：${result}${reason ? `，原因：${reason}` : ''}`,
      dedupeKey,
    });
  }
}
