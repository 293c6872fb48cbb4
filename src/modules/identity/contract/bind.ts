import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';

const AppType = z.string().trim().max(32).default('web').meta({ title: '来源应用' });
const BindId = z.uuid().meta({ title: '绑定编号' });
/** Wording of what is missing stands on the fields, because the dialog shows it as it is. */
const BindAccount = z
  .string('请输入要绑定的账号')
  .trim()
  .min(1, '请输入要绑定的账号')
  .max(254)
  .meta({ title: '账号', kind: 'code' });
const BindPassword = z.string('请输入密码').min(1, '请输入密码').max(200).meta({ title: '密码' });

/** One account of the caller's group. */
export const BoundAccount = z.object({
  id: Id,
  account: z.string(),
  name: z.string(),
  companyname: z.string(),
  image: z.string().nullable(),
  userinfo: z.object({ name: z.string(), companyname: z.string() }),
  /** Id of the group; named as callers of older versions know it. */
  lastloginsession: z.string(),
  /** Where it was bound. */
  lastloginip: z.string(),
  /** The account that is asking. */
  isactive: z.boolean(),
});
export type BoundAccount = z.infer<typeof BoundAccount>;

export const findBindList = endpoint({
  title: '已绑定账号列表',
  method: 'GET',
  path: '/admin/api/v1/users/findbindlist',
  permission: 'login',
  reply: z.array(BoundAccount),
});

export const getBindId = endpoint({
  title: '当前账号的绑定编号',
  method: 'GET',
  path: '/admin/api/v1/users/getbindId',
  permission: 'login',
  access: 'write',
  reply: z.string(),
});

const BindReply = z.object({ id: Id, account: z.string(), name: z.string(), companyname: z.string() });

/** Kept for callers of older versions; a password in an address is masked in logs. */
export const openidBind = endpoint({
  title: '绑定账号',
  method: 'GET',
  path: '/admin/api/v1/users/sysrole/openidbind',
  permission: 'login',
  access: 'write',
  query: z.object({ openid: BindId.optional(), appType: AppType, account: BindAccount, password: BindPassword }),
  reply: BindReply,
});

export const BindForm = z.object({ account: BindAccount, password: BindPassword });

export const bindAccount = endpoint({
  title: '绑定账号',
  method: 'POST',
  path: '/admin/api/v1/users/sysrole/openidbind',
  permission: 'login',
  body: BindForm.extend({ openid: BindId.optional(), appType: AppType }),
  reply: BindReply,
});

const Unbind = z.object({ id: z.uuid().meta({ title: '账号' }) });

export const unbindAccountGet = endpoint({
  title: '解绑账号',
  method: 'GET',
  path: '/admin/api/v1/users/unbindAccount',
  permission: 'login',
  access: 'write',
  query: Unbind,
  reply: z.literal('success'),
});

export const unbindAccount = endpoint({
  title: '解绑账号',
  method: 'POST',
  path: '/admin/api/v1/users/unbindAccount',
  permission: 'login',
  body: Unbind,
  reply: z.literal('success'),
});

const Switch = z.object({
  openid: BindId,
  account: z.string().trim().min(1).max(254).meta({ title: '账号' }),
  appType: AppType,
  jsessionid: z.string().min(1).max(200).meta({ title: '会话' }),
});

const SwitchReply = z.object({
  jsessionid: z.string(),
  currentuser: z.object({ id: Id, account: z.string(), name: z.string(), companyname: z.string() }),
});

/** The session in the address must be the one in the header, and its user must share the group with the account. */
export const changeLoginGet = endpoint({
  title: '切换账号',
  method: 'GET',
  path: '/auth/changeLoginWechatApp',
  permission: 'login',
  access: 'write',
  query: Switch,
  reply: SwitchReply,
});

export const changeLogin = endpoint({
  title: '切换账号',
  method: 'POST',
  path: '/auth/changeLoginWechatApp',
  permission: 'login',
  body: Switch,
  reply: SwitchReply,
});
