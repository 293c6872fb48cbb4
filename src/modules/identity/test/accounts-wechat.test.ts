import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerWechat, wechatApp } from '#sandbox/wire/wechat.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindAccount } from '../contract/bind.ts';
import { userDetail } from '../contract/self.ts';
import { unbindWechat, wechatBind, wechatBindStart, wechatBound } from '../contract/wechat.ts';
import { call, knocks, PASSWORD } from './support.ts';

let wechat: FastifyInstance;
let world: World;
let bare: World;
let admin: pg.Pool;
let base: string;

beforeAll(async () => {
  wechat = Fastify();
  wechat.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  registerWechat(wechat);
  await wechat.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(wechat.server.address() as AddressInfo).port}/wechat`;
  world = await createWorld({
    wechat: {
      authorizeUrl: `${base}/connect/qrconnect`,
      apiBase: base,
      appId: wechatApp.appId,
      secret: wechatApp.secret,
    },
  });
  bare = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
  admin.on('connect', (client) => client.on('error', () => {}));
});
afterAll(async () => {
  await admin.end();
  await Promise.all([world.close(), bare.close()]);
  await wechat.close();
});

/** Somebody scans the picture on the page and agrees; returns what the browser comes back with. */
async function scan(url: string, person: 'lin' | 'zhou' | 'he'): Promise<{ code: string; state: string }> {
  const page = await fetch(url);
  expect(page.status).toBe(200);
  const fields = new URLSearchParams([...new URL(url).searchParams, ['person', person]]);
  const answer = await fetch(`${base}/connect/qrconnect`, { method: 'POST', body: fields, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  expect(back.pathname).toBe('/wechatresult');
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
}

async function bind(who: Person, person: 'lin' | 'zhou' | 'he') {
  const { url, nonce } = await who.call(wechatBindStart, { body: {} });
  return who.send(wechatBind, { body: { nonce, ...(await scan(url, person)) } });
}

async function begin(): Promise<{ url: string; nonce: string }> {
  const { data } = await call(world.app, 'POST', '/auth/wechat/start', { body: {} });
  return { url: String(data.url), nonce: String(data.nonce) };
}

const enter = (body: object) => call(world.app, 'POST', '/auth/wechat/login', { body });

async function logInAs(person: 'lin' | 'zhou' | 'he') {
  const { url, nonce } = await begin();
  return { nonce, answer: await enter({ nonce, ...(await scan(url, person)) }) };
}

describe('binding and logging in', () => {
  test('who bound WeChat comes in by a scan, until he unbinds it', async () => {
    const li = await world.owner('甲公司');
    const { account } = await li.call(userDetail, {});
    expect((await logInAs('lin')).answer.msg).toBe('该微信未绑定账号，请先用密码登录并在个人中心绑定');
    expect((await bind(li, 'lin')).data).toMatchObject({ nickname: '林小满' });
    const { available, identities } = await li.call(wechatBound, {});
    expect([available, identities.length]).toEqual([true, 1]);
    const { answer } = await logInAs('lin');
    expect(answer).toMatchObject({ code: 201, data: { id: li.userId } });
    expect(await knocks(world.app, String(answer.data.session))).toBe('in');
    const openid = identities[0]?.openid ?? '';
    expect(await li.call(unbindWechat, { body: { account, openid } })).toBe('success');
    expect((await li.send(unbindWechat, { body: { account, openid } })).status).toBe(404);
    expect((await logInAs('lin')).answer.code).toBe(400);
  });

  test('one person stands for several accounts that are bound to each other, and chooses', async () => {
    const [a, b, stranger] = [await world.owner('甲'), await world.owner('乙'), await world.owner('丙')];
    const { account } = await b.call(userDetail, {});
    await a.call(bindAccount, { body: { account, password: PASSWORD } });
    expect((await bind(a, 'zhou')).code).toBe(201);
    expect((await bind(stranger, 'zhou')).msg).toBe('该微信已绑定其他账号');
    expect((await bind(b, 'zhou')).code).toBe(201);
    const { nonce, answer } = await logInAs('zhou');
    expect(answer.data.session).toBeUndefined();
    const choices = answer.data.choices as { id: string; companyname: string }[];
    expect(choices.map((each) => each.companyname)).toEqual(['甲', '乙']);
    const state = String(answer.data.state);
    const chosen = await enter({ state, nonce, id: b.userId });
    expect(chosen).toMatchObject({ code: 201, data: { id: b.userId } });
    expect((await enter({ state, nonce, id: b.userId })).msg).toBe('二维码已失效，请重新扫码');
    const again = await logInAs('zhou');
    const foreign = await enter({ state: String(again.answer.data.state), nonce: again.nonce, id: stranger.userId });
    expect(foreign.status).toBe(404);
    // A colleague of the group may take it off; a stranger may not.
    const { identities } = await b.call(wechatBound, {});
    const body = { account, openid: identities[0]?.openid ?? '' };
    expect((await stranger.send(unbindWechat, { body })).status).toBe(404);
    expect(await a.call(unbindWechat, { body })).toBe('success');
  });

  test('a second factor and a disabled account stand in the way of WeChat too', async () => {
    const li = await world.owner();
    expect((await bind(li, 'he')).code).toBe(201);
    await admin.query('INSERT INTO identity.security_policy (company_id, mfa_required) VALUES ($1, true)', [
      li.companyId,
    ]);
    expect((await logInAs('he')).answer).toMatchObject({ code: 428, data: { enrol: true } });
    await admin.query('UPDATE identity.member SET is_disabled = true WHERE id = $1', [li.userId]);
    expect((await logInAs('he')).answer.msg).toBe('账号已停用，请联系管理员');
  });
});

describe('taking over', () => {
  test('a scan that somebody else began, was used, or is too old is worth nothing', async () => {
    const [li, thief] = [await world.owner(), await world.owner()];
    const started = await li.call(wechatBindStart, { body: {} });
    const back = await scan(started.url, 'he');
    const body = { ...back, nonce: started.nonce };
    expect((await thief.send(wechatBind, { body })).msg).toBe('二维码已失效，请重新扫码');
    expect((await li.send(wechatBind, { body: { ...body, nonce: 'guessed' } })).msg).toBe('二维码已失效，请重新扫码');
    await admin.query("UPDATE identity.external_state SET expires_at = kit.now() - interval '1 second'");
    expect((await li.send(wechatBind, { body })).msg).toBe('二维码已失效，请重新扫码');
    const login = await begin();
    const landed = await scan(login.url, 'he');
    // Log-in by a link: the victim's browser never began this scan.
    expect((await enter({ ...landed, nonce: 'another browser' })).msg).toBe('二维码已失效，请重新扫码');
    expect((await li.send(wechatBind, { body: { ...landed, nonce: login.nonce } })).msg).toBe(
      '二维码已失效，请重新扫码',
    );
    expect((await enter({ state: 'invented', nonce: login.nonce, code: 'x' })).msg).toBe('二维码已失效，请重新扫码');
  });

  test('a code works once, and an invented one never', async () => {
    const li = await world.owner();
    const first = await li.call(wechatBindStart, { body: {} });
    const { state } = await scan(first.url, 'he');
    const answer = await li.send(wechatBind, { body: { state, nonce: first.nonce, code: 'invented' } });
    expect(answer.msg).toBe('微信授权失败，请重新扫码');
    const [one, two] = [await li.call(wechatBindStart, { body: {} }), await li.call(wechatBindStart, { body: {} })];
    const code = (await scan(one.url, 'he')).code;
    const states = [(await scan(one.url, 'he')).state, (await scan(two.url, 'he')).state];
    await li.send(wechatBind, { body: { state: states[0] ?? '', nonce: one.nonce, code } });
    const replay = await li.send(wechatBind, { body: { state: states[1] ?? '', nonce: two.nonce, code } });
    expect(replay.msg).toBe('微信授权失败，请重新扫码');
  });
});

test('without settings there is no log-in by WeChat', async () => {
  expect((await call(bare.app, 'GET', '/auth/wechat/available')).data).toBe(false);
  expect((await call(world.app, 'GET', '/auth/wechat/available')).data).toBe(true);
  expect((await call(bare.app, 'POST', '/auth/wechat/start', { body: {} })).msg).toBe('未启用微信登录');
  const li = await bare.owner();
  expect(await li.call(wechatBound, {})).toEqual({ available: false, identities: [] });
  expect((await li.send(wechatBindStart, { body: {} })).msg).toBe('未启用微信登录');
});

test('the stand-in speaks WeChat’s wire: errors with errcode, tokens that can be checked and renewed', async () => {
  const get = async (path: string) => (await fetch(`${base}${path}`)).json() as Promise<Record<string, unknown>>;
  const app = `appid=${wechatApp.appId}&secret=${wechatApp.secret}`;
  expect(await get('/sns/oauth2/access_token?appid=x')).toMatchObject({ errcode: 40013 });
  expect(await get(`/sns/oauth2/access_token?appid=${wechatApp.appId}&secret=x`)).toMatchObject({ errcode: 40125 });
  const bad = await get(`/sns/oauth2/access_token?${app}&code=x&grant_type=authorization_code`);
  expect(bad).toEqual({ errcode: 40029, errmsg: 'invalid code' });
  const { url } = await begin();
  const { code } = await scan(url, 'lin');
  const token = await get(`/sns/oauth2/access_token?${app}&code=${code}&grant_type=authorization_code`);
  expect(token).toMatchObject({ expires_in: 7200, scope: 'snsapi_login' });
  const check = `access_token=${token.access_token}&openid=${token.openid}`;
  expect(await get(`/sns/auth?${check}`)).toEqual({ errcode: 0, errmsg: 'ok' });
  expect(await get(`/sns/userinfo?${check}x`)).toMatchObject({ errcode: 40001 });
  expect(await get(`/sns/userinfo?${check}`)).toMatchObject({ nickname: '林小满', unionid: token.unionid });
  const renewed = await get(
    `/sns/oauth2/refresh_token?appid=${wechatApp.appId}&grant_type=refresh_token&refresh_token=${token.refresh_token}`,
  );
  expect(renewed.openid).toBe(token.openid);
  expect((await fetch(`${base}/connect/qrconnect?appid=x`)).status).toBe(400);
});
