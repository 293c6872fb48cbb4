import type { SpApi, Write, WriteKind } from '#modules/marketplace/server/index.ts';
import { SUBMIT } from '../../contract/draft.ts';
import { canonical, notShown } from '../form/values.ts';
import { itemPath, liveOf } from '../live.ts';
import { LISTING_WRITE, type ListingWrite, refusalIn } from './submit.ts';

/**
 * Between the wish and the call somebody may have changed the listing in Seller Central: an attribute that is no longer what
 * the draft began on is not overwritten. A call that is made once more finds its own effect, which is none of that.
 */
async function unfit(api: SpApi, { marketplaceId, request }: Write): Promise<string | undefined> {
  const { sellerId, sku, isNew, base, sent } = request as ListingWrite;
  const live = await liveOf({ api, marketplaceId, account: { sellingPartnerId: sellerId } }, sku);
  const isOwn = live !== undefined && notShown(live.attributes, sent).length === 0;
  if (isNew) return live && !isOwn ? `平台SKU ${sku} 在该站点已存在，没有提交` : undefined;
  if (!live) return '亚马逊没有这个商品，没有提交';
  const others = Object.entries(base).filter(([name, values]) => {
    const now = canonical(live.attributes[name] ?? []);
    return now !== canonical(values) && now !== canonical(sent[name] ?? []);
  });
  return others.length === 0 ? undefined : '提交前商品已在卖家后台被修改，没有覆盖，请重新编辑';
}

/** After a lost answer: whether the listing shows what was sent. */
async function verify(api: SpApi, { marketplaceId, request }: Write): Promise<'done' | 'absent'> {
  const { sellerId, sku, isNew, sent } = request as ListingWrite;
  const live = await liveOf({ api, marketplaceId, account: { sellingPartnerId: sellerId } }, sku);
  if (!live) return 'absent';
  return isNew || notShown(live.attributes, sent).length === 0 ? 'done' : 'absent';
}

/** 商品刊登: one listing of one marketplace. A second call has the effect of the first, so a lost answer is called again. */
export const listingKind: WriteKind = {
  kind: LISTING_WRITE,
  title: '商品刊登',
  permission: SUBMIT,
  call: ({ marketplaceId, request }) => {
    const { sellerId, sku, isNew, body } = request as ListingWrite;
    return {
      operation: isNew ? 'putListingsItem' : 'patchListingsItem',
      method: isNew ? 'PUT' : 'PATCH',
      path: itemPath(sellerId, sku),
      query: { marketplaceIds: [marketplaceId], issueLocale: 'zh_CN' },
      body,
    };
  },
  unfit,
  verify,
  refusalIn,
  problemOf: ({ status, message }) => (status === 400 ? `亚马逊拒绝：${message}` : undefined),
};
