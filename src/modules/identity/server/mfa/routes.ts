import { refused } from '#kit/server/errors.ts';
import { type AnyRoute, type OpenCtx, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import {
  loginMfa,
  loginMfaEnrol,
  mfaConfirm,
  mfaDisable,
  mfaEnrol,
  mfaRecovery,
  mfaStatus,
} from '../../contract/mfa.ts';
import { across, callerOf } from '../act.ts';
import { proveAccount } from '../login.ts';
import { recordLogin } from '../members.ts';
import { onDevice } from '../security/new-device.ts';
import { securityPolicyOf } from '../security/policy.ts';
import { acceptsAny, acceptsApp, beginEnrolment, refuseIfFactorLocked, wrongCode } from './factor.ts';
import { enrolAtLogin, finishLogin } from './login.ts';
import { codesLeft, renewCodes } from './recovery.ts';
import { enrolmentOf } from './totp.ts';

/** The caller's own password again; failures count towards the lock of his account. */
export async function provePassword(ctx: OpenCtx, password: string): Promise<void> {
  const { account } = await across(ctx, async ({ me }) => me);
  await proveAccount(callerOf(ctx), { account, password });
}

const status = serveOpen(mfaStatus, async (ctx) =>
  across(ctx, async ({ db, me }) => {
    const own = await db
      .selectFrom('identity.mfa')
      .select('confirmed_at')
      .where('company_id', '=', me.company_id)
      .where('member_id', '=', me.id)
      .executeTakeFirst();
    const policy = await securityPolicyOf(db, me.company_id);
    const since = own?.confirmed_at ?? null;
    return { enabled: since !== null, since, recoveryLeft: await codesLeft(db, me), required: policy.mfaRequired };
  }),
);

const enrol = serveOpen(mfaEnrol, async (ctx, { body }) => {
  await provePassword(ctx, body.password);
  const { secret, account } = await across(ctx, async ({ db, me, record }) => {
    await record({ action: '设置动态验证码', resource: 'identity.mfa', resourceId: me.id });
    return { secret: await beginEnrolment(db, me, ctx.runtime.secrets), account: me.account };
  });
  return enrolmentOf(secret, account);
});

const confirm = serveOpen(mfaConfirm, async (ctx, { body }) => {
  const { secrets } = ctx.runtime;
  const codes = await across(ctx, async ({ db, me, record }) => {
    await refuseIfFactorLocked(db, me);
    if (!(await acceptsApp(db, me, body.code, secrets, false))) return undefined;
    await record({ action: '启用动态验证码', resource: 'identity.mfa', resourceId: me.id });
    return renewCodes(db, me, secrets.pepper);
  });
  return { recoveryCodes: codes ?? (await failed(ctx)) };
});

/** A wrong code counts, also where a session is already open. */
async function failed(ctx: OpenCtx): Promise<never> {
  const me = await across(ctx, async (on) => on.me);
  await recordLogin(callerOf(ctx), me.account, me, false, 'mfa');
  throw wrongCode();
}

/** Password and code, then `work` in the same transaction as the code. */
async function withBoth<T>(
  ctx: OpenCtx,
  input: { password: string; code: string },
  work: (on: Parameters<Parameters<typeof across<T>>[1]>[0]) => Promise<T>,
): Promise<T> {
  await provePassword(ctx, input.password);
  const done = await across(ctx, async (on) => {
    await refuseIfFactorLocked(on.db, on.me);
    if (!(await acceptsAny(on.db, on.me, input.code, ctx.runtime.secrets))) return undefined;
    return { result: await work(on) };
  });
  return done ? done.result : failed(ctx);
}

const recovery = serveOpen(mfaRecovery, async (ctx, { body }) =>
  withBoth(ctx, body, async ({ db, me, record }) => {
    await record({ action: '重新生成恢复码', resource: 'identity.mfa', resourceId: me.id });
    return { recoveryCodes: await renewCodes(db, me, ctx.runtime.secrets.pepper) };
  }),
);

const disable = serveOpen(mfaDisable, async (ctx, { body }) =>
  withBoth(ctx, body, async ({ db, me, record }) => {
    if ((await securityPolicyOf(db, me.company_id)).mfaRequired)
      throw refused('公司要求启用动态验证码，不能停用', 'B0144');
    await db
      .deleteFrom('identity.mfa')
      .where('company_id', '=', me.company_id)
      .where('member_id', '=', me.id)
      .execute();
    await record({ action: '停用动态验证码', resource: 'identity.mfa', resourceId: me.id });
    return 'success' as const;
  }),
);

export const mfaRoutes: AnyRoute[] = [
  servePublic(loginMfa, async (ctx, { body }) =>
    onDevice(ctx, (device) => finishLogin(ctx, body.mfaToken, body.code, device)),
  ),
  servePublic(loginMfaEnrol, async (ctx, { body }) => enrolAtLogin(ctx, body.mfaToken)),
  status,
  enrol,
  confirm,
  recovery,
  disable,
];
