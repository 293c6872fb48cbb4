import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf } from '#kit/contract/columns.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { withoutApiPrefix } from '#kit/server/http/app.ts';
import type { MenuItem } from '#kit/server/module.ts';
import { routes } from '#src/app/api.ts';
import { modules } from '#src/app/modules.ts';
import { inTurn } from './support/depth.ts';
import { LISTED_CALLS } from './support/listed.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { addressOf, adminOf, bodyOf, complaints, endpoints, fire, inputFor, mint, nameOf, WALK_MS } from './walk.ts';

/** Every call that needs no session. A new one belongs here only after somebody thought about it. */
const PUBLIC = [
  'GET /admin/api/v1/sms/checkSmsCode',
  'GET /admin/api/v1/sms/getSmsCode',
  'GET /admin/api/v1/users/getEmailCode',
  'GET /admin/api/v1/users/getSmsCode',
  'GET /amazon/api/v1/amzauthority/authSeller',
  // A picture of a listing under a sealed address that ends: Amazon fetches it.
  'GET /amazon/api/v1/product/listing/draft/image/:token',
  'GET /auth/verifySmsCode',
  'GET /auth/wechat/available',
  // A picture of a product under an address that nobody can guess: an <img> brings no session along.
  'GET /erp/api/v1/material/image/:company/:key',
  'GET /sso/callback',
  'GET /sso/getJSession',
  'GET /sso/logout',
  'POST /admin/api/v1/users/register',
  'POST /admin/api/v1/users/updatePassword',
  'POST /admin/api/v1/users/updatePasswordForget',
  'POST /amazonadv/api/v1/advert/bindAdvAuthData',
  'POST /auth/captcha/check',
  'POST /auth/captcha/get',
  'POST /auth/login',
  'POST /auth/login/mfa',
  'POST /auth/login/mfa/enrol',
  'POST /auth/ssologinisrun',
  'POST /auth/wechat/login',
  'POST /auth/wechat/start',
  'POST /sso/backchannel',
  'POST /sso/take',
];

/** Built by the start of the product; absent in a fresh copy. */
const PAGE = fileURLToPath(new URL('../dist/web/index.html', import.meta.url));

const guarded = endpoints.filter((endpoint) => endpoint.permission !== 'public');
const NOBODY = '00000000-0000-4000-8000-000000000000';

let world: World;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const ONE_IN = 6;

/**
 * Calls every guarded endpoint with a session and complains about each answer that is not the wanted one. What becomes of
 * sessions is told before a call is looked at, so that the gate tries it on one call in so many, `from` others each time.
 */
function refusedEverywhere(session: string | undefined, status: number, code: string, from?: number) {
  return complaints(from === undefined ? guarded : inTurn(guarded, ONE_IN, from), async (endpoint) => {
    const input = inputFor(endpoint, { id: NOBODY, all: false });
    const reply = await fire(world, {
      method: endpoint.method,
      url: addressOf(endpoint, input),
      ...(session === undefined ? {} : { session }),
      ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
    });
    const body = bodyOf(reply);
    if (reply.status === status && body.code === status && body.data?.code === code) return undefined;
    return `${nameOf(endpoint)}: ${reply.status} ${reply.text.slice(0, 200)}`;
  });
}

describe('declarations', () => {
  test('no call is declared twice', () => {
    const names = endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, ':x')}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
  });

  test('the public calls are exactly those that were meant to be', () => {
    const open = routes.filter((route) => route.endpoint.permission === 'public');
    expect(open.map((route) => nameOf(route.endpoint)).sort()).toEqual(PUBLIC);
    for (const route of routes) {
      expect(route.kind === 'public', nameOf(route.endpoint)).toBe(route.endpoint.permission === 'public');
    }
  });

  const declared = new Set(
    modules.flatMap((module) => Object.keys({ ...module.permissions, ...module.operatorPermissions })),
  );

  test('every permission of a call is listed by some module, so that somebody can grant it', () => {
    const unknown = guarded.filter((e) => e.permission !== 'login' && !declared.has(e.permission));
    expect(unknown.map((endpoint) => `${nameOf(endpoint)}: ${endpoint.permission}`)).toEqual([]);
  });

  test('permissions of columns and menu entries are listed too', () => {
    const ofColumns = modules.flatMap((module) =>
      Object.values(module.lists ?? {}).flatMap((row) => columnsOf(row).flatMap((column) => column.permission ?? [])),
    );
    const ofMenu = (items: readonly MenuItem[]): string[] =>
      items.flatMap((item) => [...(item.permission ? [item.permission] : []), ...ofMenu(item.children ?? [])]);
    const inMenus = modules.flatMap((module) => Object.values(module.menu ?? {}).flatMap((items) => ofMenu(items)));
    expect(inMenus.length).toBeGreaterThan(0);
    expect([...ofColumns, ...inMenus].filter((code) => !declared.has(code))).toEqual([]);
  });

  test('permission codes are service:resource:action of the closed lists', () => {
    const actions =
      'view add edit delete void submit withdraw unapprove assign import export print upload pay receive ship pick ' +
      'adjust close run sync config authorize reply send oversea ' +
      // The warehouse's own: who approves, takes back, counts, makes, moves, and what touches cost, days and holds.
      'audit reverse count make direct release backdate opening cost move revalue period ' +
      // Purchasing's own: who approves, orders, gives up, sends back, changes what was ordered and takes more than it.
      'approve place closeLine return amend overReceive ' +
      // Shipping's own: who packs boxes and buys labels; of listings: who prints labels once more.
      'box label reprint ' +
      // Finance's own: who asks for money, and who opens a closed month again.
      'apply reopen ' +
      // The general ledger's own: who enters vouchers into the books.
      'create post';
    const action = actions.replaceAll(' ', '|');
    const shape = new RegExp(`^(sys|erp|amz|adv|fin|gl|cs|dash):([a-z]+:){1,2}((${action})|field:[a-zA-Z]+)$`);
    expect([...declared].filter((code) => !shape.test(code))).toEqual([]);
  });

  test('only calls that say so write', () => {
    const reads = routes.filter((route) => route.kind === 'tenant' && route.endpoint.access === 'read');
    const suspicious = reads.filter(({ endpoint }) => ['PUT', 'DELETE'].includes(endpoint.method));
    expect(suspicious.map((route) => nameOf(route.endpoint))).toEqual([]);
  });
});

