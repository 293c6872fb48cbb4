import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { inProof } from '../support/in-proof.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from '../support/marketplace.ts';
import { clearStage, STORY_MS, type Story, tell } from './story.ts';

/** What goes wrong on the way; afterwards the books must agree all the same. */
const FAULTS: readonly Story[] = [
  { name: 'errors 500 with an HTML body', kind: 'serverError', status: 500, probability: 0.4, seed: 'b', count: 10 },
  { name: 'errors 503', kind: 'serverError', status: 503, probability: 0.4, seed: 'c', count: 10 },
  { name: 'connections cut before the effect', kind: 'timeoutBefore', ms: 100, probability: 0.3, seed: 'd', count: 5 },
  { name: 'connections cut after the effect', kind: 'timeoutAfter', ms: 100, probability: 0.3, seed: 'e', count: 5 },
  { name: 'connections reset in the body', kind: 'connectionReset', probability: 0.3, seed: 'f', count: 6 },
  { name: 'truncated gzip', kind: 'truncatedGzip', count: 2 },
  { name: 'pages without rows', kind: 'emptyPage', probability: 0.5, seed: 'g', count: 4 },
  { name: 'documents that expired', kind: 'documentExpired', count: 2 },
  { name: 'a clock that is wrong', kind: 'clockSkew', ms: 300_000 },
  // Last: by now the marketplace has told its rates. Work that can wait leaves a reserve in the bucket, and after a 429
  // at the published rate, six calls an hour, that reserve takes half an hour to fill.
  { name: 'a storm of 429', kind: 'throttleStorm', probability: 0.5, seed: 'a', count: 12 },
];

let world: MarketplaceWorld;

beforeAll(async () => {
  // A bucket that is hit again and again stays closed twice as long each time: short pauses, or a storm takes minutes.
  world = await createMarketplaceWorld({}, { retryBaseMs: 5 });
  await world.work();
});
afterAll(() => world.close());
afterEach(() => clearStage(world));

/** What the gate tells of them: a call that fails, and one that took effect all the same. */
const IN_GATE = ['errors 503', 'connections cut after the effect'];

for (const story of FAULTS) {
  const tellIt = IN_GATE.includes(story.name) ? test : inProof;
  tellIt(`${story.name}: in the end the books agree`, () => tell(world, story), STORY_MS);
}

inProof(
  'a page token that expired on the way: the window is read again from its first page, and the books agree',
  async () => {
    // An empty first page makes sure that there is a second one to ask for.
    world.sandbox.world.faults.add({ kind: 'emptyPage', count: 3 });
    await tell(world, { name: 'an expired page token', kind: 'expiredPageToken', count: 2 });
  },
  STORY_MS,
);
