import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { emit } from '#kit/server/events.ts';
import { adjustOffers } from '#modules/listing/contract/offers.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { feedReleasing } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { publishRates } from '#test/support/rates.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindListings, listBindings } from '../contract/bindings.ts';
import { saveRule } from '../contract/rules.ts';
import { DEFAULTS } from '../contract/settings.ts';
import { floorOf } from '../server/cost.ts';
import { decideBinding } from '../server/decide.ts';

const US = 'ATVPDKIKX0DER';
const NOW = '2026-11-18T02:00:00.000Z';
const SKUS = ['SKU-1', 'SKU-2', 'SKU-3', 'SKU-4'];
const RULE = {
  ...DEFAULTS,
  name: '并发',
  offset: '-0.01',
  dailyDrop: '0',
  minChange: '0',
  minPositive: 0,
  minRatings: 0,
};

let world: World;
let owner: Person;
let accountId: string;
let bindings: { id: string; listingId: string; sku: string }[];

const rival = (price: string): MarketOffer => ({
  sellerId: 'ARIVAL',
  fba: true,
  landed: price,
  price,
  shipping: '0',
  positive: '99',
  ratings: 100,
  featured: true,
  own: false,
});

const asinOf = (sku: string) => `B00000000${sku.slice(-1)}`;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await publishRates(world);
  accountId = await world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      WITH s AS (INSERT INTO marketplace.store (company_id, name) VALUES (${ctx.companyId}, '启航') RETURNING id)
      INSERT INTO marketplace.seller_account (company_id, store_id, selling_partner_id, region, application_id,
             refresh_token_sealed, expires_at)
      SELECT ${ctx.companyId}, id, 'AOWNSELLER', 'na', 'test', 'x', kit.now() + interval '1 year' FROM s
      RETURNING id`.execute(ctx.db);
    const id = rows[0]?.id ?? '';
    await sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, price, currency, fulfilled_by,
             status, product_type, source, as_of, first_seen_at)
      SELECT ${ctx.companyId}, ${id}, ${US}, sku, 'B00000000' || right(sku, 1), 19.99, 'USD', 'MERCHANT', 'ACTIVE', 'LAMP',
             'api', kit.now(), kit.now()
        FROM unnest(${SKUS}::text[]) AS sku`.execute(ctx.db);
    return id;
  });
  for (const sku of SKUS) await owner.call(saveCost, { body: { sku, unitCost: '20' } });
  const { id: ruleId } = await owner.call(saveRule, { body: RULE });
  const lines = SKUS.map((sku) => ({ sku, minPrice: '1.00', maxPrice: '60.00' }));
  await owner.call(bindListings, { body: { ruleId, site: `${US}-${accountId}`, lines } });
  await world.as(owner, (ctx) =>
    sql`UPDATE repricing.rule SET status = 'ACTIVE' WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  const { records } = await owner.call(listBindings, { body: { pagesize: 100, filter: { ruleId } } });
  bindings = records.map((row) => ({ id: row.id, listingId: row.listingId, sku: row.product.code }));
});
afterAll(() => world.close());

/** A number of a round in [0, of); the same rounds every time. */
const drawn = (round: number, salt: number, of: number): number => ((round * 2_654_435_761 + salt * 40_503) >>> 7) % of;

async function books(round: number): Promise<void> {
  const all = SKUS.map((sku, index) => ({
    asin: asinOf(sku),
    offers: [rival(new Decimal(100 + drawn(round, index, 2_500)).div(100).toFixed(2))],
  }));
  await world.as(owner, (ctx) =>
    sql`INSERT INTO listing.offer_book (company_id, account_id, marketplace_id, asin, as_of, source, currency, offers,
               offer_count)
        SELECT ${ctx.companyId}, ${accountId}, ${US}, asin, ${NOW}::timestamptz, 'notice', 'USD', offers, 1
          FROM jsonb_to_recordset(${JSON.stringify(all)}::jsonb) AS r(asin text, offers jsonb)
        ON CONFLICT (company_id, account_id, marketplace_id, asin) DO UPDATE SET offers = excluded.offers`.execute(
      ctx.db,
    ),
  );
  // As if the last decisions were long ago.
  await world.as(owner, (ctx) =>
    sql`UPDATE repricing.run SET at = at - interval '2 hours' WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
}

