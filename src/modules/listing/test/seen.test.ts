import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter, dayIn } from '#kit/contract/day.ts';
import { ratio } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import type { Book } from '../server/rivals/book.ts';
import { landBooks } from '../server/rivals/land.ts';
import { type SeenDay, type SeenOffer, seenSelect } from '../server/rivals/seen.ts';
import { makeAccount, US } from './support.ts';

const JP = 'A1VC38T7YXB528';
const LA = 'America/Los_Angeles';
const HOUR = 3_600_000;
const MINUTE = 60_000;

type Standing = 'owned' | 'lost' | 'absent';

let world: World;
let owner: Person;
let account: AccountRef;
let made = 0;

/** A product that no other test of this file knows. */
function fresh(): string {
  made += 1;
  return `B0SEEN${String(made).padStart(4, '0')}`;
}

function bookOf(asin: string, marketplaceId: string, at: number, standing: Standing): Book {
  const offer = { fba: true, landed: '20', price: '20', shipping: '0', positive: null, ratings: null };
  const own = { ...offer, sellerId: account.sellingPartnerId, own: true, featured: standing === 'owned' };
  const rival = { ...offer, sellerId: 'ARIVAL', own: false, featured: standing !== 'owned' };
  const offers = standing === 'absent' ? [rival] : [own, rival];
  return { asin, marketplaceId, asOf: new Date(at).toISOString(), currency: 'USD', offers, count: offers.length };
}

/** Takes readings over one after the other, in the order they are given. */
async function land(asin: string, marketplaceId: string, told: readonly (readonly [at: number, standing: Standing])[]) {
  for (const [at, standing] of told) {
    await world.as(owner, (ctx) => landBooks(ctx, account.id, 'poll', [bookOf(asin, marketplaceId, at, standing)]));
  }
}

type StoredDay = SeenDay & { gaps: number; owned_before: number; lost_before: number };

async function daysOf(asin: string): Promise<StoredDay[]> {
  const { rows } = await world.as(owner, (ctx) =>
    sql<StoredDay>`
      SELECT day, owned, lost, unseen, gaps, owned_before, lost_before FROM listing.offer_seen_day
       WHERE company_id = ${ctx.companyId} AND asin = ${asin} ORDER BY day`.execute(ctx.db),
  );
  return rows;
}

async function standing(
  asin: string,
  days: number,
  endsAgo: number,
  by: Person = owner,
): Promise<SeenOffer | undefined> {
  const { rows } = await world.as(by, (ctx) =>
    sql<SeenOffer>`SELECT * FROM (${seenSelect(ctx, { days, endsAgo })}) AS s WHERE asin = ${asin}`.execute(ctx.db),
  );
  return rows[0];
}

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeAccount(world, owner);
});
afterAll(() => world.close());

test('E8: owned 14 h, lost 4 h, a gap of which 6 h lie within the day: 77.78 %', async () => {
  const asin = fresh();
  const today = Date.parse(`${dayIn('Asia/Tokyo', worldClock().ms())}T00:00:00+09:00`);
  const at = (hour: number) => today - 24 * HOUR + hour * HOUR;
  await land(asin, JP, [
    [at(-2), 'owned'],
    [at(6), 'owned'],
    [at(12), 'owned'],
    [at(18), 'owned'],
    [at(20), 'lost'],
    [at(24), 'owned'],
  ]);
  const found = await standing(asin, 1, 1);
  expect(found).toMatchObject({ owned: 14 * 3600, observed: 18 * 3600, elapsed: 24 * 3600, own_featured: true });
  expect(Number(ratio(found?.owned ?? 0, found?.observed ?? 0)).toFixed(4)).toBe('0.7778');
  const yesterday = dayAfter(dayIn('Asia/Tokyo', today), -1);
  expect((await daysOf(asin)).find(({ day }) => day === yesterday)).toMatchObject({
    owned: 14 * 3600,
    lost: 4 * 3600,
    unseen: 6 * 3600,
    gaps: 0,
  });
  // The gap began the day before; of days before the first reading nothing is known.
  expect(await daysOf(asin)).toMatchObject([{ unseen: 2 * 3600, gaps: 1 }, {}]);
  expect(await standing(asin, 7, 1)).toMatchObject({ owned: 14 * 3600, observed: 18 * 3600, elapsed: 7 * 24 * 3600 });
  expect(await standing(asin, 1, 5)).toMatchObject({ owned: 0, observed: 0 });
});

test('readings exactly six hours apart are seen, a second more is a gap', async () => {
  const asin = fresh();
  const first = Date.parse('2026-02-10T10:00:00Z');
  await land(asin, US, [
    [first, 'owned'],
    [first + 6 * HOUR, 'lost'],
    [first + 12 * HOUR + 1_000, 'lost'],
  ]);
  expect(await daysOf(asin)).toMatchObject([{ owned: 6 * 3600, lost: 0, unseen: 6 * 3600 + 1, gaps: 1 }]);
});

