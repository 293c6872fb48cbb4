import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';

const list = endpoint({
  title: '列表',
  method: 'GET',
  path: '/x/list',
  permission: 'login',
  query: z.object({ page: z.int() }),
  reply: z.number(),
});
const side = endpoint({
  title: '并行',
  method: 'GET',
  path: '/x/side',
  permission: 'login',
  concurrent: true,
  reply: z.number(),
});
const save = endpoint({
  title: '保存',
  method: 'POST',
  path: '/x/:id/save',
  permission: 'login',
  params: z.object({ id: z.string() }),
  body: z.object({ a: z.int() }),
  reply: z.string(),
});
const signIn = endpoint({
  title: '登录',
  method: 'POST',
  path: '/x/login',
  permission: 'public',
  body: z.object({}),
  reply: z.string(),
});

interface Sent {
  url: string;
  init: RequestInit;
  answer: (status: number, body: unknown) => void;
}

let sent: Sent[] = [];
let assigned: string[] = [];

class MemoryStorage {
  private items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

function fakeFetch(url: string, init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    const answer = (status: number, body: unknown) =>
      resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));
    sent.push({ url, init, answer });
  });
}

async function client() {
  const [calls, errors, session] = await Promise.all([
    import('../api/call.ts'),
    import('../api/errors.ts'),
    import('../session.ts'),
  ]);
  return { ...calls, ...errors, ...session };
}

const at = (index: number): Sent => {
  const one = sent[index];
  if (!one) throw new Error(`no call ${index}`);
  return one;
};
const header = (index: number, name: string) => (at(index).init.headers as Headers).get(name);
const ok = (data: unknown) => ({ code: 201, msg: '操作成功', data });

beforeEach(() => {
  vi.resetModules();
  sent = [];
  assigned = [];
  const store = new MemoryStorage();
  store.setItem('jsessionid', 'session-1');
  store.setItem('jsessiontime', '1');
  const location = {
    pathname: '/orders',
    search: '?page=2',
    assign: (url: string) => assigned.push(url),
    reload: () => assigned.push('reload'),
  };
  vi.stubGlobal('localStorage', store);
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('window', { location });
  vi.stubGlobal('fetch', fakeFetch);
});
afterEach(() => vi.unstubAllGlobals());

test('a repeated call to the same address cancels the earlier one, whatever it asks for', async () => {
  const { call, CallCancelled } = await client();
  const first = call(list, { query: { page: 1 } });
  const second = call(list, { query: { page: 2 } });
  at(1).answer(200, ok(2));
  await expect(first).rejects.toBeInstanceOf(CallCancelled);
  await expect(second).resolves.toBe(2);
});

test('a call that has been answered is not touched by the next one', async () => {
  const { call } = await client();
  const first = call(list, { query: { page: 1 } });
  at(0).answer(200, ok(1));
  await expect(first).resolves.toBe(1);
  const second = call(list, { query: { page: 1 } });
  at(1).answer(200, ok(1));
  await expect(second).resolves.toBe(1);
});

test('calls of two places, exempt addresses and concurrent endpoints run side by side', async () => {
  const { call } = await client();
  const calls = [
    call(list, { query: { page: 1 } }, { scope: 'a' }),
    call(list, { query: { page: 1 } }, { scope: 'b' }),
    call(side, {}),
    call(side, {}),
    call({ ...side, concurrent: false, path: '/x/dict-items/select_list/1' }, {}),
    call({ ...side, concurrent: false, path: '/x/dict-items/select_list/1' }, {}),
  ];
  sent.forEach((one, index) => {
    one.answer(200, ok(index));
  });
  await expect(Promise.all(calls)).resolves.toEqual([0, 1, 2, 3, 4, 5]);
});

test('an earlier cancelled call does not unlock the address for a third', async () => {
  const { call, CallCancelled } = await client();
  const first = call(list, { query: { page: 1 } });
  const second = call(list, { query: { page: 2 } });
  await expect(first).rejects.toBeInstanceOf(CallCancelled);
  const third = call(list, { query: { page: 3 } });
  await expect(second).rejects.toBeInstanceOf(CallCancelled);
  at(2).answer(200, ok(3));
  await expect(third).resolves.toBe(3);
});

