import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { emit } from '#kit/server/events.ts';
import { adjustOffers, listOfferChanges } from '#modules/listing/contract/offers.ts';
import {
  approvePrice,
  listPriceRequests,
  PRICE_APPROVE,
  rejectPrice,
  savePriceSetting,
  withdrawPrice,
} from '#modules/listing/contract/requests.ts';
import { feedReleasing } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { publishRates } from '#test/support/rates.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';

const US = 'ATVPDKIKX0DER';
let world: World;
let owner: Person;
let operator: Person;
let chief: Person;
let accountId: string;
const listings = new Map<string, string>();

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  operator = await world.member(owner, ['amz:price:view', 'amz:price:edit']);
  chief = await world.member(owner, ['amz:price:view', PRICE_APPROVE]);
  await publishRates(world);
  await world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      WITH s AS (INSERT INTO marketplace.store (company_id, name) VALUES (${ctx.companyId}, '启航') RETURNING id)
      INSERT INTO marketplace.seller_account (company_id, store_id, selling_partner_id, region, application_id,
             refresh_token_sealed, expires_at)
      SELECT ${ctx.companyId}, id, 'AOWNSELLER', 'na', 'test', 'x', kit.now() + interval '1 year' FROM s
      RETURNING id`.execute(ctx.db);
    accountId = rows[0]?.id ?? '';
    const made = await sql<{ id: string; sku: string }>`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, price, currency, fulfilled_by, status,
             product_type, source, as_of, first_seen_at)
      SELECT ${ctx.companyId}, ${accountId}, ${US}, sku, 19.99, 'USD', 'MERCHANT', 'ACTIVE', 'LAMP', 'api', kit.now(), kit.now()
        FROM unnest(ARRAY['LOW-1', 'LOW-2', 'LOW-3']) AS sku
      RETURNING id, seller_sku AS sku`.execute(ctx.db);
    for (const { id, sku } of made.rows) listings.set(sku, id);
  });
  // 70 CNY are about ten dollars: with 15 % for Amazon the floor is somewhat below twelve.
  for (const sku of listings.keys()) await owner.call(saveCost, { body: { sku, unitCost: '70' } });
});
afterAll(() => world.close());

const ask = (sku: string, price: string, reason?: string) =>
  operator.send(adjustOffers, {
    body: { changes: [{ id: listings.get(sku) ?? '', price }], reason, confirmed: true },
  });
const requests = async (sku: string) =>
  (await owner.call(listPriceRequests, { body: { filter: { keyword: sku } } })).records;
const changes = async (sku: string) =>
  (await owner.call(listOfferChanges, { body: { filter: { listingId: listings.get(sku) } } })).records;
/** The last look before the feeds go. */
const release = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string; origin: string }>`
      SELECT id, origin FROM marketplace.feed WHERE company_id = ${ctx.companyId} AND status = 'planned'`.execute(
      ctx.db,
    );
    for (const { id: feedId, origin } of rows)
      await emit(ctx, feedReleasing, { feedId, origin, accountId, marketplaceId: US });
  });

it('a price below the floor waits for somebody else, with a reason, and nothing is sent before', async () => {
  const bare = await ask('LOW-1', '9.00');
  expect(JSON.stringify(bare.data)).toContain('价格低于保本价');
  expect(JSON.stringify(bare.data)).toContain('请填写说明');
  expect((await ask('LOW-1', '9.00', '清仓')).data).toMatchObject({ changes: 0, requests: 1 });
  const [request] = await requests('LOW-1');
  expect(request).toMatchObject({ state: 'waiting', kind: 'price', reason: '清仓' });
  expect(new Decimal(request?.floor ?? 0).greaterThan(9)).toBe(true);
  expect(await changes('LOW-1')).toEqual([]);
  const id = request?.id ?? '';
  expect((await operator.send(approvePrice, { body: { id } })).status).toBe(403);
  expect((await chief.call(approvePrice, { body: { id } })).state).toBe('approved');
  await release();
  expect(await changes('LOW-1')).toMatchObject([{ status: 'queued', newValue: '9' }]);
  expect((await chief.send(approvePrice, { body: { id } })).code).toBe(409);
});

it('what was agreed does not leave once the floor has risen since', async () => {
  await owner.call(saveCost, { body: { sku: 'LOW-1', unitCost: '90' } });
  await release();
  const [change] = await changes('LOW-1');
  expect(change?.status).toBe('cancelled');
  expect(change?.problem).toContain('低于保本价');
});

it('a rejected or withdrawn request sends nothing, and a newer one takes the place of one that waits', async () => {
  await ask('LOW-2', '9.00', '清仓');
  await ask('LOW-2', '8.50', '再降');
  const [second, first] = await requests('LOW-2');
  expect([first?.state, second?.state]).toEqual(['withdrawn', 'waiting']);
  const id = second?.id ?? '';
  expect((await chief.send(rejectPrice, { body: { id } })).msg).toBe('请填写原因');
  expect((await chief.call(rejectPrice, { body: { id, reason: '不亏本卖' } })).state).toBe('rejected');
  await ask('LOW-2', '8.00', '试试');
  const [third] = await requests('LOW-2');
  expect((await operator.call(withdrawPrice, { body: { id: third?.id ?? '' } })).state).toBe('withdrawn');
  expect(await changes('LOW-2')).toEqual([]);
});

it('a company may have low prices refused outright', async () => {
  await chief.call(savePriceSetting, { body: { belowFloor: 'refuse' } });
  expect(JSON.stringify((await ask('LOW-3', '9.00', '清仓')).data)).toContain('不能提交');
  expect(await requests('LOW-3')).toEqual([]);
  expect((await ask('LOW-3', '18.00')).data).toMatchObject({ changes: 1, requests: 0 });
  await release();
  expect(await changes('LOW-3')).toMatchObject([{ status: 'queued' }]);
});
