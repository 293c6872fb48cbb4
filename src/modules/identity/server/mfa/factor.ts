import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { refused } from '#kit/server/errors.ts';
import type { Secrets } from '#kit/server/secrets.ts';
import { lockMinutes } from '../lockout.ts';
import { spendCode } from './recovery.ts';
import { newSecret, stepOf } from './totp.ts';

type Who = { company_id: string; id: string };

export const wrongCode = () => refused('动态验证码错误', 'B0141');

/**
 * Refuses (B0142) while a member's second factor is locked: every fifth wrong code inside 24 hours locks as wrong
 * passwords do, whichever log-in or dialog it was tried in.
 */
export async function refuseIfFactorLocked(db: Db, who: Who): Promise<void> {
  const { rows } = await sql<{ n: number; minutes_ago: number }>`
    SELECT count(*) AS n, coalesce(extract(epoch FROM kit.instant() - max(at)) / 60, 0)::float8 AS minutes_ago
      FROM identity.login_log
     WHERE company_id = ${who.company_id} AND member_id = ${who.id} AND NOT ok AND reason = 'mfa'
       AND at > kit.now() - interval '24 hours'
       AND at > coalesce((SELECT max(at) FROM identity.login_log
             WHERE company_id = ${who.company_id} AND member_id = ${who.id} AND ok), '-infinity')`.execute(db);
  const [row] = rows;
  const minutes = lockMinutes(row?.n ?? 0);
  if (minutes === 0 || !row) return;
  const left = Math.ceil(minutes - row.minutes_ago);
  if (left > 0) throw refused(`动态验证码错误次数过多，请${left}分钟后再试`, 'B0142', { minutes: left });
}

/** Begins to set up a member's second factor: a new secret that counts once a code confirmed it. */
export async function beginEnrolment(db: Db, who: Who, secrets: Secrets): Promise<string> {
  const secret = newSecret();
  const { rows } = await sql<{ member_id: string }>`
    INSERT INTO identity.mfa (company_id, member_id, secret_sealed) VALUES (${who.company_id}, ${who.id}, ${secrets.encrypt(secret)})
    ON CONFLICT (company_id, member_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, created_at = kit.now()
     WHERE identity.mfa.confirmed_at IS NULL
    RETURNING member_id`.execute(db);
  if (rows.length === 0) throw refused('动态验证码已启用', 'B0143');
  return secret;
}

interface Factor {
  secret_sealed: string;
  confirmed_at: string | null;
  last_step: number;
}

async function factorOf(db: Db, who: Who): Promise<Factor | undefined> {
  const { rows } = await sql<Factor>`
    SELECT secret_sealed, confirmed_at, last_step FROM identity.mfa
     WHERE company_id = ${who.company_id} AND member_id = ${who.id} FOR UPDATE`.execute(db);
  return rows[0];
}

async function accept(db: Db, who: Who, step: number): Promise<void> {
  await sql`
    UPDATE identity.mfa SET last_step = ${step}, confirmed_at = coalesce(confirmed_at, kit.now())
     WHERE company_id = ${who.company_id} AND member_id = ${who.id}`.execute(db);
}

/** Whether a code of the app is right and was not used before. `confirmed` says which kind of factor is meant. */
export async function acceptsApp(
  db: Db,
  who: Who,
  code: string,
  secrets: Secrets,
  confirmed: boolean,
): Promise<boolean> {
  const factor = await factorOf(db, who);
  if (!factor || (factor.confirmed_at !== null) !== confirmed) return false;
  const step = stepOf(secrets.decrypt(factor.secret_sealed), code.replace(/\s/g, ''));
  if (step === undefined || step <= factor.last_step) return false;
  await accept(db, who, step);
  return true;
}

/** Whether a code of the app or a recovery code lets somebody in; either works once. */
export async function acceptsAny(db: Db, who: Who, code: string, secrets: Secrets): Promise<boolean> {
  if (await acceptsApp(db, who, code, secrets, true)) return true;
  return /^\d{6}$/.test(code) ? false : spendCode(db, who, code, secrets.pepper);
}
