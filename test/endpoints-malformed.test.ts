import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { metaOf } from '#kit/contract/columns.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { putOperator } from '#modules/identity/server/index.ts';
import { fillTables } from './catalogue.ts';
import { depth, inTurn } from './support/depth.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import {
  addressOf,
  adminOf,
  bodyOf,
  complaints,
  endpoints,
  fire,
  inputFor,
  mint,
  nameOf,
  type Reply,
  type Sent,
  WALK_MS,
} from './walk.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const RUNS = depth(1, 25);
/** Of calls one in so many is sent each odd body: others each. */
const ONE_IN = 10;
const LEAK = /\bat .+:\d+:\d+|node_modules|SELECT |INSERT |relation "|syntax error|zod|pg_/;

let world: World;
let admin: pg.Pool;
let owner: Person;
let operator: Pick<Person, 'companyId' | 'userId'>;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner();
  await putOperator(world.runtime, { account: 'operator@example.com', password: 'Geheim-2026', name: '运营' });
  const { rows } = await admin.query<{ company_id: string; id: string }>(
    "SELECT company_id, id FROM identity.member WHERE user_type = 'operator'",
  );
  operator = { companyId: rows[0]?.company_id ?? '', userId: rows[0]?.id ?? '' };
  // A company with a row of everything, so that no call stops early because there is nothing to look at.
  await fillTables(admin, owner.companyId, '样例');
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** What is wrong with an answer, whatever was asked: a fault of ours, no envelope, or words that say too much. */
function problemOf(endpoint: Endpoint, reply: Reply): string | undefined {
  if (endpoint.file && reply.status === 200 && !reply.type.includes('application/json')) return undefined;
  const say = (what: string) => `${nameOf(endpoint)}: ${what}: ${reply.status} ${reply.text.slice(0, 300)}`;
  if (reply.status >= 500) return say('fault');
  if (!reply.type.includes('application/json')) return say('no JSON');
  try {
    const { code, msg } = bodyOf(reply);
    if (msg === '' || LEAK.test(msg)) return say('words');
    // Clients know a raw collision of two writes by its English beginning.
    if (code !== 201 && !msg.startsWith('Duplicate entry') && !/\p{Script=Han}/u.test(msg)) return say('not Chinese');
    if (reply.status >= 400 && code !== reply.status) return say('status and code differ');
  } catch (error) {
    return say(error instanceof Error ? error.message : 'no envelope');
  }
  return undefined;
}

/** Somebody who may make the call: an owner, or the operator of the product. */
function callerOf(endpoint: Endpoint): Pick<Person, 'companyId' | 'userId'> {
  return world.runtime.operatorCodes.has(endpoint.permission) ? operator : owner;
}

const sessions = new Map<object, string>();

/** Sends a call in its caller's session; in a new one where some call has ended that, as a log-out does. */
async function send(endpoint: Endpoint, input: Sent, payload?: string, type?: string): Promise<Reply> {
  const caller = callerOf(endpoint);
  for (;;) {
    const known = sessions.get(caller);
    const session = known ?? (await mint(admin, caller));
    sessions.set(caller, session);
    const reply = await fire(world, {
      method: endpoint.method,
      url: addressOf(endpoint, input),
      session,
      ...(payload === undefined ? {} : { payload }),
      ...(type === undefined ? {} : { type }),
    });
    if (reply.status !== 401 || known === undefined) return reply;
    sessions.delete(caller);
  }
}

const SPITEFUL = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  "'; DROP TABLE kit.audit; --",
  "' OR 1=1 --",
  '%',
  '_\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=1+1',
  '#{7*7}',
  '{"captchaVerification":1}',
  '\u202e\ufeff',
  '😀'.repeat(500),
  'x'.repeat(100_000),
  '9'.repeat(400),
  '1e400',
  '-0',
  'NaN',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '[object Object]',
  '__proto__',
];

const spitefulValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...SPITEFUL) },
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, -2_147_483_649, [], {}, [[]]),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.constantFrom<unknown>(...SPITEFUL.slice(0, 6), null, 7), { maxLength: 4 }),
);

/** A well-formed input in which one value, at any depth, was replaced by something spiteful. */
function spoiled(value: unknown, spite: unknown, choose: (count: number) => number): unknown {
  if (typeof value !== 'object' || value === null) return spite;
  const keys = Object.keys(value);
  const at = choose(keys.length + 1);
  const key = keys[at];
  if (key === undefined) return spite;
  const inner = spoiled((value as Record<string, unknown>)[key], spite, choose);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? inner : item));
  return { ...value, [key]: inner };
}

/** Copies of a value, in each of which one text is another. */
function everyTextReplaced(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    everyTextReplaced(inner, text).map((changed) =>
      Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? changed : item))
        : { ...value, [key]: changed },
    ),
  );
}

const fields = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

