import { afterAll, beforeAll, test } from 'vitest';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { connectAds } from './support/truth-ads.ts';
import { untilWarehouseSynced } from './support/truth-fba.ts';
import { expectScreens } from './support/truth-market.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const SELLER = 'A1SANDBOX0001';

let world: MarketplaceWorld;
beforeAll(async () => {
  world = await createMarketplaceWorld({ startAt: START, clock: { mode: 'frozen', at: START + 59 * DAY } });
  await world.work();
});
afterAll(() => world.close());

test('what the screens tell is what the marketplace has, to the cent and to the piece, also after days without a reading', async () => {
  const owner = await world.owner();
  const { accountId, storeId } = await connectStore(owner, SELLER);
  await connectAds(owner, storeId, SELLER);
  await untilWarehouseSynced(world, owner, accountId, PATIENCE_MS);
  await expectScreens(world, owner, accountId, SELLER);
  // Longer than any report is read again by itself: a holiday on which the product was switched off.
  world.sandbox.world.commandClock({ advanceMs: 12 * DAY });
  await owner.call(syncNow, { body: { authid: accountId } });
  await expectScreens(world, owner, accountId, SELLER);
});
