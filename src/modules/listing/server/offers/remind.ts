import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { remind } from '#modules/message/server/index.ts';

/** Tells those who may change prices that some did not take effect; once a day and site. */
export async function remindOfUnconfirmed(
  ctx: Ctx,
  { accountId, marketplaceId }: { accountId: string; marketplaceId: string },
  count: number,
): Promise<void> {
  const event = 'listing.unconfirmed';
  const store = (await storeNames(ctx)).get(accountId) ?? '';
  await remind(ctx, {
    to: { permission: 'amz:price:edit' },
    title: `调价未生效：${store} ${countryOf(marketplaceId)} ${count} 个商品`,
    content: '亚马逊已受理，但一小时后商品上仍不是新的售价或库存，请在卖家后台核实。',
    event,
    documentType: 'offerChange',
    documentId: accountId,
    dedupeKey: `${event}:${accountId}:${marketplaceId}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`,
  });
}
