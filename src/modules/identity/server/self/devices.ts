import Bowser from 'bowser';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { Device } from '../../contract/self.ts';
import { securityPolicyOf } from '../security/policy.ts';
import { closeSession } from '../sessions.ts';

const KINDS = ['desktop', 'mobile', 'tablet'] as const;

/** Browser and system in words, e.g. "Chrome 130 · Windows 10". */
export function deviceOf(userAgent: string | null): Pick<Device, 'name' | 'kind'> {
  if (!userAgent) return { name: '未知设备', kind: 'other' };
  const found = Bowser.parse(userAgent);
  const browser = [found.browser.name, found.browser.version?.split('.')[0]].filter(Boolean).join(' ');
  const system = [found.os.name, found.os.versionName ?? found.os.version].filter(Boolean).join(' ');
  const kind = KINDS.find((each) => each === found.platform.type) ?? 'other';
  return { name: [browser, system].filter(Boolean).join(' · ') || '未知设备', kind };
}

/** Sessions of the caller that still count, the latest used first. */
export async function devicesOf(ctx: Ctx): Promise<Device[]> {
  const { idleMinutes } = await securityPolicyOf(ctx);
  const rows = await ctx.db
    .selectFrom('identity.session')
    .select(['id', 'login_type', 'ip', 'user_agent', 'created_at', 'last_seen_at'])
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.now()`)
    .where('last_seen_at', '>', sql<string>`kit.now() - make_interval(mins => ${idleMinutes})`)
    .orderBy('last_seen_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ...deviceOf(row.user_agent),
    ip: row.ip,
    loginType: row.login_type as Device['loginType'],
    loggedInAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    current: row.id === ctx.sessionId,
  }));
}

/** Ends another session of the caller; anybody else's answers 404. */
export async function closeOwnSession(ctx: Ctx, id: string): Promise<void> {
  if (id === ctx.sessionId) throw refused('当前设备请使用退出登录', 'B0161');
  const own = (await devicesOf(ctx)).find((device) => device.id === id);
  if (!own) throw notFound();
  await closeSession(ctx, id, '账号已在其他设备下线');
  await audit(ctx, {
    action: '下线设备',
    resource: 'identity.session',
    resourceId: id,
    before: { device: own.name, ip: own.ip },
  });
}
