// How long the history of a new store will take, at Amazon's own limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { accountHealth } from '../contract/sync.ts';

let world: MarketplaceWorld;

beforeAll(async () => {
  world = await createMarketplaceWorld({ rateFactor: 1 });
});
afterAll(() => world.close());

test('the estimate is what the limits leave, is not given before the reports are known, and ends with them', async () => {
  const owner = await world.owner();
  const { accountId } = await connectStore(owner);
  const estimate = async () => (await owner.call(accountHealth, { query: { authid: accountId } })).estimate;
  expect(await estimate()).toBe(null);
  await world.work();
  // Fifteen calls are saved up; each report beyond them waits a minute for the call that asks for it.
  await expect.poll(estimate, { timeout: PATIENCE_MS }).toMatchObject({ by: 'limit' });
  await expect
    .poll(
      async () => {
        const now = await estimate();
        return now !== null && now.left > 15 && now.seconds / 60 / now.left;
      },
      { timeout: PATIENCE_MS },
    )
    .toBeGreaterThan(0.6);
  const now = await estimate();
  expect((now?.seconds ?? 0) / 60).toBeLessThanOrEqual((now?.left ?? 0) + 2);
  // From here on nothing is waited for.
  world.sandbox.world.throttle.rateFactor = 100_000;
  await world.as(owner, ({ db }) =>
    db.updateTable('marketplace.rate_bucket').set({ rate: 1_000, blocked_until: null }).execute(),
  );
  await expect.poll(estimate, { timeout: PATIENCE_MS, interval: 500 }).toBe(null);
});
