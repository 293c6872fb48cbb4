// How long the history of a new store will take, at Amazon's own limits.
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { accountHealth } from '../contract/sync.ts';

let world: MarketplaceWorld;
afterEach(() => world.close());

/** A store that has just been connected, beside so many times Amazon's limits; what its estimate is, asked again each time. */
async function connected(rateFactor: number) {
  world = await createMarketplaceWorld({ rateFactor });
  const owner = await world.owner();
  const { accountId } = await connectStore(owner);
  const estimate = async () => (await owner.call(accountHealth, { query: { authid: accountId } })).estimate;
  return { owner, accountId, estimate };
}

test("at Amazon's limits the estimate is what they leave, and is not given before the reports are known", async () => {
  const { estimate } = await connected(1);
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
});

test('where everything has come there is nothing to estimate', async () => {
  const { estimate, owner, accountId } = await connected(100_000);
  await world.work();
  await untilSynced(owner, accountId);
  await expect.poll(estimate, { timeout: PATIENCE_MS }).toBe(null);
});

test('months without orders count as they come: what is asked for once more holds up nothing that is left', async () => {
  const { estimate, accountId } = await connected(1);
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  // In the last forty minutes eight months of the past came back empty, one in five minutes; four are left.
  await admin.query(
    `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to,
                                             priority, past, status, generation, created_at, empty_at)
     SELECT company_id, id, 'orders.history', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', '{ATVPDKIKX0DER}',
            kit.now() - make_interval(days => 30 * n), kit.now() - make_interval(days => 30 * n - 30), 10 + n, true, 'planned',
            CASE WHEN n <= 8 THEN 2 ELSE 1 END, kit.now() - interval '1 hour',
            CASE WHEN n <= 8 THEN kit.now() - make_interval(mins => 45 - 5 * n) END
       FROM marketplace.seller_account, generate_series(1, 12) AS n WHERE id = $1`,
    [accountId],
  );
  await admin.end();
  const now = await estimate();
  expect(now).toMatchObject({ left: 4, by: 'pace' });
  expect((now?.seconds ?? 0) / 60).toBeGreaterThanOrEqual(20);
  expect((now?.seconds ?? 0) / 60).toBeLessThan(21);
});
