import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, forbidden, notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { accountOf, stockOf } from '#modules/marketplace/server/index.ts';
import type { removeQuota, saveQuota } from '../../contract/quota/calls.ts';
import { StorageType } from '../../contract/quota/fields.ts';

type Input = z.output<typeof saveQuota.body>;
const RESOURCE = 'shipping.quota';

/** A room with its row locked until the transaction ends. @throws notFound, conflict for a stale version */
export async function lockedQuota(ctx: Ctx, id: string, version?: number) {
  const row = await ctx.db
    .selectFrom('shipping.quota')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('仓容额度不存在或已删除');
  if (version !== undefined && version !== row.version) {
    throw conflict(`仓容额度已被 ${row.updated_by_name} 修改，请刷新后重试`);
  }
  return row;
}

async function hasRequests(ctx: Ctx, id: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('shipping.quota_request')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('quota_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function requireSite(ctx: Ctx, { authid, marketplaceId }: Input): Promise<void> {
  const account = await accountOf(ctx.db, ctx.companyId, authid);
  if (!account) throw refused('店铺不存在或已取消授权', 'B1391');
  const reach = ctx.dataScope?.write.account;
  if (ctx.dataScope && reach !== null && !reach?.includes(authid)) throw forbidden('data');
  if (!account.marketplaceIds.includes(marketplaceId)) {
    throw refused(`店铺没有启用【${countryOf(marketplaceId)}】站点`, 'B1391');
  }
}

async function created(ctx: Ctx, input: Input) {
  await requireSite(ctx, input);
  const stock = stockOf(input.marketplaceId);
  const made = await ctx.db
    .insertInto('shipping.quota')
    .values({
      company_id: ctx.companyId,
      account_id: input.authid,
      marketplace_id: input.marketplaceId,
      stock,
      storage_type: input.storageType,
      month: `${input.month}-01`,
      unit: input.unit,
      room: input.room,
      remark: input.remark,
      created_by_name: ctx.userName,
      updated_by_name: ctx.userName,
    })
    .onConflict((at) => at.columns(['company_id', 'account_id', 'stock', 'storage_type', 'month']).doNothing())
    .returning(['id', 'version'])
    .executeTakeFirst();
  const type = StorageType.meta()?.states?.[input.storageType]?.title ?? input.storageType;
  if (!made) throw refused(`该店铺 ${stock} ${input.month} 的${type}额度已存在，请直接修改`, 'B1392');
  return made;
}

async function rewritten(ctx: Ctx, id: string, input: Input) {
  const before = await lockedQuota(ctx, id, input.version);
  if (before.unit !== input.unit && (await hasRequests(ctx, id))) {
    throw refused('已有申请记录，不能修改单位', 'B1393');
  }
  const { version } = await ctx.db
    .updateTable('shipping.quota')
    .set({
      unit: input.unit,
      room: input.room,
      remark: input.remark,
      version: before.version + 1,
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return { id, version, before: { unit: before.unit, room: before.room, remark: before.remark } };
}

/**
 * Writes the room that Amazon gives, or corrects it.
 * @throws refused B1391 a site that the store does not sell on, B1392 a room that is known, B1393 another unit after a request;
 *   conflict for a stale version, notFound
 */
export async function saveQuotaOf(ctx: Ctx, input: Input): Promise<{ id: string; version: number }> {
  const { id, version, ...rest } = input.id ? await rewritten(ctx, input.id, input) : await created(ctx, input);
  const { id: _, version: __, ...after } = input;
  await audit(ctx, {
    action: input.id ? '修改仓容额度' : '新增仓容额度',
    resource: RESOURCE,
    resourceId: id,
    ...rest,
    after: input.id ? { unit: after.unit, room: after.room, remark: after.remark } : after,
  });
  return { id, version };
}

/** Takes away a room that was entered by mistake. @throws refused B1394 after a request; conflict, notFound */
export async function removeQuotaOf(ctx: Ctx, input: z.output<typeof removeQuota.body>): Promise<{ id: string }> {
  const before = await lockedQuota(ctx, input.id, input.version);
  if (await hasRequests(ctx, input.id)) throw refused('已有申请记录，不能删除', 'B1394');
  await ctx.db
    .deleteFrom('shipping.quota')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  const { marketplace_id: marketplaceId, storage_type: storageType, month, unit, room } = before;
  await audit(ctx, {
    action: '删除仓容额度',
    resource: RESOURCE,
    resourceId: input.id,
    before: { marketplaceId, storageType, month, unit, room },
  });
  return { id: input.id };
}
