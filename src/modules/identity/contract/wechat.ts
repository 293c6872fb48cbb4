import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';

const State = z.string().min(1).max(200).meta({ title: '状态' });
const Code = z.string().min(1).max(500).meta({ title: '授权码' });

/** Where the browser goes to show WeChat's QR picture; null where WeChat is not set up. */
const Start = z.object({
  url: z.string(),
  /** Kept by the browser and brought back: nobody else can finish what this browser began. */
  nonce: z.string(),
  /** Seconds until the way back is closed. */
  expiresIn: z.int(),
});

export const wechatAvailable = endpoint({
  title: '是否启用微信登录',
  method: 'GET',
  path: '/auth/wechat/available',
  permission: 'public',
  reply: z.boolean(),
});

export const wechatLoginStart = endpoint({
  title: '微信扫码登录',
  method: 'POST',
  path: '/auth/wechat/start',
  permission: 'public',
  body: z.object({}),
  reply: Start,
});

const Candidate = z.object({ id: Id, account: z.string(), name: z.string(), companyname: z.string() });

/** Either a session, or several accounts of one person to choose from with a new state. */
export const wechatLogin = endpoint({
  title: '微信登录',
  method: 'POST',
  path: '/auth/wechat/login',
  permission: 'public',
  body: z.object({
    state: State,
    nonce: State,
    /** What came back from WeChat; left out with the second call, which brings the chosen account. */
    code: Code.optional(),
    id: z.uuid().optional().meta({ title: '账号' }),
  }),
  reply: z.object({
    session: z.string().optional(),
    id: Id.optional(),
    state: z.string().optional(),
    choices: z.array(Candidate).optional(),
  }),
});

export const WechatIdentity = z.object({
  id: Id,
  openid: z.string(),
  nickname: z.string().nullable(),
  boundAt: Instant,
});

export const wechatBound = endpoint({
  title: '已绑定微信',
  method: 'GET',
  path: '/admin/api/v1/users/wechat',
  permission: 'login',
  reply: z.object({ available: z.boolean(), identities: z.array(WechatIdentity) }),
});

export const wechatBindStart = endpoint({
  title: '微信扫码绑定',
  method: 'POST',
  path: '/admin/api/v1/users/wechat/start',
  permission: 'login',
  body: z.object({}),
  reply: Start,
});

export const wechatBind = endpoint({
  title: '绑定微信',
  method: 'POST',
  path: '/admin/api/v1/users/wechat/bind',
  permission: 'login',
  body: z.object({ state: State, nonce: State, code: Code }),
  reply: WechatIdentity,
});

const Unbind = z.object({
  appType: z.string().max(32).optional().meta({ title: '来源应用' }),
  account: z.string().trim().min(1).max(254).meta({ title: '账号' }),
  openid: z.string().min(1).max(200).meta({ title: '微信标识' }),
});

/** Of the caller, or of an account of his group. */
export const unbindWechatGet = endpoint({
  title: '解绑微信',
  method: 'GET',
  path: '/admin/api/v1/users/unbindWechat',
  permission: 'login',
  access: 'write',
  query: Unbind,
  reply: z.literal('success'),
});

export const unbindWechat = endpoint({
  title: '解绑微信',
  method: 'POST',
  path: '/admin/api/v1/users/unbindWechat',
  permission: 'login',
  body: Unbind,
  reply: z.literal('success'),
});