describe('who may call', () => {
  test('without a session, or with an invented one, every guarded call answers 401 A0231', async () => {
    expect(await refusedEverywhere(undefined, 401, 'A0231')).toEqual([]);
    expect(await refusedEverywhere('invented', 401, 'A0231')).toEqual([]);
  });

  test('a session that ended or lay idle is over', async () => {
    expect(await refusedEverywhere(await mint(admin, owner, { hours: -1 }), 401, 'A0231', 0)).toEqual([]);
    expect(await refusedEverywhere(await mint(admin, owner, { idleHours: 4 }), 401, 'A0231', 1)).toEqual([]);
  });

  test('a revoked session says that it was taken away', async () => {
    expect(await refusedEverywhere(await mint(admin, owner, { revoked: true }), 401, 'A0200', 2)).toEqual([]);
  });

  test('disabled, departed and expired members are told apart', async () => {
    const [disabled, departed, expired] = await Promise.all([1, 2, 3].map(() => world.member(owner, [])));
    if (!disabled || !departed || !expired) throw new Error('three members');
    await admin.query('UPDATE identity.member SET is_disabled = true WHERE id = $1', [disabled.userId]);
    await admin.query('UPDATE identity.member SET deleted_at = kit.now() WHERE id = $1', [departed.userId]);
    await admin.query("UPDATE identity.member SET expire_date = '2020-01-01' WHERE id = $1", [expired.userId]);
    expect(await refusedEverywhere(disabled.session, 401, 'S0001', 3)).toEqual([]);
    expect(await refusedEverywhere(departed.session, 401, 'S0001', 4)).toEqual([]);
    expect(await refusedEverywhere(expired.session, 401, 'S0002', 5)).toEqual([]);
  });

  test('nobody of a suspended company gets in', async () => {
    const other = await world.owner('停用的公司');
    await admin.query("UPDATE identity.company SET status = 'suspended' WHERE company_id = $1", [other.companyId]);
    expect(await refusedEverywhere(other.session, 401, 'S0003', 0)).toEqual([]);
  });

  test('a member without any right is refused by name of the right, and keeps the session', async () => {
    const member = await world.member(owner, []);
    const needing = guarded.filter((endpoint) => endpoint.permission !== 'login');
    const found = await complaints(needing, async (endpoint) => {
      const reply = await fire(world, {
        method: endpoint.method,
        url: addressOf(endpoint, {}),
        session: member.session,
      });
      const { code, data } = bodyOf(reply);
      const right = reply.status === 403 && code === 403 && data?.code === 'A0301' && data.perm === endpoint.permission;
      return right ? undefined : `${nameOf(endpoint)}: ${reply.status} ${reply.text.slice(0, 200)}`;
    });
    expect(needing.length).toBeGreaterThan(5);
    expect(found).toEqual([]);
    const info = await fire(world, { method: 'GET', url: '/api/admin/api/v1/users/info', session: member.session });
    expect(info.status).toBe(200);
  });

  test('one right opens the calls of that right and no other', async () => {
    const code = 'amz:store:view';
    const member = await world.member(owner, [code]);
    const found = await complaints(guarded, async (endpoint) => {
      const session = await mint(admin, member);
      const input = inputFor(endpoint, { id: NOBODY, all: false });
      const reply = await fire(world, {
        method: endpoint.method,
        url: addressOf(endpoint, input),
        session,
        ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
      });
      const open = endpoint.permission === 'login' || endpoint.permission === code;
      return open === (reply.status !== 403) ? undefined : `${nameOf(endpoint)}: ${reply.status}`;
    });
    expect(found).toEqual([]);
  });
});

const LIMITED = /^429|次数过多/;

