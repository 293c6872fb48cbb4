import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { averageSql, FEATURED_VIEWS, ratioSql, SELLABLE, USUAL, type Weights } from '../server/rules.ts';

let world: World;
let owner: Person;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

async function average(
  units: readonly [number, number, number],
  openDays: number | null,
  weights: Weights = USUAL,
  stock: readonly (number | null)[] = [null, null, null],
): Promise<string | null> {
  const [units30, units15, units7] = units.map((value) => sql`${value}::int`);
  const [stock30, stock15, stock7] = stock.map((value) => sql`${value}::int`);
  if (!units30 || !units15 || !units7 || !stock30 || !stock15 || !stock7) throw new Error('three windows');
  const made = averageSql(
    { units30, units15, units7, openDays: sql`${openDays}::int`, stock30, stock15, stock7 },
    weights,
  );
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ value: string | null }>`SELECT ${made} AS value`.execute(ctx.db),
  );
  return rows[0]?.value ?? null;
}

async function one(expression: string, from: string): Promise<string | null> {
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ value: string | null }>`
      SELECT (${sql.raw(expression)})::text AS value FROM ${sql.raw(from)}`.execute(ctx.db),
  );
  return rows[0]?.value ?? null;
}

test('example 1: 120, 75 and 42 units of a listing open for 200 days are 5.3 a day', async () => {
  expect(await average([120, 75, 42], 200)).toBe('5.3000');
});

test('example 2: windows of a young listing are no longer than it is on sale', async () => {
  expect(await average([30, 30, 24], 10)).toBe('3.2143');
  expect(await average([1, 1, 1], 0)).toBe('1.0000');
});

test('days without stock are left out where the company wants it and all days are known', async () => {
  expect(await average([30, 15, 7], 200, { ...USUAL, skipOut: true }, [15, 15, 7])).toBe('1.2000');
  expect(await average([30, 15, 7], 200, { ...USUAL, skipOut: true })).toBe('1.0000');
  expect(await average([30, 15, 7], 200, USUAL, [15, 15, 7])).toBe('1.0000');
  expect(await average([30, 0, 0], 200, { ...USUAL, weight30: '1', weight15: '0', weight7: '0' })).toBe('1.0000');
});

test('example 3: pieces for orders do not count, and 480 pieces at 6 a day of all sites last 80 days', async () => {
  const stock =
    '(SELECT 420 AS fulfillable, 40 AS reserved_transfer, 20 AS reserved_processing, 35 AS reserved_customer) AS s';
  expect(await one(SELLABLE, stock)).toBe('480');
  expect(await one(`round((${SELLABLE}) / (3.0 + 1.5 + 1.5), 1)`, stock)).toBe('80.0');
});

test('example 4: a ratio of two days is that of their sums', async () => {
  const days = '(VALUES (30, 1000), (10, 100)) AS d (units, sessions)';
  expect(await one(`round(100 * ${ratioSql('sum(units)', 'sum(sessions)')}, 2)`, days)).toBe('3.64');
  expect(await one(ratioSql('sum(units)', 'sum(sessions)'), '(VALUES (0, 0)) AS d (units, sessions)')).toBeNull();
});

test('example 5: shares of the featured offer are weighed by page views', async () => {
  const days = '(VALUES (90.0, 1000), (50.0, 100)) AS d (featured, page_views)';
  const share = ratioSql(`sum(${FEATURED_VIEWS})`, 'sum(page_views)');
  expect(await one(`round(100 * ${share}, 2)`, days)).toBe('86.36');
});
