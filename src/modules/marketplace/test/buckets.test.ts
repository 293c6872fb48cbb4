import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import { slowDown, speedUp } from '../server/api/adaptive.ts';
import { type BucketKey, blockBucket, learnRate, takeToken } from '../server/api/buckets.ts';
import { planOf } from '../server/api/limits.ts';

let world: World;
let admin: pg.Pool;
let key: BucketKey;
let count = 0;

beforeAll(async () => {
  world = await createWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
beforeEach(() => {
  count += 1;
  key = { applicationId: 'app', sellerKey: `A1/na/${count}`, operation: 'op' };
});

const take = (plan: { rate: number; burst: number }) => takeToken(world.runtime, key, plan);

/** Puts the bucket where an example begins: so many tokens, last filled so many seconds ago. */
async function bucket(plan: { rate: number; burst: number }, tokens: number, secondsAgo: number): Promise<void> {
  await take(plan);
  await admin.query(
    `UPDATE marketplace.rate_bucket SET tokens = $2, refilled_at = kit.instant() - make_interval(secs => $3) WHERE seller_key = $1`,
    [key.sellerKey, tokens, secondsAgo],
  );
}

async function left(): Promise<number> {
  const { rows } = await admin.query<{ now: number }>(
    `SELECT least(burst, tokens + rate * extract(epoch FROM kit.instant() - refilled_at))::float8 AS now
       FROM marketplace.rate_bucket WHERE seller_key = $1 AND operation = $2`,
    [key.sellerKey, key.operation],
  );
  return rows[0]?.now ?? Number.NaN;
}

describe('a bucket of tokens', () => {
  test('fills with time and empties with calls: 3.2, 24 seconds at a half, five calls, 10.2', async () => {
    const plan = { rate: 0.5, burst: 30 };
    await bucket(plan, 3.2, 24);
    for (let n = 0; n < 5; n += 1) expect(await take(plan)).toBe(0);
    const rest = await left();
    expect(rest).toBeGreaterThanOrEqual(10.2);
    expect(rest).toBeLessThan(10.7);
  });

  test('says how long until the next token: a quarter at 0.0167 a second is 44.91 seconds', async () => {
    const plan = { rate: 0.0167, burst: 15 };
    await bucket(plan, 0.25, 0);
    const wait = await take(plan);
    expect(wait / 1000).toBeGreaterThan(44.4);
    expect(wait / 1000).toBeLessThanOrEqual(44.92);
    // Asking takes nothing and starts no clock anew.
    expect(await take(plan)).toBeLessThanOrEqual(wait);
  });

  test('never holds more than its burst, however long nobody called', async () => {
    const plan = { rate: 5, burst: 3 };
    await bucket(plan, 0, 86_400);
    expect(await left()).toBe(3);
  });

  test('of fifty callers at once exactly as many get through as there are tokens', async () => {
    const plan = { rate: 0.0001, burst: 12 };
    const waits = await Promise.all(Array.from({ length: 50 }, () => take(plan)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(12);
    expect(Math.min(...waits.filter((wait) => wait > 0))).toBeGreaterThan(1_000_000);
  });

  test('that was full gains nothing while its first call is on the way to the marketplace', async () => {
    const plan = { rate: 0.5, burst: 30 };
    expect(await take(plan)).toBe(0);
    const first = await left();
    expect(first).toBeLessThan(28.5);
    await bucket(plan, 30, 0);
    expect(await take(plan)).toBe(0);
    expect(await left()).toBeLessThan(28.5);
    // Where little is saved up, half of it is waited for at most.
    const single = { rate: 1, burst: 1 };
    key = { ...key, operation: 'single' };
    expect(await take(single)).toBe(0);
    const wait = await take(single);
    expect(wait).toBeGreaterThan(1_000);
    expect(wait).toBeLessThanOrEqual(1_500);
  });

  test('belongs to one seller and one operation', async () => {
    const plan = { rate: 0.0001, burst: 1 };
    expect([await take(plan), (await take(plan)) > 0]).toEqual([0, true]);
    for (const other of [
      { ...key, sellerKey: `${key.sellerKey}/eu` },
      { ...key, operation: 'other' },
      { ...key, applicationId: 'b' },
    ]) {
      expect(await takeToken(world.runtime, other, plan)).toBe(0);
    }
  });

  test('takes the rate from an answer, but not the burst', async () => {
    const plan = { rate: 0.0167, burst: 15 };
    await bucket(plan, 0.25, 0);
    await learnRate(world.runtime, key, 1);
    const wait = await take(plan);
    expect(wait).toBeGreaterThan(400);
    expect(wait).toBeLessThanOrEqual(750);
    await bucket(plan, 15, 1000);
    expect(await left()).toBe(15);
  });
});

describe('after a refusal by the marketplace', () => {
  test('a bucket that gives a token in three minutes is closed for as long', async () => {
    key = { ...key, operation: 'slow' };
    await take({ rate: 0.0056, burst: 20 });
    const wait = await blockBucket(world.runtime, key, 0, 2_000);
    expect(wait).toBeGreaterThan(178_000);
    expect(wait).toBeLessThan(178_600 * 1.2);
  });

  test('the bucket is empty and closed, twice as long each time, at most a quarter of an hour', async () => {
    const plan = { rate: 2, burst: 15 };
    await take(plan);
    let last = 0;
    for (const attempt of [0, 1, 2, 3]) {
      const wait = await blockBucket(world.runtime, key, attempt, 2_000);
      expect(wait).toBeGreaterThanOrEqual(2_000 * 2 ** attempt - 50);
      expect(wait).toBeLessThanOrEqual(2_000 * 2 ** attempt * 1.2 + 50);
      expect(wait).toBeGreaterThan(last);
      last = wait;
    }
    expect(await blockBucket(world.runtime, key, 50, 2_000)).toBeLessThanOrEqual(900_000);
    const closed = await take(plan);
    expect(closed).toBeGreaterThan(60_000);
    const { rows } = await admin.query('SELECT throttled FROM marketplace.rate_bucket WHERE seller_key = $1', [
      key.sellerKey,
    ]);
    expect(rows).toEqual([{ throttled: 5 }]);
  });

  test('calls go on when the time is over', async () => {
    const plan = { rate: 2, burst: 15 };
    await take(plan);
    await blockBucket(world.runtime, key, 0, 2_000);
    await admin.query(
      `UPDATE marketplace.rate_bucket SET blocked_until = kit.instant() - interval '1 ms', refilled_at = refilled_at - interval '1 second'
        WHERE seller_key = $1`,
      [key.sellerKey],
    );
    expect(await take(plan)).toBe(0);
  });
});

describe('a bucket whose limit nobody tells', () => {
  const plan = { rate: 4, burst: 10 };
  const rate = async (): Promise<number> => {
    const { rows } = await admin.query<{ rate: number }>(
      'SELECT rate FROM marketplace.rate_bucket WHERE seller_key = $1',
      [key.sellerKey],
    );
    return rows[0]?.rate ?? Number.NaN;
  };
  const later = (seconds: number) =>
    admin.query(
      'UPDATE marketplace.rate_bucket SET adapted_at = adapted_at - make_interval(secs => $2) WHERE seller_key = $1',
      [key.sellerKey, seconds],
    );

  test('is called half as often after a refusal, once for refusals that come together, and pauses as long as asked', async () => {
    await take(plan);
    const refused = () => slowDown(world.runtime, key, plan, { attempt: 0, baseMs: 10, afterMs: 7_000 });
    const waits = await Promise.all([refused(), refused(), refused()]);
    for (const wait of waits) expect(wait).toBeGreaterThan(6_900);
    expect(await rate()).toBe(2);
    expect(await take(plan)).toBeGreaterThan(6_000);
    for (let n = 0; n < 12; n += 1) {
      await later(3);
      await refused();
    }
    expect(await rate()).toBe(4 / 64);
  });

  test('is called a tenth of its first rate more often after each minute without one, up to a limit', async () => {
    await take(plan);
    await slowDown(world.runtime, key, plan, { attempt: 0, baseMs: 10, afterMs: 0 });
    // A worker looks at a bucket once a minute: each of these has not looked yet.
    const { connections } = world.runtime;
    const answered = () => speedUp({ connections }, key, plan);
    await answered();
    expect(await rate()).toBe(2);
    await later(61);
    await Promise.all([answered(), answered()]);
    expect(await rate()).toBeCloseTo(2.4);
    for (let n = 0; n < 3; n += 1) {
      await later(61);
      await answered();
    }
    expect(await rate()).toBeCloseTo(3.6);
    await admin.query('UPDATE marketplace.rate_bucket SET rate = 31.9 WHERE seller_key = $1', [key.sellerKey]);
    await later(61);
    await answered();
    expect(await rate()).toBe(32);
  });
});

test('an operation that no plan names is called slowly', () => {
  expect(planOf('somethingNew')).toEqual({ rate: 0.5, burst: 1 });
  expect(planOf('searchOrders')).toEqual({ rate: 0.0056, burst: 20 });
  expect(planOf('createReport')).toEqual({ rate: 0.0167, burst: 15 });
});
