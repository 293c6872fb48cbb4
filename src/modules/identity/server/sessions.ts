import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SessionCode } from '#kit/contract/envelope.ts';
import type { Ctx, Principal } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { AppError, sessionLost } from '#kit/server/errors.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { dataScopes, rightsOf } from './data-scope.ts';
import { changeFirst } from './passwords/one-time.ts';
import { DEFAULT_POLICY, ipAllowed, OUTSIDE, securityPolicyOf } from './security/policy.ts';
import { type Browser, signatureOf } from './sso/browser.ts';

const ABSOLUTE_DAYS = 7;
const OPERATOR_HOURS = 12;
/** A session is asked for in the database this seldom; revocations reach other processes through the channel below. */
const CACHE_MS = 30_000;
const SEEN_EVERY_MS = 60_000;
const CHANNEL = 'identity_session';
/** An announcement that concerns all sessions of a company, with its id; any other names one session by its hash. */
const OF_COMPANY = 'company:';
const LISTEN_AGAIN_MS = 500;

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export interface NewSession {
  companyId: string;
  memberId: string;
  userType: string;
  loginType: 'api' | 'sso' | 'other';
  uid: string | null;
  ip: string;
  userAgent: string;
  /** Signature of the only browser that may use the session first; it has CLAIM_SECONDS. Left out: whoever holds it. */
  claim?: string | undefined;
}

/** An id that travelled in an address is worth something this long until the browser takes it up. */
const CLAIM_SECONDS = 60;

/** Opens a session and closes the oldest beyond the limit; returns the id that the browser keeps. */
export async function openSession(db: Db, session: NewSession): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hours = session.userType === 'operator' ? OPERATOR_HOURS : ABSOLUTE_DAYS * 24;
  const { maxSessions } = await securityPolicyOf(db, session.companyId);
  // Two log-ins at once must not both find room.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${session.memberId}, 1))`.execute(db);
  await db
    .insertInto('identity.session')
    .values({
      company_id: session.companyId,
      token_hash: hashOf(token),
      member_id: session.memberId,
      login_type: session.loginType,
      uid: session.uid,
      ip: session.ip,
      user_agent: session.userAgent.slice(0, 300),
      expires_at: sql`kit.now() + make_interval(hours => ${hours})`,
      claim_hash: session.claim ?? null,
      claim_until: session.claim ? sql<string>`kit.now() + make_interval(secs => ${CLAIM_SECONDS})` : null,
    })
    .execute();
  const closed = await sql<{ token_hash: string }>`
    UPDATE identity.session SET revoked_at = kit.now(), revoke_reason = '账号已在其他设备登录'
     WHERE company_id = ${session.companyId} AND member_id = ${session.memberId} AND revoked_at IS NULL AND id NOT IN (
       SELECT id FROM identity.session WHERE company_id = ${session.companyId} AND member_id = ${session.memberId}
          AND revoked_at IS NULL ORDER BY id DESC LIMIT ${maxSessions})
     RETURNING token_hash`.execute(db);
  for (const row of closed.rows) await announce(db, row.token_hash);
  return token;
}

