import { isIP } from 'node:net';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import type { SecuritySettings } from '../../contract/security.ts';
import { changes } from '../organisation/changes.ts';
import { ipAllowed, securityPolicyOf } from './policy.ts';

const RESOURCE = 'identity.security_policy';

/** The company's settings with what their editor needs to know. */
export async function settings(ctx: Ctx) {
  const policy = await securityPolicyOf(ctx);
  const { rows } = await sql<{ at: string | null; by: string | null; without: number }>`
    SELECT p.updated_at AS at, m.name AS by,
           (SELECT count(*) FROM identity.member e
             WHERE e.company_id = c.company_id AND e.deleted_at IS NULL AND NOT e.is_disabled
               AND NOT EXISTS (SELECT FROM identity.mfa f WHERE f.company_id = e.company_id AND f.member_id = e.id
                                  AND f.confirmed_at IS NOT NULL)) AS without
      FROM identity.company c
      LEFT JOIN identity.security_policy p ON p.company_id = c.company_id
      LEFT JOIN identity.member m ON m.company_id = p.company_id AND m.id = p.updated_by
     WHERE c.company_id = ${ctx.companyId}`.execute(ctx.db);
  const row = rows[0];
  return {
    ...policy,
    ipAllow: [...policy.ipAllow],
    ip: ctx.ip,
    updatedAt: row?.at ?? null,
    updatedByName: row?.by ?? null,
    withoutMfa: row?.without ?? 0,
  };
}

/** The network that an entry means, its host bits cut off; undefined where it is none. */
export function networkOf(entry: string): string | undefined {
  const [address = '', bits] = entry.trim().split('/');
  const family = isIP(address);
  if (family === 0) return undefined;
  const most = family === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  if (!Number.isInteger(length) || length < 0 || length > most) return undefined;
  return `${address}/${length}`;
}

function refuseField(msg: string): never {
  throw invalid([{ field: 'ipAllow', title: 'IP 允许名单', msg }]);
}

/** Networks in one spelling each. @throws AppError 400 naming the entry that is none */
function networksOf(entries: readonly string[]): string[] {
  return [...new Set(entries.map((entry) => networkOf(entry) ?? refuseField(`「${entry}」不是有效的 IP 地址或网段`)))];
}

/**
 * Keeps the settings; they hold for everybody from the next call on. Whoever sets the list of networks must be in it
 * himself, so that nobody shuts himself and his company out.
 * @throws AppError 400 for a network that is none, or a list without the caller's address
 */
export async function saveSettings(ctx: Ctx, input: SecuritySettings): Promise<void> {
  const networks = networksOf(input.ipAllow);
  if (networks.length > 0 && !ipAllowed(networks, ctx.ip ?? '')) {
    refuseField(`名单不包含您当前的 IP 地址 ${ctx.ip ?? '（未知）'}，保存后您将无法登录`);
  }
  const { ipAllow, ...before } = await securityPolicyOf(ctx);
  const row = {
    mfa_required: input.mfaRequired,
    password_profile: input.passwordProfile,
    idle_minutes: input.idleMinutes,
    max_sessions: input.maxSessions,
    // A network is kept without host bits: 203.0.113.7/24 is 203.0.113.0/24.
    ip_allow: sql<
      string[]
    >`(SELECT coalesce(array_agg(DISTINCT network(n::inet)), '{}') FROM unnest(${networks}::text[]) AS n)`,
    updated_by: ctx.userId,
    updated_at: sql<string>`kit.now()`,
  };
  await ctx.db
    .insertInto('identity.security_policy')
    .values({ company_id: ctx.companyId, ...row })
    .onConflict((on) => on.column('company_id').doUpdateSet(row))
    .execute();
  const after = { ...input, ipAllow: networks };
  const diff = changes({ ...before, ipAllow: [...ipAllow] }, after) ?? { before: {}, after: {} };
  await audit(ctx, { action: '修改安全设置', resource: RESOURCE, resourceId: ctx.companyId, ...diff });
}
