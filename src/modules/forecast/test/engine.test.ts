import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annualIndex } from '../server/engine/annual.ts';
import { CANDIDATES, type Candidate, run } from '../server/engine/candidates.ts';
import { blended, choose } from '../server/engine/choose.ts';
import { classOf } from '../server/engine/classes.ts';
import { closedDays, dropLongGaps, isCensored, lostUnits } from '../server/engine/clean.ts';
import { forecastShop } from '../server/engine/forecast.ts';
import { forecastParts } from '../server/engine/parallel.ts';
import { type Item, shopAt, viewOf } from '../server/engine/shop.ts';
import { shrunkUplift } from '../server/engine/uplift.ts';
import { simulatedShop } from './shop.ts';

const OPTIONS = { horizon: 35, lead: 14 };
const some = (seed: number) => simulatedShop(seed, 12, 150, false).items;
const seeds = fc.integer({ min: 1, max: 10_000 });

describe('what holds for any shop', () => {
  it('nothing after an origin is used there', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const items = simulatedShop(seed, 12, 150, true).items;
        const other = items.map((item) => ({
          ...item,
          units: item.units.map((value, day) => (day < 100 ? value : 9999)),
        }));
        const seen = (all: readonly Item[]) => {
          const shop = shopAt(all, 100);
          return all.map((item) => {
            const view = viewOf(item, shop);
            return [view, ...CANDIDATES.map((candidate) => run(candidate, view, 14))];
          });
        };
        expect(seen(other)).toEqual(seen(items));
      }),
      { numRuns: 5 },
    );
  });

  it('ten times the sales are ten times the forecast', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        // Busy enough for no threshold in units to matter.
        const busy = some(seed).map((item) => ({ ...item, units: item.units.map((value) => value * 100) }));
        const ten = busy.map((item) => ({ ...item, units: item.units.map((value) => value * 10) }));
        const large = forecastShop(ten, OPTIONS);
        forecastShop(busy, OPTIONS).forEach(({ mean, model }, n) => {
          expect(large[n]?.model).toBe(model);
          mean.forEach((value, day) => {
            expect(large[n]?.mean[day]).toBeCloseTo(10 * value, 2);
          });
        });
      }),
      { numRuns: 3 },
    );
  });

  it('quantiles never cross, nothing is below 0, days have four decimals', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const { mean, quantiles } of forecastShop(some(seed), OPTIONS)) {
          expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
          expect(Math.min(...quantiles, ...mean)).toBeGreaterThanOrEqual(0);
          for (const value of mean) expect(Number(value.toFixed(4))).toBe(value);
        }
      }),
      { numRuns: 3 },
    );
  });

  it('what never sold is forecast to sell nothing', () => {
    const items: Item[] = [...some(3), { units: new Float64Array(150), category: 'all' }];
    expect(
      forecastShop(items, OPTIONS)
        .at(-1)
        ?.mean.every((value) => value === 0),
    ).toBe(true);
    expect(forecastShop([{ units: new Float64Array(150), category: 'all' }], OPTIONS)[0]?.mean[0]).toBe(0);
    expect(forecastShop([], OPTIONS)).toEqual([]);
  });

  it('days without stock are no days without demand', () => {
    const units = Float64Array.from({ length: 150 }, (_, day) => 8 + ((day * 7) % 5));
    const out = units.map((value, day) => (day % 50 >= 30 && day % 50 < 42 ? Number.NaN : value));
    const sold = out.map((value) => (Number.isNaN(value) ? 0 : value));
    const of = (history: Float64Array) =>
      forecastShop([{ units: history, category: 'all' }], OPTIONS)[0]?.mean.reduce((sum, value) => sum + value, 0);
    const demand = OPTIONS.horizon * 10;
    expect(of(out)).toBeGreaterThan(demand * 0.95);
    expect(of(out)).toBeLessThan(demand * 1.05);
    // Nobody said so, but twelve days without a sale of a product that sells every day are no luck.
    expect(of(sold)).toBeGreaterThan(demand * 0.95);
  });

  it('a model that somebody keeps is kept; where it has too little to go by the rule model speaks', () => {
    const items = some(7);
    const keeping = (locked: Item['locked']) =>
      forecastShop(
        items.map((item) => ({ ...item, ...(locked ? { locked } : {}) })),
        OPTIONS,
      );
    expect(keeping('naive').map(({ model, mean }) => [model, new Set(mean).size])).toEqual(
      items.map(() => ['naive', 1]),
    );
    // A shape of the year needs ninety weeks.
    expect(keeping('annual').map(({ mean }) => mean)).toEqual(keeping('weightedAverage').map(({ mean }) => mean));
    expect(keeping('annual').some(({ mean }) => mean.some((value) => value > 0))).toBe(true);
    expect(keeping('ensemble').every(({ model }) => model === 'ensemble')).toBe(true);
  });

  it('threads say what one process says, in parts', async () => {
    const parts = [some(7), some(8), some(9)];
    const said: unknown[] = [];
    await forecastParts(parts, OPTIONS, 2, (forecasts, part) => {
      said[part] = forecasts;
    });
    expect(said).toEqual(parts.map((items) => forecastShop(items, OPTIONS)));
  });
});