describe('malformed input is refused in the envelope and in Chinese, and never becomes a fault', () => {
  test('one value after the other is spoiled', { timeout: WALK_MS }, async () => {
    const found = await complaints(endpoints, async (endpoint) => {
      const good = inputFor(endpoint, { id: NOBODY, all: true });
      const choices = fc.infiniteStream(fc.nat(1000));
      let complaint: string | undefined;
      await fc
        .assert(
          fc.asyncProperty(
            fc.constantFrom('body', 'query', 'params'),
            spitefulValue,
            choices,
            async (part, spite, all) => {
              const choose = (count: number) => Number(all.next().value) % count;
              const bad = spoiled(good[part] ?? {}, spite, choose);
              const input = { ...good, [part]: part === 'body' ? bad : fields(bad) };
              const payload = endpoint.method === 'GET' ? undefined : (JSON.stringify(input.body) ?? '');
              complaint = problemOf(endpoint, await send(endpoint, input, payload));
              return complaint === undefined;
            },
          ),
          { numRuns: RUNS, endOnFailure: true },
        )
        .catch((error: unknown) => {
          complaint ??= `${nameOf(endpoint)}: ${String(error).slice(0, 300)}`;
        });
      return complaint;
    });
    expect(found).toEqual([]);
  });

  test('every text is sent with the few contents that databases choke on', { timeout: WALK_MS }, async () => {
    const found = await complaints(endpoints, async (endpoint) => {
      const good = inputFor(endpoint, { id: NOBODY, all: true });
      const spites = ['a\u0000b', '\ud800x', "x'); --", '=cmd|1', 'x'.repeat(30)];
      for (const spite of inTurn(spites, spites.length, endpoint.path.length)) {
        for (const part of ['body', 'query', 'params'] as const) {
          for (const bad of everyTextReplaced(good[part], spite)) {
            const input = { ...good, [part]: bad };
            const payload = endpoint.method === 'GET' ? undefined : (JSON.stringify(input.body) ?? '');
            const problem = problemOf(endpoint, await send(endpoint, input, payload));
            if (problem) return `${problem} (${part} ${JSON.stringify(bad).slice(0, 200)})`;
          }
        }
      }
      return undefined;
    });
    expect(found).toEqual([]);
  });

  const writing = endpoints.filter((endpoint) => endpoint.method !== 'GET');
  const bodies: [string, string, string][] = [
    ['nothing at all', '', 'application/json'],
    ['half a JSON text', '{"a":', 'application/json'],
    ['no JSON', 'hello', 'application/json'],
    ['a bare NUL', '\u0000', 'application/json'],
    ['a JSON text with NUL in a key', '{"\\u0000":"\\u0000"}', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a number', '1', 'application/json'],
    ['a text', '"text"', 'application/json'],
    ['a list instead of an object', '[[1,2],[3]]', 'application/json'],
    ['a prototype', '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}', 'application/json'],
    ['a thousand nestings', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, 'application/json'],
    ['a nested filter', `{"filter":${'{"filter":'.repeat(3000)}1${'}'.repeat(3000)}}`, 'application/json'],
    ['another content type', '<a/>', 'text/xml'],
    ['a form', 'a=1&b=2', 'application/x-www-form-urlencoded'],
    ['a form with files without a boundary', 'abc', 'multipart/form-data'],
    [
      'a form with files that ends early',
      '--b\r\nContent-Disposition: form-data; name="x"',
      'multipart/form-data; boundary=b',
    ],
    ['an unknown charset', '{}', 'application/json; charset=utf-99'],
    ['no content type that exists', '{}', 'nonsense'],
  ];
  test.each(bodies)('body: %s', async (name, payload, type) => {
    const found = await complaints(inTurn(writing, ONE_IN, name.length), async (endpoint) => {
      const good = inputFor(endpoint, { id: NOBODY, all: false });
      return problemOf(endpoint, await send(endpoint, good, payload, type));
    });
    expect(found).toEqual([]);
  });

  test('body: a hundred thousand nestings', async () => {
    const payload = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    // It is the reading of the text that could fail, which all calls share.
    const found = await complaints(writing.slice(0, 25), async (endpoint) =>
      problemOf(endpoint, await send(endpoint, inputFor(endpoint, { id: NOBODY, all: false }), payload)),
    );
    expect(found).toEqual([]);
  });

  test('body: more than any call takes', async () => {
    const payload = JSON.stringify({ filter: 'x'.repeat(6 * 1024 * 1024) });
    const found = await complaints(writing.slice(0, 5), async (endpoint) => {
      const reply = await send(endpoint, inputFor(endpoint, { id: NOBODY, all: false }), payload);
      return reply.status === 413 ? problemOf(endpoint, reply) : `${nameOf(endpoint)}: ${reply.status}`;
    });
    expect(found).toEqual([]);
  });
});

describe('paging', () => {
  const paged = endpoints.filter((endpoint) => {
    const body = inputFor(endpoint, { id: NOBODY, all: true }).body;
    return typeof body === 'object' && body !== null && 'currentpage' in body;
  });

  test.each([
    [{ currentpage: -1 }],
    [{ currentpage: 0 }],
    [{ currentpage: 1.5 }],
    [{ currentpage: 'x' }],
    [{ currentpage: 1e9 }],
    [{ currentpage: 99_999, pagesize: 100 }],
    [{ pagesize: 0 }],
    [{ pagesize: -20 }],
    [{ pagesize: 101 }],
    [{ page: -3 }],
    [{ limit: 1000 }],
    [{ sort: 'company_id' }],
    [{ sort: 'id; DROP TABLE kit.audit' }],
    [{ sort: '__proto__' }],
    [{ sort: 'constructor' }],
    [{ sort: 'id', order: 'sideways' }],
  ])('%o is refused', async (part) => {
    expect(paged.length).toBeGreaterThan(0);
    const found = await complaints(paged, async (endpoint) => {
      const reply = await send(endpoint, {}, JSON.stringify(part));
      const { code } = bodyOf(reply);
      // A list of something's lines may miss that something before it looks at the page.
      const refused = code === 400 || (endpoint.params !== undefined && code === 404);
      return refused ? problemOf(endpoint, reply) : `${nameOf(endpoint)}: ${reply.status} ${reply.text.slice(0, 200)}`;
    });
    expect(found).toEqual([]);
  });
});

describe('a refused field is named in Chinese', () => {
  test('every field that a caller can get wrong has a Chinese title', () => {
    const nameless = endpoints.flatMap((endpoint) =>
      (['params', 'query', 'body'] as const).flatMap((part) =>
        namelessFields(endpoint[part]).map((field) => `${nameOf(endpoint)} ${part}: ${field}`),
      ),
    );
    expect(nameless).toEqual([]);
  });

  test('a wrong value comes back with path, title and reason', async () => {
    const found = await complaints(endpoints, async (endpoint) => {
      const good = inputFor(endpoint, { id: NOBODY, all: true });
      const body = fields(good.body);
      if (endpoint.method === 'GET' || endpoint.upload || Array.isArray(good.body)) return undefined;
      for (const key of Object.keys(body)) {
        const reply = await send(
          endpoint,
          good,
          JSON.stringify({ ...body, [key]: typeof body[key] === 'object' ? 5 : { wrong: true } }),
        );
        const { data, msg } = bodyOf(reply);
        if (key === 'filter' || reply.status === 404) continue;
        const field = data?.fields?.find((entry) => entry.field === key || entry.field.startsWith(`${key}.`));
        if (!field) return `${nameOf(endpoint)} ${key}: ${reply.text.slice(0, 300)}`;
        if (!SPOKEN.test(field.title) || !msg.includes(field.title)) return `${nameOf(endpoint)}: ${msg}`;
      }
      return undefined;
    });
    expect(found).toEqual([]);
  });

  test('the words are those of a person', async () => {
    const call = async (method: 'GET' | 'PUT' | 'POST', url: string, body?: unknown) => {
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      return bodyOf(await fire(world, { method, url: `/api${url}`, session: await mint(admin, owner), ...payload }))
        .msg;
    };
    expect(await call('PUT', '/amazon/api/v1/amzgroup/save', {})).toBe('店铺名称：不能为空');
    expect(await call('PUT', '/amazon/api/v1/amzgroup/save', { name: '  ' })).toBe('店铺名称不能为空');
    expect(await call('PUT', '/amazon/api/v1/amzgroup/save', { name: 5 })).toBe('店铺名称：应为文字');
    expect(await call('PUT', '/amazon/api/v1/amzgroup/save', { id: 'x', name: 'a' })).toBe('编号：格式不正确');
    expect(await call('POST', '/amazon/api/v1/report/selectTaskInfoList', { pagesize: 500 })).toBe(
      '每页条数：不能大于100',
    );
    expect(await call('POST', '/amazon/api/v1/report/selectTaskInfoList', { currentpage: 'x', order: 'up' })).toBe(
      '页码：不能为空；排序方向：不在可选范围内',
    );
    expect(await call('POST', '/amazon/api/v1/report/selectTaskInfoList', { filter: { status: ['?'] } })).toBe(
      '申请状态：不在可选范围内',
    );
    expect(await call('GET', '/admin/api/v1/sysQueryField/loadfield')).toBe('查询名称：不能为空');
    expect(await call('GET', '/nowhere')).toBe('接口不存在');
  });
});

/** Chinese, or one of the abbreviations that Chinese sellers use as they are. */
const SPOKEN = /\p{Script=Han}|^(F?N?SKU|M?SKU|ASIN|UPC|EAN)$/u;

/** Written by programs, never typed by a person. */
const BY_PROGRAMS = [
  'clientUid',
  'ts',
  'uid',
  'mws_auth_token',
  'loadType',
  'sort',
  'order',
  'columns',
  'format',
  'version',
];

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.out as z.ZodType) : schema;
}

/** Paths of the fields without a Chinese title. */
function namelessFields(schema: z.ZodType | undefined, path = ''): string[] {
  if (!schema) return [];
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && inner.element instanceof z.ZodObject) return namelessFields(inner.element, path);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    // Filters are chosen from lists; a wrong one is named by the list itself.
    if (key === 'filter') return [];
    if (unwrapped(field) instanceof z.ZodObject) return namelessFields(field, `${path}${key}.`);
    const named = SPOKEN.test(metaOf(field).title ?? metaOf(unwrapped(field)).title ?? '');
    return named || BY_PROGRAMS.includes(key) ? [] : [`${path}${key}`];
  });
}
