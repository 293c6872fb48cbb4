import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { productFigures, truthFigures } from './support/truth.ts';
import { kill, spawnWorker } from './support/worker-process.ts';
import type { Person } from './support/world.ts';

const KILLS = 8;

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld({}, { leaseSec: 2 });
  owner = await world.owner();
});
afterAll(() => world.close());

test(`killing the worker ${KILLS} times during the first synchronisation loses and doubles nothing`, async () => {
  const { accountId } = await connectStore(owner);
  for (let round = 0; round < KILLS; round += 1) {
    const worker = await spawnWorker(world);
    // Each round dies a little later, so that every stage is hit: calls, downloads, loads, merges.
    await sleep(40 + round * 90);
    await kill(worker);
  }
  const last = await spawnWorker(world);
  try {
    await untilSynced(owner, accountId, 90_000);
  } finally {
    await kill(last);
  }
  const truth = truthFigures(world.sandbox, 'A1SANDBOX0001', 'na');
  expect(Object.keys(truth.settlements).length).toBeGreaterThan(2);
  expect(await productFigures(world, owner, accountId)).toEqual(truth);
}, 180_000);
