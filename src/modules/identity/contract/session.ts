import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';

/** Slider ("blockPuzzle") or three characters to click in order ("clickWord"). */
export const CaptchaType = z.enum(['blockPuzzle', 'clickWord']);
export type CaptchaType = z.infer<typeof CaptchaType>;

/** Pictures are 310 x 155 px; the page shows them at 330 and scales coordinates back to 310. */
export const CAPTCHA_WIDTH = 310;
export const CAPTCHA_HEIGHT = 155;
/** The fixed y that a slider answer carries. */
export const SLIDER_Y = 5;

const CaptchaChallenge = z.object({
  originalImageBase64: z.string(),
  /** Slider only: the piece, 47 px wide and as tall as the picture. */
  jigsawImageBase64: z.string(),
  token: z.string(),
  /** 16 characters; encrypts pointJson (AES-128-ECB, PKCS7, Base64). */
  secretKey: z.string(),
  /** Click-word only: the three characters in order. */
  wordList: z.array(z.string()),
});
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;

/** The rep* fields stand at the top level of the body as well as under data. */
const CaptchaReply = <T extends z.ZodType>(repData: T) =>
  z.object({ repCode: z.string(), repMsg: z.string().nullable(), repData: repData.nullable() });

export const captchaGet = endpoint({
  title: '获取验证码图片',
  method: 'POST',
  path: '/auth/captcha/get',
  permission: 'public',
  body: z.object({
    captchaType: CaptchaType.meta({ title: '验证方式' }),
    clientUid: z.string().max(80).optional(),
    ts: z.number().optional(),
  }),
  reply: CaptchaReply(CaptchaChallenge),
});

export const captchaCheck = endpoint({
  title: '校验验证码',
  method: 'POST',
  path: '/auth/captcha/check',
  permission: 'public',
  body: z.object({
    captchaType: CaptchaType.meta({ title: '验证方式' }),
    pointJson: z.string().max(2000).meta({ title: '坐标' }),
    token: z.string().max(80).meta({ title: '令牌' }),
  }),
  reply: CaptchaReply(z.object({ captchaType: CaptchaType, token: z.string(), result: z.boolean() })),
});

export const login = endpoint({
  title: '登录',
  method: 'POST',
  path: '/auth/login',
  permission: 'public',
  body: z.object({
    account: z.string().trim().min(1, '请输入手机号或邮箱').max(254).meta({ title: '账号' }),
    password: z.string().min(1, '请输入密码').max(200).meta({ title: '密码' }),
    uid: z.string().max(80).optional(),
    /** JSON text {"captchaVerification": "…"} or the bare value. */
    verifition: z.string().max(4000).optional().meta({ title: '安全验证' }),
  }),
  reply: z.object({ session: z.string(), id: z.string() }),
});

export const logout = endpoint({
  title: '退出登录',
  method: 'GET',
  path: '/auth/apilogout',
  permission: 'login',
  access: 'write',
  reply: z.literal('success'),
});

/** Data is the address of the auth server, or the text "false". */
export const ssoIsRun = endpoint({
  title: '是否启用单点登录',
  method: 'POST',
  path: '/auth/ssologinisrun',
  permission: 'public',
  access: 'read',
  body: z.object({}).optional(),
  reply: z.string(),
});
