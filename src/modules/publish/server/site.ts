import { type AppError, notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import {
  type AccountRef,
  ApiRefused,
  AuthLost,
  accountOf,
  ComeBackLater,
  createSpApi,
  type SpApi,
} from '#modules/marketplace/server/index.ts';

/** Where a listing stands, and how to ask Amazon about it. */
export interface Site {
  account: AccountRef;
  marketplaceId: string;
  api: SpApi;
}

/** Whoever asks: a person who waits, or work that goes on without one. */
export type Asker = Pick<OpenCtx, 'runtime' | 'principal'>;

/** Splits "marketplaceId-accountId". */
export function siteParts(site: string): { marketplaceId: string; accountId: string } {
  const at = site.indexOf('-');
  return { marketplaceId: site.slice(0, at), accountId: site.slice(at + 1) };
}

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

const BUSY = 'B0761';

/** Whether somebody was refused for want of calls alone: later the same may be had. */
export function isBusy(error: AppError): boolean {
  return (error.data as { code?: unknown } | null)?.code === BUSY;
}

/** What a call that somebody waits for says when it fails. @throws AppError in Chinese */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthLost) throw refused('店铺授权已失效，请重新授权', 'B0760');
    if (error instanceof ComeBackLater) {
      throw refused(`亚马逊接口繁忙，请 ${Math.max(1, Math.ceil(error.afterMs / 1000))} 秒后重试`, BUSY);
    }
    if (error instanceof ApiRefused) {
      const role = error.status === 403 ? '缺少权限角色，' : '';
      throw refused(`亚马逊拒绝：${role}${error.message}`, 'B0762');
    }
    throw error;
  }
}
