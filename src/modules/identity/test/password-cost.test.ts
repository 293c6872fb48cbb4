import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

// Counted where the work is done: what it costs is then the same by construction.
const spent = vi.hoisted(() => ({ verify: 0, hash: 0, milliseconds: [] as number[] }));
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return {
    ...real,
    verify: async (...given: Parameters<typeof real.verify>) => {
      spent.verify += 1;
      return real.verify(...given);
    },
    hash: async (...given: Parameters<typeof real.hash>) => {
      spent.hash += 1;
      return real.hash(...given);
    },
  };
});

const { hash } = await import('@node-rs/argon2');
const { createWorld } = await import('#test/support/world.ts');
const { company, login, PASSWORD } = await import('./support.ts');

let world: Awaited<ReturnType<typeof createWorld>>;
let admin: pg.Client;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  // The made-up hash for accounts that nobody has is made once.
  await login(world.app, 'niemand@example.com', 'Falsch-2026');
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
beforeEach(() => {
  spent.verify = 0;
  spent.hash = 0;
});

test('a known and an unknown account cost one check each, whatever is wrong', async () => {
  const { account } = await company(world);
  const tries: [string, string][] = [
    [account, 'Falsch-2026'],
    ['unbekannt@example.com', 'Falsch-2026'],
    ['13900000001', 'Falsch-2026'],
  ];
  for (const [who, password] of tries) {
    spent.verify = 0;
    spent.hash = 0;
    expect((await login(world.app, who, password)).msg).toBe('账号或密码错误');
    expect([who, spent.verify, spent.hash]).toEqual([who, 1, 0]);
  }
});

test('nor do they differ in time: the medians of many attempts lie together', async () => {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 12; round += 1) {
    const { account } = await company(world);
    for (const [kind, who] of [
      ['known', account],
      ['unknown', `u${round}-${account}`],
    ] as const) {
      const begin = performance.now();
      await login(world.app, who, 'Falsch-2026', {}, `10.0.${round}.${kind === 'known' ? 1 : 2}`);
      times[kind].push(performance.now() - begin);
    }
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const [known, unknown] = [median(times.known), median(times.unknown)];
  // A check missing on one side would make a factor of three and more.
  expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(1.6);
});

async function stored(account: string): Promise<string> {
  const { rows } = await admin.query('SELECT password_hash FROM identity.member WHERE account = $1', [account]);
  return rows[0].password_hash;
}

const peppered = (password: string) =>
  createHmac('sha256', world.runtime.secrets.pepper).update(password).digest('base64');

test('a hash of weaker days is made anew at the log-in that proves the password', async () => {
  const { account } = await company(world);
  const weak = await hash(peppered(PASSWORD), { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await admin.query('UPDATE identity.member SET password_hash = $2 WHERE account = $1', [account, weak]);
  expect((await login(world.app, account, 'Falsch-2026')).code).toBe(400);
  expect(await stored(account)).toBe(weak);
  spent.hash = 0;
  expect((await login(world.app, account)).code).toBe(201);
  const strong = await stored(account);
  expect(strong).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(spent.hash).toBe(1);
  // Once is enough, and the password is still the same.
  expect((await login(world.app, account)).code).toBe(201);
  expect(await stored(account)).toBe(strong);
  expect(spent.hash).toBe(1);
});
