import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  deliver,
  foldAll,
  JP,
  makeSeller,
  type Order,
  rowsOf,
  type Seller,
  tableRows,
  US,
} from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { auditCompany } from '../server/audit.ts';
import { foldOnce } from '../server/fold.ts';
import { unitsOfDays } from '../server/read.ts';
import { rebuild } from '../server/rebuild.ts';
import { plain } from './plain.ts';

let world: World;
let owner: Person;
let seller: Seller;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  seller = await makeSeller(world, owner);
});
afterAll(() => world.close());

/** The long tests do thousands of transactions; a busy machine needs its time for them. */
const LONG = 180_000;

const TABLES = ['sku_day', 'slot', 'store_day'] as const;
const STATUSES = ['PENDING', 'UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED', 'CANCELLED', 'UNFULFILLABLE'];

const money = fc.option(fc.integer({ min: 0, max: 9_999 }).map((cents) => (cents / 100).toFixed(2)));
const line = fc.record({
  sku: fc.constantFrom('A', 'B', 'C', 'D'),
  asin: fc.constantFrom('B01', 'B02', null),
  quantity: fc.integer({ min: 0, max: 4 }),
  first: fc.integer({ min: 4, max: 5 }),
  shipped: fc.integer({ min: 0, max: 2 }),
  price: money,
  estimate: money,
  discount: money,
  shipping: money,
  tax: money,
  superseded: fc.constantFrom(false, false, false, true),
});
/** A state of one of few orders in few days: inserts, status flips, price fills and moved lines are all of these. */
const event: fc.Arbitrary<Order> = fc.record({
  id: fc.integer({ min: 1, max: 150 }).map((n) => `E${n}`),
  at: fc.integer({ min: 0, max: 4 * 48 * 30 }).map((n) => new Date(Date.UTC(2026, 9, 30) + n * 60_000).toISOString()),
  marketplaceId: fc.constantFrom(US, JP),
  status: fc.constantFrom(...STATUSES),
  channel: fc.constantFrom('AMAZON' as const, 'AMAZON' as const, 'AMAZON' as const, 'NON_AMAZON' as const),
  fulfilledBy: fc.constantFrom('AMAZON' as const, 'MERCHANT' as const),
  business: fc.boolean(),
  replacement: fc.constantFrom(false, false, false, true),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
});

/** One delivery never names an order twice. */
const once = (orders: readonly Order[]) => [...new Map(orders.map((order) => [order.id, order])).values()];

async function expectExact(): Promise<void> {
  await world.as(owner, async (ctx) => {
    for (const table of TABLES) expect(await tableRows(ctx, table), table).toEqual(await plain(ctx, table));
  });
}

const allRows = () =>
  world.as(owner, async (ctx) => {
    const all = [];
    for (const table of TABLES) all.push(await tableRows(ctx, table));
    return all;
  });

