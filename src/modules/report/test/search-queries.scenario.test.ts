import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import type { ReportSource } from '#modules/marketplace/server/index.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { US } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';
import { searchQueries } from '../contract/search-queries.ts';
import { listsOf } from '../server/asin-lists.ts';
import { searchQueryLoader } from '../server/search-queries.ts';

const TYPE = 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT';
const PLAN = 'report.searchQueries';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let cursorId: string;
let sold: string[];

interface Request {
  id: string;
  status: string;
  subject: string;
  day: string;
}

const requests = async (): Promise<Request[]> =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<Request>`
      SELECT id, status, subject, (data_from AT TIME ZONE 'America/Los_Angeles')::date::text AS day
        FROM marketplace.report_request
       WHERE company_id = ${ctx.companyId} AND plan = ${PLAN} AND marketplace_ids = ARRAY[${US}]
       ORDER BY data_from DESC, id`.execute(ctx.db);
    return rows;
  });

async function run(job: string, payload: object): Promise<void> {
  const found = world.runtime.modules.flatMap((one) => one.jobs ?? []).find(({ name }) => name === job);
  await found?.run(world.runtime, { companyId: owner.companyId, ...payload } as never);
}

const open = async () =>
  (await requests()).filter(({ status }) => !['loaded', 'empty', 'failed'].includes(status)).map(({ id }) => id);

/** A turn of the plan, and every step of what it asked for, however long the limits let a report of the past wait. */
async function turn(): Promise<void> {
  await world.as(owner, (ctx) =>
    sql`UPDATE marketplace.sync_cursor SET not_before = kit.now() WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  await run('marketplace.sync', { cursorId });
  const step = async () => {
    for (const id of await open()) await run('marketplace.report', { requestId: id });
    return open();
  };
  await expect.poll(step, { timeout: PATIENCE_MS, interval: 50 }).toEqual([]);
}

const offer = (asins: readonly string[], first: number) =>
  world.as(owner, async (ctx) => {
    for (const [index, asin] of asins.entries()) {
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, status,
                                     source, as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${accountId}, ${US}, ${`SKU-${first + index}`}, ${asin}, ${`商品 ${first + index}`}, 'USD',
                'ACTIVE', 'api', kit.now(), kit.now())`.execute(ctx.db);
    }
  });

const query = (filter: object = {}, more: object = {}) => owner.call(searchQueries.list, { body: { filter, ...more } });

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner, 'A1SANDBOX0001'));
  await world.as(owner, async (ctx) => {
    // One site, so that its lists can be counted.
    await sql`INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id)
      VALUES (${ctx.companyId}, ${accountId}, ${US})`.execute(ctx.db);
    const { rows } = await sql<{ id: string }>`
      INSERT INTO marketplace.sync_cursor (company_id, account_id, stream)
      VALUES (${ctx.companyId}, ${accountId}, ${PLAN}) RETURNING id`.execute(ctx.db);
    cursorId = rows[0]?.id ?? '';
  });
  const { business } = world.sandbox.world;
  const seller = business.accounts.find((one) => one.sellingPartnerId === 'A1SANDBOX0001' && one.region === 'na');
  if (!seller) throw new Error('nobody sells');
  const listings = business.listings(seller, US, world.sandbox.clock.now());
  sold = [...new Set(listings.map(({ product }) => product.asin))].slice(0, 4);
  // Nobody searched for the others, and they make a second list.
  const others = Array.from({ length: 20 - sold.length }, (_, index) => `B0NOBODY${String(index).padStart(2, '0')}`);
  await offer([...sold, ...others], 1);
});
afterAll(() => world.close());

test('lists of ASINs are as long as Amazon takes them', () => {
  const asins = Array.from({ length: 40 }, (_, index) => `B0${String(index).padStart(8, '0')}`);
  const lists = listsOf(asins);
  expect(lists.map((list) => list.split(' ').length)).toEqual([18, 18, 4]);
  expect(lists.join(' ').split(' ')).toEqual(asins);
  expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(200);
  expect(listsOf([])).toEqual([]);
});

test('without the role for brand analytics the plan is blocked; a synchronisation by hand tries it again', async () => {
  world.sandbox.world.faults.add({ kind: 'roleRemoved', operation: 'createReport', count: 1 });
  await turn();
  const state = () =>
    world.as(owner, async (ctx) => {
      const { rows } = await sql<{ state: string }>`
        SELECT state FROM marketplace.sync_cursor WHERE company_id = ${ctx.companyId} AND id = ${cursorId}`.execute(
        ctx.db,
      );
      return rows[0]?.state;
    });
  expect(await state()).toBe('blocked_role');
  await owner.call(syncNow, { body: { authid: accountId } });
  expect(await state()).toBe('ready');
});