async function announce(db: Db, tokenHash: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${tokenHash})`.execute(db);
}

/** What this process must forget at once, before the announcement has made its round through the database. */
const forgetters = new Set<(tokenHash: string) => void>();

/** Ends a session of the caller's company: this process forgets it with the commit, the others a moment later. */
export async function closeSession(ctx: Ctx, sessionId: string, reason: string): Promise<void> {
  const row = await ctx.db
    .updateTable('identity.session')
    .set({ revoked_at: sql`kit.now()`, revoke_reason: reason })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('token_hash')
    .executeTakeFirst();
  if (!row) return;
  await announce(ctx.db, row.token_hash);
  ctx.afterCommit(() => {
    for (const forget of forgetters) forget(row.token_hash);
  });
}

/**
 * Ends all sessions of a member but one, in the caller's transaction. `reason` is what the log-in page tells him:
 * 密码已修改，请重新登录.
 */
export async function closeSessionsOf(
  at: Pick<Ctx, 'db'> & Partial<Pick<Ctx, 'afterCommit'>>,
  member: { companyId: string; memberId: string },
  reason: string,
  except: string | null = null,
): Promise<void> {
  const { rows } = await sql<{ token_hash: string }>`
    UPDATE identity.session SET revoked_at = kit.now(), revoke_reason = ${reason}
     WHERE company_id = ${member.companyId} AND member_id = ${member.memberId}
       AND (revoked_at IS NULL OR revoked_at > kit.now()) AND id IS DISTINCT FROM ${except}::uuid
    RETURNING token_hash`.execute(at.db);
  for (const row of rows) await announce(at.db, row.token_hash);
  at.afterCommit?.(() => {
    for (const row of rows) for (const forget of forgetters) forget(row.token_hash);
  });
}

/** Has a session read anew with the commit: what it may do has changed. */
export async function refreshSession(ctx: Ctx, sessionId: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('identity.session')
    .select('token_hash')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (!row) return;
  ctx.afterCommit(() => {
    for (const forget of forgetters) forget(row.token_hash);
  });
}

/** Ends sessions of whatever companies, in a transaction of the system; those that are over already stay as they are. */
export async function closeSessionsById(
  db: Db,
  sessions: readonly { company_id: string; id: string }[],
  reason: string,
): Promise<void> {
  const { rows } = await sql<{ token_hash: string }>`
    UPDATE identity.session SET revoked_at = kit.now(), revoke_reason = ${reason}
     WHERE (company_id, id) IN (SELECT * FROM unnest(${sessions.map((each) => each.company_id)}::uuid[],
                                                     ${sessions.map((each) => each.id)}::uuid[]))
       AND (revoked_at IS NULL OR revoked_at > kit.now())
    RETURNING token_hash`.execute(db);
  for (const row of rows) await announce(db, row.token_hash);
}

/** A session that gives way to another account still answers the calls that are under way. */
const GRACE_SECONDS = 10;

/** Lets a session end in ten seconds: its user goes on with another one. */
export async function retireSession(db: Db, companyId: string, sessionId: string, reason: string): Promise<void> {
  const { rows } = await sql<{ token_hash: string }>`
    UPDATE identity.session SET revoked_at = kit.now() + make_interval(secs => ${GRACE_SECONDS}), revoke_reason = ${reason}
     WHERE company_id = ${companyId} AND id = ${sessionId} AND revoked_at IS NULL
    RETURNING token_hash`.execute(db);
  for (const row of rows) await announce(db, row.token_hash);
}

interface Found {
  id: string;
  company_id: string;
  member_id: string;
  name: string;
  user_type: string;
  /** He came in with a password that somebody else made up. */
  one_time: boolean;
  revoked: boolean;
  revoke_reason: string | null;
  /** Ends within seconds, so nobody remembers it. */
  retiring: boolean;
  ip_allow: string[] | null;
  disabled: boolean;
  member_expired: boolean;
  company_status: string;
}

/** The session with this hash, marked as used. One that waits for its browser is there for no other. */
async function find(db: Db, tokenHash: string, signature: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    UPDATE identity.session s SET last_seen_at = kit.now(), claim_hash = NULL, claim_until = NULL
      FROM identity.member m, identity.company c
     WHERE s.token_hash = ${tokenHash} AND m.company_id = s.company_id AND m.id = s.member_id
       AND c.company_id = s.company_id
       AND (s.claim_until IS NULL OR s.claim_until > kit.now() AND s.claim_hash = ${signature})
       AND s.expires_at > kit.now() AND s.last_seen_at > kit.now() - make_interval(mins => coalesce(
         (SELECT p.idle_minutes FROM identity.security_policy p WHERE p.company_id = s.company_id),
         ${DEFAULT_POLICY.idleMinutes}))
    RETURNING s.id, s.company_id, s.member_id, m.name, m.user_type,
      m.must_change_password AND s.login_type = 'api' AS one_time,
      s.revoked_at <= kit.now() IS TRUE AS revoked, s.revoke_reason,
      s.revoked_at > kit.now() IS TRUE AS retiring,
      (SELECT p.ip_allow FROM identity.security_policy p WHERE p.company_id = s.company_id) AS ip_allow,
      m.is_disabled OR m.deleted_at IS NOT NULL AS disabled,
      m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date IS TRUE AS member_expired,
      c.status AS company_status`.execute(db);
  return rows[0];
}

/** What a member may do and reach. An owner may do everything everywhere. */
async function powersOf(runtime: Runtime, found: Found, allCodes: ReadonlySet<string>) {
  if (found.user_type === 'owner') return { permissions: allCodes, scopeWith: undefined };
  return inTenant(
    runtime,
    systemPrincipal(found.company_id),
    async (ctx) => {
      const rights = await rightsOf(ctx, found.member_id);
      const permissions = new Set(rights.roles.flatMap((role) => [...role.codes]));
      return { permissions, scopeWith: await dataScopes(ctx, rights) };
    },
    { readOnly: true },
  );
}

