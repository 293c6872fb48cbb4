import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { aboutNowThere } from '#modules/order/server/index.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { SELF_SHIP } from '../../contract/self/fields.ts';
import { dueDocs } from './list.ts';
import type { SelfDoc } from './load.ts';
import { dueOrders } from './waiting.ts';

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

/** Reminders that the time to ship is nearly over. */
export const DUE_EVENT = 'shipping.selfDue';

/** More are told with the next round. */
const MOST_TOLD = 50;

/**
 * Tells of documents that have not left, and of orders without one, whose time to ship is over within four hours; once each
 * and day.
 */
export async function tellDue(ctx: Ctx): Promise<void> {
  const now = await aboutNowThere(ctx.runtime);
  const say = (what: string, key: string, documentId?: string) =>
    remind(ctx, {
      event: DUE_EVENT,
      to: { permission: SELF_SHIP },
      title: `${what} 将在 4 小时内超过最晚发货时间`,
      content: '超过最晚发货时间会影响迟发率，请尽快发货。',
      ...(documentId === undefined ? {} : { documentType: selfDoc.name, documentId }),
      dedupeKey: `${DUE_EVENT}:${key}:${ctx.clock.today()}`,
    });
  for (const { id, number } of await dueDocs(ctx, now, MOST_TOLD)) await say(`自发货单 ${number}`, id, id);
  for (const number of await dueOrders(ctx, now, MOST_TOLD)) await say(`订单 ${number}`, number);
}