test('asks for every list of three weeks and shows what came, the newest week first, by rank', async () => {
  await turn();
  const asked = await requests();
  expect(asked.map(({ status }) => status)).toEqual(Array(6).fill('loaded'));
  expect(new Set(asked.map(({ day }) => new Date(day).getUTCDay()))).toEqual(new Set([0]));
  const made = world.sandbox.world.reports.filter(({ reportType }) => reportType === TYPE);
  expect(new Set(made.map(({ reportOptions }) => reportOptions?.asin))).toEqual(
    new Set(asked.map(({ subject }) => subject)),
  );
  const { records, total } = await query({}, { pagesize: 100 });
  expect(total).toBeGreaterThan(3 * sold.length);
  expect(new Set(records.map(({ asin }) => asin))).toEqual(new Set(sold));
  const order = records.map(({ day, score }) => `${99_999_999 - Number(day.replaceAll('-', ''))} ${score}`);
  expect(order).toEqual([...order].sort());
  expect(records[0]).toMatchObject({ day: asked[0]?.day, score: 1, itemName: expect.stringContaining('商品') });
  for (const row of records) {
    expect(row.shownOwn).toBeLessThanOrEqual(row.shownTotal);
    expect(Number(row.shownShare)).toBeCloseTo(row.shownOwn / row.shownTotal, 3);
    expect(row.boughtOwnPrice === null).toBe(row.boughtOwn === 0);
  }
  const some = records.at(-1);
  const found = await query({ asin: some?.asin.toLowerCase(), query: some?.query, dates: { to: some?.day } });
  expect(found.records.map(({ asin, query: words }) => `${asin} ${words}`)).toContain(`${some?.asin} ${some?.query}`);
  expect(new Set(found.records.map(({ asin }) => asin))).toEqual(new Set([some?.asin]));
});

test('what was read is not asked for again; a new product changes the last list alone', async () => {
  const before = world.sandbox.world.reports.length;
  await turn();
  expect(world.sandbox.world.reports).toHaveLength(before);
  await offer(['B0NOBODY99'], 21);
  await turn();
  const fresh = world.sandbox.world.reports.slice(before);
  expect(fresh).toHaveLength(3);
  expect(new Set(fresh.map(({ reportOptions }) => reportOptions?.asin?.split(' ').length))).toEqual(new Set([3]));
});

/** A report of one week as somebody made it; of one query for each of some ASINs. */
function source(rows: readonly (readonly [asin: string, query: string])[], asked?: { subject: string; at: string }) {
  const step = (name: string) => ({
    [`total${name}Count`]: 10,
    [`asin${name}Count`]: 0,
    [`asin${name}Share`]: 0,
    [`totalMedian${name}Price`]: { amount: 9.5, currencyCode: 'USD' },
    [`asinMedian${name}Price`]: { amount: 0, currencyCode: 'USD' },
  });
  const bytes = Buffer.from(
    JSON.stringify({
      reportSpecification: {
        reportType: TYPE,
        reportOptions: { reportPeriod: 'WEEK', asin: rows.map(([asin]) => asin).join(' ') },
        dataStartTime: '2026-05-03',
        dataEndTime: '2026-05-09',
        marketplaceIds: [US],
      },
      dataByAsin: rows.map(([asin, words]) => ({
        startDate: '2026-05-03',
        endDate: '2026-05-09',
        asin,
        searchQueryData: { searchQuery: words, searchQueryScore: 1, searchQueryVolume: 100 },
        impressionData: { totalQueryImpressionCount: 50, asinImpressionCount: 5, asinImpressionShare: 0.1 },
        clickData: step('Click'),
        cartAddData: step('CartAdd'),
        purchaseData: step('Purchase'),
      })),
    }),
  );
  return async (): Promise<ReportSource> => ({
    account: {
      companyId: owner.companyId,
      id: accountId,
      storeId: '',
      sellingPartnerId: '',
      region: 'na',
      marketplaceIds: [US],
    },
    reportType: TYPE,
    marketplaceIds: [US],
    open: async function* () {
      yield bytes;
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'report.json',
    ...(asked && {
      asked: { ...asked, from: '2026-05-03T07:00:00.000Z', to: '2026-05-10T07:00:00.000Z', wholeDays: true },
    }),
  });
}

test('a later report replaces what was said of its own products only; an upload fills what nobody told', async () => {
  const load = async (make: () => Promise<ReportSource>) => {
    const from = await make();
    return world.as(owner, (ctx) => searchQueryLoader.load(ctx, from));
  };
  const told = async () => {
    const { records } = await query({ dates: { from: '2026-05-03', to: '2026-05-03' } });
    return records.map(({ asin, query: words }) => `${asin} ${words}`).sort();
  };
  const [a, b] = ['B0AAAAAAAA', 'B0BBBBBBBB'];
  const at = (hour: number) => `2026-05-12T0${hour}:00:00.000Z`;
  const first = source(
    [
      [a, 'cup'],
      [a, 'mug'],
    ],
    { subject: a, at: at(1) },
  );
  expect(await load(first)).toMatchObject({ rowsIn: 2, inserted: 2 });
  expect(await load(first)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  await load(source([[b, 'cup']], { subject: b, at: at(2) }));
  expect(await told()).toEqual([`${a} cup`, `${a} mug`, `${b} cup`]);
  await load(source([[a, 'cup']], { subject: a, at: at(3) }));
  expect(await told()).toEqual([`${a} cup`, `${b} cup`]);
  expect(
    await load(
      source([
        [a, 'cup'],
        [b, 'bowl'],
      ]),
    ),
  ).toMatchObject({ inserted: 1, updated: 0 });
  expect(await told()).toEqual([`${a} cup`, `${b} bowl`, `${b} cup`]);
  const { records } = await query({ asin: b, query: 'cup' });
  expect(records).toMatchObject([{ boughtOwnPrice: null, shownShare: expect.stringMatching(/^0\.1/) }]);
});
