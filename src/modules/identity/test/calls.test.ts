import { randomUUID } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Envelope } from '#kit/contract/envelope.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindAccount, getBindId } from '../contract/bind.ts';
import { SLIDER_Y } from '../contract/session.ts';
import { encrypt } from '../server/captcha/cipher.ts';
import { codeOf, newPhone } from './outbox.ts';
import { PASSWORD } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const FRESH = 'Anders-2026';
const users = '/admin/api/v1/users';
const sms = '/admin/api/v1/sms';

interface Request {
  query?: Record<string, string>;
  body?: object;
  /** A picture as a form, instead of a body. */
  picture?: Buffer;
  /** Whose session goes with it; false: nobody's. */
  session?: string | false;
}

/** Somebody's company, and what a call needs before it can be granted. */
interface Stage {
  me: Person;
  account: string;
  send: (call: string, request: Request) => Promise<{ status: number; answer: Envelope<unknown> }>;
}

interface ListedCall {
  call: string;
  good: (on: Stage) => Request | Promise<Request>;
  bad: (on: Stage) => Request | Promise<Request>;
  /** What the good answer must hold. */
  holds?: (on: Stage) => unknown;
}

const none = () => ({});
/** Calls without anything to get wrong are refused to whoever has no session. */
const stranger = () => ({ session: false as const });

const emailed = (target: string) => vi.waitFor(() => codeOf(world, target), { timeout: PATIENCE_MS });

/** A code for a phone or mailbox, found right already where `verified`. */
async function code(on: Stage, target: string, ftype: string, verified: boolean) {
  const byMail = target.includes('@');
  const query = { [byMail ? 'email' : 'mobile']: target, ftype };
  const { answer } = await on.send(`GET ${users}/${byMail ? 'getEmailCode' : 'getSmsCode'}`, { query, session: false });
  const proof = { key: String(answer.data), code: await emailed(target) };
  if (verified) await on.send('GET /auth/verifySmsCode', { query: proof, session: false });
  return proof;
}

/** A code of the user centre for its owner or for what he is about to own. */
async function selfCode(on: Stage, purpose: string, target?: string) {
  const body = { purpose, ...(target ? { target } : {}) };
  const { answer } = await on.send(`POST ${users}/sendSelfCode`, { body });
  return { key: String(answer.data), code: await emailed(target ?? on.account) };
}

async function boundOther(on: Stage): Promise<Person> {
  const other = await world.owner('乙公司');
  const account = `owner-${other.companyId}@example.com`;
  await on.me.call(bindAccount, { body: { account, password: PASSWORD, appType: 'web' } });
  return other;
}

async function wechatBound(on: Stage): Promise<string> {
  const openid = `o-${randomUUID()}`;
  await world.as(on.me, (ctx) =>
    ctx.db
      .insertInto('identity.external_identity')
      .values({
        company_id: ctx.companyId,
        member_id: on.me.userId,
        provider: 'wechatWeb',
        open_id: openid,
        union_id: openid,
      })
      .execute(),
  );
  return openid;
}

async function captchaAnswer(on: Stage): Promise<object> {
  const { answer } = await on.send('POST /auth/captcha/get', { body: { captchaType: 'blockPuzzle' }, session: false });
  const { repData } = answer.data as { repData: { token: string; secretKey: string } };
  const row = await inSystem(world.runtime, (db) =>
    db
      .selectFrom('identity.captcha_challenge')
      .select('answer')
      .where('token', '=', repData.token)
      .executeTakeFirstOrThrow(),
  );
  const { x } = row.answer as unknown as { x: number };
  const pointJson = encrypt(JSON.stringify({ x, y: SLIDER_Y }), repData.secretKey);
  return { captchaType: 'blockPuzzle', token: repData.token, pointJson };
}

