import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '../support/marketplace.ts';
import type { Person } from '../support/world.ts';
import { clearStage, connect, expectSameBooks, ORDERS, type Seller, STORY_MS, type Story, switchOn } from './story.ts';

const JAPANESE: Seller = { sellingPartnerId: 'A2SANDBOX0002', region: 'fe', marketplaceId: 'A1VC38T7YXB528' };
const DAY = 86_400_000;
const FROM = Date.UTC(2026, 5, 1);

/** What the download's content type claims of Shift_JIS bytes. */
const LIES: readonly Story[] = [
  { name: 'UTF-8', kind: 'wrongCharset', reportType: ORDERS, charset: 'UTF-8' },
  { name: 'Western', kind: 'wrongCharset', reportType: ORDERS, charset: 'Cp1252' },
  { name: 'a charset that nobody knows', kind: 'wrongCharset', reportType: ORDERS, charset: 'x-surprise' },
];

let world: MarketplaceWorld;

beforeAll(async () => {
  world = await createMarketplaceWorld({
    scenario: 'demo',
    startAt: FROM,
    clock: { mode: 'frozen', at: FROM + 40 * DAY + 7 * 3_600_000 },
  });
  await world.work();
});
afterAll(() => world.close());
afterEach(() => clearStage(world));

/** What Japanese customers were shown, as the marketplace spells it. */
function spelled(): Set<string> {
  const { business, clock } = world.sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === 'A2SANDBOX0002' && one.region === 'fe');
  if (!account) throw new Error('nobody sells in Japan');
  const everything = { marketplaceIds: [JAPANESE.marketplaceId], by: 'created' as const, from: 0, to: clock.now() };
  return new Set(
    business.orders(account, everything, clock.now()).flatMap((order) => order.items.map((item) => item.title)),
  );
}

async function titles(owner: Person, accountId: string): Promise<string[]> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ title: string }>`
      SELECT title FROM "order".sold_sku
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND title IS NOT NULL`.execute(ctx.db);
    return rows.map((row) => row.title);
  });
}

test.each(LIES)(
  'Japanese reports that claim to be $name: every title is read as it was written, and the books agree',
  async (story) => {
    const owner = await world.owner(story.name);
    const switchOff = switchOn(world, story);
    const { accountId } = await connect(owner, JAPANESE);
    await untilSynced(owner, accountId);
    switchOff();
    const known = spelled();
    const read = await titles(owner, accountId);
    expect(read.filter((title) => /[\u3040-\u30ff]/.test(title)).length).toBeGreaterThan(10);
    expect(read.filter((title) => !known.has(title))).toEqual([]);
    await expectSameBooks(world, owner, accountId, JAPANESE);
  },
  STORY_MS,
);
