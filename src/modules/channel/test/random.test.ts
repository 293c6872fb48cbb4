import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { saveCost } from '#modules/product/contract.ts';
import { depth, seed } from '#test/support/depth.ts';
import { makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { bindSku, listBindings } from '../contract/bindings.ts';
import { markAll } from '../server/rollup/mark.ts';
import { refreshPace } from '../server/rollup/pace.ts';
import { dump, follow, makeBundle, makeProducts, sellAtAmazon, take } from './support.ts';

const PRODUCTS = ['P', 'Q', 'R', 'X', 'Y'];
/** SKUs of the shop: three that are called like a product, and two that somebody has to bind. */
const SKUS = ['P', 'X', 'Y', 'U-1', 'U-2'];
const FIRST = '2026-11-01';
const DAYS = 12;

const nth = (max: number) => fc.nat({ max: max - 1 });
const day = nth(DAYS).map((n) => dayAfter(FIRST, n));
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      order: nth(6),
      line: nth(3),
      day,
      sku: nth(5),
      qty: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('amazon' as const), day, sku: nth(3), units: fc.nat({ max: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bind' as const),
      sku: nth(5),
      product: nth(5),
      units: fc.integer({ min: 1, max: 3 }),
      from: fc.option(day, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('parts' as const),
      whole: fc.constantFrom('X', 'Y'),
      part: nth(3),
      qty: fc.constantFrom('1', '2', '0.5'),
      day,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cost' as const),
      product: nth(5),
      cents: fc.integer({ min: 1, max: 9_999 }),
      day,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('follow' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Line {
  order: number;
  sku: string;
  qty: number;
}
interface Binding {
  product: string;
  units: number;
  from: string;
}

/** What was done, as plainly as it can be held, to work out by hand what must have come of it. */
interface Model {
  days: Map<number, string>;
  lines: Map<string, Line>;
  amazon: Map<string, number>;
  bindings: Map<string, Binding[]>;
  parts: { whole: string; part: string; qty: string; from: string }[];
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The newest entry that counts on a day. */
const bindingOn = (model: Model, sku: string, on: string) =>
  (model.bindings.get(sku) ?? [])
    .filter(({ from }) => from <= on)
    .sort((a, b) => a.from.localeCompare(b.from))
    .at(-1);

/** Pieces of the last parts in one piece of a product on a day. */
function leavesOf(model: Model, product: string, on: string): Map<string, Decimal> {
  const list = model.parts.filter(({ whole, from }) => whole === product && from <= on).at(-1);
  if (!list) return new Map([[product, new Decimal(1)]]);
  return new Map([...leavesOf(model, list.part, on)].map(([leaf, qty]) => [leaf, qty.times(list.qty)]));
}

/** Units of each product in all, taken apart. */
function expected(model: Model): Record<string, string> {
  const sums = new Map<string, Decimal>();
  const add = (product: string, on: string, units: number) => {
    for (const [leaf, qty] of leavesOf(model, product, on)) sums.set(leaf, qty.times(units).plus(sums.get(leaf) ?? 0));
  };
  for (const { order, sku, qty } of model.lines.values()) {
    const on = model.days.get(order) ?? FIRST;
    const binding = bindingOn(model, sku, on);
    if (binding) add(binding.product, on, qty * binding.units);
  }
  for (const [key, units] of model.amazon) {
    const [sku = '', on = ''] = key.split(' ');
    add(sku, on, units);
  }
  const some = [...sums].filter(([, units]) => !units.isZero());
  return Object.fromEntries(some.map(([product, units]) => [product, units.toString()]).sort());
}

async function run(person: Person, account: string, ids: ReadonlyMap<string, string>, model: Model, one: Command) {
  if (one.do === 'follow') await follow(world, person);
  else if (one.do === 'amazon') {
    const sku = SKUS[one.sku] ?? '';
    model.amazon.set(`${sku} ${one.day}`, one.units);
    await sellAtAmazon(world, person, account, [{ sku, day: one.day, units: one.units, sales: '33.33' }]);
  } else if (one.do === 'order') {
    const sku = SKUS[one.sku] ?? '';
    model.days.set(one.order, one.day);
    model.lines.set(`${one.order} ${one.line}`, { order: one.order, sku, qty: one.qty });
    if (PRODUCTS.includes(sku) && !model.bindings.has(sku))
      model.bindings.set(sku, [{ product: sku, units: 1, from: '' }]);
    await take(world, person, [
      ['Temu', '店', `O${one.order}`, one.line + 1, one.day, 'US', sku, one.qty, `${one.qty}.01`, '', '0.1', 'USD'],
    ]);
  } else if (one.do === 'bind') {
    const sku = SKUS[one.sku] ?? '';
    const [row] = (await person.call(listBindings, { body: { filter: { keyword: sku } } })).records.filter(
      (each) => each.platformSku === sku,
    );
    if (!row) return;
    const product = PRODUCTS[one.product] ?? '';
    const { from } = one;
    const others = from === undefined ? [] : (model.bindings.get(sku) ?? []).filter((each) => each.from !== from);
    model.bindings.set(sku, [...others, { product, units: one.units, from: from ?? '' }]);
    const skus = [{ shopId: row.shopId, platformSku: sku }];
    await person.call(bindSku, {
      body: { skus, productId: ids.get(product) ?? '', units: one.units, ...(from ? { validFrom: from } : {}) },
    });
  } else if (one.do === 'parts') {
    // X may hold Y, which may hold P, Q or R: never the other way round.
    const part = one.whole === 'X' && one.part === 0 ? 'Y' : (['P', 'Q', 'R'][one.part] ?? 'P');
    model.parts.push({ whole: one.whole, part, qty: one.qty, from: one.day });
    await makeBundle(world, person, ids, one.whole, { [part]: one.qty }, one.day);
  } else {
    await person.call(saveCost, {
      body: { sku: PRODUCTS[one.product] ?? '', unitCost: (one.cents / 100).toFixed(2), validFrom: one.day },
    });
  }
}

it('after anything that may happen the sums are those of a rebuild, row for row, and what one counts by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const person = await world.owner();
      const account = (await makeSellerAccount(world, person)).id;
      const ids = await makeProducts(world, person, PRODUCTS);
      const model: Model = { days: new Map(), lines: new Map(), amazon: new Map(), bindings: new Map(), parts: [] };
      const nested: Command[] = [
        { do: 'parts', whole: 'Y', part: 0, qty: '2', day: FIRST },
        { do: 'parts', whole: 'X', part: 0, qty: '1', day: FIRST },
      ];
      for (const one of [...nested, ...commands]) await run(person, account, ids, model, one);
      await follow(world, person);
      const kept = await dump(world, person);
      const counted = await world.as(person, async (ctx) => {
        const { rows } = await sql<{ sku: string; units: string }>`
          SELECT p.sku, sum(k.units)::text AS units FROM channel.sold_day AS k
            JOIN product.local_product AS p ON p.company_id = k.company_id AND p.id = k.product_id
           WHERE k.company_id = ${ctx.companyId} AND NOT k.is_bundle GROUP BY p.sku HAVING sum(k.units) <> 0 ORDER BY 1`.execute(
          ctx.db,
        );
        return Object.fromEntries(rows.map(({ sku, units }) => [sku, new Decimal(units).toString()]));
      });
      expect(counted).toEqual(expected(model));
      await world.as(person, async (ctx) => {
        ctx.audited = true;
        await sql`DELETE FROM channel.sold_day WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
        await sql`DELETE FROM channel.pace WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
        await markAll(ctx);
      });
      await follow(world, person);
      await world.as(person, (ctx) => refreshPace(ctx));
      expect(await dump(world, person)).toEqual(kept);
    }),
    { numRuns: depth(15, 200), seed },
  );
}, 600_000);
