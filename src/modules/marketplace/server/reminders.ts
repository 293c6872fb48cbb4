import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { countryOf } from '../contract/marketplaces.ts';
import { reportUpload } from '../contract/uploads.ts';

async function storeOf(ctx: Ctx, accountId: string): Promise<{ id: string; name: string } | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.seller_account as a')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .select(['s.id', 's.name', 'a.region'])
    .where('a.company_id', '=', ctx.companyId)
    .where('a.id', '=', accountId)
    .executeTakeFirst();
  return row && { id: row.id, name: `${row.name}（${row.region}）` };
}

/** Tells those who can authorise stores that one no longer synchronises until they do; once a day per account. */
export async function remindOfBlock(
  ctx: Ctx,
  accountId: string,
  state: 'blocked_auth' | 'blocked_role',
  reason: string,
): Promise<void> {
  const store = await storeOf(ctx, accountId);
  if (!store) return;
  const lost = state === 'blocked_auth';
  const event = lost ? 'marketplace.authorisationLost' : 'marketplace.roleMissing';
  await remind(ctx, {
    to: { permission: 'amz:store:authorize' },
    title: `${lost ? '店铺授权失效' : '店铺缺少权限角色'}：${store.name}`,
    content: lost
      ? '订单、库存等数据已停止同步，重新授权后自动回补。'
      : `部分数据无法同步：${reason}\n请在卖家后台为应用开通角色后重新授权。`,
    event,
    documentType: 'store',
    documentId: store.id,
    dedupeKey: `${event}:${accountId}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`,
  });
}

/** Tells those who can authorise stores which sites of an account stay off because the company's plan has no room. */
export async function remindOfPlan(ctx: Ctx, accountId: string, marketplaceIds: readonly string[]): Promise<void> {
  const store = await storeOf(ctx, accountId);
  if (!store) return;
  const event = 'marketplace.planFull';
  await remind(ctx, {
    to: { permission: 'amz:store:authorize' },
    title: `站点数量已达套餐上限：${store.name}`,
    content: `未启用的站点：${marketplaceIds.map(countryOf).join('、')}。\n停用其他站点或升级套餐后，可在店铺管理中启用。`,
    event,
    documentType: 'store',
    documentId: store.id,
    dedupeKey: `${event}:${accountId}:${marketplaceIds.toSorted().join(',')}`.slice(0, 200),
  });
}

/** Tells those who can authorise advertising that a consent is lost; once a day per store and region. */
export async function remindOfAds(ctx: Ctx, storeId: string, region: string): Promise<void> {
  const store = await ctx.db
    .selectFrom('marketplace.store')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', storeId)
    .executeTakeFirst();
  if (!store) return;
  const event = 'marketplace.adsLost';
  await remind(ctx, {
    to: { permission: 'adv:store:authorize' },
    title: `广告授权失效：${store.name}（${region}）`,
    content: '广告数据已停止同步，重新授权后自动回补。',
    event,
    documentType: 'store',
    documentId: storeId,
    dedupeKey: `${event}:${storeId}:${region}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`,
  });
}

/**
 * Tells those who can authorise stores that the marketplace refuses the application itself, once a day. No seller is to
 * blame. `accountId` names the account that brought an application of its own.
 */
export async function remindOfApplication(ctx: Ctx, accountId: string | undefined): Promise<void> {
  const store = accountId === undefined ? undefined : await storeOf(ctx, accountId);
  await remind(ctx, {
    to: { permission: 'amz:store:authorize' },
    title: store ? `应用密钥无效：${store.name}` : '应用密钥无效',
    content: store
      ? '该店铺的私有应用被亚马逊拒绝，同步已暂停。请核对 Client Id 与 Client Secret 后重新保存，店铺授权本身未改变。'
      : '亚马逊拒绝了本系统的应用密钥，所有店铺的同步已暂停，请联系管理员更换密钥。店铺授权本身未改变。',
    event: 'marketplace.applicationRefused',
    ...(store ? { documentType: 'store', documentId: store.id } : {}),
    dedupeKey: `marketplace.applicationRefused:${accountId ?? ''}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`,
  });
}

/**
 * Tells those who can authorise stores that the secret of this system's application ends and Amazon has sent no new one; once
 * a day. `day` is yyyy-MM-dd, of UTC.
 */
export async function remindOfSecret(ctx: Ctx, daysLeft: number, day: string): Promise<void> {
  const event = 'marketplace.secretExpiring';
  await remind(ctx, {
    to: { permission: 'amz:store:authorize' },
    title: daysLeft >= 0 ? `应用密钥 ${daysLeft} 天后到期` : '应用密钥已到期',
    content: `本系统的亚马逊应用密钥于 ${day} 到期，自动更换尚未成功。到期后所有店铺停止同步，请管理员在亚马逊开发者中心登记通知队列，或更换密钥后写入配置。`,
    event,
    dedupeKey: `${event}:${ctx.runtime.clock.now().toISOString().slice(0, 10)}`,
  });
}

/** Tells those who look after the stores which figures of a site came near or over their limit; once a day per site. */
export async function remindOfPerformance(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  day: string,
  lines: readonly string[],
): Promise<void> {
  const store = await storeOf(ctx, accountId);
  if (!store) return;
  const event = 'marketplace.performance';
  await remind(ctx, {
    to: { permission: 'amz:performance:view' },
    title: `店铺绩效预警：${store.name} ${countryOf(marketplaceId)}`,
    content: lines.join('\n'),
    event,
    documentType: 'performance',
    documentId: store.id,
    dedupeKey: `${event}:${accountId}:${marketplaceId}:${day}:${lines.join('|')}`.slice(0, 200),
  });
}

/** Tells whoever uploaded a file that nothing of it was loaded, where he may not be looking any more. */
export async function remindOfUpload(ctx: Ctx, batch: { id: string; number: string }, reason: string): Promise<void> {
  if (ctx.userId === null) return;
  await remind(ctx, {
    to: [ctx.userId],
    title: `报表 ${batch.number} 入库失败，已全部回退`,
    content: reason,
    event: 'marketplace.uploadFailed',
    documentType: reportUpload.name,
    documentId: batch.id,
  });
}
