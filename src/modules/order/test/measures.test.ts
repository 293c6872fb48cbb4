import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ratio, round } from '#kit/contract/decimal.ts';
import { listen, on } from '#kit/server/events.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { ordersTouched } from '../server/index.ts';
import { DE, IN, JP, land, makeAccount, measured, orderNumber, US } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const DAY = '2026-07-15';
const at = (hour: number): string => `2026-07-15T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** Six orders of one day: shipped, pending, cancelled, of a company, a replacement, of another channel. */
async function sixOrders(): Promise<void> {
  owner = await world.owner();
  account = await makeAccount(world, owner);
  const cancelled = { amazonOrderId: orderNumber(3), fulfilledBy: 'MERCHANT', purchasedAt: at(18) } as const;
  await land(world, owner, account, [
    {
      amazonOrderId: orderNumber(1),
      purchasedAt: at(16),
      lines: [
        { orderItemId: '1a', quantity: 2, itemPrice: '40.00', itemDiscount: '4.00' },
        { orderItemId: '1b', sku: 'B', itemPrice: '15.00' },
      ],
    },
    { amazonOrderId: orderNumber(2), status: 'PENDING', purchasedAt: at(17), lines: [{ orderItemId: '2a' }] },
    { ...cancelled, status: 'UNSHIPPED', lastUpdatedAt: at(18), lines: [{ orderItemId: '3b', sku: 'B', quantity: 3 }] },
    {
      amazonOrderId: orderNumber(4),
      isBusiness: true,
      purchasedAt: at(19),
      lines: [
        { orderItemId: '4a', itemPrice: '20.00' },
        { orderItemId: '4b', itemPrice: '20.00' },
      ],
    },
    {
      amazonOrderId: orderNumber(5),
      isReplacement: true,
      purchasedAt: at(20),
      lines: [{ orderItemId: '5a', itemPrice: '0.00' }],
    },
    {
      amazonOrderId: orderNumber(6),
      channel: 'NON_AMAZON',
      purchasedAt: at(21),
      lines: [{ orderItemId: '6a', quantity: 4, itemPrice: null }],
    },
  ]);
  await land(world, owner, account, [
    { ...cancelled, status: 'CANCELLED', lastUpdatedAt: at(19), lines: [{ orderItemId: '3b', sku: 'B', quantity: 0 }] },
  ]);
}

describe('the measures of a day', () => {
  it('count six unlike orders as the worked example does', async () => {
    await sixOrders();
    await world.as(owner, async (ctx) => {
      const all = await measured(ctx, DAY);
      expect(all).toMatchObject({
        orders: 3,
        units: 6,
        grossUnits: 9,
        cancelledUnits: 3,
        productSales: '115.0000',
        estimatedSales: '20.0000',
        discount: '4.0000',
        netSales: '111.0000',
        replacementUnits: 1,
        mcfUnits: 4,
        b2bOrders: 1,
        b2bUnits: 2,
      });
      expect(round(ratio(all.productSales, all.units) ?? '', 2)).toBe('19.17');
      expect(round(ratio(all.units, all.orders) ?? '', 2)).toBe('2.00');
      const [a, b] = [await measured(ctx, DAY, 'A'), await measured(ctx, DAY, 'B')];
      expect([a.units, a.orders, a.units + a.mcfUnits]).toEqual([5, 3, 9]);
      expect([b.units, b.orders]).toEqual([1, 1]);
    });
  });

  it('follow a cancelled line and a price that clears, and tell exactly which keys moved', async () => {
    await sixOrders();
    const touched: string[] = [];
    listen([
      on(ordersTouched, async (ctx, { table }) => {
        const { rows } = await sql<{ text: string }>`
          SELECT DISTINCT seller_sku || ' ' || local_date || ' ' || to_char(slot AT TIME ZONE 'UTC', 'HH24:MI') AS text
            FROM ${sql.table(table)} ORDER BY 1`.execute(ctx.db);
        touched.push(...rows.map((row) => row.text));
      }),
    ]);
    await land(world, owner, account, [
      {
        amazonOrderId: orderNumber(1),
        purchasedAt: at(16),
        lastUpdatedAt: '2026-07-18T09:00:00.000Z',
        lines: [
          { orderItemId: '1a', quantity: 2, itemPrice: '40.00', itemDiscount: '4.00' },
          { orderItemId: '1b', sku: 'B', quantity: 0, itemPrice: '0.00' },
        ],
      },
      {
        amazonOrderId: orderNumber(2),
        status: 'UNSHIPPED',
        purchasedAt: at(17),
        lastUpdatedAt: '2026-07-18T10:00:00.000Z',
        lines: [{ orderItemId: '2a', itemPrice: '19.00' }],
      },
    ]);
    listen([]);
    expect(touched).toEqual(['A 2026-07-15 16:00', 'A 2026-07-15 17:00', 'B 2026-07-15 16:00']);
    const all = await world.as(owner, (ctx) => measured(ctx, DAY));
    expect(all).toMatchObject({
      units: 5,
      orders: 3,
      productSales: '99.0000',
      estimatedSales: '0',
      cancelledUnits: 4,
    });
  });
});

describe('the marketplace day', () => {
  const cases: [instant: string, day: string][] = [
    ['2026-03-08T07:59:59.000Z', '2026-03-07'],
    ['2026-03-08T08:00:00.000Z', '2026-03-08'],
    ['2026-03-09T06:59:59.000Z', '2026-03-08'],
    ['2026-03-09T07:00:00.000Z', '2026-03-09'],
    ['2026-11-01T07:00:00.000Z', '2026-11-01'],
    ['2026-11-02T07:59:59.000Z', '2026-11-01'],
  ];

  it('begins and ends at local midnight, also where it has 23 or 25 hours', async () => {
    const person = await world.owner();
    const store = await makeAccount(world, person);
    const first = cases[0]?.[0] ?? '';
    await land(world, person, store, [
      ...cases.map(([purchasedAt], n) => ({
        amazonOrderId: orderNumber(n),
        purchasedAt,
        marketplaceId: US,
        lines: [{}],
      })),
      ...[JP, DE, IN].map((marketplaceId, n) => ({
        amazonOrderId: orderNumber(100 + n),
        purchasedAt: first,
        marketplaceId,
        lines: [{}],
      })),
      { amazonOrderId: orderNumber(200), purchasedAt: first, marketplaceId: 'ANEWCOUNTRY', lines: [{}] },
    ]);
    const rows = await world.as(person, (ctx) =>
      ctx.db
        .selectFrom('order.amazon_order')
        .select(['local_date', 'currency'])
        .where('company_id', '=', ctx.companyId)
        .orderBy('amazon_order_id')
        .execute(),
    );
    expect(rows.map((row) => row.local_date)).toEqual([
      ...cases.map(([, day]) => day),
      '2026-03-08',
      '2026-03-08',
      '2026-03-08',
      '2026-03-08',
    ]);
    expect(rows.slice(6).map((row) => row.currency)).toEqual(['JPY', 'EUR', 'INR', 'XXX']);
  });
});
