import { randomBytes } from 'node:crypto';
import { notFound, refused } from '#kit/server/errors.ts';
import { type AnyRoute, type OpenCtx, type PublicCtx, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import {
  unbindWechat,
  unbindWechatGet,
  wechatAvailable,
  wechatBind,
  wechatBindStart,
  wechatBound,
  wechatLogin,
  wechatLoginStart,
} from '../../contract/wechat.ts';
import { across } from '../act.ts';
import { accountsOf, groupOf } from '../bind/groups.ts';
import { enter } from '../enter.ts';
import { type LoginMember, memberById } from '../members.ts';
import { onDevice } from '../security/new-device.ts';
import { bindPerson, holdersOf, identitiesOf, unbindPerson } from './identities.ts';
import { type WechatPerson, type WechatProvider, wechatProvider } from './provider.ts';
import { openState, STATE_SECONDS, takeState } from './state.ts';

function providerOf(runtime: Runtime): WechatProvider {
  if (!runtime.config.wechat) throw refused('未启用微信登录', 'B0154');
  return wechatProvider(runtime.config.wechat);
}

/** The page on which the browser lands with code and state. */
const backTo = (runtime: Runtime) => `${runtime.config.publicUrl.replace(/\/$/, '')}/wechatresult`;

/** Only the session that began may finish, and only the browser that was told the nonce. */
const holderOf = (ctx: OpenCtx, nonce: string) => `${ctx.principal.sessionId ?? ''}:${nonce}`;

async function start(runtime: Runtime, purpose: 'bind' | 'login', holder: (nonce: string) => string) {
  const provider = providerOf(runtime);
  const nonce = randomBytes(24).toString('base64url');
  const state = await inSystem(runtime, (db) => openState(db, purpose, holder(nonce)));
  return { url: provider.authorizeUrl(state, backTo(runtime)), nonce, expiresIn: STATE_SECONDS };
}

const bind = serveOpen(wechatBind, async (ctx, { body }) => {
  const provider = providerOf(ctx.runtime);
  await inSystem(ctx.runtime, (db) => takeState(db, body.state, 'bind', holderOf(ctx, body.nonce)));
  const person = await provider.personOf(body.code);
  return across(ctx, async ({ db, me, record }) => {
    const identity = await bindPerson(db, me, person);
    await record({
      action: '绑定微信',
      resource: 'identity.wechat',
      resourceId: me.id,
      after: { nickname: person.nickname },
    });
    return identity;
  });
});

async function unbind(ctx: OpenCtx, input: { account: string; openid: string }) {
  return across(ctx, async ({ db, me, record }) => {
    const account = normalised(input.account);
    const groupId = await groupOf(db, me);
    const own = account === me.account ? me : undefined;
    const who = own ?? (groupId ? await accountsOf(db, groupId) : []).find((each) => each.account === account);
    if (!who) throw notFound();
    await unbindPerson(db, who, input.openid);
    await record({ action: '解绑微信', resource: 'identity.wechat', resourceId: who.id }, who.company_id);
    return 'success' as const;
  });
}

async function candidatesOf(ctx: PublicCtx, person: WechatPerson): Promise<LoginMember[]> {
  return inSystem(ctx.runtime, async (db) => {
    const found: LoginMember[] = [];
    for (const holder of await holdersOf(db, person.unionId)) {
      const member = await memberById(db, holder.company_id, holder.id);
      if (member) found.push(member);
    }
    return found;
  });
}

interface LoginInput {
  state: string;
  nonce: string;
  code?: string | undefined;
  id?: string | undefined;
}

/** First call: the code of WeChat. Second call, where several accounts are possible: the chosen one. */
async function personComingIn(ctx: PublicCtx, input: LoginInput): Promise<WechatPerson> {
  const purpose = input.code === undefined ? 'choose' : 'login';
  const known = await inSystem(ctx.runtime, (db) => takeState(db, input.state, purpose, input.nonce));
  if (input.code === undefined) {
    if (!known) throw refused('二维码已失效，请重新扫码', 'B0150');
    return known;
  }
  return providerOf(ctx.runtime).personOf(input.code);
}

const login = servePublic(wechatLogin, async (ctx, { body }) => {
  const person = await personComingIn(ctx, body);
  const members = await candidatesOf(ctx, person);
  const chosen = body.code === undefined ? members.find((member) => member.id === body.id) : undefined;
  const only = members.length === 1 ? members[0] : undefined;
  const member = chosen ?? (body.code === undefined ? undefined : only);
  if (member) return onDevice(ctx, (device) => enter(ctx, member, { loginType: 'other', device }));
  if (members.length === 0) throw refused('该微信未绑定账号，请先用密码登录并在个人中心绑定', 'B0155');
  if (body.code === undefined) throw notFound();
  return {
    state: await inSystem(ctx.runtime, (db) => openState(db, 'choose', body.nonce, person)),
    choices: members.map((each) => ({
      id: each.id,
      account: each.account,
      name: each.name,
      companyname: each.company_name,
    })),
  };
});

export const wechatRoutes: AnyRoute[] = [
  servePublic(wechatAvailable, async (ctx) => ctx.runtime.config.wechat !== undefined),
  servePublic(wechatLoginStart, async (ctx) => start(ctx.runtime, 'login', (nonce) => nonce)),
  login,
  serveOpen(wechatBound, async (ctx) =>
    across(ctx, async ({ db, me }) => ({
      available: ctx.runtime.config.wechat !== undefined,
      identities: await identitiesOf(db, me),
    })),
  ),
  serveOpen(wechatBindStart, async (ctx) => start(ctx.runtime, 'bind', (nonce) => holderOf(ctx, nonce))),
  bind,
  serveOpen(unbindWechatGet, async (ctx, { query }) => unbind(ctx, query)),
  serveOpen(unbindWechat, async (ctx, { body }) => unbind(ctx, body)),
];
