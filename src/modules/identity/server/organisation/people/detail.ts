import Bowser from 'bowser';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { namedScopes, registered } from '../scopes.ts';
import { reachTexts, STATE } from './list.ts';
import { assignedTo } from './rights.ts';

/** "Chrome · Windows" of a browser's name for itself. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return '未知设备';
  try {
    const { browser, os } = Bowser.parse(userAgent);
    return [browser.name, os.name].filter(Boolean).join(' · ') || '未知设备';
  } catch {
    return '未知设备';
  }
}

async function sessionsOf(ctx: Ctx, memberId: string) {
  const rows = await ctx.db
    .selectFrom('identity.session')
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at'])
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.now()`)
    .orderBy('last_seen_at', 'desc')
    .limit(20)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    device: deviceOf(row.user_agent),
    loginAt: row.created_at,
    seenAt: row.last_seen_at,
  }));
}

/** A person with his roles, his limits and where he is logged in. @throws AppError 404 */
export async function personDetail(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('identity.member as m')
    .innerJoin('identity.company as c', 'c.company_id', 'm.company_id')
    .select(['m.id', 'm.version', 'm.name', 'm.account', 'm.user_type as userType', 'm.dept_id as deptId'])
    .select(['m.email', 'm.tel', 'm.expire_date as expireDate', 'm.remark', STATE.as('state')])
    .where('m.company_id', '=', ctx.companyId)
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound();
  const assigned = await assignedTo(ctx, id);
  const texts = (await reachTexts(ctx, [id])).get(id) ?? {};
  return {
    ...row,
    roleIds: [...assigned.roleIds],
    scopes: await namedScopes(ctx, assigned.scopes, 'ALL'),
    byRoles: registered(ctx).map(({ name }) => ({ dimension: name, text: texts[name] ?? '全部' })),
    sessions: await sessionsOf(ctx, id),
  };
}