test('while we offer nothing there is nothing to have or to lose', async () => {
  const asin = fresh();
  const first = Date.parse('2026-02-10T10:00:00Z');
  await land(asin, US, [
    [first, 'absent'],
    [first + HOUR, 'lost'],
    [first + 3 * HOUR, 'absent'],
    [first + 4 * HOUR, 'absent'],
  ]);
  expect(await daysOf(asin)).toMatchObject([{ owned: 0, lost: 2 * 3600, unseen: 2 * 3600, gaps: 0 }]);
});

test('days are those of the site, with 23 and 25 hours where its clocks change', async () => {
  const asin = fresh();
  const hourly = (from: string, hours: number) =>
    Array.from({ length: hours + 1 }, (_, hour) => [Date.parse(from) + hour * HOUR, 'owned'] as const);
  await land(asin, US, [...hourly('2026-03-07T08:00:00Z', 71), ...hourly('2026-11-01T07:00:00Z', 25)]);
  const days = (await daysOf(asin)).filter(({ owned }) => owned > 0);
  expect(days.map(({ day, owned }) => [day, owned / 3600])).toEqual([
    ['2026-03-07', 24],
    ['2026-03-08', 23],
    ['2026-03-09', 24],
    ['2026-11-01', 25],
  ]);
});

test('other companies see nothing of it', async () => {
  const asin = fresh();
  const now = worldClock().ms();
  await land(asin, US, [
    [now - 2 * HOUR, 'owned'],
    [now - HOUR, 'owned'],
  ]);
  expect(await standing(asin, 2, 0)).toMatchObject({ owned: 3600, observed: 3600 });
  expect(await standing(asin, 2, 0, await world.owner('别家'))).toBeUndefined();
});

/** A count from nothing, minute by minute, of the readings that are taken: those not older than the last one taken. */
function counted(told: readonly (readonly [at: number, standing: Standing])[]): Map<string, SeenDay> {
  const days = new Map<string, SeenDay>();
  let last: readonly [number, Standing] | undefined;
  for (const one of told) {
    if (last && one[0] < last[0]) continue;
    const [from, state] = last ?? one;
    const kind = one[0] - from > 6 * HOUR || state === 'absent' ? 'unseen' : state;
    for (let at = from; at < one[0]; at += MINUTE) {
      const day = dayIn(LA, at);
      const row = days.get(day) ?? { day, owned: 0, lost: 0, unseen: 0 };
      row[kind] += 60;
      days.set(day, row);
    }
    last = one;
  }
  return days;
}

test('whatever is read and in whatever order it comes, each second between the first and the last is counted once', async () => {
  const begin = Date.parse('2026-03-06T20:00:00Z');
  const reading = fc.tuple(
    fc.integer({ min: 0, max: 4 * 24 * 60 }).map((minutes) => begin + minutes * MINUTE),
    fc.constantFrom<Standing>('owned', 'lost', 'absent'),
  );
  // Mostly in order, as readings come; some of them late.
  const arrivals = fc
    .tuple(fc.array(reading, { minLength: 1, maxLength: 14 }), fc.array(fc.nat({ max: 13 }), { maxLength: 4 }))
    .map(([all, late]) => {
      const sorted = all.toSorted((a, b) => a[0] - b[0]);
      for (const at of late) sorted.push(...sorted.splice(at % sorted.length, 1));
      return sorted;
    });
  await fc.assert(
    fc.asyncProperty(arrivals, async (told) => {
      const asin = fresh();
      await land(asin, US, told);
      const days = await daysOf(asin);
      const expected = [...counted(told).values()].toSorted((a, b) => a.day.localeCompare(b.day));
      expect(days.map(({ day, owned, lost, unseen }) => ({ day, owned, lost, unseen }))).toEqual(expected);
      const sum = days.reduce((all, { owned, lost, unseen }) => all + owned + lost + unseen, 0);
      const first = told[0]?.[0] ?? 0;
      expect(sum).toBe((Math.max(...told.map(([at]) => at)) - first) / 1_000);
      let [owned, lost] = [0, 0];
      for (const day of days) {
        expect([day.owned_before, day.lost_before]).toEqual([owned, lost]);
        [owned, lost] = [owned + day.owned, lost + day.lost];
      }
      const { rows } = await world.as(owner, (ctx) =>
        sql<Record<string, number>>`
          SELECT owned_sec, lost_sec, owned_sec + lost_sec + unseen_sec AS all FROM listing.offer_book
           WHERE company_id = ${ctx.companyId} AND asin = ${asin}`.execute(ctx.db),
      );
      expect(rows).toEqual([{ owned_sec: owned, lost_sec: lost, all: sum }]);
    }),
    { numRuns: 30 },
  );
});
