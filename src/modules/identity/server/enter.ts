import { sql } from 'kysely';
import { AppError, refused } from '#kit/server/errors.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { type Caller, type LoginMember, obstacleOf, recordLogin } from './members.ts';
import { openChallenge } from './mfa/challenge.ts';
import { isNewDevice, tellOfDevice } from './security/new-device.ts';
import { ipAllowed, OUTSIDE, securityPolicyOf } from './security/policy.ts';
import { passwordTooOld } from './security/profile.ts';
import { openSession } from './sessions.ts';

export interface EnterOptions {
  loginType: 'api' | 'sso' | 'other';
  uid?: string | null | undefined;
  /** The second factor has been given, or the caller changes between his own accounts. */
  proven?: boolean;
  /** See NewSession. */
  claim?: string | undefined;
  /** Cookie by which the browser is known: see onDevice. */
  device?: string | undefined;
}

/** Body code of an answer that asks for the second factor. */
export const MFA_NEEDED = 428;

/**
 * Lets somebody in who has proven who he is. Refuses the disabled and the expired (B0103-B0105), people outside the
 * company's networks (B0121) and passwords past the company's age (B0122). Where a second factor is due it answers 428
 * with {mfaToken, enrol}. Coming in takes back a wish to be forgotten.
 */
export async function enter(
  caller: Caller,
  member: LoginMember,
  options: EnterOptions,
): Promise<{ session: string; id: string }> {
  const refuse = async (error: AppError): Promise<never> => {
    await recordLogin(caller, member.account, member, false, 'state');
    throw error;
  };
  const obstacle = obstacleOf(member);
  if (obstacle) return refuse(obstacle);
  const policy = await inSystem(caller.runtime, (db) => securityPolicyOf(db, member.company_id));
  if (!ipAllowed(policy.ipAllow, caller.ip)) return refuse(refused(OUTSIDE, 'B0121'));
  if (
    options.loginType === 'api' &&
    passwordTooOld(caller.runtime.clock, policy.passwordProfile, member.password_changed_at)
  ) {
    return refuse(refused('密码已超过365天未修改，请通过忘记密码重新设置', 'B0122'));
  }
  if (!options.proven) {
    const challenge = await inSystem(caller.runtime, (db) => openChallenge(db, member, policy, options));
    if (challenge) {
      throw new AppError(200, MFA_NEEDED, challenge.enrol ? '公司要求启用动态验证码' : '请输入动态验证码', challenge);
    }
  }
  const { session, strange } = await inSystem(caller.runtime, async (db) => {
    await sql`
      DELETE FROM identity.closure WHERE company_id = ${member.company_id} AND member_id = ${member.id}
         AND erased_at IS NULL AND effective_at > kit.now()`.execute(db);
    const { rows } = await sql`
      SELECT FROM identity.closure WHERE company_id = ${member.company_id} AND member_id = ${member.id}`.execute(db);
    if (rows.length > 0) throw refused('账号已注销', 'B0123');
    const strange = await isNewDevice(db, member, caller, options.device);
    const session = await openSession(db, {
      companyId: member.company_id,
      memberId: member.id,
      userType: member.user_type,
      loginType: options.loginType,
      uid: options.uid ?? null,
      ip: caller.ip,
      userAgent: caller.userAgent,
      claim: options.claim,
    });
    return { session, strange };
  });
  await recordLogin(caller, member.account, member, true, null);
  if (strange) tellOfDevice(caller.runtime, member, caller);
  return { session, id: member.id };
}
