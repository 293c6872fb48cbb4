import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type OnlineFilter, OnlineRow } from '../../contract/security.ts';
import { requireMayChange, targetOf } from '../organisation/people/guard.ts';
import { deviceOf } from '../self/devices.ts';
import { closeSession } from '../sessions.ts';
import { securityPolicyOf } from './policy.ts';

type DbRow = Omit<OnlineRow, 'device' | 'current'> & { userAgent: string | null };

/** Sessions of the company that still count. */
async function live(ctx: Ctx) {
  const { idleMinutes } = await securityPolicyOf(ctx);
  return ctx.db
    .selectFrom('identity.session as s')
    .innerJoin('identity.member as m', (join) =>
      join.onRef('m.company_id', '=', 's.company_id').onRef('m.id', '=', 's.member_id'),
    )
    .where('s.company_id', '=', ctx.companyId)
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', sql<string>`kit.now()`)
    .where('s.last_seen_at', '>', sql<string>`kit.now() - make_interval(mins => ${idleMinutes})`)
    .where('m.is_disabled', '=', false)
    .where('m.deleted_at', 'is', null);
}

/** Who works at the moment, from where and with what, the latest first. */
export async function onlinePage(ctx: Ctx, request: PageRequest<OnlineFilter>): Promise<PageOf<OnlineRow>> {
  let query = (await live(ctx)).select([
    's.id',
    'm.name as userName',
    'm.account',
    's.ip',
    's.login_type as loginType',
    's.user_agent as userAgent',
    's.created_at as loggedInAt',
    's.last_seen_at as lastSeenAt',
    's.expires_at as expiresAt',
  ]);
  const { search, ip } = request.filter;
  if (search) {
    query = query.where((eb) =>
      eb.or([eb('m.name', 'ilike', containing(search)), eb('m.account', 'ilike', containing(search))]),
    );
  }
  if (ip) query = query.where('s.ip', 'like', containing(ip));
  return page<DbRow, OnlineRow>(ctx, request, {
    row: OnlineRow,
    query: listQuery(query),
    sort: { userName: 'm.name', loggedInAt: 's.created_at', lastSeenAt: 's.last_seen_at', ip: 's.ip' },
    order: [['s.last_seen_at', 'desc']],
    key: 's.id',
    map: ({ userAgent, ...row }) => ({ ...row, device: deviceOf(userAgent).name, current: row.id === ctx.sessionId }),
  });
}

/**
 * Ends sessions of others, all of them or none; owners are put out by owners only.
 * @throws AppError 404, B0191 for the caller's own session
 */
export async function forceSessionsOff(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const wanted = [...new Set(ids)].sort();
  if (ctx.sessionId && wanted.includes(ctx.sessionId)) throw refused('不能强退当前会话，请使用退出登录', 'B0191');
  for (const id of wanted) {
    const row = await (await live(ctx))
      .select(['s.member_id', 'm.name', 's.ip', 's.user_agent'])
      .where('s.id', '=', id)
      .executeTakeFirst();
    if (!row) throw notFound('会话不存在或已结束');
    await requireMayChange(ctx, await targetOf(ctx, row.member_id));
    await closeSession(ctx, id, '管理员已将您强制下线');
    await audit(ctx, {
      action: '强退',
      resource: 'identity.session',
      resourceId: id,
      before: { name: row.name, ip: row.ip, device: deviceOf(row.user_agent).name },
    });
  }
  return wanted.length;
}
