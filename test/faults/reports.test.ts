import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accountHealth } from '#modules/marketplace/contract/sync.ts';
import { inProof } from '../support/in-proof.ts';
import { createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { productFigures, truthFigures } from '../support/truth.ts';
import type { Person } from '../support/world.ts';
import {
  AMERICAN,
  asOperator,
  clearStage,
  connect,
  expectSameBooks,
  ORDERS,
  SETTLEMENTS,
  STORY_MS,
  type Story,
  switchOn,
  syncAgain,
  tasksOf,
  tell,
} from './story.ts';

/** What is odd about a report for good, and must not keep it from being read. */
const ODD: readonly Story[] = [
  { name: 'a byte order mark', kind: 'bom', reportType: SETTLEMENTS },
  { name: 'rows out of order', kind: 'shuffledRows', reportType: SETTLEMENTS },
  { name: 'a new column', kind: 'newColumn', column: 'surprise' },
  { name: 'German headers', kind: 'localisedHeaders', language: 'de' },
  { name: 'French headers', kind: 'localisedHeaders', language: 'fr' },
  { name: 'Japanese headers', kind: 'localisedHeaders', language: 'ja' },
  { name: 'reports that fail', kind: 'reportFatal', count: 1 },
  { name: 'reports that are cancelled', kind: 'reportCancelled', count: 1 },
];

/** What spoils a document for as long as it lasts: it must be refused whole, and fetched anew when it is over. */
const SPOILED: readonly Story[] = [
  { name: 'doubled rows', kind: 'duplicateRows', reportType: SETTLEMENTS },
  { name: 'a missing column', kind: 'missingColumn', reportType: SETTLEMENTS, column: 'amount' },
  { name: 'a renamed column', kind: 'renamedColumn', reportType: SETTLEMENTS, column: 'amount', to: 'sum' },
];

let world: MarketplaceWorld;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
});
afterAll(() => world.close());
afterEach(() => clearStage(world));

for (const story of ODD) {
  const tellIt = story.name === 'German headers' ? test : inProof;
  tellIt(`${story.name}: in the end the books agree`, () => tell(world, story), STORY_MS);
}

const failures = async (owner: Person, accountId: string, reportType: string) =>
  (await tasksOf(owner, accountId, reportType)).filter((task) => task.status === 'failed');

for (const story of SPOILED) {
  const tellIt = story.name === 'doubled rows' ? test : inProof;
  const title = `${story.name} for a while: it is refused with a reason, fetched anew, and in the end the books agree`;
  tellIt(title, () => tellSpoiled(story), STORY_MS);
}

async function tellSpoiled(story: Story): Promise<void> {
  const owner = await world.owner(story.name);
  const switchOff = switchOn(world, story);
  const { accountId } = await connect(owner, AMERICAN);
  const refused = async () => (await tasksOf(owner, accountId, SETTLEMENTS)).some((task) => task.error !== null);
  await expect.poll(refused, { timeout: PATIENCE_MS }).toBe(true);
  switchOff();
  await untilSynced(owner, accountId);
  await expectSameBooks(world, owner, accountId);
}

inProof(
  'a report that stays spoiled: it is given up, nothing of it is loaded, and it is fetched anew at the user’s wish',
  async () => {
    const owner = await world.owner('a spoiled report');
    const switchOff = switchOn(world, { name: '', kind: 'missingColumn', reportType: SETTLEMENTS, column: 'amount' });
    const { accountId } = await connect(owner, AMERICAN);
    await untilSynced(owner, accountId);
    const given = await failures(owner, accountId, SETTLEMENTS);
    expect(given.length).toBe(Object.keys(truthFigures(world.sandbox, 'A1SANDBOX0001', 'na').settlements).length);
    for (const task of given) expect(task.error).toContain('缺少 amount');
    expect((await productFigures(world, owner, accountId)).settlements).toEqual({});
    switchOff();
    await syncAgain(owner, accountId);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

/** What a day of waiting does: the report was asked for a day earlier, and the worker looks again. */
async function aDayPasses(accountId: string): Promise<void> {
  await asOperator(
    world,
    `UPDATE marketplace.report_request SET requested_at = requested_at - interval '25 hours'
      WHERE account_id = $1 AND status = 'requested'`,
    [accountId],
  );
}

async function history(owner: Person, accountId: string) {
  const health = await owner.call(accountHealth, { query: { authid: accountId } });
  return health.backfill.find((plan) => plan.code === 'orders.history');
}

inProof(
  'a report that never ends: it is shown as being made, given up after a day, asked for anew, and the books agree',
  async () => {
    const owner = await world.owner('a stuck report');
    const switchOff = switchOn(world, { name: '', kind: 'reportStuck', reportType: ORDERS, count: 1 });
    const { accountId } = await connect(owner, AMERICAN);
    // Reports of the warehouses go on in the background meanwhile.
    const stuck = async () =>
      (await tasksOf(owner, accountId, ORDERS)).filter((task) => task.status === 'requested').length;
    const asked = () => world.sandbox.world.reports.filter((report) => report.reportType === ORDERS).length;
    const others = async () => {
      const plan = await history(owner, accountId);
      return plan && plan.total > 1 ? plan.total - plan.done : undefined;
    };
    await expect.poll(others, { timeout: PATIENCE_MS }).toBe(1);
    // A window without orders is asked for once more by itself.
    const moving = async () =>
      (await tasksOf(owner, accountId, ORDERS)).filter(({ status }) =>
        ['planned', 'ready', 'downloaded'].includes(status),
      );
    await expect.poll(async () => [(await moving()).length, await stuck()], { timeout: PATIENCE_MS }).toEqual([0, 1]);
    const { firstSyncDone } = await owner.call(accountHealth, { query: { authid: accountId } });
    expect(firstSyncDone).toBe(false);
    switchOff();
    const before = asked();
    await aDayPasses(accountId);
    await untilSynced(owner, accountId);
    expect(asked()).toBe(before + 1);
    expect(await history(owner, accountId)).toMatchObject({ failed: 0 });
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

inProof(
  'every report of a history never ends: it is called failed in words, and asked for again at the user’s wish',
  async () => {
    const owner = await world.owner('only stuck reports');
    const switchOff = switchOn(world, { name: '', kind: 'reportStuck', reportType: ORDERS });
    const { accountId } = await connect(owner, AMERICAN);
    const failed = async () => {
      await aDayPasses(accountId);
      const plan = await history(owner, accountId);
      return plan && plan.total > 1 ? plan.total - plan.failed : undefined;
    };
    await expect.poll(failed, { timeout: PATIENCE_MS }).toBe(0);
    const words = (await failures(owner, accountId, ORDERS)).map((task) => task.error);
    expect(new Set(words)).toEqual(new Set(['亚马逊 24 小时内未生成报表']));
    switchOff();
    await syncAgain(owner, accountId);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);
