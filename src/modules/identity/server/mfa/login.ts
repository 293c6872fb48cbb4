import { refused } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import type { Enrolment } from '../../contract/mfa.ts';
import { enter } from '../enter.ts';
import { memberById, recordLogin } from '../members.ts';
import { challengeOf, closeChallenge } from './challenge.ts';
import { acceptsAny, acceptsApp, beginEnrolment, refuseIfFactorLocked, wrongCode } from './factor.ts';
import { renewCodes } from './recovery.ts';
import { enrolmentOf } from './totp.ts';

/** The second step is over: used, worn out by wrong codes, or five minutes old. */
const over = () => refused('验证已失效，请重新登录', 'B0140');

/** Begins to set up the second factor that the company asks for, in the middle of a log-in. */
export async function enrolAtLogin(ctx: PublicCtx, mfaToken: string): Promise<Enrolment> {
  const { secret, account } = await inSystem(ctx.runtime, async (db) => {
    const challenge = await challengeOf(db, mfaToken);
    const member = challenge && (await memberById(db, challenge.company_id, challenge.member_id));
    if (!member) throw over();
    return { secret: await beginEnrolment(db, member, ctx.runtime.secrets), account: member.account };
  });
  return enrolmentOf(secret, account);
}

/**
 * Second step of a log-in: a code of the app, or a recovery code. A token is good for one log-in, five wrong codes and
 * five minutes. Refuses with B0140 (start over), B0141 (wrong code) or B0142 (locked).
 */
export async function finishLogin(ctx: PublicCtx, mfaToken: string, code: string, device?: string) {
  const { secrets } = ctx.runtime;
  const outcome = await inSystem(ctx.runtime, async (db) => {
    const challenge = await challengeOf(db, mfaToken);
    const member = challenge && (await memberById(db, challenge.company_id, challenge.member_id));
    if (!challenge || !member) throw over();
    await refuseIfFactorLocked(db, member);
    if (await acceptsAny(db, member, code, secrets)) {
      await closeChallenge(db, challenge);
      return { member, challenge, recoveryCodes: undefined };
    }
    if (await acceptsApp(db, member, code, secrets, false)) {
      await closeChallenge(db, challenge);
      return { member, challenge, recoveryCodes: await renewCodes(db, member, secrets.pepper) };
    }
    await db
      .updateTable('identity.mfa_challenge')
      .set({ attempts: challenge.attempts + 1 })
      .where('company_id', '=', challenge.company_id)
      .where('id', '=', challenge.id)
      .execute();
    return { member, challenge: undefined, recoveryCodes: undefined };
  });
  const { member, challenge, recoveryCodes } = outcome;
  if (!challenge) {
    await recordLogin(ctx, member.account, member, false, 'mfa');
    throw wrongCode();
  }
  const loginType = challenge.login_type === 'sso' ? 'sso' : challenge.login_type === 'other' ? 'other' : 'api';
  const entered = await enter(ctx, member, { loginType, uid: challenge.uid, proven: true, device });
  return { ...entered, ...(recoveryCodes ? { recoveryCodes } : {}) };
}
