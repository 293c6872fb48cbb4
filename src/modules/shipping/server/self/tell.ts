import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { SELF_SHIP } from '../../contract/self/fields.ts';
import type { SelfDoc } from './load.ts';

/** Reminders that a document stands still, or was called off because of its order. */
export const SELF_EVENT = 'shipping.selfTrouble';

/** Tells whoever sends goods; once a document, kind and day. */
export function tell(ctx: Ctx, doc: SelfDoc, kind: 'trouble' | 'cancelled', words: string): Promise<unknown> {
  const what = kind === 'trouble' ? '发货异常' : '已转为不发货';
  return remind(ctx, {
    event: SELF_EVENT,
    to: { permission: SELF_SHIP },
    title: `自发货单 ${doc.number} ${what}`,
    content: words,
    documentType: selfDoc.name,
    documentId: doc.id,
    dedupeKey: `${SELF_EVENT}:${doc.id}:${kind}:${ctx.clock.today()}`,
  });
}