describe('addresses', () => {
  test('with and without /api in front a call is the same call', { timeout: WALK_MS }, async () => {
    // Two companies that start alike, because the first of two equal writes may rule out the second.
    const callers = [await world.owner('前缀一'), await world.owner('前缀二')];
    const compare = async (endpoint: Endpoint) => {
      const input = inputFor(endpoint, { id: NOBODY, all: false });
      const answers = [];
      for (const [index, caller] of callers.entries()) {
        const prefix = index === 0 ? '' : '/api';
        const reply = await fire(world, {
          method: endpoint.method,
          url: addressOf(endpoint, input, prefix),
          session: await mint(admin, caller),
          ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
        });
        const { code, msg } = endpoint.file && reply.status === 200 ? { code: 201, msg: '' } : bodyOf(reply);
        answers.push(`${reply.status} ${code} ${msg}`);
      }
      if (answers[0]?.includes('接口不存在')) return `${nameOf(endpoint)}: ${answers[0]}`;
      // A guard that counts what comes from one address may stop the second of two.
      if (answers.some((answer) => LIMITED.test(answer))) return undefined;
      return answers[0] === answers[1] ? undefined : `${nameOf(endpoint)}: ${answers.join(' / ')}`;
    };
    // One after the other: what one call writes, another one reads, for both callers or for none.
    const found = await complaints(inTurn(endpoints, 5), compare, 1);
    expect(found).toEqual([]);
  });

  test.each(Object.entries(LISTED_CALLS))(
    'the listed calls of %s answer as listed, with /api and without',
    async (_, calls) => {
      const declared = new Set(endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`));
      const session = await mint(admin, owner);
      for (const call of calls) {
        const [method = '', listed = ''] = call.split(' ');
        const path = withoutApiPrefix(listed);
        expect(declared).toContain(`${method} ${path}`);
        for (const url of [path, `/api${path}`].map((each) => each.replace(/\{\w+\}/g, NOBODY))) {
          const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: '{}' };
          for (const as of [{}, { session }]) {
            const reply = await fire(world, { method, url, ...as, ...payload });
            const { code, msg } = bodyOf(reply);
            expect([code, msg], `${method} ${url}`).not.toEqual([404, '接口不存在']);
            expect([200, 400, 401, 403, 404, 409, 429], `${method} ${url}`).toContain(reply.status);
          }
        }
      }
    },
  );

  test('calls of old that manage users without a right are gone, and nothing stands in their place', async () => {
    for (const name of ['add', 'getUserList', 'update', 'deleteUser']) {
      for (const url of [`/user/${name}`, `/api/user/${name}`]) {
        for (const method of ['GET', 'POST']) {
          for (const as of [{}, { session: owner.session }]) {
            const reply = await fire(world, { method, url, ...as });
            expect([reply.status, bodyOf(reply)], `${method} ${url}`).toEqual([
              404,
              { code: 404, msg: '接口不存在', data: null },
            ]);
          }
        }
      }
    }
  });

  test('an address that nobody serves answers 404 in the envelope, never the page', async () => {
    const urls = ['/api/nowhere', '/api/erp/api/v1/nowhere', '/erp/api/v1/nowhere', '/auth/nowhere', '/api/'];
    for (const url of urls) {
      const reply = await fire(world, { method: 'GET', url });
      expect(bodyOf(reply), url).toEqual({ code: 404, msg: '接口不存在', data: null });
    }
  });

  test.runIf(existsSync(PAGE))('the page is there at its own address and at those of its screens', async () => {
    for (const url of ['/', '/home', '/ssologin']) {
      const reply = await fire(world, { method: 'GET', url });
      expect([url, reply.status, reply.type.split(';')[0]]).toEqual([url, 200, 'text/html']);
    }
  });

  test('an address that is no address answers 400 in the envelope', async () => {
    for (const url of ['/api/admin/api/v1/files/%zz', '/api/%c0%ae%c0%ae/', '/%']) {
      const reply = await fire(world, { method: 'GET', url, session: owner.session });
      expect([reply.status, bodyOf(reply).code], url).toEqual([400, 400]);
    }
    const long = await fire(world, { method: 'GET', url: `/api/admin/api/v1/files/${'a'.repeat(5000)}` });
    expect(bodyOf(long).code).toBeGreaterThanOrEqual(400);
    expect(long.status).toBeLessThan(500);
  });

  test('the API description lists every call and what it needs', async () => {
    const reply = await fire(world, { method: 'GET', url: '/api/openapi.json' });
    const { paths } = JSON.parse(reply.text) as { paths: Record<string, Record<string, OpenApiOperation>> };
    const missing = endpoints.filter((endpoint) => {
      const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
      const operation = paths[path]?.[endpoint.method.toLowerCase()];
      if (operation?.summary !== endpoint.title) return true;
      return endpoint.permission !== 'public' && !operation.description.includes(endpoint.permission);
    });
    expect(missing.map(nameOf)).toEqual([]);
    const listed = Object.values(paths).reduce((count, operations) => count + Object.keys(operations).length, 0);
    expect(listed).toBe(endpoints.length);
  });
});

interface OpenApiOperation {
  summary: string;
  description: string;
}
