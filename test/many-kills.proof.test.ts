import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveNow, subscribeTo } from '#modules/marketplace/contract/notifications.ts';
import { authSeller, authUrl, saveStore } from '#modules/marketplace/contract/stores.ts';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { Crew } from './support/crew.ts';
import { luck, seed } from './support/depth.ts';
import { changePrices, openFeeds, resendFeeds } from './support/feeds.ts';
import { agree, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { Rotation } from './support/rotation.ts';
import { dayPasses, tokensExpire, underWay, unread } from './support/settled.ts';
import { connectAds } from './support/truth-ads.ts';
import { expectScreens } from './support/truth-market.ts';
import type { Person } from './support/world.ts';

const random = luck('many-kills');

/** Some twenty minutes for all of them; KILLS=10 npm run proof -- test/many-kills tries a few. */
const KILLS = Number(process.env.KILLS ?? 50);
const SELLER = 'A1SANDBOX0001';
const US = 'ATVPDKIKX0DER';
const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
/** Kills of a stretch. Then whatever has struck is over, and the survivors read all there is. */
const ROUNDS = 5;
const STRETCHES = Math.max(2, Math.round(KILLS / ROUNDS));
/** So many work side by side, in one stretch after the other. */
const CREWS = [2, 4] as const;
/** In the first stretch the clock stands still; in the others together so many days go by. */
const DAYS = 120;
const STEP = DAYS / 45;
const MOVING = KILLS - ROUNDS;
/** Few kills do with fewer days, at the end of the same time: Sponsored Brands are kept for sixty, the first can just be read. */
const FIRST_DAY = Math.max(1, Math.min(59, Math.round(1 + DAYS - MOVING * STEP)));
/** What waits for a person, or for the marketplace to end what it never will. */
const HELPLESS = / (blocked_role|dead|requested|submitted)\b/;
/** A worker dies within so long after it has begun to work. */
const LIFE_MS = 2_000;
/** All of it; on a machine that does much else besides. */
const LIMIT_MS = 90 * 60_000;

let world: MarketplaceWorld;
let owner: Person;
let admin: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld(
    { startAt: START, clock: { mode: 'frozen', at: START + FIRST_DAY * DAY } },
    // A bucket that a storm hits again and again stays closed twice as long each time: short pauses.
    { leaseSec: 2, retryBaseMs: 10 },
  );
  owner = await world.owner();
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** A store whose first consent comes to nothing, because its code was used before: the person consents once more. */
async function connect(rotation: Rotation): Promise<{ accountId: string; storeId: string }> {
  const { faults } = world.sandbox.world;
  const storeId = await owner.call(saveStore, { body: { name: '店铺' } });
  const consent = async () => {
    const back = await agree(await owner.call(authUrl, { query: { groupid: storeId, marketplaceId: US } }), SELLER);
    const part = (name: string) => back?.searchParams.get(name) ?? '';
    const [state, code] = [part('state'), part('spapi_oauth_code')];
    const query = { state, selling_partner_id: part('selling_partner_id'), spapi_oauth_code: code };
    return owner.send(authSeller, { query });
  };
  faults.add({ kind: 'codeReused', count: 1 });
  expect((await consent()).code).toBe(400);
  rotation.count('codeReused');
  faults.clear();
  const { code, data } = await consent();
  expect(code).toBe(201);
  await connectAds(owner, storeId, SELLER);
  for (const type of ['ORDER_CHANGE', 'ANY_OFFER_CHANGED', 'FBA_INVENTORY_AVAILABILITY_CHANGES'] as const) {
    await owner.call(subscribeTo, { body: { authid: data.id, type } });
  }
  return { accountId: data.id, storeId };
}

test(
  `${KILLS} kills at random moments, two and four workers, every fault in turn: each figure is as the marketplace has it`,
  async () => {
    const begun = Date.now();
    const say = (text: string) => process.stdout.write(`${Math.round((Date.now() - begun) / 1000)} s: ${text}\n`);
    const rotation = new Rotation(world.sandbox, STRETCHES, random);
    const crew = new Crew(world, random);
    const { accountId } = await connect(rotation);
    const struck = new Map<string, number>();
    const resent = new Set<string>();
    const witness = async () => {
      for (const name of await underWay(admin)) struck.set(name, (struck.get(name) ?? 0) + 1);
    };
    /** Everything is wanted anew, and what the faults that are on wait for comes to pass. */
    const want = async () => {
      if (rotation.wants('tokens')) await tokensExpire(admin);
      if (rotation.wants('feed')) await changePrices(owner, US, random);
      await owner.call(syncNow, { body: { authid: accountId } });
      await owner.call(receiveNow, { body: {} });
    };
    /**
     * Until all is read: whatever strikes meanwhile is over then, and once nothing but that keeps work from getting on,
     * people do what only they can do and want everything anew.
     */
    const settle = async () => {
      let [left, deadline, anew] = ['', 0, true];
      for (let since = new Date(0); ; await new Promise((resolve) => setTimeout(resolve, 250))) {
        anew = rotation.retire() || anew;
        await resendFeeds(owner, resent);
        const open = [...(await unread(admin, since)), ...(await openFeeds(owner))];
        if (anew && open.every((what) => HELPLESS.test(what))) {
          if (rotation.struck.has('reportStuck') || rotation.struck.has('feedStuck')) await dayPasses(admin);
          since = world.runtime.clock.now();
          anew = false;
          await want();
          continue;
        }
        if (open.length === 0) return;
        if (open.join() !== left) [left, deadline] = [open.join(), Date.now() + PATIENCE_MS];
        if (Date.now() > deadline) throw new Error(`not read: ${left}`);
      }
    };
    try {
      for (let stretch = 0, kills = 0; stretch < STRETCHES; stretch += 1) {
        const size = CREWS[stretch % CREWS.length] ?? 2;
        say(`${size} workers, ${rotation.begin(stretch).join(', ')}`);
        const until = stretch === STRETCHES - 1 ? KILLS : (stretch + 1) * ROUNDS;
        for (; kills < until; kills += 1) {
          if (stretch > 0) world.sandbox.world.commandClock({ advanceMs: Math.floor(STEP * DAY) });
          await want();
          await crew.muster(size);
          await crew.loseOne(LIFE_MS, witness);
        }
        say(`${kills} killed, the others read on`);
        await settle();
      }
      await crew.muster(2);
      // What nothing came by so far waits for the hours to come.
      while (rotation.waiting().length > 0 && Date.now() - begun < LIMIT_MS) {
        say(`not struck yet: ${rotation.waiting().join(', ')}`);
        world.sandbox.world.commandClock({ advanceMs: DAY / 4 });
        await settle();
      }
      // What was read, or asked for, before the clock stood still is read once more.
      for (let turn = 0; turn < 2; turn += 1) await settle();
      expect(rotation.spared()).toEqual([]);
      const truth = await expectScreens(world, owner, accountId, SELLER);
      const empty = Object.entries(truth).filter(([, figures]) => Object.keys(figures).length === 0);
      // The first removals are asked for after a hundred days.
      if (MOVING * STEP >= DAYS) expect(empty.map(([name]) => name)).toEqual([]);
      say(`equal: ${JSON.stringify({ orders: truth.orders, profit: truth.profit, settlements: truth.settlements })}`);
    } finally {
      await crew.dismiss();
      const told = (counts: Map<string, number>) => [...counts].sort((a, b) => b[1] - a[1]);
      say(`seed ${seed}, jobs under way at a kill: ${JSON.stringify(told(struck))}`);
      say(`faults that struck: ${JSON.stringify(told(rotation.struck))}`);
    }
    expect(struck.size).toBeGreaterThan(KILLS / 10);
  },
  LIMIT_MS,
);
