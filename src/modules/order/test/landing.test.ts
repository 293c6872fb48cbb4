import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { depth } from '#test/support/depth.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import type { OrderSource, OrderStatus } from '../contract/status.ts';
import { allOrdersLoader } from '../server/sources/report.ts';
import {
  firstQuantities,
  land,
  makeAccount,
  type OrderSpec,
  orderNumber,
  reportText,
  source,
  standing,
} from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function seller(): Promise<{ owner: Person; account: AccountRef }> {
  const owner = await world.owner();
  return { owner, account: await makeAccount(world, owner) };
}

const at = (minute: number): string => new Date(Date.UTC(2026, 6, 15, 18, minute)).toISOString();

/** One version of an order: what a source said of it at one time. */
interface Version {
  order: number;
  source: OrderSource;
  minute: number;
  status: OrderStatus;
  /** Item ids that this version names, with their quantities. */
  items: [id: number, quantity: number][];
  price: number | null;
}

const STATUSES: OrderStatus[] = ['PENDING', 'UNSHIPPED', 'SHIPPED', 'CANCELLED'];

function specOf(version: Version): OrderSpec {
  return {
    amazonOrderId: orderNumber(version.order),
    status: version.status,
    lastUpdatedAt: at(version.minute),
    purchasedAt: at(-version.order * 400),
    lines: version.items.map(([id, quantity]) => ({
      // Reports of the older kind know no item ids: their lines are told apart by SKU and place.
      orderItemId: version.source === 'api' ? `item-${id}` : null,
      sku: `SKU-${id % 2}`,
      quantity,
      itemPrice: version.price === null ? null : String(version.price * quantity),
    })),
  };
}

const versionArb = fc.record({
  order: fc.integer({ min: 1, max: 4 }),
  source: fc.constantFrom<OrderSource>('api', 'api', 'report', 'upload'),
  minute: fc.integer({ min: 0, max: 12 }),
  status: fc.constantFrom(...STATUSES),
  items: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 3,
    selector: ([id]) => id,
  }),
  price: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
});

/** A source says one thing at one time. */
const versionsArb = fc.uniqueArray(versionArb, {
  minLength: 1,
  maxLength: 14,
  selector: ({ order, source: from, minute }) => `${order} ${from} ${minute}`,
});

const RANK: Record<OrderSource, number> = { api: 3, report: 2, upload: 1 };

function finalStates(versions: readonly Version[]): Version[] {
  const best = new Map<number, Version>();
  for (const version of versions) {
    const known = best.get(version.order);
    const wins =
      !known ||
      RANK[version.source] > RANK[known.source] ||
      (version.source === known.source && version.minute > known.minute);
    if (wins) best.set(version.order, version);
  }
  return [...best.values()];
}

async function deliver(owner: Person, account: AccountRef, batches: readonly Version[][]): Promise<void> {
  for (const batch of batches) {
    for (const from of ['api', 'report', 'upload'] as const) {
      const orders = batch.filter((version) => version.source === from).map(specOf);
      if (orders.length > 0) await land(world, owner, account, orders, from);
    }
  }
}

