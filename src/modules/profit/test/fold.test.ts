import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allocate, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { CA, type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { ALL_GROUPS, FIGURES, type Figure, groupOf } from '../contract/figures.ts';
import { currencyDays, fold, ledgerMoney, rebuild, rollup, rollupMoney } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the figures of the report', () => {
  it('hold every column of the rollup exactly once, as own money and as shared money', () => {
    for (const scope of ['DIRECT', 'SHARE'] as const) {
      const figures: Figure[] = Object.values(FIGURES).filter((one) => one.scope === scope || one.scope === 'BOTH');
      expect(figures.flatMap((one) => one.groups).toSorted()).toEqual([...ALL_GROUPS].toSorted());
    }
    expect(groupOf('A code of tomorrow')).toBe('unmapped');
  });
});

describe('worked example E2: sharing to the cent', () => {
  it.each([
    ['-100.00', { a: '1', b: '1', c: '1' }, 2, ['-33.34', '-33.33', '-33.33']],
    ['-1000', { a: '1', b: '1', c: '1' }, 0, ['-334', '-333', '-333']],
    ['-87.65', { a: '1200.50', b: '860.25', c: '0', d: '39.99' }, 2, ['-50.09', '-35.89', '0.00', '-1.67']],
  ])('%s over %o', (total, weights, scale, parts) => {
    const shared = [...(allocate(total, new Map(Object.entries(weights)), scale)?.values() ?? [])];
    expect(shared.map(Number)).toEqual(parts.map(Number));
  });
});

const SKUS = ['A', 'B', 'C'];
const KINDS: [transaction: string, type: string, description: string][] = [
  ['Order', 'ItemPrice', 'Principal'],
  ['Order', 'ItemPrice', 'Shipping'],
  ['Order', 'ItemFees', 'Commission'],
  ['Refund', 'ItemPrice', 'Principal'],
  ['Order', 'Promotion', 'Principal'],
  ['Order', 'ItemPrice', 'Tax'],
  ['Order', 'ItemFees', 'Nobody knows this one'],
];
const SHOP_KINDS = ['Storage Fee', 'Subscription Fee', 'Something new', 'Current Reserve Amount'];

const cents = fc.integer({ min: -20_000, max: 30_000 }).filter((n) => n !== 0);
const day = fc.integer({ min: 1, max: 50 });

const skuLine = fc.record({
  kind: fc.constantFrom(...KINDS),
  sku: fc.constantFrom(...SKUS),
  cents,
  day,
  quantity: fc.option(fc.integer({ min: 1, max: 5 })),
});
const shopLine = fc.record({ description: fc.constantFrom(...SHOP_KINDS), cents, day });

const postedAt = (number: number) => new Date(Date.UTC(2026, 0, number, 20)).toISOString();

const file = fc.record({
  /** A small range, so that later files are new versions of earlier ones. */
  id: fc.integer({ min: 1, max: 3 }),
  canada: fc.boolean(),
  own: fc.array(skuLine, { minLength: 1, maxLength: 8 }),
  shop: fc.array(shopLine, { maxLength: 4 }),
});
const cost = fc.record({ sku: fc.constantFrom(...SKUS), cents: fc.integer({ min: 1, max: 5_000 }), day });

type Step =
  | { what: 'file'; file: typeof file extends fc.Arbitrary<infer T> ? T : never }
  | { what: 'cost'; cost: typeof cost extends fc.Arbitrary<infer T> ? T : never }
  | { what: 'fold' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: file.map((one) => ({ what: 'file' as const, file: one })) },
  { weight: 2, arbitrary: cost.map((one) => ({ what: 'cost' as const, cost: one })) },
  { weight: 2, arbitrary: fc.constant({ what: 'fold' as const }) },
);

