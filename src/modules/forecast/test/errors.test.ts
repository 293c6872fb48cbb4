import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORPUS } from '#test/support/corpus.ts';
import { comparable, type Errors, evaluate, noErrors, RIVALS, type Rival } from '../server/engine/evaluate.ts';
import type { Item } from '../server/engine/shop.ts';
import { seriesFiles } from './series-files.ts';
import { simulatedShop } from './shop.ts';

const MEASURES = ['wape', 'mase', 'rmsse', 'pinball'] as const;

/** Errors of several shops together. */
function together(shops: readonly (readonly Item[])[], horizon: number): Record<Rival, Errors> {
  const total = noErrors();
  for (const items of shops) {
    const errors = evaluate(items, horizon, 2, 14);
    for (const rival of RIVALS) total[rival].merge(errors[rival]);
  }
  return total;
}

function expectBetter(errors: Record<Rival, Errors>): void {
  for (const rival of comparable(errors).slice(1))
    for (const measure of MEASURES)
      expect(errors.ours.measures[measure], `${measure} beside ${rival}`).toBeLessThan(errors[rival].measures[measure]);
}

describe('errors in shops that never were', () => {
  it.each([14, 28])('are below naive, seasonal naive and smoothing in total, %i days ahead', (horizon) => {
    const errors = together(
      [1, 2, 3].map((seed) => simulatedShop(seed, 40, 210, false).items),
      horizon,
    );
    expectBetter(errors);
    const { coverage } = errors.ours.measures;
    expect(coverage[2]).toBeGreaterThan(0.8);
    expect(coverage[2]).toBeLessThan(0.96);
  });

  it('are lower for who is told of promotions and stock-outs', () => {
    const of = (told: boolean) =>
      together(
        [11, 12].map((seed) => {
          const { items, demand } = simulatedShop(seed, 40, 210, told);
          // Both are measured against the days with stock: what would have been sold on others nobody can know.
          const known = simulatedShop(seed, 40, 210, true).items;
          return items.map((item, n) => ({
            ...item,
            units: item.units.map((value, day) =>
              day >= 180 && Number.isNaN(known[n]?.units[day] ?? 0)
                ? Number.NaN
                : Math.min(value, demand[n]?.[day] ?? value),
            ),
          }));
        }),
        14,
      ).ours.measures;
    expect(of(true).wape).toBeLessThan(of(false).wape);
    expect(of(true).rmsse).toBeLessThan(of(false).rmsse);
  });
});

const directory = join(CORPUS, 'forecast');
const present = existsSync(directory);
if (!present) console.error(`public series are not tested: ${CORPUS} is not there (set CORPUS_DIR)`);

describe.skipIf(!present)('errors on the public series', () => {
  it.each([14, 28])('are below naive, seasonal naive and smoothing in every file, %i days ahead', (horizon) => {
    const files = seriesFiles(directory);
    expect(files.length).toBeGreaterThan(0);
    for (const { items } of files) expectBetter(together([items], horizon));
  });
});

describe('a directory of series', () => {
  it('is read by name, with empty days, quotes and a mark at its begin', () => {
    const folder = mkdtempSync(join(tmpdir(), 'series-'));
    writeFileSync(join(folder, 'b.csv'), '\ufeffitem,2026-01-01,2026-01-02\r\n"A, blue",3,\r\n');
    writeFileSync(join(folder, 'a.CSV'), 'item,2026-01-01\nB,1.5\n');
    writeFileSync(join(folder, 'notes.txt'), 'no series');
    const files = seriesFiles(folder);
    expect(files.map(({ name, items }) => [name, items.map(({ units }) => [...units])])).toEqual([
      ['a.CSV', [[1.5]]],
      ['b.csv', [[3, Number.NaN]]],
    ]);
    writeFileSync(join(folder, 'a.CSV'), 'item,2026-01-01\nB,1,2\n');
    expect(() => seriesFiles(folder)).toThrow('a.CSV:2: 2 days, the header has 1');
  });
});
