import { BlockList, isIP } from 'node:net';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';

/** What a company asks of its people's log-ins. */
export interface SecurityPolicy {
  /** Everybody needs a second factor; who has none sets it up at the next log-in. */
  mfaRequired: boolean;
  passwordProfile: 'standard' | 'amazonDpp';
  /** Minutes without a call after which a session is over. */
  idleMinutes: number;
  /** Sessions of one person at a time; the oldest ends when there are more. */
  maxSessions: number;
  /** Networks (CIDR) from which people may work; empty: from anywhere. */
  ipAllow: readonly string[];
}

export const DEFAULT_POLICY: SecurityPolicy = {
  mfaRequired: false,
  passwordProfile: 'standard',
  idleMinutes: 180,
  maxSessions: 3,
  ipAllow: [],
};

/**
 * Policy of a company, the defaults where it set none. With a context: of the caller's company; with a transaction of
 * the system: of the named one.
 */
export async function securityPolicyOf(from: Ctx | Db, companyId?: string): Promise<SecurityPolicy> {
  const ctx = 'companyId' in from ? from : undefined;
  const db = ctx ? ctx.db : (from as Db);
  const row = await db
    .selectFrom('identity.security_policy')
    .select(['mfa_required', 'password_profile', 'idle_minutes', 'max_sessions', 'ip_allow'])
    .where('company_id', '=', companyId ?? ctx?.companyId ?? '')
    .executeTakeFirst();
  if (!row) return DEFAULT_POLICY;
  return {
    mfaRequired: row.mfa_required,
    passwordProfile: row.password_profile === 'amazonDpp' ? 'amazonDpp' : 'standard',
    idleMinutes: row.idle_minutes,
    maxSessions: row.max_sessions,
    ipAllow: row.ip_allow,
  };
}

/** Whether somebody may work from an address; an empty list allows every address. */
export function ipAllowed(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const ip = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(ip);
  if (family === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const type = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(base, Number(bits ?? (type === 'ipv6' ? 128 : 32)), type);
  }
  return list.check(ip, family === 6 ? 'ipv6' : 'ipv4');
}

/** Words for somebody who works from outside the allowed networks. */
export const OUTSIDE = '当前网络不在公司允许的范围内，请联系管理员';
