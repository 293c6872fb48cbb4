import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { admit, hashPassword } from '../../password.ts';
import { closeSessionsOf } from '../../sessions.ts';
import { requireAnotherOwner, requireMayChange, requireNoMorePower, type Target, targetOf } from './guard.ts';
import { oneTimePassword } from './one-time.ts';
import { MEMBER } from './save.ts';

/**
 * Somebody of the company may work no more: he was disabled or removed, left by himself, or his account ended by its date.
 * What waits for him has to find others.
 */
export const memberLeft = event<{ memberId: string }>('identity.memberLeft');

/** All of them or none; in one order for everybody, so that two such calls do not wait for each other. */
async function targetsOf(ctx: Ctx, ids: readonly string[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const id of [...new Set(ids)].sort()) {
    const target = await targetOf(ctx, id);
    await requireMayChange(ctx, target);
    targets.push(target);
  }
  return targets;
}

async function setDisabled(ctx: Ctx, target: Target, disabled: boolean): Promise<void> {
  await ctx.db
    .updateTable('identity.member')
    .set({ is_disabled: disabled, version: sql`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', target.id)
    .execute();
  await audit(ctx, {
    action: disabled ? '停用子账号' : '启用子账号',
    resource: MEMBER,
    resourceId: target.id,
    before: { is_disabled: target.is_disabled },
    after: { is_disabled: disabled },
  });
}

/** Takes people out of service; their sessions end with the commit, and what waits for them passes on. */
export async function disable(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ctx.userId && ids.includes(ctx.userId)) throw refused('不能停用本人账号', 'B0167');
  const targets = await targetsOf(ctx, ids);
  await requireAnotherOwner(ctx, ids);
  for (const target of targets) {
    await setDisabled(ctx, target, true);
    await closeSessionsOf(ctx, { companyId: ctx.companyId, memberId: target.id }, '账号已停用，请联系管理员');
    await emit(ctx, memberLeft, { memberId: target.id });
  }
}

export async function enable(ctx: Ctx, ids: readonly string[]): Promise<void> {
  for (const target of await targetsOf(ctx, ids)) await setDisabled(ctx, target, false);
}

/** Ends every session of these people; answers how many there were. */
export async function signOff(ctx: Ctx, ids: readonly string[]): Promise<number> {
  let sessions = 0;
  for (const target of await targetsOf(ctx, ids)) {
    const { n } = await ctx.db
      .selectFrom('identity.session')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('member_id', '=', target.id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', sql<string>`kit.now()`)
      .executeTakeFirstOrThrow();
    await closeSessionsOf(ctx, { companyId: ctx.companyId, memberId: target.id }, '管理员已将您强制下线');
    await audit(ctx, { action: '强制下线', resource: MEMBER, resourceId: target.id, after: { sessions: n } });
    sessions += n;
  }
  return sessions;
}

/** The account is free for others at once; what he did keeps his name. */
export async function remove(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ctx.userId && ids.includes(ctx.userId)) throw refused('不能删除本人账号', 'B0168');
  const targets = await targetsOf(ctx, ids);
  await requireAnotherOwner(ctx, ids);
  for (const { id, name, account } of targets) {
    await ctx.db
      .updateTable('identity.member')
      .set({ deleted_at: sql`kit.now()`, is_disabled: true, version: sql`version + 1` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
    await ctx.db
      .updateTable('identity.department')
      .set({ leader_id: null })
      .where('company_id', '=', ctx.companyId)
      .where('leader_id', '=', id)
      .execute();
    // Doors that lead to the account without its password.
    for (const table of ['identity.account_bind', 'identity.external_identity'] as const) {
      await ctx.db.deleteFrom(table).where('company_id', '=', ctx.companyId).where('member_id', '=', id).execute();
    }
    await closeSessionsOf(ctx, { companyId: ctx.companyId, memberId: id }, '账号已删除');
    await emit(ctx, memberLeft, { memberId: id });
    await audit(ctx, { action: '删除子账号', resource: MEMBER, resourceId: id, before: { name, account } });
  }
}

/** A new password, shown once; his sessions end. */
export async function resetTo(open: OpenCtx, id: string): Promise<{ id: string; password: string }> {
  const options = { requestId: open.requestId, ip: open.ip };
  const may = async (ctx: Ctx) => {
    const target = await targetOf(ctx, id);
    if (id === ctx.userId) throw refused('请在个人中心修改本人密码', 'B0169');
    await requireNoMorePower(ctx, target);
    return target;
  };
  await inTenant(open.runtime, open.principal, may, options);
  const password = oneTimePassword();
  const hash = await admit(() => hashPassword(password, open.runtime.secrets.pepper));
  await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      await may(ctx);
      const was = await ctx.db
        .selectFrom('identity.member')
        .select('password_hash')
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await ctx.db
        .insertInto('identity.password_history')
        .values({ company_id: ctx.companyId, member_id: id, password_hash: was.password_hash })
        .execute();
      await ctx.db
        .updateTable('identity.member')
        .set({ password_hash: hash, password_changed_at: sql`kit.instant()`, must_change_password: true })
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .execute();
      await closeSessionsOf(ctx, { companyId: ctx.companyId, memberId: id }, '密码已修改，请重新登录');
      await audit(ctx, { action: '重置密码', resource: MEMBER, resourceId: id });
    },
    options,
  );
  return { id, password };
}
