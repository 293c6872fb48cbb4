import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { EMAIL, PHONE } from './account.ts';

/** What a code is asked for. */
const Ftype = z
  .enum(['register', 'losepassword', 'changephone', 'activeEmail', 'closeaccount', 'mergeaccount'])
  .meta({ title: '用途' });

const Mobile = z
  .string()
  .trim()
  .min(1, '手机号码不能为空')
  .max(20)
  .regex(PHONE, '请输入正确的手机号')
  .meta({ title: '手机号' });

const Email = z
  .string()
  .trim()
  .min(1, '邮箱不能为空')
  .max(254)
  .regex(EMAIL, '请输入正确的邮箱')
  .meta({ title: '邮箱' });

/** The captcha's proof; asked for (B0106) after too many codes of one address. */
const Captcha = z.string().max(4000).optional().meta({ title: '安全验证' });

/** Data is the key under which the code is checked; it comes whether or not an account exists. */
const Key = z.string();

const ByPhone = z.object({ mobile: Mobile, ftype: Ftype, captchaVerification: Captcha });
const Attempt = z.object({
  key: z.string().min(1, '请先获取验证码').max(100).meta({ title: '验证码标识' }),
  code: z.string().trim().min(1, '验证码不能为空').max(20).meta({ title: '验证码' }),
});
const Success = z.literal('success');

export const getSmsCode = endpoint({
  title: '获取短信验证码',
  method: 'GET',
  path: '/admin/api/v1/users/getSmsCode',
  permission: 'public',
  access: 'write',
  query: ByPhone,
  reply: Key,
});

export const getEmailCode = endpoint({
  title: '获取邮箱验证码',
  method: 'GET',
  path: '/admin/api/v1/users/getEmailCode',
  permission: 'public',
  access: 'write',
  query: z.object({ email: Email, ftype: Ftype, captchaVerification: Captcha }),
  reply: Key,
});

export const smsGetCode = endpoint({
  title: '发送短信验证码',
  method: 'GET',
  path: '/admin/api/v1/sms/getSmsCode',
  permission: 'public',
  access: 'write',
  query: ByPhone,
  reply: Key,
});

export const smsCheckCode = endpoint({
  title: '校验短信验证码',
  method: 'GET',
  path: '/admin/api/v1/sms/checkSmsCode',
  permission: 'public',
  access: 'write',
  query: Attempt,
  reply: Success,
});

export const verifySmsCode = endpoint({
  title: '验证身份',
  method: 'GET',
  path: '/auth/verifySmsCode',
  permission: 'public',
  access: 'write',
  query: Attempt,
  reply: Success,
});
