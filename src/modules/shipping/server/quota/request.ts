import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { decideQuota, quotaDetail, requestQuota } from '../../contract/quota/calls.ts';
import { RequestState } from '../../contract/quota/fields.ts';
import { quotaRow } from './list.ts';
import { lockedQuota } from './save.ts';

const RESOURCE = 'shipping.quota';
type Written = { id: string; version: number };

/** A room with what Amazon was asked for beyond it, the newest first. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Reply<typeof quotaDetail>> {
  const quota = await quotaRow(ctx, id);
  if (!quota) throw notFound('仓容额度不存在或已删除');
  const rows = await ctx.db
    .selectFrom('shipping.quota_request')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('quota_id', '=', id)
    .orderBy('id', 'desc')
    .execute();
  return {
    quota,
    requests: rows.map((row) => ({
      id: row.id,
      state: row.state as RequestState,
      wanted: new Decimal(row.wanted).toFixed(),
      granted: row.granted === null ? null : new Decimal(row.granted).toFixed(),
      unit: quota.unit,
      fee: row.fee,
      currency: row.currency,
      remark: row.remark,
      createdByName: row.created_by_name,
      createdAt: row.created_at,
      decidedByName: row.decided_by_name,
      decidedAt: row.decided_at,
      version: row.version,
    })),
  };
}

/** Notes that Amazon was asked for more; the fee is in the currency of the room's site. @throws notFound */
export async function request(ctx: Ctx, input: z.output<typeof requestQuota.body>): Promise<Written> {
  const quota = await lockedQuota(ctx, input.id);
  const currency = marketplaceOf(quota.marketplace_id)?.currency ?? 'USD';
  const { wanted, fee, remark } = input;
  const made = await ctx.db
    .insertInto('shipping.quota_request')
    .values({
      company_id: ctx.companyId,
      quota_id: quota.id,
      wanted,
      fee,
      currency,
      remark,
      created_by_name: ctx.userName,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '申请仓容额度',
    resource: RESOURCE,
    resourceId: quota.id,
    after: { wanted, unit: quota.unit, fee, currency, remark },
  });
  return made;
}

/**
 * Notes what Amazon answered to a request; without a number all of it was granted.
 * @throws refused B1395 more than was asked for; conflict for one that is decided or was changed, notFound
 */
export async function decide(ctx: Ctx, input: z.output<typeof decideQuota.body>): Promise<Written> {
  const before = await ctx.db
    .selectFrom('shipping.quota_request')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound('申请不存在或已删除');
  const state = before.state as RequestState;
  if (state !== 'pending') {
    throw conflict(`申请状态为【${RequestState.meta()?.states?.[state]?.title ?? state}】，不能重复登记`);
  }
  if (input.version !== undefined && input.version !== before.version) throw conflict('申请已被修改，请刷新后重试');
  const granted = input.state === 'approved' ? (input.granted ?? before.wanted) : null;
  if (granted !== null && new Decimal(granted).greaterThan(before.wanted)) {
    throw refused(`获批额度不能超过申请额度 ${new Decimal(before.wanted).toFixed()}`, 'B1395');
  }
  const { version } = await ctx.db
    .updateTable('shipping.quota_request')
    .set({
      state: input.state,
      granted,
      version: before.version + 1,
      decided_by_name: ctx.userName,
      decided_at: sql<string>`kit.now()`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '登记仓容申请结果',
    resource: RESOURCE,
    resourceId: before.quota_id,
    before: { state },
    after: { state: input.state, granted },
  });
  return { id: input.id, version };
}
