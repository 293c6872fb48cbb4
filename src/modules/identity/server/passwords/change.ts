import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { conflict, invalid, notFound } from '#kit/server/errors.ts';
import { inSystem, inTenant, type Runtime } from '#kit/server/runtime.ts';
import { admit, hashPassword, passwordFits } from '../password.ts';
import { securityPolicyOf } from '../security/policy.ts';
import { profileProblem } from '../security/profile.ts';
import { closeSessionsOf, refreshSession } from '../sessions.ts';
import { passwordObjection } from './rules.ts';

/** The current password and the four before it. */
const REMEMBERED = 5;

export interface PasswordChange {
  memberId: string;
  password: string;
  /** The session that goes on; all others of the member end. */
  keepSession?: string | null;
  /** Runs in the same transaction before the password is written, e.g. to spend a code. */
  before?: (ctx: Ctx) => Promise<void>;
}

async function ownerAndHashes(ctx: Ctx, memberId: string) {
  const owner = await ctx.db
    .selectFrom('identity.member')
    .select(['account', 'name', 'email', 'password_hash'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', memberId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!owner) throw notFound();
  const past = await ctx.db
    .selectFrom('identity.password_history')
    .select('password_hash')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(REMEMBERED - 1)
    .execute();
  return { owner, hashes: [owner.password_hash, ...past.map((row) => row.password_hash)] };
}

const refusal = (msg: string) => invalid([{ field: 'password', title: '密码', msg }]);

/** Puts a password aside for the comparison with later ones; only the last few stay. */
async function remember(ctx: Ctx, memberId: string, hash: string): Promise<void> {
  await ctx.db
    .insertInto('identity.password_history')
    .values({ company_id: ctx.companyId, member_id: memberId, password_hash: hash })
    .execute();
  await sql`
    DELETE FROM identity.password_history WHERE company_id = ${ctx.companyId} AND member_id = ${memberId} AND id NOT IN (
      SELECT id FROM identity.password_history WHERE company_id = ${ctx.companyId} AND member_id = ${memberId}
       ORDER BY id DESC LIMIT ${REMEMBERED})`.execute(ctx.db);
}

/**
 * Gives a member of the principal's company a new password and ends his other sessions. Opens its own transactions,
 * because hashes are computed in a queue and no connection should wait in it. Refuses (400, field password) what the
 * rules or the last five passwords forbid; 409 where somebody else changed it meanwhile.
 */
export async function changePassword(runtime: Runtime, principal: Principal, change: PasswordChange): Promise<void> {
  const { memberId, password } = change;
  const { pepper } = runtime.secrets;
  const { owner, hashes } = await inTenant(runtime, principal, (ctx) => ownerAndHashes(ctx, memberId), {
    readOnly: true,
  });
  const { passwordProfile } = await inSystem(runtime, (db) => securityPolicyOf(db, principal.companyId));
  const objection =
    passwordObjection(password, owner) ??
    profileProblem(passwordProfile, password, [owner.account, owner.name, owner.email ?? '']);
  if (objection) throw refusal(objection);
  const fresh = await admit(async () => {
    for (const hash of hashes) {
      if (await passwordFits(hash, password, pepper)) throw refusal('不能使用最近5次用过的密码');
    }
    return hashPassword(password, pepper);
  });
  await inTenant(runtime, principal, async (ctx) => {
    await change.before?.(ctx);
    const written = await ctx.db
      .updateTable('identity.member')
      .set({ password_hash: fresh, password_changed_at: sql`kit.instant()`, must_change_password: false })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', memberId)
      .where('password_hash', '=', owner.password_hash)
      .returning('id')
      .executeTakeFirst();
    if (!written) throw conflict();
    await remember(ctx, memberId, owner.password_hash);
    const member = { companyId: ctx.companyId, memberId };
    await closeSessionsOf(ctx, member, '密码已修改，请重新登录', change.keepSession ?? null);
    if (change.keepSession) await refreshSession(ctx, change.keepSession);
    await audit(ctx, { action: '修改密码', resource: 'identity.member', resourceId: memberId });
  });
}
