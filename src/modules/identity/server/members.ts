import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { type AppError, refused, sessionLost } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';

/** Where a log-in comes from. */
export type Caller = Pick<PublicCtx, 'runtime' | 'ip' | 'userAgent'>;

/** What a log-in needs to know of a member, whatever his company. */
export interface LoginMember {
  company_id: string;
  id: string;
  account: string;
  name: string;
  password_hash: string;
  password_changed_at: string;
  /** Somebody else made up the password. */
  must_change_password: boolean;
  user_type: string;
  is_disabled: boolean;
  expired: boolean;
  company_status: string;
  company_name: string;
}

const FIELDS = sql`
  m.company_id, m.id, m.account, m.name, m.password_hash, m.password_changed_at, m.must_change_password, m.user_type, m.is_disabled,
  c.status AS company_status, c.name AS company_name,
  (m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date) IS TRUE AS expired`;

/** The member behind a normalised account; `db` is a transaction of the system. */
export async function memberByAccount(db: Db, account: string): Promise<LoginMember | undefined> {
  const { rows } = await sql<LoginMember>`
    SELECT ${FIELDS} FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.account = ${account} AND m.deleted_at IS NULL`.execute(db);
  return rows[0];
}

/** A member by his ids; `db` is a transaction of the system or of his company. */
export async function memberById(db: Db, companyId: string, id: string): Promise<LoginMember | undefined> {
  const { rows } = await sql<LoginMember>`
    SELECT ${FIELDS} FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.company_id = ${companyId} AND m.id = ${id} AND m.deleted_at IS NULL`.execute(db);
  return rows[0];
}

/** Why a member may not come in although he is who he says. */
export function obstacleOf(member: LoginMember): AppError | undefined {
  if (member.company_status !== 'active') return refused(sessionLost('S0003').message, 'B0103');
  if (member.is_disabled) return refused(sessionLost('S0001').message, 'B0104');
  if (member.expired) return refused(sessionLost('S0002').message, 'B0105');
  return undefined;
}

/** Writes an attempt into the log-in log, also for accounts that nobody has. */
export async function recordLogin(
  caller: Caller,
  account: string,
  member: Pick<LoginMember, 'company_id' | 'id'> | undefined,
  ok: boolean,
  reason: string | null,
): Promise<void> {
  await inSystem(caller.runtime, (db) => writeLogin(db, caller, account, member, ok, reason));
}

/** The same in a transaction of the system that is open already. */
export async function writeLogin(
  db: Db,
  caller: Caller,
  account: string,
  member: Pick<LoginMember, 'company_id' | 'id'> | undefined,
  ok: boolean,
  reason: string | null,
): Promise<void> {
  await db
    .insertInto('identity.login_log')
    .values({
      account: account.slice(0, 254),
      company_id: member?.company_id ?? null,
      member_id: member?.id ?? null,
      ok,
      reason,
      ip: caller.ip,
      user_agent: caller.userAgent.slice(0, 300),
    })
    .execute();
}
