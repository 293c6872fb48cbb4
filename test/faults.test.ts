import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindSeller, disableSeller } from '#modules/marketplace/contract/stores.ts';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import type { FaultRule } from '#sandbox/wire/faults.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { productFigures, truthFigures } from './support/truth.ts';

const SELLER = 'A1SANDBOX0001';
const SETTLEMENTS = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';

/** What goes wrong for a while; afterwards the books must agree all the same. */
const FAULTS: readonly (FaultRule & { name: string })[] = [
  { name: 'a storm of 429', kind: 'throttleStorm', probability: 0.5, seed: 'a', count: 12 },
  { name: 'errors 500 with an HTML body', kind: 'serverError', status: 500, probability: 0.4, seed: 'b', count: 10 },
  { name: 'errors 503', kind: 'serverError', status: 503, probability: 0.4, seed: 'c', count: 10 },
  { name: 'connections cut before the effect', kind: 'timeoutBefore', ms: 100, probability: 0.3, seed: 'd', count: 5 },
  { name: 'connections cut after the effect', kind: 'timeoutAfter', ms: 100, probability: 0.3, seed: 'e', count: 5 },
  { name: 'connections reset in the body', kind: 'connectionReset', probability: 0.3, seed: 'f', count: 6 },
  { name: 'truncated gzip', kind: 'truncatedGzip', count: 2 },
  { name: 'a byte order mark', kind: 'bom', reportType: SETTLEMENTS },
  { name: 'rows out of order', kind: 'shuffledRows', reportType: SETTLEMENTS },
  { name: 'a new column', kind: 'newColumn', column: 'surprise' },
  { name: 'pages without rows', kind: 'emptyPage', probability: 0.5, seed: 'g', count: 4 },
  { name: 'an expired page token', kind: 'expiredPageToken', count: 1 },
  { name: 'reports that fail', kind: 'reportFatal', count: 1 },
  { name: 'reports that are cancelled', kind: 'reportCancelled', count: 1 },
  { name: 'documents that expired', kind: 'documentExpired', count: 2 },
  { name: 'a clock that is wrong', kind: 'clockSkew', ms: 300_000 },
];

/** What spoils a document for as long as it lasts: it must be refused whole, and fetched anew when it is over. */
const SPOILED: readonly (FaultRule & { name: string })[] = [
  { name: 'doubled rows', kind: 'duplicateRows', reportType: SETTLEMENTS },
  { name: 'a missing column', kind: 'missingColumn', reportType: SETTLEMENTS, column: 'amount' },
  { name: 'a renamed column', kind: 'renamedColumn', reportType: SETTLEMENTS, column: 'amount', to: 'sum' },
];
const LASTS_MS = 700;

let world: MarketplaceWorld;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
});
afterAll(() => world.close());

test.each(FAULTS)(
  '$name: in the end the books agree',
  async ({ name, ...rule }) => {
    const owner = await world.owner(name);
    world.sandbox.world.faults.add(rule);
    const { accountId } = await connectStore(owner);
    await untilSynced(owner, accountId);
    world.sandbox.world.faults.clear();
    expect(await productFigures(world, owner, accountId)).toEqual(truthFigures(world.sandbox, SELLER, 'na'));
    // A seller works for one company only: the next story needs it free again.
    await owner.call(disableSeller, { query: { authid: accountId, sellerid: SELLER } });
  },
  90_000,
);

test.each(SPOILED)(
  '$name for a while: nothing of it is loaded, and in the end the books agree',
  async ({ name, ...rule }) => {
    const owner = await world.owner(name);
    world.sandbox.world.faults.add(rule);
    const { accountId } = await connectStore(owner);
    await sleep(LASTS_MS);
    world.sandbox.world.faults.clear();
    await untilSynced(owner, accountId);
    expect(await productFigures(world, owner, accountId)).toEqual(truthFigures(world.sandbox, SELLER, 'na'));
    await owner.call(disableSeller, { query: { authid: accountId, sellerid: SELLER } });
  },
  90_000,
);

test('a consent that was taken back stops the streams; a new consent catches up', async () => {
  const owner = await world.owner('a seller who changed his mind');
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
  await fetch(`${world.sandbox.url}/control/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na' }),
  });
  await owner.call(syncNow, { body: { authid: accountId } });
  const status = async () => (await owner.call(bindSeller, {})).stores[0]?.regionslist[0]?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe('revoked');
  const again = await connectStore(owner, SELLER, 'A2EUQ1WTGCTBG2');
  expect(again.accountId).toBe(accountId);
  await untilSynced(owner, accountId);
  expect(await productFigures(world, owner, accountId)).toEqual(truthFigures(world.sandbox, SELLER, 'na'));
}, 90_000);
