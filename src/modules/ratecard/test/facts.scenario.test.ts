import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { calculatorFacts } from '../contract/calculator.ts';
import { resultRow, targetRows } from '../contract/results.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

test('a product that is not there has no measures, and days without rates have none', async () => {
  const answer = await owner.call(calculatorFacts, { body: { day: '1999-01-01', productId: randomUUID() } });
  expect(answer).toEqual({ measures: null, cost: null, rates: [] });
});

test('what is typed in is reckoned in the currency of the site', () => {
  const typed = {
    day: '2026-06-01',
    category: 'home',
    length: '30.48',
    width: '22.86',
    height: '7.62',
    weight: '0.635',
    cost: '20',
    firstLeg: '7',
    duty: '10',
    ads: '10',
    returns: '2',
    other: '',
    fixed: '',
    months: '1',
  } as const;
  const us = { country: 'US', name: '美国', currency: 'USD' } as const;
  const row = resultRow(typed, { price: '24.99', vat: '0', rate: '7' }, us);
  // 24.99 - 3.75 - 6.10 - 0.21 - 0.15 - (2.86 + 1.00 + 0.29) - (2.50 + 0.50)
  expect(row).toMatchObject({ referral: '3.75', storage: '0.15', spent: '4.15', shares: '3.00', profit: '7.63' });
  const targets = targetRows(typed, { price: '24.99', vat: '0', rate: '7' }, us);
  expect(targets.map(({ margin }) => margin)).toEqual(['0', '0.1', '0.15', '0.2', '0.25', '0.3', '0.5']);
  expect(resultRow(typed, { price: '24.99', vat: '0', rate: '' }, us)).toMatchObject({
    profit: null,
    problem: '缺少 USD 汇率',
  });
});
