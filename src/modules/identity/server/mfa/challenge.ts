import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import type { LoginMember } from '../members.ts';
import type { SecurityPolicy } from '../security/policy.ts';
import { hashOf } from '../sessions.ts';

const MINUTES = 5;
/** Wrong codes after which the password has to be given again. */
export const ATTEMPTS = 5;

export interface Challenge {
  mfaToken: string;
  /** The company asks for a second factor and this person has none yet. */
  enrol: boolean;
}

export interface OpenChallenge {
  id: string;
  company_id: string;
  member_id: string;
  login_type: string;
  uid: string | null;
  attempts: number;
}

/** Opens the second step of a log-in where one is due, undefined where none is. */
export async function openChallenge(
  db: Db,
  member: Pick<LoginMember, 'company_id' | 'id'>,
  policy: SecurityPolicy,
  login: { loginType: string; uid?: string | null | undefined },
): Promise<Challenge | undefined> {
  const own = await db
    .selectFrom('identity.mfa')
    .select('confirmed_at')
    .where('company_id', '=', member.company_id)
    .where('member_id', '=', member.id)
    .executeTakeFirst();
  const enrolled = own?.confirmed_at != null;
  if (!enrolled && !policy.mfaRequired) return undefined;
  const mfaToken = randomBytes(32).toString('base64url');
  await db
    .insertInto('identity.mfa_challenge')
    .values({
      company_id: member.company_id,
      member_id: member.id,
      token_hash: hashOf(mfaToken),
      login_type: login.loginType,
      uid: login.uid ?? null,
      expires_at: sql`kit.now() + make_interval(mins => ${MINUTES})`,
    })
    .execute();
  return { mfaToken, enrol: !enrolled };
}

/** The open second step with this token, locked for the transaction; undefined once it is used, old or worn out. */
export async function challengeOf(db: Db, mfaToken: string): Promise<OpenChallenge | undefined> {
  const { rows } = await sql<OpenChallenge>`
    SELECT id, company_id, member_id, login_type, uid, attempts FROM identity.mfa_challenge
     WHERE token_hash = ${hashOf(mfaToken)} AND expires_at > kit.now() AND attempts < ${ATTEMPTS} FOR UPDATE`.execute(
    db,
  );
  return rows[0];
}

/** Ends a second step: its token is worth nothing from now on. */
export async function closeChallenge(db: Db, challenge: OpenChallenge): Promise<void> {
  await db
    .deleteFrom('identity.mfa_challenge')
    .where('company_id', '=', challenge.company_id)
    .where('id', '=', challenge.id)
    .execute();
}
