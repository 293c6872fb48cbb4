import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';

const MfaToken = z.string().min(1).max(200).meta({ title: '令牌' });
/** Six digits of the app, or a recovery code such as "k3f9-x2mq". */
const MfaCode = z
  .string()
  .trim()
  .min(6, '请输入6位动态验证码')
  .max(20, '请输入6位动态验证码')
  .meta({ title: '动态验证码' });

/** What an authenticator app needs; the picture is a data URL. */
const Enrolment = z.object({ secret: z.string(), uri: z.string(), qr: z.string() });
export type Enrolment = z.infer<typeof Enrolment>;

export const loginMfa = endpoint({
  title: '登录动态验证',
  method: 'POST',
  path: '/auth/login/mfa',
  permission: 'public',
  body: z.object({ mfaToken: MfaToken, code: MfaCode }),
  /** The recovery codes come once, when this log-in set the second factor up. */
  reply: z.object({ session: z.string(), id: Id, recoveryCodes: z.array(z.string()).optional() }),
});

export const loginMfaEnrol = endpoint({
  title: '登录时启用动态验证码',
  method: 'POST',
  path: '/auth/login/mfa/enrol',
  permission: 'public',
  body: z.object({ mfaToken: MfaToken }),
  reply: Enrolment,
});

export const mfaStatus = endpoint({
  title: '动态验证码状态',
  method: 'GET',
  path: '/admin/api/v1/users/mfa',
  permission: 'login',
  reply: z.object({
    enabled: z.boolean(),
    since: Instant.nullable(),
    recoveryLeft: z.int(),
    /** The company asks for it: it cannot be switched off. */
    required: z.boolean(),
  }),
});

const Password = z.string().min(1, '请输入密码').max(200).meta({ title: '密码' });

export const mfaEnrol = endpoint({
  title: '启用动态验证码',
  method: 'POST',
  path: '/admin/api/v1/users/mfa/enrol',
  permission: 'login',
  body: z.object({ password: Password }),
  reply: Enrolment,
});

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const mfaConfirm = endpoint({
  title: '确认动态验证码',
  method: 'POST',
  path: '/admin/api/v1/users/mfa/confirm',
  permission: 'login',
  body: z.object({ code: MfaCode }),
  reply: RecoveryCodes,
});

export const mfaRecovery = endpoint({
  title: '重新生成恢复码',
  method: 'POST',
  path: '/admin/api/v1/users/mfa/recovery',
  permission: 'login',
  body: z.object({ password: Password, code: MfaCode }),
  reply: RecoveryCodes,
});

export const mfaDisable = endpoint({
  title: '停用动态验证码',
  method: 'POST',
  path: '/admin/api/v1/users/mfa/disable',
  permission: 'login',
  body: z.object({ password: Password, code: MfaCode }),
  reply: z.literal('success'),
});
