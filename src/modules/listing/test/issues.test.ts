import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { adviceOf, type ListingIssue } from '../contract/issues.ts';
import { ignoreIssues, issuesSelect, type StoredIssue } from '../server/issues/read.ts';
import { landListings } from '../server/land.ts';
import { landRanks, type RankDay, rankDaysSelect, rankOfItem } from '../server/ranks/land.ts';
import { fact, issue, makeAccount, US } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const shop = (): Promise<AccountRef> => makeAccount(world, owner, `店铺 ${randomUUID().slice(0, 8)}`);

function read(account: AccountRef, asOf: string, issues: ListingIssue[] | undefined, full = false) {
  const of = { accountId: account.id, marketplaceId: US, asOf, source: 'api' as const, full };
  return world.as(owner, (ctx) => landListings(ctx, of, [[fact('A', { issues })]]));
}

function stored(account: AccountRef): Promise<StoredIssue[]> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<StoredIssue>`
      SELECT * FROM (${issuesSelect(ctx)}) AS i WHERE account_id = ${account.id} ORDER BY first_seen_at, code`.execute(
      ctx.db,
    );
    return rows;
  });
}
const spans = async (account: AccountRef) =>
  (await stored(account)).map((one) => [
    one.code,
    one.first_seen_at.slice(0, 10),
    one.resolved_at?.slice(0, 10) ?? null,
  ]);

it('keeps when a fault began and ended; one that comes back is another', async () => {
  const account = await shop();
  await read(account, '2026-03-01T00:00:00Z', [issue(), issue({ code: '2' })]);
  await read(account, '2026-03-02T00:00:00Z', [issue({ message: '缺少主图' })]);
  // A source that knows no issues says nothing of them.
  await read(account, '2026-03-03T00:00:00Z', undefined);
  expect(await spans(account)).toEqual([
    ['1', '2026-03-01', null],
    ['2', '2026-03-01', '2026-03-02'],
  ]);
  expect((await stored(account))[0]).toMatchObject({ message: '缺少主图', last_seen_at: '2026-03-02T00:00:00.000Z' });
  await read(account, '2026-03-04T00:00:00Z', []);
  await read(account, '2026-03-05T00:00:00Z', [issue()]);
  expect(await spans(account)).toEqual([
    ['1', '2026-03-01', '2026-03-04'],
    ['2', '2026-03-01', '2026-03-02'],
    ['1', '2026-03-05', null],
  ]);
});

it('ends the faults of a listing that is gone, and takes nothing from an older reading', async () => {
  const account = await shop();
  await read(account, '2026-03-02T00:00:00Z', [issue()]);
  await read(account, '2026-03-01T00:00:00Z', []);
  expect(await spans(account)).toEqual([['1', '2026-03-02', null]]);
  const of = {
    accountId: account.id,
    marketplaceId: US,
    asOf: '2026-03-03T00:00:00Z',
    source: 'api' as const,
    full: true,
  };
  await world.as(owner, (ctx) => landListings(ctx, of, [[fact('B')]]));
  expect(await spans(account)).toEqual([['1', '2026-03-02', '2026-03-03']]);
});

it('leaves out what people ignore, and not what came back since', async () => {
  const account = await shop();
  await read(account, '2026-03-01T00:00:00Z', [issue()]);
  const [one] = await stored(account);
  const ids = [one?.id ?? ''];
  expect(await world.as(owner, (ctx) => ignoreIssues(ctx, ids, { until: '2026-04-01', reason: '换图中' }))).toBe(1);
  await read(account, '2026-03-02T00:00:00Z', []);
  await read(account, '2026-03-03T00:00:00Z', [issue()]);
  expect((await stored(account)).map((row) => row.ignored_until)).toEqual(['2026-04-01', null]);
  // What is over cannot be ignored.
  expect(await world.as(owner, (ctx) => ignoreIssues(ctx, ids, { until: '2026-05-01', reason: 'x' }))).toBe(0);
});

it('says what to do: what stops a sale for good comes before the kind of fault', () => {
  expect(adviceOf(issue())).toContain('补主图');
  expect(adviceOf(issue({ categories: ['SOMETHING_NEW'], actions: ['SEARCH_SUPPRESSED'] }))).toContain('搜不到');
  expect(adviceOf(issue({ actions: ['CATALOG_ITEM_REMOVED'] }))).toContain('申诉');
  expect(adviceOf(issue({ categories: [] }))).toContain('可以忽略');
});

it('takes the best rank of the site, and the newest reading of a day', async () => {
  const item = {
    asin: 'B000000001',
    salesRanks: [
      { marketplaceId: 'other', displayGroupRanks: [{ title: 'Elsewhere', rank: 1 }] },
      {
        marketplaceId: US,
        displayGroupRanks: [{ title: 'Home & Kitchen', rank: 5210 }],
        classificationRanks: [
          { title: 'Lamps', rank: 93 },
          { title: 'Desk Lamps', rank: 12 },
        ],
      },
    ],
  };
  const rank = rankOfItem(item, US);
  expect(rank).toEqual({
    asin: 'B000000001',
    groupTitle: 'Home & Kitchen',
    groupRank: 5210,
    classTitle: 'Desk Lamps',
    classRank: 12,
  });
  expect(rankOfItem({ asin: 'B000000001', salesRanks: [] }, US)).toBeUndefined();
  if (!rank) throw new Error('no rank');
  const account = await shop();
  const land = (asOf: string, classRank: number) =>
    world.as(owner, (ctx) =>
      landRanks(ctx, { accountId: account.id, marketplaceId: US, asOf, zone: 'America/Los_Angeles' }, [
        { ...rank, classRank },
      ]),
    );
  // 06:00 UTC is still the day before in Los Angeles.
  expect(await land('2026-03-02T06:00:00Z', 14)).toBe(1);
  expect(await land('2026-03-02T20:00:00Z', 11)).toBe(1);
  expect(await land('2026-03-02T12:00:00Z', 99)).toBe(0);
  const days = await world.as(owner, async (ctx) => {
    const of = { accountId: account.id, marketplaceId: US, asin: 'B000000001' };
    return (await sql<RankDay>`SELECT * FROM (${rankDaysSelect(ctx, of)}) AS r ORDER BY day`.execute(ctx.db)).rows;
  });
  expect(days.map((one) => [one.day, one.class_rank])).toEqual([
    ['2026-03-01', 14],
    ['2026-03-02', 11],
  ]);
});
