import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { html, page } from './wechat-page.ts';

/** The one registered application; the values are public and worthless by design. */
export const wechatApp = { appId: 'wx-sandbox', secret: 'wechat-sandbox-secret' } as const;

/** Somebody with a phone who can scan the picture. */
const PEOPLE = [
  { key: 'lin', nickname: '林小满' },
  { key: 'zhou', nickname: '周舟' },
  { key: 'he', nickname: '何田田' },
] as const;

const CODE_MS = 10 * 60_000;
const TOKEN_SECONDS = 7200;

type Query = Record<string, string | undefined>;

interface Grant {
  key: string;
  until: number;
}

function idOf(prefix: string, key: string): string {
  return prefix + createHash('sha256').update(`${prefix}:${key}`).digest('base64url').slice(0, 26);
}

/** Error bodies as WeChat sends them: HTTP 200 with errcode and errmsg. */
function error(errcode: number, errmsg: string) {
  return { errcode, errmsg };
}

function problemOf(query: Query): string | undefined {
  if (query.appid !== wechatApp.appId) return 'Scope 参数错误或没有 Scope 权限';
  if (query.response_type !== 'code' || query.scope !== 'snsapi_login') return 'Scope 参数错误或没有 Scope 权限';
  const back = query.redirect_uri ?? '';
  if (!URL.canParse(back) || !/^https?:$/.test(new URL(back).protocol)) return 'redirect_uri 参数错误';
  return undefined;
}

function profileOf(key: string) {
  const person = PEOPLE.find((each) => each.key === key);
  return {
    openid: idOf('o', key),
    nickname: person?.nickname ?? '',
    sex: 0,
    province: '',
    city: '',
    country: '',
    headimgurl: '',
    privilege: [],
    unionid: idOf('u', key),
  };
}

/** Codes and tokens of a running stand-in; they end with the process. */
class Grants {
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant>();

  code(key: string): string {
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, { key, until: Date.now() + CODE_MS });
    return code;
  }

  /** A code works once. */
  take(code: string): string | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    return grant && grant.until > Date.now() ? grant.key : undefined;
  }

  tokens(key: string) {
    const access = randomBytes(24).toString('base64url');
    const refresh = randomBytes(24).toString('base64url');
    this.#tokens.set(access, { key, until: Date.now() + TOKEN_SECONDS * 1000 });
    this.#refresh.set(refresh, { key, until: Date.now() + 30 * 86_400_000 });
    const { openid, unionid } = profileOf(key);
    return {
      access_token: access,
      expires_in: TOKEN_SECONDS,
      refresh_token: refresh,
      openid,
      scope: 'snsapi_login',
      unionid,
    };
  }

  holder(token: string | undefined, openId: string | undefined): string | undefined {
    const grant = this.#tokens.get(token ?? '');
    if (!grant || grant.until < Date.now() || profileOf(grant.key).openid !== openId) return undefined;
    return grant.key;
  }

  refreshed(token: string | undefined): string | undefined {
    const grant = this.#refresh.get(token ?? '');
    return grant && grant.until > Date.now() ? grant.key : undefined;
  }
}

/**
 * Stand-in for WeChat's website log-in, under /wechat: the page with the picture (and a button instead of a phone), and
 * the calls sns/oauth2/access_token, sns/oauth2/refresh_token, sns/userinfo and sns/auth with WeChat's error codes.
 */
export function registerWechat(server: FastifyInstance): void {
  const grants = new Grants();
  server.get<{ Querystring: Query }>('/wechat/connect/qrconnect', async (request, reply) => {
    const problem = problemOf(request.query);
    return reply
      .code(problem ? 400 : 200)
      .type('text/html; charset=utf-8')
      .send(page(problem ? `<h1>无法登录</h1><p>${html(problem)}</p>` : scanForm(request.query)));
  });
  server.post<{ Body: Query; Querystring: Query }>('/wechat/connect/qrconnect', async (request, reply) => {
    const fields = request.body;
    const known = PEOPLE.some((each) => each.key === fields.person);
    if (problemOf(fields) || !known)
      return reply.code(400).type('text/html; charset=utf-8').send(page('<h1>无法登录</h1>'));
    const back = new URL(fields.redirect_uri ?? '');
    back.searchParams.set('code', grants.code(fields.person ?? ''));
    back.searchParams.set('state', fields.state ?? '');
    return reply.redirect(back.href, 303);
  });
  server.get<{ Querystring: Query }>('/wechat/sns/oauth2/access_token', async ({ query }) => {
    if (query.appid !== wechatApp.appId) return error(40013, 'invalid appid');
    if (query.secret !== wechatApp.secret) return error(40125, 'invalid appsecret');
    if (query.grant_type !== 'authorization_code') return error(40002, 'invalid grant_type');
    const key = grants.take(query.code ?? '');
    return key === undefined ? error(40029, 'invalid code') : grants.tokens(key);
  });
  server.get<{ Querystring: Query }>('/wechat/sns/oauth2/refresh_token', async ({ query }) => {
    if (query.appid !== wechatApp.appId) return error(40013, 'invalid appid');
    const key = grants.refreshed(query.refresh_token);
    return key === undefined ? error(40030, 'invalid refresh_token') : grants.tokens(key);
  });
  server.get<{ Querystring: Query }>('/wechat/sns/userinfo', async ({ query }) => {
    const key = grants.holder(query.access_token, query.openid);
    return key === undefined
      ? error(40001, 'invalid credential, access_token is invalid or not latest')
      : profileOf(key);
  });
  server.get<{ Querystring: Query }>('/wechat/sns/auth', async ({ query }) =>
    grants.holder(query.access_token, query.openid) === undefined ? error(40003, 'invalid openid') : error(0, 'ok'),
  );
}

function scanForm(query: Query): string {
  const hidden = ['appid', 'redirect_uri', 'response_type', 'scope', 'state']
    .map((name) => `<input type="hidden" name="${name}" value="${html(query[name] ?? '')}">`)
    .join('');
  const people = PEOPLE.map(
    (each, index) =>
      `<label><input type="radio" name="person" value="${each.key}"${index === 0 ? ' checked' : ''}>${each.nickname}</label>`,
  ).join('');
  return `<h1>微信登录</h1><p>沙箱里没有手机：选择一个微信用户，代替扫码。</p>
<form method="post"><div class="qr" aria-hidden="true"></div>${hidden}<fieldset><legend>微信用户</legend>${people}</fieldset>
<button>模拟扫码并确认登录</button></form>`;
}
