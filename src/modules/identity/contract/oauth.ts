import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';

/** What a client may ask to know of a person, as the person reads it. */
export const SCOPES = {
  openid: '账号标识',
  profile: '姓名、账号与公司名称',
  email: '邮箱',
  phone: '手机号',
} as const;
export type Scope = keyof typeof SCOPES;

/** The page on which a person lets a client log him in; `?uid=` names the log-in under way, `?error=` why there is none. */
export const AUTHORIZE_PAGE = '/oauth/authorize';

/** Why a client's log-in ended on our page; the code (RFC 6749, section 4.1.2.1) travels in the address, the words do not. */
export const OAUTH_PROBLEMS: Readonly<Record<string, string>> = {
  invalid_client: '该应用未登记或已停用，请联系应用的管理员',
  invalid_redirect_uri: '该应用的回调地址未登记，请联系应用的管理员',
  invalid_request: '登录请求无效或已过期，请回到原应用重新登录',
  temporarily_unavailable: '操作过于频繁，请稍后再试',
};

const UnderWay = z.object({
  uid: z
    .string()
    .regex(/^[\w-]{10,100}$/, '登录请求无效')
    .meta({ title: '登录请求' }),
});

const Asked = z.object({
  client: z.string(),
  /** Host that the browser goes back to. */
  back: z.string(),
  /** Who would be logged in. */
  name: z.string(),
  account: z.string(),
  company: z.string(),
  scopes: z.array(z.enum(['openid', 'profile', 'email', 'phone'])),
  /** False: the client is let in without a question, or was in the same session before. */
  ask: z.boolean(),
  /** The client insists on a log-in younger than this session. */
  again: z.boolean(),
});
export type Asked = z.infer<typeof Asked>;

/** What a client asks for, told to the browser that it sent here. B0195 for any other browser, and where time is up. */
export const oauthAsked = endpoint({
  title: '应用登录请求',
  method: 'GET',
  path: '/auth/oauth2/interactions/:uid',
  permission: 'login',
  params: UnderWay,
  reply: Asked,
});

/** Lets a client log the caller in, or does not; answers where the browser goes next. B0195 as above. */
export const oauthAnswer = endpoint({
  title: '应用登录确认',
  method: 'POST',
  path: '/auth/oauth2/interactions/:uid',
  permission: 'login',
  params: UnderWay,
  body: z.object({ agree: z.boolean().meta({ title: '同意' }) }),
  reply: z.object({ location: z.url() }),
});
