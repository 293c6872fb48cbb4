import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { productFigures, truthFigures } from './support/truth.ts';
import type { Person } from './support/world.ts';

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
});
afterAll(() => world.close());

test('after the first synchronisation the product and the marketplace keep the same books', async () => {
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
  expect(await productFigures(world, owner, accountId)).toEqual(truthFigures(world.sandbox, 'A1SANDBOX0001', 'na'));
});
