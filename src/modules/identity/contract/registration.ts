import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { EMAIL, normalised, PHONE, passwordProblem } from './account.ts';

/** A field of a form that is checked in order, with one message at a time; missing counts as empty. */
const Entry = (title: string, max = 300) => z.string().max(max).default('').meta({ title });

export const Registration = z.object({
  account: Entry('手机号'),
  code: Entry('验证码'),
  key: Entry('验证码标识'),
  /** The repeated password, under the name that the protocol gives it. */
  oldpassword: Entry('确认密码'),
  password: Entry('密码'),
  name: Entry('用户名', 1000),
  email: Entry('邮箱', 1000),
  company: Entry('公司名称', 1000),
});
export type Registration = z.infer<typeof Registration>;

export const PasswordReset = z.object({
  account: Entry('账号'),
  code: Entry('验证码'),
  key: Entry('验证码标识'),
  password: Entry('新密码'),
  repassword: Entry('确认密码'),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

/** The first thing wrong with a form: field and message. */
export interface Problem<F> {
  field: keyof F & string;
  msg: string;
}

type Check<F> = [field: keyof F & string, wrong: boolean, msg: string];

function first<F>(checks: readonly Check<F>[]): Problem<F> | undefined {
  const found = checks.find(([, wrong]) => wrong);
  return found && { field: found[0], msg: found[2] };
}

const longer = (text: string, max: number) => [...text.trim()].length > max;

/** Password and its repetition, in the order of the rules. */
export function passwordsProblem(password: string, repeated: string): string | undefined {
  if (password === '') return '密码不能为空';
  return passwordProblem(password) ?? (repeated === '' ? '请再次输入密码' : undefined) ?? differing(password, repeated);
}

function differing(password: string, repeated: string): string | undefined {
  return password === repeated ? undefined : '两次输入的密码不一致';
}

/** What is wrong with a registration first: phone, e-mail, user name, company, passwords, code. */
export function registrationProblem(form: Registration): Problem<Registration> | undefined {
  const passwords = passwordsProblem(form.password, form.oldpassword);
  const repeated = passwords !== undefined && /再次|不一致/.test(passwords);
  return first<Registration>([
    ['account', form.account.trim() === '', '手机号不能为空'],
    ['account', !PHONE.test(normalised(form.account)), '请输入正确的手机号'],
    ['email', form.email.trim() === '', '邮箱不能为空'],
    ['email', !EMAIL.test(form.email.trim()) || longer(form.email, 254), '请输入正确的邮箱'],
    ['name', form.name.trim() === '', '用户名不能为空'],
    ['name', longer(form.name, 100), '用户名不能超过100个字符'],
    ['company', form.company.trim() === '', '公司名称不能为空'],
    ['company', longer(form.company, 50), '公司名称不能超过50个字符'],
    [repeated ? 'oldpassword' : 'password', passwords !== undefined, passwords ?? ''],
    ['code', form.code.trim() === '', '验证码不能为空'],
    ['code', form.key === '', '请先获取验证码'],
  ]);
}

/** What is wrong with the account that a reset begins with. */
export function accountProblem(account: string): string | undefined {
  if (account.trim() === '') return '手机号或邮箱不能为空';
  if (account.includes('@')) return EMAIL.test(account.trim()) ? undefined : '请输入正确的邮箱';
  return PHONE.test(normalised(account)) ? undefined : '请输入正确的手机号';
}

/** What is wrong with a reset first: account, code, passwords. */
export function resetProblem(form: PasswordReset): Problem<PasswordReset> | undefined {
  const account = accountProblem(form.account);
  const passwords = passwordsProblem(form.password, form.repassword);
  const repeated = passwords !== undefined && /再次|不一致/.test(passwords);
  return first<PasswordReset>([
    ['account', account !== undefined, account ?? ''],
    ['code', form.code.trim() === '', '验证码不能为空'],
    ['code', form.key === '', '请先获取验证码'],
    [repeated ? 'repassword' : 'password', passwords !== undefined, passwords ?? ''],
  ]);
}

export const register = endpoint({
  title: '注册',
  method: 'POST',
  path: '/admin/api/v1/users/register',
  permission: 'public',
  body: Registration,
  reply: z.literal('success'),
});

export const updatePasswordForget = endpoint({
  title: '找回密码',
  method: 'POST',
  path: '/admin/api/v1/users/updatePasswordForget',
  permission: 'public',
  body: PasswordReset,
  reply: z.literal('success'),
});

/** As the call above for a code that was verified before; one that was not opens nothing. */
export const updatePassword = endpoint({
  title: '重置密码',
  method: 'POST',
  path: '/admin/api/v1/users/updatePassword',
  permission: 'public',
  body: PasswordReset.omit({ repassword: true }),
  reply: z.literal('success'),
});
