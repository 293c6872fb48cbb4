import type { Ctx } from '#kit/server/context.ts';
import { examined, remind } from '#modules/message/server/index.ts';
import { EXCHANGE_CONFIRM, purchaseExchange } from '../../contract/exchange.ts';

/** Event that people subscribe to. */
export const EXCHANGE_EVENT = 'purchase.exchange';

interface Told {
  id: string;
  number: string;
}

const about = (id: string) => ({ event: EXCHANGE_EVENT, documentType: purchaseExchange.name, documentId: id });

/** Says to whoever confirms exchanges that one waits. */
export async function askToConfirm(ctx: Ctx, doc: Told, order: string): Promise<void> {
  await remind(ctx, {
    ...about(doc.id),
    to: { permission: EXCHANGE_CONFIRM, except: ctx.userId },
    approval: true,
    title: `采购换货单 ${doc.number} 待确认`,
    content: `${ctx.userName} 为采购单 ${order} 新建了换货，请与供应商确认。`,
    dedupeKey: `${EXCHANGE_EVENT}:${doc.id}`,
  });
}

/** Somebody decided: nobody else is asked any more, and its maker hears of it. */
export async function tellDecided(ctx: Ctx, doc: Told & { createdBy: string | null }, words: string): Promise<void> {
  await examined(ctx, about(doc.id));
  if (doc.createdBy === null || doc.createdBy === ctx.userId) return;
  await remind(ctx, {
    ...about(doc.id),
    to: [doc.createdBy],
    title: `采购换货单 ${doc.number} ${words}`,
    content: `${ctx.userName} 处理了采购换货单 ${doc.number}：${words}`,
    dedupeKey: `${EXCHANGE_EVENT}:${doc.id}:${words}`,
  });
}
