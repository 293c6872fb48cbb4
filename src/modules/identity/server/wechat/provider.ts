import type { WechatConfig } from '#kit/server/config.ts';
import { refused } from '#kit/server/errors.ts';

/** Somebody as WeChat knows him. */
export interface WechatPerson {
  openId: string;
  /** The same person in all applications of one owner. */
  unionId: string;
  nickname: string | null;
}

/** What the product needs of WeChat; the sandbox and the real one differ in their addresses only. */
export interface WechatProvider {
  /** Page with the QR picture; WeChat sends the browser back to `redirectUri` with code and state. */
  authorizeUrl(state: string, redirectUri: string): string;
  /** Who a code stands for. A code works once and for ten minutes; anything else is refused with B0151. */
  personOf(code: string): Promise<WechatPerson>;
}

const TIMEOUT_MS = 10_000;
const failed = () => refused('微信授权失败，请重新扫码', 'B0151');

async function getJson(url: URL): Promise<Record<string, unknown>> {
  let body: unknown;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    body = await response.json();
  } catch {
    throw refused('微信服务暂时无法访问，请稍后重试', 'B0152');
  }
  if (typeof body !== 'object' || body === null || ('errcode' in body && body.errcode !== 0)) throw failed();
  return body as Record<string, unknown>;
}

function textOf(body: Record<string, unknown>, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** WeChat's website log-in (scope snsapi_login): authorisation page, sns/oauth2/access_token, sns/userinfo. */
export function wechatProvider(config: WechatConfig): WechatProvider {
  const address = (path: string, query: Record<string, string>) => {
    const url = new URL(config.apiBase.replace(/\/$/, '') + path);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return url;
  };
  return {
    authorizeUrl(state, redirectUri) {
      const url = new URL(config.authorizeUrl);
      url.searchParams.set('appid', config.appId);
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('scope', 'snsapi_login');
      url.searchParams.set('state', state);
      return `${url}#wechat_redirect`;
    },
    async personOf(code) {
      const token = await getJson(
        address('/sns/oauth2/access_token', {
          appid: config.appId,
          secret: config.secret,
          code,
          grant_type: 'authorization_code',
        }),
      );
      const accessToken = textOf(token, 'access_token');
      const openId = textOf(token, 'openid');
      if (!accessToken || !openId) throw failed();
      const person = await getJson(address('/sns/userinfo', { access_token: accessToken, openid: openId }));
      if (textOf(person, 'openid') !== openId) throw failed();
      return {
        openId,
        unionId: textOf(person, 'unionid') ?? textOf(token, 'unionid') ?? openId,
        nickname: textOf(person, 'nickname')?.slice(0, 60) ?? null,
      };
    },
  };
}
