import { audit } from '#kit/server/audit.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';
import { type LwaClient, LwaRefused, refreshAccess } from '../api/lwa.ts';
import { houseClient } from '../application/house.ts';
import { startAccount } from '../sync/start.ts';
import { boundElsewhere, lostTheRace, ownedElsewhere, writeAccount } from './consent.ts';
import type { LastingTokens } from './exchange.ts';
import { proxyAddress } from './proxy-address.ts';
import { type Granted, participations, proveSeller } from './seller-proof.ts';

export interface PrivateApp {
  groupid: string;
  marketplaceid: string;
  sellerid: string;
  clientid: string;
  clientsecret: string;
  refreshtoken: string;
  proxyhost?: string | undefined;
  proxyport?: number | undefined;
}

/** Tokens for the credentials, or why the marketplace does not take them. @throws AppError B0343 to B0346 */
async function prove(client: LwaClient, refreshToken: string): Promise<LastingTokens> {
  try {
    const tokens = await refreshAccess(client, refreshToken);
    return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  } catch (error) {
    if (!(error instanceof LwaRefused)) throw refused('亚马逊授权服务暂时没有响应，请检查代理后重试', 'B0346');
    if (error.error === 'invalid_client') throw refused('Client Id 或 Client Secret 无效', 'B0343');
    throw refused('Refresh Token 无效，或不属于该应用', 'B0344');
  }
}

/** The live calls: the token must show that this seller sells in the site that was named. @throws AppError B0345 to B0348 */
async function requireSite(runtime: Runtime, granted: Granted, sellerId: string, site: string): Promise<void> {
  const { status, marketplaceIds } = await participations(runtime, granted).catch(() => {
    throw refused('亚马逊接口暂时没有响应，请检查代理后重试', 'B0346');
  });
  if (status === 401 || status === 403) {
    throw refused('凭证不能访问该区域的店铺，请确认站点与应用角色', 'B0345');
  }
  if (status !== 200) throw refused('亚马逊接口暂时没有响应，请稍后重试', 'B0346');
  if (!marketplaceIds.includes(site)) throw refused('该卖家未在所选站点开店', 'B0347');
  const proof = await proveSeller(runtime, granted, sellerId, site);
  if (proof === 'unknown') throw refused('亚马逊接口暂时没有响应，请稍后重试', 'B0346');
  if (proof === 'other') throw refused('Seller Id 与凭证不一致，或应用缺少 Product Listing 角色', 'B0348');
}

/**
 * Keeps the credentials of a seller's private application, sealed, after a live call with them; nothing is written before
 * that. Its account then works as after a consent.
 */
export async function savePrivate(open: OpenCtx, input: PrivateApp): Promise<{ id: string }> {
  const { runtime, principal } = open;
  const region = marketplaceOf(input.marketplaceid)?.region;
  if (!region) throw refused('请选择站点', 'B0302');
  const options = { requestId: open.requestId, ip: open.ip };
  await inTenant(
    runtime,
    principal,
    async (ctx) => {
      const store = await ctx.db
        .selectFrom('marketplace.store')
        .select('id')
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', input.groupid)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!store) throw notFound('店铺不存在或已删除');
    },
    { ...options, readOnly: true },
  );
  const proxyUrl = await proxyAddress(runtime, input.proxyhost, input.proxyport);
  const client: LwaClient = {
    ...(await houseClient(runtime)),
    clientId: input.clientid,
    clientSecret: input.clientsecret,
    proxyUrl: proxyUrl ?? undefined,
  };
  const tokens = await prove(client, input.refreshtoken);
  const granted = { client, region, accessToken: tokens.accessToken };
  await requireSite(runtime, granted, input.sellerid, input.marketplaceid);
  const { sellerid: sellingPartnerId, groupid: storeId } = input;
  if (await ownedElsewhere(runtime, { companyId: principal.companyId, region }, sellingPartnerId)) {
    throw boundElsewhere();
  }
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      const own = { client, proxyUrl };
      const id = await writeAccount(ctx, { storeId, region, sellingPartnerId, tokens, own });
      await startAccount(ctx, id);
      await audit(ctx, {
        action: '保存私有应用授权',
        resource: 'marketplace.sellerAccount',
        resourceId: id,
        after: { sellingPartnerId, region, clientId: client.clientId, proxy: proxyUrl },
      });
      return { id };
    },
    options,
  ).catch((error: unknown) => {
    throw lostTheRace(error) ? boundElsewhere() : error;
  });
}
