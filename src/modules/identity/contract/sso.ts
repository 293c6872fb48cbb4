import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';

/** Why the way through the provider ended on our page; the code travels in the address, the words do not. */
export const SSO_PROBLEMS: Readonly<Record<string, string>> = {
  off: '未启用单点登录',
  down: '认证服务器暂时无法访问，请稍后重试',
  state: '登录已失效或不是由本浏览器发起，请重新登录',
  planted: '登录链接无效、已使用或已过期，请重新登录',
  denied: '认证服务器未允许登录',
  provider: '认证服务器返回的信息未通过校验，请重新登录',
  unverified: '认证服务器未提供已验证的邮箱，无法匹配账号，请联系管理员',
  unknown: '该账号尚未开通，请联系管理员',
  ambiguous: '该邮箱对应多个账号，请使用密码登录',
  taken: '该账号已关联其他单点登录身份，请联系管理员',
  elsewhere: '该邮箱的账号属于其他公司，请联系管理员',
  removed: '该账号已被删除，请联系管理员',
  full: '公司子账号数量已达上限，请联系管理员',
  rounds: '多次登录均未成功，请稍后重试或联系管理员',
  B0103: '公司账号已停用，请联系管理员',
  B0104: '账号已停用，请联系管理员',
  B0105: '账号已过期',
  B0121: '当前网络不在公司允许登录的范围内',
  B0123: '账号已注销',
  failed: '登录失败，请重新登录',
};

/** Begins a log-in: sends the browser to the provider. */
export const ssoStart = endpoint({
  title: '单点登录',
  method: 'GET',
  path: '/sso/getJSession',
  permission: 'public',
  access: 'write',
  redirect: true,
  reply: z.null(),
});

/** The provider sends the browser back here; it goes on to /ssologin with a session id or the code of a problem. */
export const ssoCallback = endpoint({
  title: '单点登录回调',
  method: 'GET',
  path: '/sso/callback',
  permission: 'public',
  access: 'write',
  redirect: true,
  query: z.object({
    code: z.string().max(8192).optional().meta({ title: '授权码' }),
    state: z.string().max(200).optional().meta({ title: '状态' }),
    iss: z.string().max(500).optional().meta({ title: '签发者' }),
    error: z.string().max(200).optional().meta({ title: '错误' }),
  }),
  reply: z.null(),
});

/**
 * Takes up the session whose id came back in an address: good once, within a minute, for the browser that the log-in
 * began in. Any other id, also a valid one, is refused: somebody may have planted it to have his session used.
 */
export const ssoTake = endpoint({
  title: '接收单点登录会话',
  method: 'POST',
  path: '/sso/take',
  permission: 'public',
  body: z.object({ jsessionid: z.string().min(1).max(200).meta({ title: '会话' }) }),
  reply: z.object({ id: Id }),
});

/** Ends the browser's session here and at the provider; the browser ends up at /login. */
export const ssoLogout = endpoint({
  title: '单点退出',
  method: 'GET',
  path: '/sso/logout',
  permission: 'public',
  access: 'write',
  redirect: true,
  reply: z.null(),
});

/** The provider says that somebody logged out there (OpenID Connect Back-Channel Logout 1.0). */
export const ssoBackchannel = endpoint({
  title: '单点退出通知',
  method: 'POST',
  path: '/sso/backchannel',
  permission: 'public',
  form: true,
  body: z.object({ logout_token: z.string().min(1).max(8192).meta({ title: '退出令牌' }) }),
  reply: z.literal('success'),
});

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const SsoDomain = z.object({
  id: Id,
  domain: z.string(),
  companyId: Id,
  company: z.string(),
  /** Name of the role that new people get. */
  role: z.string().nullable(),
  createdAt: Instant,
});
export type SsoDomain = z.infer<typeof SsoDomain>;

const domains = '/admin/api/v1/sso/domains';

export const ssoDomains = endpoint({
  title: '单点登录邮箱域名',
  method: 'GET',
  path: domains,
  permission: 'sys:sso:view',
  reply: z.array(SsoDomain),
});

/** Whose mail domain it is, and the role of who comes from the provider for the first time. */
export const addSsoDomain = endpoint({
  title: '新增单点登录邮箱域名',
  method: 'POST',
  path: domains,
  permission: 'sys:sso:add',
  body: z.object({
    domain: z.string().trim().toLowerCase().max(253).regex(DOMAIN, '请输入正确的邮箱域名').meta({ title: '邮箱域名' }),
    companyId: z.uuid().meta({ title: '公司' }),
    /** By name, as its company calls it; left out: new people may enter and see nothing yet. */
    role: z.string().trim().max(100).optional().meta({ title: '默认角色' }),
  }),
  reply: Id,
});

export const removeSsoDomain = endpoint({
  title: '删除单点登录邮箱域名',
  method: 'DELETE',
  path: `${domains}/:id`,
  permission: 'sys:sso:delete',
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});