describe('cleaning and classes', () => {
  it('a day is censored without stock for most of it, and when a quick seller ran dry', () => {
    expect(isCensored({ availability: 0.4, before: 5, after: 5 }, 3, 3)).toBe(true);
    expect(isCensored({ availability: 1, before: 0, after: 0 }, 0, 3)).toBe(true);
    expect(isCensored({ availability: 1, before: 9, after: 2 }, 3, 12)).toBe(true);
    expect(isCensored({ availability: 1, before: 9, after: 2 }, 2, 8)).toBe(false);
    expect(isCensored({ availability: 1, before: 90, after: 80 }, 3, 12)).toBe(false);
    expect(lostUnits(12, 0.25)).toBe(9);
  });

  it('a shop is closed where it always sells and sold nothing, not on the weekday on which it never does', () => {
    const total = Float64Array.from({ length: 70 }, (_, day) => (day % 7 === 6 || day === 30 ? 0 : 50));
    expect([...closedDays(total)].flatMap((closed, day) => (closed === 1 ? [day] : []))).toEqual([30]);
    expect(closedDays(total.map((value) => value / 50)).includes(1)).toBe(false);
  });

  it('a gap that goes on is kept, since the product may have ended', () => {
    const days = Float64Array.from({ length: 120 }, (_, day) => ((day >= 20 && day < 35) || day >= 105 ? 0 : 5));
    dropLongGaps(days);
    expect(days.slice(20, 35).every(Number.isNaN)).toBe(true);
    expect(days.slice(105).every((value) => value === 0)).toBe(true);
  });

  it('classes at their borders', () => {
    const of = (...pattern: number[]) =>
      classOf(Float64Array.from({ length: 84 }, (_, day) => pattern[day % pattern.length] ?? 0));
    expect(of(5, 6)).toBe('smooth');
    expect(of(1, 1, 1, 20)).toBe('erratic');
    expect(of(5, 0, 0)).toBe('intermittent');
    expect(of(1, 0, 0, 1, 0, 0, 30, 0, 0)).toBe('lumpy');
    expect(classOf(Float64Array.from({ length: 27 }, () => 5))).toBe('new');
    expect(classOf(new Float64Array(84), true)).toBe('ending');
  });
});

describe('promotions, seasons and new products', () => {
  it('an uplift is drawn towards the category’s by four days', () => {
    expect(shrunkUplift(3, 4, 2)).toBe(2.5);
    expect(shrunkUplift(0, 0, 2)).toBe(2);
  });

  it('planned days of a promotion sell its multiple, and past ones do not lift the other days', () => {
    const events = Uint8Array.from({ length: 200 }, (_, day) => (day % 25 < 3 ? 1 : 0));
    const units = Float64Array.from({ length: 150 }, (_, day) => (events[day] ? 30 : 10));
    const [forecast] = forecastShop([{ units, category: 'all', events }], OPTIONS);
    forecast?.mean.forEach((value, ahead) => {
      expect(value).toBeCloseTo(events[150 + ahead] ? 30 : 10, 1);
    });
  });

  it('two years show the shape of the year, growth apart', () => {
    const busy = (day: number) => (day % 364 >= 308 && day % 364 < 336 ? 3 : 1);
    const total = Float64Array.from({ length: 728 }, (_, day) => 100 * busy(day) * 1.5 ** (day / 364));
    const index = annualIndex(total);
    expect((index?.[45] ?? 0) / (index?.[20] ?? 1)).toBeGreaterThan(2.7);
    expect(Math.max(...(index?.slice(0, 40) ?? []))).toBeLessThan(1.1);
    expect(annualIndex(total.subarray(0, 400))).toBeUndefined();
  });

  it('a new product with a reference follows it', () => {
    const units = Float64Array.from({ length: 150 }, (_, day) => (day < 136 ? 0 : 7));
    const reference = Float64Array.from({ length: 60 }, (_, day) => (day < 14 ? 120 / 14 : 160 / 14));
    const [forecast] = forecastShop([{ units, category: 'all', references: [reference] }], { horizon: 14, lead: 14 });
    expect(forecast?.model).toBe('reference');
    expect(forecast?.mean.reduce((sum, value) => sum + value, 0)).toBeCloseTo(134.86, 1);
  });

  it('what is sold off does not grow', () => {
    const units = Float64Array.from({ length: 150 }, (_, day) => (day < 120 ? 20 : 4));
    const [forecast] = forecastShop([{ units, category: 'all', ending: true }], OPTIONS);
    expect(forecast?.class).toBe('ending');
    expect(Math.max(...(forecast?.mean ?? [99]))).toBeLessThan(4.5);
  });
});

describe('the choice', () => {
  const scores = (given: Partial<Record<Candidate, number>>) =>
    Float64Array.from(CANDIDATES, (candidate) => given[candidate] ?? 2);

  it('takes the best three together unless one is 10 % better', () => {
    const close = scores({ week3: 0.7, week6: 0.71, tsb: 0.72, seasonalNaive: 1 });
    expect(choose(close)).toEqual({ model: 'ensemble', members: ['week3', 'week6', 'tsb'] });
    expect(choose(scores({ week3: 0.6, week6: 0.71, tsb: 0.72, seasonalNaive: 1 })).model).toBe('week3');
  });

  it('stays with seasonal naive unless something is 3 % better', () => {
    expect(choose(scores({ week3: 0.98, week6: 0.98, tsb: 0.98, seasonalNaive: 1 })).model).toBe('seasonalNaive');
  });

  it('leaves what an item has until something is 5 % better', () => {
    const close = scores({ week3: 0.7, week6: 0.71, tsb: 0.72, holtWinters: 0.74, seasonalNaive: 1 });
    expect(choose(close, 'holtWinters').model).toBe('holtWinters');
    expect(choose(scores({ week3: 0.6, holtWinters: 0.74, seasonalNaive: 1 }), 'holtWinters').model).toBe('week3');
  });

  it('listens to the class while an item has few origins, and to the class alone without any', () => {
    const common = scores({ week3: 1 });
    const own = scores({ week3: 4 });
    expect(blended({ scores: own, origins: 4 }, common)[CANDIDATES.indexOf('week3')]).toBeCloseTo(2, 10);
    expect(blended({ scores: own, origins: 0 }, common)).toEqual(common);
  });
});