/** Log-in, menus, codes and captcha: `session` of the public list. */
const SESSION: ListedCall[] = [
  { call: 'GET /admin/api/v1/menus/route', good: none, bad: stranger },
  { call: 'GET /admin/api/v1/menus/cleanUserCache', good: none, bad: stranger, holds: () => 'success' },
  { call: 'GET /auth/apilogout', good: none, bad: stranger, holds: () => 'success' },
  {
    call: 'GET /auth/changeLoginWechatApp',
    async good(on) {
      const other = await boundOther(on);
      const account = `owner-${other.companyId}@example.com`;
      const openid = await on.me.call(getBindId, {});
      return { query: { openid, account, appType: 'web', jsessionid: on.me.session } };
    },
    bad: (on) => ({
      query: { openid: randomUUID(), account: on.account, appType: 'web', jsessionid: 'somebody else' },
    }),
  },
  {
    call: 'GET /auth/verifySmsCode',
    good: async (on) => ({ query: await code(on, newPhone(), 'register', false), session: false }),
    bad: () => ({ query: { key: 'nothing', code: '000000' }, session: false }),
    holds: () => 'success',
  },
  {
    call: 'POST /auth/login',
    good: (on) => ({ body: { account: on.account, password: PASSWORD }, session: false }),
    bad: (on) => ({ body: { account: on.account, password: 'Falsch-2026' }, session: false }),
    holds: (on) => expect.objectContaining({ session: expect.stringMatching(/^[\w-]{43}$/), id: on.me.userId }),
  },
  {
    call: 'POST /auth/captcha/get',
    good: () => ({ body: { captchaType: 'clickWord' }, session: false }),
    bad: () => ({ body: { captchaType: 'riddle' }, session: false }),
    holds: () => expect.objectContaining({ repCode: '0000' }),
  },
  {
    call: 'POST /auth/captcha/check',
    async good(on) {
      const body = await captchaAnswer(on);
      await new Promise((resolve) => setTimeout(resolve, 350));
      return { body, session: false };
    },
    bad: () => ({ body: { captchaType: 'blockPuzzle' }, session: false }),
    holds: () => expect.objectContaining({ repCode: '0000', repData: expect.objectContaining({ result: true }) }),
  },
  {
    call: 'POST /auth/ssologinisrun',
    good: () => ({ body: {}, session: false }),
    bad: () => ({ body: [], session: false }),
    holds: () => 'false',
  },
];

