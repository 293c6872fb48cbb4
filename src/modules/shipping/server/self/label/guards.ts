import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { WriteWork } from '#modules/marketplace/server/index.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import { ALIVE, LabelState } from '../../../contract/self/label-state.ts';
import { loaded, orderRef, type SelfDoc } from '../load.ts';
import { standsOf } from '../mark.ts';
import { addressOf } from '../orders.ts';
import { cancelAsked, obstacle } from '../rules.ts';

/** States in which the goods are held and nobody has sent them. */
const BUYABLE: readonly string[] = ['printing', 'ready', 'trouble'];

const titleOf = (state: LabelState): string => LabelState.meta()?.states?.[state]?.title ?? state;

/** Whether the platform has, or may have, a label of the document. */
export const hasLabel = (doc: Pick<SelfDoc, 'labelState'>): boolean => ALIVE.includes(doc.labelState);

/** What a label cannot be had for, whatever its parcel weighs. @throws refused B1421 */
export function requireKind(doc: SelfDoc): void {
  if (doc.origin === 'OFFLINE') throw refused('线下订单请在承运商处申请运单', 'B1421');
  if (doc.orders.length > 1) throw refused('合并发货的自发货单不能购买亚马逊面单：一张面单只能属于一个订单', 'B1421');
}

/**
 * Whether the order's address, as far as it is kept, is no longer the one that the document was made for. What was not known
 * then and is now, because a report told it that comes later than the order, has not moved.
 */
async function addressMoved(ctx: Ctx, doc: SelfDoc): Promise<boolean> {
  const now = await addressOf(ctx, doc.orders.map(orderRef));
  const kept = ['country', 'region', 'postalCode'] as const;
  return now.some((order) => kept.some((part) => doc[part] !== '' && order[part] !== doc[part]));
}

/**
 * Whether a label may be bought for a document, which is locked, as its orders are by this.
 * @throws conflict in another state or where a label is alive, refused B1421 for its kind or what stands in its way
 */
export async function requireBuyable(ctx: Ctx, doc: SelfDoc): Promise<void> {
  requireKind(doc);
  if (!BUYABLE.includes(doc.state) || doc.posting !== null) {
    throw conflict(`单据状态为【${selfDoc.states[doc.state].title}】，不能执行【申请运单】`);
  }
  if (hasLabel(doc)) throw conflict(`面单${titleOf(doc.labelState)}，不能重复申请`);
  const told = [...(await standsOf(ctx, doc.orders)).values()].some(
    ({ state }) => state !== 'refused' && state !== 'cancelled',
  );
  if (told) throw conflict('已标记发货，不能再申请运单');
  const why = await obstacle(ctx, doc);
  if (why) throw refused(why, 'B1421');
  if (await addressMoved(ctx, doc)) throw refused('订单的收件地址已变更，请反审核后核对并重新保存', 'B1421');
}

/** The same once more right before a purchase leaves, which may be a while later: words where it must not leave. */
export function stillWanted({ runtime, companyId }: WriteWork, labelId: string): Promise<string | undefined> {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<{ doc: string }>`
      SELECT doc_id AS doc FROM shipping.self_label
       WHERE company_id = ${companyId} AND id = ${labelId} AND state = 'asking'`.execute(ctx.db);
    if (!rows[0]) return '面单已不在申请中';
    const doc = await loaded(ctx, rows[0].doc);
    if (!BUYABLE.includes(doc.state) && doc.state !== 'held') return '自发货单已不能发货';
    if ((await cancelAsked(ctx, doc)).length > 0) return '买家申请取消';
    return (await addressMoved(ctx, doc)) ? '订单的收件地址已变更' : undefined;
  });
}
