import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBusiness } from '../business/index.ts';
import { booksOf, DAY, firstAccount, START, tiny } from './business-support.ts';

const NOW = START + 45 * DAY + 11 * 3_600_000;

describe('same seed, same books', () => {
  const books = booksOf(tiny(), NOW);

  it('tells the same story twice, and another for another seed', () => {
    expect(books.length).toBeGreaterThan(100_000);
    expect(booksOf(tiny(), NOW) === books).toBe(true);
    expect(booksOf(tiny('demo-2'), NOW) === books).toBe(false);
  });

  it('has the same books day by day as at once', () => {
    const business = tiny();
    for (let at = START; at < NOW; at += DAY) booksOf(business, at);
    expect(booksOf(business, NOW) === books).toBe(true);
  });

  it('shows nothing later than it is asked for, even when it has looked further ahead', () => {
    const ahead = tiny();
    booksOf(ahead, NOW + 30 * DAY);
    expect(booksOf(ahead, NOW) === books).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: START, max: NOW }), (now) => {
        expect(booksOf(ahead, now) === booksOf(tiny(), now)).toBe(true);
      }),
      { numRuns: 6 },
    );
  });

  it('generates any seller alone', () => {
    const opts = { seed: 'demo-1', scenario: 'demo', startAt: START } as const;
    const now = START + 12 * DAY;
    const all = createBusiness(opts);
    const alone = createBusiness(opts);
    booksOf(all, now);
    const last = alone.accounts.at(-1) ?? firstAccount(alone);
    const query = { marketplaceIds: last.marketplaceIds, by: 'created', from: 0, to: now } as const;
    const found = alone.orders(last, query, now);
    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual(all.orders(last, query, now));
  });

  it('wants a UTC midnight to start from', () => {
    expect(() => createBusiness({ seed: 's', scenario: 'tiny', startAt: START + 1 })).toThrow(RangeError);
  });
});
