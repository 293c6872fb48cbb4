import { notFound } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type AccountRef, accountOf, createSpApi, type SpApi } from '#modules/marketplace/server/index.ts';

export { siteOf as siteParts } from '#modules/listing/server/index.ts';
export { asked, isBusy } from '#modules/marketplace/server/index.ts';

/** Where a listing stands, and how to ask Amazon about it. */
export interface Site {
  account: AccountRef;
  marketplaceId: string;
  api: SpApi;
}

/** Whoever asks: a person who waits, or work that goes on without one. */
export type Asker = Pick<OpenCtx, 'runtime' | 'principal'>;

/** A site of the caller's that he reaches; somebody waits for its calls. @throws 404 */
export async function siteOf(
  open: Asker,
  { accountId, marketplaceId }: { accountId: string; marketplaceId: string },
): Promise<Site> {
  const account = await inTenant(open.runtime, open.principal, (ctx) => accountOf(ctx.db, ctx.companyId, accountId), {
    readOnly: true,
  });
  if (!account?.marketplaceIds.includes(marketplaceId)) throw notFound('店铺站点不存在或未授权');
  return { account, marketplaceId, api: createSpApi(open.runtime, account, { calls: 0, throttled: 0 }) };
}