describe('incremental folding', () => {
  it('equals plain SQL and a rebuild after 2,400 random events, delivered twice and backwards', {
    timeout: LONG,
  }, async () => {
    const events = fc.sample(event, { numRuns: 2_400, seed: 20_260_715 });
    for (let at = 0; at < events.length; at += 60) {
      const batch = once(events.slice(at, at + 60));
      await world.as(owner, (ctx) => deliver(ctx, seller, batch));
      if (at % 240 === 0) await world.as(owner, (ctx) => deliver(ctx, seller, batch.toReversed()));
      if (at % 180 === 0) await foldAll(world, owner, seller, 25 + (at % 300));
      if (at % 540 === 0) await expectExact();
    }
    await foldAll(world, owner, seller);
    await expectExact();
    const before = await allRows();
    expect(before.map((rows) => rows.length > 20)).toEqual([true, true, true]);
    for (const site of [US, JP])
      for (const month of ['2026-10', '2026-11'])
        expect(await world.as(owner, (ctx) => rebuild(ctx, seller.accountId, site, month))).toEqual([]);
    const after = await allRows();
    expect(after).toEqual(before);
  });

  it('makes the same rows from nothing', async () => {
    const before = await world.as(owner, (ctx) => tableRows(ctx, 'sku_day'));
    await world.as(owner, (ctx) => rowsOf(ctx, 'DELETE FROM sales.sku_day WHERE company_id = $company'));
    for (const site of [US, JP])
      for (const month of ['2026-10', '2026-11'])
        await world.as(owner, (ctx) => rebuild(ctx, seller.accountId, site, month));
    expect(await world.as(owner, (ctx) => tableRows(ctx, 'sku_day'))).toEqual(before);
  });

  it('takes its marks back when it fails', async () => {
    const orders: Order[] = [{ id: 'X1', at: '2026-10-30T12:00:00Z', lines: [{ sku: 'A', quantity: 3, price: '9' }] }];
    await world.as(owner, (ctx) => deliver(ctx, seller, orders));
    const failing = world.as(owner, async (ctx) => {
      expect(await foldOnce(ctx, seller.accountId)).toBe(2);
      throw new Error('the worker dies');
    });
    await expect(failing).rejects.toThrow('the worker dies');
    expect(await foldAll(world, owner, seller)).toBe(2);
    await expectExact();
  });

  it('stays exact with writers and several folders at work at once', { timeout: LONG }, async () => {
    const events = fc.sample(event, { numRuns: 400, seed: 7 });
    let writing = 2;
    const writer = async (own: readonly Order[]) => {
      for (let at = 0; at < own.length; at += 10)
        await world.as(owner, (ctx) => deliver(ctx, seller, once(own.slice(at, at + 10))));
      writing -= 1;
    };
    const folder = async () => {
      let taken = 1;
      while (writing > 0 || taken > 0) taken = await world.as(owner, (ctx) => foldOnce(ctx, seller.accountId, 7));
    };
    const healer = async () => {
      while (writing > 0) await world.as(owner, (ctx) => rebuild(ctx, seller.accountId, US, '2026-10'));
    };
    // Orders of one number are always written by one writer, as the lock of a selling partner makes it.
    const [even = [], odd = []] = [0, 1].map((rest) => events.filter((e) => Number(e.id.slice(1)) % 2 === rest));
    await Promise.all([writer(even), writer(odd), folder(), folder(), healer()]);
    await foldAll(world, owner, seller);
    await expectExact();
  });

  it('keeps companies apart', async () => {
    const stranger = await world.owner();
    expect(await world.as(stranger, (ctx) => tableRows(ctx, 'sku_day'))).toEqual([]);
    expect(await world.as(stranger, (ctx) => foldOnce(ctx, seller.accountId))).toBe(0);
  });
});

describe('the nightly audit', () => {
  const drift = () =>
    world.as(owner, (ctx) => rowsOf(ctx, 'SELECT table_name, rows FROM sales.drift WHERE company_id = $company'));

  it('finds nothing where marks are only late, and heals what is wrong', async () => {
    await world.as(owner, (ctx) =>
      deliver(ctx, seller, [{ id: 'X2', at: '2026-10-31T12:00:00Z', lines: [{ sku: 'Z', quantity: 1, price: '5' }] }]),
    );
    expect(await world.as(owner, (ctx) => auditCompany(ctx, 1))).toEqual([]);
    await foldAll(world, owner, seller);
    await world.as(owner, (ctx) =>
      rowsOf(
        ctx,
        "UPDATE sales.slot SET units = 99 WHERE company_id = $company AND local_date = '2026-10-31' AND marketplace_id = 'ATVPDKIKX0DER'",
      ),
    );
    const found = await world.as(owner, (ctx) => auditCompany(ctx, 1));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map((one) => one.table))).toEqual(new Set(['slot']));
    expect(await drift()).toHaveLength(found.length);
    await expectExact();
  });
});

describe('units of the last days', () => {
  it('end with the last whole day of the marketplace, up to where its orders have been read', async () => {
    const person = await world.owner();
    const shop = await makeSeller(world, person);
    await world.as(person, async (ctx) => {
      await ctx.db
        .insertInto('marketplace.sync_cursor')
        .values({
          company_id: ctx.companyId,
          account_id: shop.accountId,
          stream: 'orders.live',
          watermark: '2026-07-18T16:00:00Z',
        })
        .execute();
      // 09:00 on 18 July in Los Angeles, past midnight of 19 July in Tokyo
      const sold = (id: string, marketplaceId: string, at: string): Order => ({
        id,
        marketplaceId,
        at,
        lines: [{ sku: 'A', quantity: 1, price: '1' }],
      });
      await deliver(ctx, shop, [
        sold('U1', US, '2026-07-18T08:00:00Z'),
        sold('U2', US, '2026-07-18T06:59:59Z'),
        sold('U3', US, '2026-07-15T07:00:00Z'),
        sold('U4', US, '2026-07-15T06:59:59Z'),
        sold('J1', JP, '2026-07-18T14:59:59Z'),
        sold('J2', JP, '2026-07-18T15:00:00Z'),
      ]);
    });
    await foldAll(world, person, shop);
    const key = (marketplaceId: string, sellerSku = 'A') => ({ accountId: shop.accountId, marketplaceId, sellerSku });
    const units = await world.as(person, (ctx) => unitsOfDays(ctx, [key(US), key(JP), key(US, 'none')], 3));
    expect([...units.values()]).toEqual([2, 1, 0]);
  });
});
