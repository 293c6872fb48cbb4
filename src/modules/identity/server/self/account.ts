import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { EMAIL, normalised, PHONE } from '../../contract/account.ts';
import { across } from '../act.ts';
import { consumeCode, verifyCode } from '../codes/check.ts';
import { sendCode } from '../codes/send.ts';
import type { Purpose } from '../codes/wording.ts';
import { provePassword } from '../mfa/routes.ts';
import { changePassword } from '../passwords/change.ts';
import { securityPolicyOf } from '../security/policy.ts';
import { changedTooRecently } from '../security/profile.ts';
import { closeSessionsOf } from '../sessions.ts';

const PURPOSES = {
  old: 'changephone',
  account: 'changephone',
  email: 'activeEmail',
  closeaccount: 'closeaccount',
  mergeaccount: 'mergeaccount',
} as const satisfies Record<string, Purpose>;
export type SelfPurpose = keyof typeof PURPOSES;

/** A phone or e-mail as it is kept; refuses (B0162, B0163) what is neither. */
function targetOf(text: string | undefined, emailOnly: boolean): string {
  const target = normalised(text ?? '');
  if (target === '') throw refused(emailOnly ? '邮箱不能为空' : '手机号或邮箱不能为空', 'B0162');
  if (EMAIL.test(target)) return target;
  if (emailOnly || target.includes('@')) throw refused('请输入正确的邮箱', 'B0163');
  if (!PHONE.test(target)) throw refused('请输入正确的手机号', 'B0163');
  return target;
}

/** Sends a code to the caller's own account, or to what is to become his account or address. */
export async function sendOwnCode(ctx: OpenCtx, purpose: SelfPurpose, target: string | undefined): Promise<string> {
  const isNew = purpose === 'account' || purpose === 'email';
  const to = isNew ? targetOf(target, purpose === 'email') : (await across(ctx, async ({ me }) => me)).account;
  const channel = to.includes('@') ? 'email' : 'sms';
  return sendCode(ctx.runtime, { channel, target: to, purpose: PURPOSES[purpose], ip: ctx.ip });
}

/** Whether an account belongs to somebody; `db` is a transaction of the system. */
async function isTaken(db: Db, account: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity.member')
    .select('id')
    .where('account', '=', account)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

interface AccountForm {
  password: string;
  oldkey: string;
  oldcode: string;
  account: string;
  key: string;
  code: string;
}

/**
 * Gives the caller another account to log in with: his password, a code to the old account, a code to the new one. That
 * the new one is somebody's is told only to who got its code. All his other sessions end.
 */
export async function changeAccount(ctx: OpenCtx, form: AccountForm): Promise<void> {
  const account = targetOf(form.account, false);
  const { account: current } = await across(ctx, async ({ me }) => me);
  if (account === current) throw refused('新账号不能与当前账号相同', 'B0164');
  await provePassword(ctx, form.password);
  const old = { key: form.oldkey, code: form.oldcode, purpose: 'changephone', target: current } as const;
  const fresh = { key: form.key, code: form.code, purpose: 'changephone', target: account } as const;
  await verifyCode(ctx.runtime, old);
  await verifyCode(ctx.runtime, fresh);
  await across(ctx, async ({ db, me, record, afterCommit }) => {
    if (await isTaken(db, account)) throw refused('该账号已被使用', 'B0165');
    await consumeCode(db, old);
    await consumeCode(db, fresh);
    await sql`
      UPDATE identity.member SET account = ${account},
             tel = CASE WHEN ${!account.includes('@')} THEN ${account} ELSE tel END,
             email = CASE WHEN ${account.includes('@')} THEN ${account} ELSE email END,
             email_verified = CASE WHEN ${account.includes('@')} THEN true ELSE email_verified END
       WHERE company_id = ${me.company_id} AND id = ${me.id}`.execute(db);
    const member = { companyId: me.company_id, memberId: me.id };
    await closeSessionsOf({ db, afterCommit }, member, '登录账号已更换，请重新登录', ctx.principal.sessionId);
    const entry = { action: '更换登录账号', resource: 'identity.member', resourceId: me.id };
    await record({ ...entry, before: { account: current }, after: { account } });
  });
}

/** Proves an address as the caller's own by the code that was sent to it. */
export async function changeEmail(ctx: OpenCtx, form: { email: string; key: string; code: string }): Promise<void> {
  const email = targetOf(form.email, true);
  const code = { key: form.key, code: form.code, purpose: 'activeEmail', target: email } as const;
  await verifyCode(ctx.runtime, code);
  await across(ctx, async ({ db, me, record }) => {
    await consumeCode(db, code);
    await sql`
      UPDATE identity.member SET email = ${email}, email_verified = true
       WHERE company_id = ${me.company_id} AND id = ${me.id}`.execute(db);
    await record({ action: '激活邮箱', resource: 'identity.member', resourceId: me.id, after: { email } });
  });
}

interface PasswordForm {
  account?: string | undefined;
  oldpassword: string;
  password: string;
}

/** A new password for the caller by the old one; all his other sessions end. */
export async function changeOwnPassword(ctx: OpenCtx, form: PasswordForm): Promise<void> {
  const { me, policy } = await across(ctx, async (on) => ({
    me: on.me,
    policy: await securityPolicyOf(on.db, on.me.company_id),
  }));
  if (form.account !== undefined && form.account !== '' && normalised(form.account) !== me.account) {
    throw refused('账号与当前登录账号不一致', 'B0166');
  }
  await provePassword(ctx, form.oldpassword);
  if (
    !me.must_change_password &&
    changedTooRecently(ctx.runtime.clock, policy.passwordProfile, me.password_changed_at)
  ) {
    throw refused('公司安全策略要求密码使用满1天后才能修改', 'B0167');
  }
  const change = { memberId: me.id, password: form.password, keepSession: ctx.principal.sessionId };
  await changePassword(ctx.runtime, ctx.principal, change);
}