describe('orders land', () => {
  it('equal to their final states, however often, late and reversed their versions arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        versionsArb.chain((versions) =>
          fc.record({
            versions: fc.constant(versions),
            // Every version at least once, some twice, in any order, cut into any batches.
            deliveries: fc
              .tuple(fc.constant(versions), fc.subarray(versions))
              .chain(([all, again]) =>
                fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
              ),
            size: fc.integer({ min: 1, max: 6 }),
          }),
        ),
        async ({ versions, deliveries, size }) => {
          const one = await seller();
          const batches = [];
          for (let i = 0; i < deliveries.length; i += size) batches.push(deliveries.slice(i, i + size));
          await deliver(one.owner, one.account, batches);
          const other = await seller();
          await deliver(other.owner, other.account, [finalStates(versions)]);
          expect(await standing(world, one.owner)).toEqual(await standing(world, other.owner));

          const most: Record<string, number> = {};
          for (const version of versions.filter((v) => v.source === 'api')) {
            for (const [id, quantity] of version.items) {
              const key = `${orderNumber(version.order)} item-${id}`;
              most[key] = Math.max(most[key] ?? 1, quantity);
            }
          }
          for (const [key, first] of Object.entries(await firstQuantities(world, one.owner))) {
            if (key.includes(' item-')) expect([key, first]).toEqual([key, most[key]]);
          }
        },
      ),
      // Shrinking against a database would take longer than the test may.
      { numRuns: depth(10, 25), endOnFailure: true },
    );
  });

  it('counts what it did, and rewrites nothing on a second delivery', async () => {
    const { owner, account } = await seller();
    const orders: OrderSpec[] = [1, 2, 3].map((n) => ({
      amazonOrderId: orderNumber(n),
      lines: [{ orderItemId: `${n}`, itemPrice: '5.00' }],
    }));
    expect(await land(world, owner, account, orders)).toMatchObject({
      rowsIn: 3,
      inserted: 3,
      updated: 0,
      unchanged: 0,
    });
    const versions = () =>
      world.as(owner, async (ctx) => {
        const { rows } = await sql<{ v: string }>`
          SELECT xmin::text || ctid::text AS v FROM "order".amazon_order WHERE company_id = ${ctx.companyId}
          UNION ALL SELECT xmin::text || ctid::text FROM "order".amazon_order_line WHERE company_id = ${ctx.companyId}
          UNION ALL SELECT xmin::text || ctid::text FROM "order".order_day WHERE company_id = ${ctx.companyId}
          UNION ALL SELECT xmin::text || ctid::text FROM "order".sold_sku WHERE company_id = ${ctx.companyId}
          ORDER BY 1`.execute(ctx.db);
        return rows;
      });
    const before = await versions();
    expect(await land(world, owner, account, orders)).toMatchObject({ inserted: 0, updated: 0, unchanged: 3 });
    expect(await versions()).toEqual(before);
  });

  it('never lets a report overwrite the API, but lets it tell where the parcel went', async () => {
    const { owner, account } = await seller();
    await land(world, owner, account, [
      { status: 'UNSHIPPED', lastUpdatedAt: at(1), lines: [{ orderItemId: '9', itemPrice: '20.00' }] },
    ]);
    const file = reportText([{ 'order-status': 'Cancelled', 'last-updated-date': '2027-01-01T00:00:00+00:00' }], true);
    const counts = await world.as(owner, (ctx) => allOrdersLoader.load(ctx, source(account, file)));
    expect(counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 });
    const row = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('order.amazon_order')
        .select(['status', 'source', 'ship_state', 'postal_prefix'])
        .where('company_id', '=', ctx.companyId)
        .executeTakeFirstOrThrow(),
    );
    expect(row).toEqual({ status: 'UNSHIPPED', source: 'api', ship_state: 'WA', postal_prefix: '981' });
  });

  it('keeps the same SKU twice in one order apart, with and without item ids', async () => {
    const { owner, account } = await seller();
    const twice = [{ quantity: '1' }, { quantity: '2', 'item-price': '40.00' }];
    const load = (text: string) => world.as(owner, (ctx) => allOrdersLoader.load(ctx, source(account, text)));
    await load(reportText(twice));
    const first = await standing(world, owner);
    expect(first.lines.map((line) => line.split(' ').slice(1, 4))).toEqual([
      ['r:A#1', 'A', '2'],
      ['r:A#2', 'A', '1'],
    ]);
    expect(await load(reportText(twice.toReversed()))).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await standing(world, owner)).toEqual(first);
    await land(world, owner, account, [
      {
        lastUpdatedAt: at(0),
        lines: [
          { orderItemId: '70', itemPrice: '20.00' },
          { orderItemId: '71', quantity: 2, itemPrice: '40.00' },
        ],
      },
    ]);
    expect((await standing(world, owner)).lines.map((line) => line.split(' ')[1])).toEqual(['70', '71']);
    const kept = await world.as(owner, (ctx) =>
      ctx.db.selectFrom('order.amazon_order_line').select('item_key').where('company_id', '=', ctx.companyId).execute(),
    );
    expect(kept).toHaveLength(2);
  });

  it('marks an item id that Amazon replaced, names its successor and logs it', async () => {
    const { owner, account } = await seller();
    await land(world, owner, account, [
      { lastUpdatedAt: at(1), lines: [{ orderItemId: '1' }, { orderItemId: '2', sku: 'B' }] },
    ]);
    await land(world, owner, account, [{ lastUpdatedAt: at(2), lines: [{ orderItemId: '3' }] }]);
    const lines = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('order.amazon_order_line')
        .select(['item_key', 'superseded_by'])
        .where('company_id', '=', ctx.companyId)
        .orderBy('item_key')
        .execute(),
    );
    expect(lines).toEqual([
      { item_key: '1', superseded_by: '3' },
      { item_key: '2', superseded_by: 'gone' },
      { item_key: '3', superseded_by: null },
    ]);
    const log = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('order.order_change')
        .select(['field', 'old', 'new'])
        .where('company_id', '=', ctx.companyId)
        .orderBy('field')
        .orderBy('old')
        .execute(),
    );
    expect(log).toEqual([
      { field: 'item', old: '1', new: '3' },
      { field: 'item', old: '2', new: null },
      { field: 'quantity', old: '2', new: '1' },
    ]);
  });

  it('sets aside what cannot be right and lands the rest', async () => {
    const { owner, account } = await seller();
    const file = reportText([
      { 'amazon-order-id': orderNumber(1) },
      { 'amazon-order-id': orderNumber(2), 'order-status': 'Levitating' },
      { 'amazon-order-id': orderNumber(3) },
      { 'amazon-order-id': orderNumber(3), sku: 'B', currency: 'CAD' },
    ]);
    const counts = await world.as(owner, (ctx) => allOrdersLoader.load(ctx, source(account, file)));
    expect(counts).toMatchObject({ rowsIn: 3, inserted: 1, quarantined: 2 });
    expect(counts.refused).toEqual([{ lineNo: 3, reason: '订单状态未知：Levitating', about: orderNumber(2) }]);
    const reasons = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('marketplace.quarantine_row')
        .select(['item_key', 'reason'])
        .where('company_id', '=', ctx.companyId)
        .execute(),
    );
    expect(reasons).toEqual([{ item_key: orderNumber(3), reason: '订单内币种不一致' }]);
  });

  it('never takes over an order of which a line cannot be read', async () => {
    const { owner, account } = await seller();
    const file = reportText([
      { 'amazon-order-id': orderNumber(1) },
      { 'amazon-order-id': orderNumber(2), sku: 'A' },
      { 'amazon-order-id': orderNumber(2), sku: 'B', quantity: 'drei' },
    ]);
    const counts = await world.as(owner, (ctx) => allOrdersLoader.load(ctx, source(account, file)));
    expect(counts).toMatchObject({ inserted: 1, quarantined: 1 });
    expect(counts.refused).toEqual([{ lineNo: 4, reason: expect.stringContaining('quantity'), about: orderNumber(2) }]);
  });

  it('takes an order of a report that costs nothing for a replacement, and one without a price not', async () => {
    const { owner, account } = await seller();
    const file = reportText([
      { 'amazon-order-id': orderNumber(1), 'item-price': '0.00' },
      { 'amazon-order-id': orderNumber(2), 'item-price': '', 'order-status': 'Pending' },
      { 'amazon-order-id': orderNumber(3), 'item-price': '9.00', 'item-promotion-discount': '9.00' },
    ]);
    await world.as(owner, (ctx) => allOrdersLoader.load(ctx, source(account, file)));
    const rows = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('order.amazon_order')
        .select(['is_replacement', 'order_total'])
        .where('company_id', '=', ctx.companyId)
        .orderBy('amazon_order_id')
        .execute(),
    );
    expect(rows).toEqual([
      { is_replacement: true, order_total: '0.0000' },
      { is_replacement: false, order_total: null },
      { is_replacement: false, order_total: '0.0000' },
    ]);
  });

  it('does not double when a store is authorised again under another account', async () => {
    const { owner, account } = await seller();
    const spec: OrderSpec = { lastUpdatedAt: at(1), lines: [{ orderItemId: '1', itemPrice: '5.00' }] };
    await land(world, owner, account, [spec]);
    const again = { ...(await makeAccount(world, owner)), sellingPartnerId: account.sellingPartnerId };
    await land(world, owner, again, [{ ...spec, lastUpdatedAt: at(2), status: 'CANCELLED' }]);
    const { orders, days } = await standing(world, owner);
    expect(orders).toHaveLength(1);
    expect(days).toEqual([`ATVPDKIKX0DER 2026-07-15 CANCELLED USD 1 1 5.0000 5.0000`]);
  });
});
