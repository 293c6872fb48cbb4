import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '#kit/server/config.ts';
import type { Db } from '#kit/server/db/database.ts';
import { emit, event } from '#kit/server/events.ts';
import { type PublicCtx, WithCookies } from '#kit/server/http/serve.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { Caller, LoginMember } from '../members.ts';
import { deviceOf } from '../self/devices.ts';

/** Somebody logged in with a browser that he never used before. `at` is the company's local time, yyyy-MM-dd HH:mm:ss. */
export const newDevice = event<{ memberId: string; account: string; at: string; ip: string; device: string }>(
  'identity.newDevice',
);

const MARK = /^[\w-]{43}$/;
/** As long as browsers keep a cookie. */
const KEEP_SECONDS = 400 * 86_400;

function cookieName(config: Pick<Config, 'publicUrl'>): string {
  return config.publicUrl.startsWith('https:') ? '__Host-device' : 'device';
}

/** Runs a log-in for a browser that is known by a cookie of its own, and gives it one where it has none. */
export async function onDevice<T>(
  ctx: Pick<PublicCtx, 'runtime' | 'cookies'>,
  logIn: (device: string) => Promise<T>,
): Promise<WithCookies<T>> {
  const name = cookieName(ctx.runtime.config);
  const sent = ctx.cookies[name];
  const device = sent && MARK.test(sent) ? sent : randomBytes(32).toString('base64url');
  return new WithCookies(await logIn(device), [{ name, value: device, maxAge: KEEP_SECONDS }]);
}

const hashed = (text: string) => createHash('sha256').update(text).digest('hex');

/** By what a browser is known again: its cookie, or its address and name where it keeps no cookies. */
function marksOf(caller: Caller, device: string | undefined): string[] {
  const marks = [hashed(`${caller.ip}\n${caller.userAgent.slice(0, 300)}`)];
  return device === undefined ? marks : [hashed(device), ...marks];
}

/**
 * Remembers the browser of a log-in, in the transaction that opens its session; true where its user has used others
 * before and never this one.
 */
export async function isNewDevice(
  db: Db,
  member: Pick<LoginMember, 'company_id' | 'id'>,
  caller: Caller,
  device: string | undefined,
): Promise<boolean> {
  const marks = marksOf(caller, device);
  const { rows } = await sql<{ others: boolean; known: boolean }>`
    SELECT count(*) > 0 AS others, coalesce(bool_or(device_hash = ANY (${marks})), false) AS known
      FROM identity.known_device WHERE company_id = ${member.company_id} AND member_id = ${member.id}`.execute(db);
  await sql`
    INSERT INTO identity.known_device (company_id, member_id, device_hash)
    SELECT ${member.company_id}, ${member.id}, mark FROM unnest(${marks}::text[]) AS mark
    ON CONFLICT (company_id, member_id, device_hash) DO UPDATE SET last_seen_at = kit.now()`.execute(db);
  return rows[0]?.others === true && rows[0].known === false;
}

/** Tells the user of a log-in with a new browser. The log-in does not wait for it and succeeds without it. */
export function tellOfDevice(runtime: Runtime, member: LoginMember, caller: Caller): void {
  inTenant(runtime, systemPrincipal(member.company_id), async (ctx) => {
    const { rows } = await sql<{ at: string }>`
      SELECT to_char(kit.now() AT TIME ZONE time_zone, 'YYYY-MM-DD HH24:MI:SS') AS at
        FROM identity.company WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    const { name } = deviceOf(caller.userAgent);
    const what = { memberId: member.id, account: member.account, at: rows[0]?.at ?? '', ip: caller.ip, device: name };
    await emit(ctx, newDevice, what);
  }).catch((error: unknown) => runtime.log.warn({ err: error }, 'nobody was told of a new device'));
}
