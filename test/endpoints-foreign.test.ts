import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { saveVersionWithName } from '#modules/system/contract.ts';
import { fillTables, fingerprint } from './catalogue.ts';
import { depth } from './support/depth.ts';
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
  worthTrying,
} from './walk.ts';

const MARKER = '乙公司机密';

let world: World;
let admin: pg.Pool;
let thief: Person;
let victim: Person;
/** Ids of rows of the other company, by table. */
let loot: [table: string, id: string][];

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  thief = await world.owner('甲公司');
  victim = await world.owner(MARKER);
  const store = await victim.call(saveStore, { body: { name: `${MARKER}店铺` } });
  const version = await victim.call(saveVersionWithName, {
    body: { queryname: 'q', versionname: MARKER, fieldlist: [{ ffield: 'a', findex: 0, isShow: true }] },
  });
  const { ids } = await fillTables(admin, victim.companyId, MARKER);
  loot = [
    ['marketplace.store', store],
    ['system.query_version', version],
    ['identity.company', victim.companyId],
    ['identity.member', victim.userId],
    ...[...ids].flatMap(([table, found]) => found.map((id): [string, string] => [table, id])),
  ];
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const guarded = endpoints.filter((endpoint) => endpoint.permission !== 'public');

const NOBODY = '00000000-0000-4000-8000-000000000000';

const tableOf = (id: string) => loot.find(([, known]) => known === id)?.[0];

/** Whether a call cannot do without an id, so that success with a stranger's is wrong. */
function asksForAnId(input: Sent): boolean {
  return JSON.stringify(input).includes(NOBODY);
}

/** Of ids in fields that may be left out, every so many is tried; which ones differs from call to call. */
const EVERY = depth(20, 5);

/** The ids worth trying on a call: all of them where it asks for one, some where it takes one, else any. */
function idsFor(endpoint: Endpoint, all: boolean): string[] {
  const near = worthTrying(endpoint, loot);
  const ids = [...new Set((near.length > 0 ? near : loot).map(([, id]) => id))];
  if (!asksForAnId(inputFor(endpoint, { id: NOBODY, all }))) return ids.slice(0, 1);
  if (!all || !asksForAnId(inputFor(endpoint, { id: NOBODY, all: false }))) return ids;
  return ids.filter((_, index) => index % EVERY === endpoint.path.length % EVERY);
}

/** Calls that tell the caller what he himself sent before, ids of others included. */
const OWN_LOG = /\/operlog\//;

const sessions = new Map<Person, string>();

async function attempt(endpoint: Endpoint, id: string, all: boolean, who: Person): Promise<Reply> {
  const input = inputFor(endpoint, { id, all });
  const payload = input.body === undefined ? {} : { payload: JSON.stringify(input.body) };
  const session = sessions.get(who) ?? (await mint(admin, who));
  sessions.set(who, session);
  const reply = await fire(world, { method: endpoint.method, url: addressOf(endpoint, input), session, ...payload });
  if (reply.status !== 401) return reply;
  // Some other call of the walk was the one that logs out.
  sessions.delete(who);
  return attempt(endpoint, id, all, who);
}

test('the other company has something to steal, and its owner gets it by the same calls', async () => {
  expect(new Set(loot.map(([table]) => table)).size).toBeGreaterThan(15);
  const telling = new Set<string>();
  for (const endpoint of guarded.filter((entry) => entry.access === 'read')) {
    for (const id of idsFor(endpoint, false)) {
      if (telling.size > 3) return;
      const reply = await attempt(endpoint, id, false, victim);
      if (reply.text.includes(MARKER)) telling.add(nameOf(endpoint));
    }
  }
  expect([...telling]).toHaveLength(4);
});

test('ids of another company find nothing, change nothing and give nothing away', { timeout: WALK_MS }, async () => {
  const before = await fingerprint(admin, victim.companyId);
  const secrets = [MARKER, ...loot.map(([, id]) => id)];
  const found = await complaints(guarded, async (endpoint) => {
    const needsId = asksForAnId(inputFor(endpoint, { id: NOBODY, all: false }));
    for (const all of [false, true]) {
      for (const id of idsFor(endpoint, all)) {
        const reply = await attempt(endpoint, id, all, thief);
        const say = (what: string) =>
          `${nameOf(endpoint)} with ${tableOf(id)}: ${what}: ${reply.status} ${reply.text.slice(0, 200)}`;
        if (reply.status >= 500) return say('fault');
        // What we sent may come back to us; anything else of theirs may not.
        const told = OWN_LOG.test(endpoint.path) ? [MARKER] : secrets;
        const leaked = told.find((secret) => secret !== id && reply.text.includes(secret));
        if (leaked) return say(`leaked ${leaked}`);
        const success = reply.type.includes('application/json') ? bodyOf(reply).code === 201 : true;
        if (success && needsId && endpoint.access === 'write') return say('succeeded');
        if (success && endpoint.file && needsId) return say('gave a file');
      }
    }
    return undefined;
  });
  expect(found).toEqual([]);
  const { 'identity.session': _sessions, ...after } = await fingerprint(admin, victim.companyId);
  const { 'identity.session': _earlier, ...earlier } = before;
  expect(after).toEqual(earlier);
});

/** An answer without the seconds that are left to wait: they go by between two calls. */
const timeless = (text: string) => text.replace(/"retryAfter":\d+/, '"retryAfter":0');

test('a missing row and a row of somebody else are answered alike', { timeout: WALK_MS }, async () => {
  const found = await complaints(guarded, async (endpoint) => {
    const nobody = '01900000-0000-7000-8000-000000000000';
    const needsId = asksForAnId(inputFor(endpoint, { id: NOBODY, all: false }));
    const missing = await attempt(endpoint, nobody, false, thief);
    // A handful per call suffices; which ones differs from call to call.
    const from = endpoint.path.length % loot.length;
    for (const [table, id] of [...loot, ...loot].slice(from, from + depth(1, 6))) {
      const foreign = await attempt(endpoint, id, false, thief);
      const same =
        foreign.status === missing.status && timeless(foreign.text) === timeless(missing.text.replaceAll(nobody, id));
      // A call that succeeds answers with something of its own, e.g. the id of a new row. One that takes no id may do so
      // only the second time, e.g. when a code may be sent again.
      const own = missing.status === 200 || (!needsId && foreign.status === 200);
      if (!same && !own) return `${nameOf(endpoint)} with ${table}: ${foreign.text.slice(0, 200)}`;
    }
    return undefined;
  });
  expect(found).toEqual([]);
});

test('a colleague does not get at what is personal', async () => {
  const member = await world.member(victim, []);
  const personal = ['/admin/api/v1/sysQueryField/getVersionFieldById?id=', '/admin/api/v1/files/'];
  const { rows } = await admin.query<{ id: string; file: string }>(
    `SELECT v.id, f.id AS file FROM system.query_version v, kit.file f WHERE v.company_id = $1 AND f.company_id = $1`,
    [victim.companyId],
  );
  const targets = [`${personal[0]}${rows[0]?.id}`, `${personal[1]}${rows[0]?.file}`];
  for (const target of targets) {
    const reply = await fire(world, { method: 'GET', url: `/api${target}`, session: member.session });
    expect([target, reply.status]).toEqual([target, 404]);
  }
});