/** What is going to leave with the next feed of the site: the prices of rules that wait in it. */
const leaving = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ sku: string; price: string; listingId: string }>`
      SELECT c.seller_sku AS sku, c.new_value::text AS price, c.listing_id AS "listingId"
        FROM listing.offer_change AS c
        JOIN marketplace.feed_message AS m ON m.company_id = c.company_id AND m.feed_id = c.feed_id
         AND m.message_id = c.message_id
       WHERE c.company_id = ${ctx.companyId} AND c.source = 'rule' AND c.status = 'queued' AND m.state = 'waiting'`.execute(
      ctx.db,
    );
    return rows;
  });

const floorNow = (sku: string) =>
  world.as(owner, async (ctx) => {
    const of = {
      accountId,
      marketplaceId: US,
      sellerSku: sku,
      currency: 'USD',
      fulfilledBy: 'MERCHANT',
      otherCost: '0',
    };
    const known = await floorOf(ctx, of, RULE);
    if (typeof known === 'string') throw new Error(known);
    return known.floor;
  });

/** The last look before the feed goes. */
const release = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string; origin: string }>`
      SELECT id, origin FROM marketplace.feed WHERE company_id = ${ctx.companyId} AND status = 'planned'`.execute(
      ctx.db,
    );
    for (const { id: feedId, origin } of rows)
      await emit(ctx, feedReleasing, { feedId, origin, accountId, marketplaceId: US });
  });

test('whatever happens at once, no price of a rule is decided on below its floor, and none leaves below the floor of then', async () => {
  let held = 0;
  let left = 0;
  for (let round = 1; round <= 12; round += 1) {
    await books(round);
    const decisions = bindings.flatMap(({ id, listingId }) =>
      [0, 1].map(() => world.as(owner, (ctx) => decideBinding(ctx, { bindingId: id, listingId, now: NOW }))),
    );
    const costs = SKUS.map((sku, index) =>
      owner.call(saveCost, { body: { sku, unitCost: String(10 + drawn(round, 50 + index, 120)) } }),
    );
    const manual = bindings
      .filter((_, index) => drawn(round, 90 + index, 3) === 0)
      .map(({ listingId }) => {
        const price = new Decimal(500 + drawn(round, 70, 4_000)).div(100).toFixed(2);
        return owner.send(adjustOffers, { body: { changes: [{ id: listingId, price }], confirmed: true } });
      });
    await Promise.all([...decisions, ...costs, ...manual]);
    const before = (await leaving()).length;
    await release();
    const after = await leaving();
    held += before - after.length;
    left += after.length;
    for (const { sku, price } of after)
      expect(new Decimal(price).gte(await floorNow(sku)), `${round} ${sku} ${price}`).toBe(true);
    // Nothing stays on its way into the next round.
    await world.as(owner, (ctx) =>
      sql`UPDATE listing.offer_change SET status = 'cancelled'
           WHERE company_id = ${ctx.companyId} AND status = 'queued'`.execute(ctx.db),
    );
  }
  // The story is none where nothing was ever held back, or nothing ever left.
  expect(held).toBeGreaterThan(0);
  expect(left).toBeGreaterThan(0);
  const wrong = await world.as(owner, async (ctx) => {
    const { rows } = await sql`
      SELECT 1 FROM repricing.run WHERE company_id = ${ctx.companyId} AND outcome = 'sent' AND new_price < floor`.execute(
      ctx.db,
    );
    return rows.length;
  });
  expect(wrong).toBe(0);
});
