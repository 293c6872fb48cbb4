// The secret of the application ends after 180 days: it is changed before, by itself, and nobody notices.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Connected,
  connectStore,
  createMarketplaceWorld,
  type MarketplaceWorld,
} from '#test/support/marketplace.ts';
import { type Person, TODAY } from '#test/support/world.ts';
import { accessToken } from '../server/api/tokens.ts';
import { houseClient } from '../server/application/house.ts';
import { rotateJob } from '../server/application/rotate.ts';
import { accountOf } from '../server/auth/accounts.ts';
import { receiveJob } from '../server/notifications/receive.ts';

const DAY = 86_400_000;
const CLIENT = 'amzn1.application-oa2-client.sandbox';
const CONFIGURED = 'sandbox-secret';

let world: MarketplaceWorld;
let owner: Person;
let store: Connected;

beforeAll(async () => {
  // Product and marketplace tell the same day: ends of secrets are instants of Amazon's that the product holds beside its own.
  world = await createMarketplaceWorld({
    startAt: Date.parse('2026-10-04T00:00:00Z'),
    clock: { mode: 'frozen', at: TODAY.getTime() },
  });
  owner = await world.owner();
  store = await connectStore(owner);
});
afterAll(() => world.close());
const secretInUse = async (): Promise<string> => (await houseClient(world.runtime)).clientSecret;
const receive = () => receiveJob.run(world.runtime, {} as never);
const rotate = () => rotateJob.run(world.runtime, {} as never);

/** Days pass for the marketplace and for the product. */
async function pass(days: number): Promise<void> {
  world.sandbox.world.commandClock({ advanceMs: days * DAY });
  await world.advance(days * DAY);
}

/** A new access token of the store, by whatever secret is in use. */
async function renewed(): Promise<string> {
  const account = await world.as(owner, (ctx) => accountOf(ctx.db, ctx.companyId, store.accountId));
  if (!account) throw new Error('the account is gone');
  return accessToken(world.runtime, account, true);
}

/** Amazon says that the secret in use ends in so many days. */
async function announceEnd(inDays: number): Promise<void> {
  const body = JSON.stringify({ clientId: CLIENT, inDays });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${world.sandbox.url}/control/secretExpiry`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

test('a secret that ends is changed before, the new one comes through the queue, and is used from then on', async () => {
  await receive();
  await rotate();
  expect(await secretInUse()).toBe(CONFIGURED);

  await announceEnd(25);
  await receive();
  expect(await secretInUse()).toBe(CONFIGURED);
  await rotate();
  // Asked for once, however often the job runs before the new one has come.
  await rotate();
  await receive();
  const changed = await secretInUse();
  expect(changed).toMatch(/^amzn1\.oa2-cs\.v1\./);
  expect(await renewed()).not.toBe('');

  // The old one ends a week later, and is not missed; the end that was told before is no news any more.
  await pass(26);
  expect(
    world.sandbox.world.secrets.usable(world.sandbox.world.settings.apps[0] as never, world.sandbox.world.now()),
  ).toEqual([changed]);
  expect(await renewed()).not.toBe('');
  await rotate();
  await receive();
  expect(await secretInUse()).toBe(changed);

  // Its own end is known from the day on which it came. One change a minute is allowed, and months have passed.
  await pass(130);
  await world.as(owner, ({ db }) => db.updateTable('marketplace.rate_bucket').set({ tokens: 1 }).execute());
  await rotate();
  await receive();
  expect(await secretInUse()).not.toBe(changed);
  await pass(8);
  expect(await renewed()).not.toBe('');
});

test('neither a notification nor the log of calls shows a secret', async () => {
  const secret = await secretInUse();
  const found = await world.as(owner, async ({ db }) => {
    const notices = await db.selectFrom('marketplace.notification').selectAll().execute();
    const calls = await db.selectFrom('marketplace.api_call').selectAll().execute();
    const kept = await db.selectFrom('marketplace.application_secret').selectAll().execute();
    return JSON.stringify([notices, calls, kept]);
  });
  expect(found).toContain(CLIENT);
  expect(found).not.toContain(secret);
  expect(found).not.toContain(CONFIGURED);
});