async function take(person: Person, account: AccountRef, one: Step): Promise<void> {
  if (one.what === 'fold') {
    await fold(world, person);
    return;
  }
  if (one.what === 'cost') {
    const { sku, cents: amount, day: number } = one.cost;
    const validFrom = postedAt(number).slice(0, 10);
    await person.call(saveCost, { body: { sku, unitCost: (amount / 100).toFixed(2), validFrom } });
    return;
  }
  const { id, canada, own, shop } = one.file;
  const lines: FileLine[] = [
    ...own.map(({ kind, sku, cents: amount, day: number, quantity }) => ({
      transactionType: kind[0],
      amountType: kind[1],
      amountDescription: kind[2],
      amount: (amount / 100).toFixed(2),
      sku,
      postedAt: postedAt(number),
      ...(quantity === null ? {} : { quantity }),
    })),
    ...shop.map(({ description, cents: amount, day: number }) => ({
      transactionType: 'other-transaction',
      amountType: 'other-transaction',
      amountDescription: description,
      amount: (amount / 100).toFixed(2),
      postedAt: postedAt(number),
    })),
  ];
  const store = canada ? { currency: 'CAD', marketplaceId: CA } : { currency: 'USD', marketplaceId: US };
  await settle(world, person, account, lines, { id: `1500000000${id}`, ...store });
}

describe('the rollup', () => {
  it('after any arrivals holds all the money, and is what a count from nothing gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const owner = await world.owner();
        const account = await makeAccount(world, owner);
        for (const one of steps) await take(owner, account, one);
        await fold(world, owner);
        expect(await rollupMoney(world, owner)).toEqual(await ledgerMoney(world, owner));
        expect(await currencyDays(world, owner, 'currency_day')).toEqual(
          await currencyDays(world, owner, 'profit_daily'),
        );
        const incremental = await rollup(world, owner);
        await rebuild(world, owner);
        expect(await rollup(world, owner)).toEqual(incremental);
      }),
      { numRuns: 20 },
    );
  });

  it('counts changes that arrive while it is counting in the next round', async () => {
    const owner = await world.owner();
    const account = await makeAccount(world, owner);
    const arrivals = Array.from({ length: 6 }, (_, i) =>
      settle(
        world,
        owner,
        account,
        [
          { amountType: 'ItemPrice', amountDescription: 'Principal', amount: `${i + 1}.00`, sku: 'A', quantity: 1 },
          {
            transactionType: 'other-transaction',
            amountType: 'other-transaction',
            amountDescription: 'Storage Fee',
            amount: '-0.37',
          },
        ],
        { id: `1500000010${i}` },
      ),
    );
    await Promise.all([...arrivals, fold(world, owner), fold(world, owner)]);
    await fold(world, owner);
    expect(await rollupMoney(world, owner)).toEqual(await ledgerMoney(world, owner));
    expect((await rollupMoney(world, owner)).map((row) => plainDecimal(row.amount))).toEqual(['18.78']);
  });

  it('is counted by the worker without being asked', async () => {
    const owner = await world.owner();
    const account = await makeAccount(world, owner);
    await world.work();
    await settle(world, owner, account, [
      { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '5.00', sku: 'A', quantity: 1 },
    ]);
    await expect.poll(() => rollupMoney(world, owner), { timeout: PATIENCE_MS, interval: 200 }).toHaveLength(1);
  });
});

it('money that arrives for a marked day while the day is being counted is counted afterwards', async () => {
  const owner = await world.owner('arrives while counting');
  const account = await makeAccount(world, owner);
  const sale: FileLine = {
    transactionType: 'Order',
    amountType: 'ItemPrice',
    amountDescription: 'Principal',
    amount: '10.00',
    sku: 'A',
    postedAt: postedAt(5),
  };
  await settle(world, owner, account, [sale]);
  const written = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const arriving = settle(world, owner, account, [{ ...sale, amount: '7.00' }], {
    id: '15000000002',
    loaded: () => {
      written.resolve();
      return go.promise;
    },
  });
  await written.promise;
  const counting = fold(world, owner);
  // Long enough for a count that does not wait to end before the money is there.
  await sleep(500);
  go.resolve();
  await Promise.all([arriving, counting]);
  await fold(world, owner);
  const money = await rollupMoney(world, owner);
  expect(money.map(({ amount }) => plainDecimal(amount))).toEqual(['17']);
  expect(money).toEqual(await ledgerMoney(world, owner));
});