/** `users` of the public list. */
const USERS: ListedCall[] = [
  {
    call: `GET ${users}/unbindAccount`,
    good: async (on) => ({ query: { id: (await boundOther(on)).userId } }),
    bad: () => ({ query: { id: randomUUID() } }),
    holds: () => 'success',
  },
  {
    call: `GET ${users}/info`,
    good: none,
    bad: stranger,
    holds: (on) => expect.objectContaining({ id: on.me.userId, account: on.account, usertype: 'owner' }),
  },
  {
    call: `GET ${users}/limitData`,
    good: () => ({ query: { type: 'operations' } }),
    bad: () => ({ query: { type: 'everything' } }),
    holds: () => 'false',
  },
  { call: `GET ${users}/checkAdminByCompanyId`, good: none, bad: stranger, holds: () => true },
  {
    call: `GET ${users}/findOwnerAll`,
    good: none,
    bad: stranger,
    holds: (on) => [expect.objectContaining({ id: on.me.userId })],
  },
  {
    call: `GET ${users}/detail`,
    good: none,
    bad: stranger,
    holds: (on) => expect.objectContaining({ account: on.account, company: '甲公司' }),
  },
  {
    call: `GET ${users}/getSmsCode`,
    good: () => ({ query: { mobile: newPhone(), ftype: 'register' }, session: false }),
    bad: () => ({ query: { mobile: '12', ftype: 'register' }, session: false }),
  },
  {
    call: `GET ${users}/getEmailCode`,
    good: (on) => ({ query: { email: on.account, ftype: 'losepassword' }, session: false }),
    bad: () => ({ query: { email: 'nobody', ftype: 'losepassword' }, session: false }),
  },
  { call: `GET ${users}/findbindlist`, good: none, bad: stranger, holds: () => [] },
  {
    call: `GET ${users}/sysrole/openidbind`,
    async good() {
      const other = await world.owner('乙公司');
      return { query: { account: `owner-${other.companyId}@example.com`, password: PASSWORD, appType: 'web' } };
    },
    bad: (on) => ({ query: { account: on.account, password: PASSWORD, appType: 'web' } }),
    holds: () => expect.objectContaining({ companyname: '乙公司' }),
  },
  { call: `GET ${users}/getbindId`, good: none, bad: stranger, holds: () => expect.stringMatching(/^[0-9a-f-]{36}$/) },
  {
    call: `GET ${users}/unbindWechat`,
    good: async (on) => ({ query: { appType: 'web', account: on.account, openid: await wechatBound(on) } }),
    bad: (on) => ({ query: { appType: 'web', account: on.account, openid: 'nobody' } }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/updatePassword`,
    good: async (on) => ({
      body: { account: on.account, ...(await code(on, on.account, 'losepassword', true)), password: FRESH },
      session: false,
    }),
    bad: (on) => ({ body: { account: on.account, key: 'nothing', code: '000000', password: FRESH }, session: false }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/saveImage`,
    good: () => ({ picture: createCanvas(40, 40).toBuffer('image/png') }),
    bad: () => ({ picture: Buffer.from('no picture at all') }),
    holds: () => expect.objectContaining({ image: expect.any(String) }),
  },
  {
    call: `POST ${users}/updateSelf`,
    good: () => ({ body: { name: '李四' } }),
    bad: () => ({ body: { name: '' } }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/verifyPassword`,
    good: () => ({ body: { password: PASSWORD } }),
    bad: () => ({ body: { password: 'Falsch-2026' } }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/updateAccountSelf`,
    async good(on) {
      const account = `neu-${randomUUID()}@example.com`;
      const old = await selfCode(on, 'old');
      const fresh = await selfCode(on, 'account', account);
      return { body: { password: PASSWORD, oldkey: old.key, oldcode: old.code, account, ...fresh } };
    },
    bad: (on) => ({
      body: { password: PASSWORD, oldkey: 'x', oldcode: '000000', account: on.account, key: 'x', code: '000000' },
    }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/updateEmailSelf`,
    async good(on) {
      const email = `post-${randomUUID()}@example.com`;
      return { body: { email, ...(await selfCode(on, 'email', email)) } };
    },
    bad: () => ({ body: { email: 'post@example.com', key: 'x', code: '000000' } }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/mergeAccount`,
    async good(on) {
      const target = await world.owner('乙公司');
      const account = `owner-${target.companyId}@example.com`;
      const proof = await selfCode(on, 'mergeaccount');
      return { body: { account, targetPassword: PASSWORD, password: PASSWORD, ...proof, company: '甲公司' } };
    },
    bad: (on) => ({
      body: {
        account: on.account,
        targetPassword: PASSWORD,
        password: PASSWORD,
        key: 'x',
        code: '000000',
        company: '别的公司',
      },
    }),
    holds: () => expect.objectContaining({ state: '迁移中' }),
  },
  {
    call: `POST ${users}/updatePasswordSelf`,
    good: () => ({ body: { oldpassword: PASSWORD, password: FRESH } }),
    bad: () => ({ body: { oldpassword: PASSWORD, password: 'short' } }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/register`,
    async good(on) {
      const account = newPhone();
      const form = { password: FRESH, oldpassword: FRESH, name: '王五', email: 'w@example.com', company: '丙公司' };
      return { body: { account, ...(await code(on, account, 'register', true)), ...form }, session: false };
    },
    bad: () => ({ body: { account: newPhone(), password: FRESH, oldpassword: FRESH }, session: false }),
    holds: () => 'success',
  },
  {
    call: `POST ${users}/updatePasswordForget`,
    async good(on) {
      const proof = await code(on, on.account, 'losepassword', true);
      return { body: { account: on.account, ...proof, password: FRESH, repassword: FRESH }, session: false };
    },
    bad: (on) => ({
      body: { account: on.account, key: 'x', code: '000000', password: FRESH, repassword: PASSWORD },
      session: false,
    }),
    holds: () => 'success',
  },
  {
    call: `GET ${sms}/getSmsCode`,
    good: () => ({ query: { mobile: newPhone(), ftype: 'register' }, session: false }),
    bad: () => ({ query: { mobile: newPhone(), ftype: 'nonsense' }, session: false }),
  },
  {
    call: `GET ${sms}/checkSmsCode`,
    good: async (on) => ({ query: await code(on, newPhone(), 'register', false), session: false }),
    bad: () => ({ query: { key: 'nothing', code: '000000' }, session: false }),
    holds: () => 'success',
  },
];

function payloadOf({ picture, body }: Request): { payload?: object | Buffer; type?: string } {
  if (picture === undefined) return body === undefined ? {} : { payload: body };
  const head =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
  const payload = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--x--\r\n')]);
  return { payload, type: 'multipart/form-data; boundary=x' };
}

/** Sends a listed call as it is written, behind a prefix, each from an address of its own. */
function sender(me: Person, prefix: string): Stage['send'] {
  const remoteAddress = `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
  return async (call, request) => {
    const [method = 'GET', path = ''] = call.split(' ');
    const { payload, type } = payloadOf(request);
    const session = request.session ?? me.session;
    const response = await world.app.inject({
      method: method as 'GET' | 'POST',
      url: `${prefix}${path}?${new URLSearchParams(request.query ?? {})}`,
      headers: { ...(session ? { jsessionid: session } : {}), ...(type ? { 'content-type': type } : {}) },
      remoteAddress,
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: response.statusCode, answer: response.json<Envelope<unknown>>() };
  };
}

const ALL = [...SESSION, ...USERS].flatMap((row) => ['', '/api'].map((prefix) => ({ ...row, prefix })));

test('the list names every call once', () => {
  const names = [...SESSION, ...USERS].map(({ call }) => call);
  expect(new Set(names).size).toBe(names.length);
  expect([SESSION.length, USERS.length]).toEqual([9, 24]);
});

test.each(ALL)(
  '$prefix $call: granted when right, refused in words when wrong',
  async ({ call, good, bad, holds, prefix }) => {
    const me = await world.owner('甲公司');
    const on: Stage = { me, account: `owner-${me.companyId}@example.com`, send: sender(me, prefix) };
    const no = await on.send(call, await bad(on));
    expect(no.answer.code).not.toBe(201);
    expect([200, 400, 401, 404]).toContain(no.status);
    expect(no.answer.msg).toMatch(/\p{Script=Han}/u);
    const yes = await on.send(call, await good(on));
    expect([yes.status, yes.answer.code, yes.answer.msg]).toEqual([200, 201, '操作成功']);
    if (holds) expect(yes.answer.data).toEqual(holds(on));
  },
);