test('a write carries session, key, body and its address with the parameters in it', async () => {
  const { call } = await client();
  const saving = call(save, { params: { id: 'a/b' }, body: { a: 1 } });
  expect(at(0).url).toBe('/api/x/a%2Fb/save');
  expect(at(0).init.body).toBe('{"a":1}');
  expect(header(0, 'jsessionid')).toBe('session-1');
  expect(header(0, 'idempotency-key')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  at(0).answer(200, ok('x'));
  await expect(saving).resolves.toBe('x');
  const reading = call(side, {});
  expect(header(1, 'idempotency-key')).toBeNull();
  at(1).answer(200, ok(1));
  await reading;
});

test('a link without its number sends nothing and says so', async () => {
  const { call } = await client();
  await expect(call(save, { params: { id: '' }, body: { a: 1 } })).rejects.toMatchObject({
    name: 'ApiError',
    message: '链接不完整：缺少编号，请从列表打开',
  });
  expect(sent).toEqual([]);
});

test('a refusal brings its message, its reason and its fields', async () => {
  const { call } = await client();
  const saving = call(save, { params: { id: '1' }, body: { a: 1 } });
  at(0).answer(400, { code: 400, msg: '请求有误', data: { fields: [{ field: 'a', title: '数量', msg: '太大' }] } });
  await expect(saving).rejects.toMatchObject({ code: 400, message: '请求有误', fields: [{ field: 'a' }] });
});

test('success is what the body says, not the HTTP status', async () => {
  const { call } = await client();
  const refused = call(side, {});
  at(0).answer(200, { code: 400, msg: '库存不足', data: { code: 'B1204' } });
  await expect(refused).rejects.toMatchObject({ message: '库存不足', reason: 'B1204' });
});

test('a raw unique violation and a fault without words get words', async () => {
  const { call } = await client();
  const twice = call(side, {});
  at(0).answer(409, { code: 409, msg: "Duplicate entry '1' for key 'a'", data: null });
  await expect(twice).rejects.toThrow('数据重复冲突，请勿频繁保存，如功能无法使用请联系管理员');
  const fault = call(side, {});
  at(1).answer(502, '<html>bad gateway</html>');
  await expect(fault).rejects.toThrow('系统繁忙，请稍后重试');
});

test.each([
  ['the text noauth', 200, 'noauth'],
  ['HTTP 401', 401, { code: 401, msg: '登录已过期，请重新登录', data: { code: 'A0231' } }],
  ['a session code with another status', 200, { code: 400, msg: '', data: { code: 'S0003' } }],
  ['body code 401', 200, { code: 401, msg: '', data: null }],
])('%s ends the session and keeps the way back', async (_, status, body) => {
  const { call, currentSession } = await client();
  const asking = call(side, {});
  at(0).answer(status, body);
  await expect(asking).rejects.toThrow();
  expect(currentSession()).toBeNull();
  expect(assigned).toEqual(['/ssologin']);
  expect(sessionStorage.getItem('attemptedUrl')).toBe('/orders?page=2');
});

test('a refused login is an answer, no lost session', async () => {
  const { call, currentSession } = await client();
  const signing = call(signIn, { body: {} });
  expect(header(0, 'jsessionid')).toBeNull();
  at(0).answer(401, { code: 401, msg: '账号或密码错误', data: { code: 'B0001' } });
  await expect(signing).rejects.toThrow('账号或密码错误');
  expect(currentSession()).not.toBeNull();
  expect(assigned).toEqual([]);
});

test('no permission keeps the session', async () => {
  const { call, currentSession } = await client();
  const asking = call(side, {});
  at(0).answer(403, { code: 403, msg: '无操作权限，请联系管理员开通', data: { code: 'A0301' } });
  await expect(asking).rejects.toMatchObject({ code: 403, reason: 'A0301' });
  expect(currentSession()).not.toBeNull();
});

test('a call that takes too long is given up with advice', async () => {
  const { call } = await client();
  await expect(call(side, {}, { timeout: 5 })).rejects.toThrow('查询超时，请缩小范围后重试');
});

test('no network says so; a call that its caller gave up says nothing', async () => {
  const { call, CallCancelled } = await client();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(call(side, {})).rejects.toThrow('网络请求失败，请检查网络');
  vi.stubGlobal('fetch', fakeFetch);
  const aborter = new AbortController();
  const asking = call(side, {}, { signal: aborter.signal });
  aborter.abort();
  await expect(asking).rejects.toBeInstanceOf(CallCancelled);
});

test('another account in another tab: nothing is sent, the page reloads', async () => {
  const { call, CallCancelled } = await client();
  localStorage.setItem('jsessiontime', '2');
  vi.useFakeTimers();
  await expect(call(side, {})).rejects.toBeInstanceOf(CallCancelled);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(sent).toHaveLength(0);
  expect(assigned).toEqual(['reload']);
});

test('only pages of this origin are a way back', async () => {
  const { isReturnTarget } = await client();
  for (const url of ['/orders?page=2', '/home']) expect(isReturnTarget(url)).toBe(true);
  for (const url of [
    null,
    '',
    '/',
    '/login',
    '/login?x=1',
    '/ssologin?a',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '//',
    'javascript:alert(1)',
    'https://evil.example/',
    '/auth/getJSession',
  ])
    expect(isReturnTarget(url)).toBe(false);
});