function problemOf(found: Found | undefined): SessionCode | undefined {
  if (!found) return 'A0231';
  if (found.revoked) return 'A0200';
  if (found.company_status !== 'active') return 'S0003';
  if (found.disabled) return 'S0001';
  return found.member_expired ? 'S0002' : undefined;
}

interface Known {
  principal: Principal;
  at: number;
  networks: readonly string[];
}

/** A session that wandered out of the company's networks keeps its id and gets no answers. */
function fromInside(known: Known, ip: string | undefined): Principal {
  if (ip !== undefined && !ipAllowed(known.networks, ip)) throw new AppError(403, 403, OUTSIDE, { code: 'A0302' });
  return known.principal;
}

export interface Authenticator {
  /** Throws 403 A0302 for a caller outside the networks that the company allows, and A0200 with the recorded reason. */
  authenticate(token: string, from?: Browser): Promise<Principal | SessionCode>;
  /** Forgets everything, e.g. after a change of rights. */
  clear(): void;
  stop(): Promise<void>;
}

/**
 * Hears the announcements of all processes until stopped. After a cut it listens again; `lost` is called at the cut and
 * `heard` with an empty text once it is over, because announcements in between went unheard.
 */
async function listenFor(
  runtime: Runtime,
  heard: (payload: string) => void,
  lost: () => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let hangUp: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = async (): Promise<void> => {
    const client = await runtime.connections.pool.connect();
    let over = false;
    const cut = () => {
      if (over) return;
      over = true;
      hangUp = undefined;
      client.release(true);
      lost();
      if (!stopped) again();
    };
    client.on('error', cut);
    client.on('end', cut);
    client.on('notification', (message) => heard(message.payload ?? ''));
    await client.query(`LISTEN ${CHANNEL}`).catch((error: unknown) => {
      cut();
      throw error;
    });
    hangUp = cut;
    heard('');
  };
  const again = () => {
    timer = setTimeout(() => {
      if (!stopped) begin().catch(() => again());
    }, LISTEN_AGAIN_MS);
  };
  await begin();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    hangUp?.();
  };
}

/**
 * Turns session ids into principals. Answers come from memory for up to 30 seconds; a revocation, or a change of a
 * member's or company's state or rights in any process, clears it here at once. While announcements cannot be heard,
 * every answer comes from the database. `allCodes` are what an owner holds.
 */
export async function createAuthenticator(runtime: Runtime, allCodes: ReadonlySet<string>): Promise<Authenticator> {
  const cache = new LRUCache<string, Known>({ max: 20_000, ttl: SEEN_EVERY_MS });
  let listening = false;
  // Counts announcements: what was read before one of them is not kept after it.
  let epoch = 0;
  const forget = (tokenHash: string) => {
    epoch += 1;
    cache.delete(tokenHash);
  };
  const heard = (payload: string) => {
    listening = true;
    if (payload !== '' && !payload.startsWith(OF_COMPANY)) return forget(payload);
    epoch += 1;
    const companyId = payload.slice(OF_COMPANY.length);
    for (const [key, { principal }] of cache.entries()) {
      if (payload === '' || principal.companyId === companyId) cache.delete(key);
    }
  };
  const lost = () => {
    listening = false;
    cache.clear();
  };
  const stopListening = await listenFor(runtime, heard, lost);
  forgetters.add(forget);
  const authenticate = async (token: string, from?: Browser): Promise<Principal | SessionCode> => {
    const ip = from?.ip;
    if (token.length > 200) return 'A0231';
    const key = hashOf(token);
    const known = cache.get(key);
    if (known && Date.now() - known.at < CACHE_MS) return fromInside(known, ip);
    const asked = epoch;
    const signature = from ? signatureOf(runtime.config, from) : '';
    const found = await inSystem(runtime, (db) => find(db, key, signature));
    const problem = problemOf(found);
    // Who was put out by somebody else reads why on the log-in page.
    if (problem === 'A0200' && found?.revoke_reason) throw sessionLost(problem, found.revoke_reason);
    if (problem || !found) return problem ?? 'A0231';
    const principal: Principal = {
      sessionId: found.id,
      companyId: found.company_id,
      userId: found.member_id,
      userName: found.name,
      ...(await powersOf(runtime, found, allCodes)),
      ...(found.one_time ? { gate: changeFirst } : {}),
    };
    const now: Known = { principal, at: Date.now(), networks: found.ip_allow ?? [] };
    if (listening && asked === epoch && !found.retiring) cache.set(key, now);
    return fromInside(now, ip);
  };
  return {
    authenticate,
    clear: () => cache.clear(),
    stop: async () => {
      forgetters.delete(forget);
      await stopListening();
    },
  };
}
