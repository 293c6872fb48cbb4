import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { depth } from '#test/support/depth.ts';
import { meantLine } from '../../contract/box/codes.ts';
import { type Carton, fillCartons, fitsAlone, type Pile } from '../../server/box/fill.ts';
import { boxWarnings, limitsOf } from '../../server/box/limits.ts';

const US = 'ATVPDKIKX0DER';
const DE = 'A1PA6795UKMFR9';
const UK = 'A1F83G8C2ARO7P';
const JP = 'A1VC38T7YXB528';

const box = (weight: string | null, longest: string | null, qty = 2) => ({
  length: longest,
  width: '40',
  height: '30',
  weight,
  items: [{ lineId: 'a', qty }],
});
const said = (site: string, ...args: Parameters<typeof box>) =>
  boxWarnings(limitsOf(site), box(...args)).map(({ level, text }) => `${level} ${text}`);

describe('box suggestion (rule 11)', () => {
  const carton: Carton = { volume: 1_000, tare: 100, maxWeight: 1_000 };

  test('the largest pieces first, each into the first box with room; 90 % of the volume are full', () => {
    const filled = fillCartons(
      carton,
      [
        { id: 'small', pieces: 5, volume: 100, weight: 10 },
        { id: 'large', pieces: 2, volume: 500, weight: 10 },
      ],
      10,
    );
    expect(filled?.map(({ pieces }) => Object.fromEntries(pieces))).toEqual([
      { large: 1, small: 3 },
      { large: 1, small: 2 },
    ]);
  });

  test('weight closes a box before it is full, and is evened out', () => {
    const filled = fillCartons(carton, [{ id: 'lead', pieces: 7, volume: 1, weight: 150 }], 10);
    // 6 go into the first by weight; 4 and 3 weigh the same but for one piece.
    expect(filled?.map((one) => one.weight).sort()).toEqual([550, 700]);
  });

  test('a piece that no carton holds is told beforehand; too few boxes are answered with none', () => {
    expect(fitsAlone(carton, { id: 'x', pieces: 1, volume: 901, weight: 1 })).toBe(false);
    expect(fitsAlone(carton, { id: 'x', pieces: 1, volume: 900, weight: 900 })).toBe(true);
    expect(fillCartons(carton, [{ id: 'x', pieces: 3, volume: 900, weight: 1 }], 2)).toBeUndefined();
  });

  test('never overfilled, every piece packed once, no empty box', () => {
    const piles = fc.array(
      fc.record({
        pieces: fc.integer({ min: 1, max: 200 }),
        volume: fc.integer({ min: 1, max: 450_000 }),
        weight: fc.integer({ min: 1, max: 9_000 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const cartons = fc.record({
      volume: fc.integer({ min: 500_000, max: 200_000_000 }),
      tare: fc.integer({ min: 0, max: 1_500 }),
      maxWeight: fc.integer({ min: 10_500, max: 23_000 }),
    });
    fc.assert(
      fc.property(piles, cartons, (some, one) => {
        const named: Pile[] = some.map((pile, index) => ({ id: String(index), ...pile }));
        const filled = fillCartons(one, named, 5000);
        expect(filled).toBeDefined();
        for (const { pieces } of filled ?? []) {
          const sum = (key: 'volume' | 'weight') =>
            [...pieces].reduce((total, [id, count]) => total + count * (named[Number(id)]?.[key] ?? 0), 0);
          expect(sum('volume')).toBeLessThanOrEqual(one.volume * 0.9);
          expect(one.tare + sum('weight')).toBeLessThanOrEqual(one.maxWeight);
          expect(Math.min(...pieces.values())).toBeGreaterThan(0);
          expect(pieces.size).toBeGreaterThan(0);
        }
        for (const { id, pieces } of named) {
          expect(filled?.reduce((total, each) => total + (each.pieces.get(id) ?? 0), 0)).toBe(pieces);
        }
      }),
      { numRuns: depth(200, 5_000) },
    );
  });
});

describe('what a marketplace takes of a box (rule 11)', () => {
  test('the United States: 22.68 kg and 63.5 cm', () => {
    expect(said(US, '22.68', '63.5')).toEqual([]);
    expect(said(US, '22.681', '63.5')).toEqual(['LIMIT 重量 22.681 kg，超过美国站上限 22.68 kg']);
    expect(said(US, '10', '63.51')).toEqual(['LIMIT 最长边 63.51 cm，超过美国站上限 63.5 cm']);
  });

  test('Europe and the United Kingdom: 23 kg, a mark above 15 kg; Japan: the mark alone', () => {
    for (const site of [DE, UK]) {
      expect(said(site, '15', '80')).toEqual([]);
      expect(said(site, '15.001', '80')).toEqual(['NOTE 重量超过 15 kg，须贴重物标签']);
      expect(said(site, '23.5', '80')[0]).toMatch(/^LIMIT .*上限 23 kg$/);
    }
    expect(said(JP, '40', '80')).toEqual(['NOTE 重量超过 15 kg，须贴重物标签']);
  });

  test('one piece that is too heavy by itself is noted; what nobody measured is not judged', () => {
    expect(said(US, '30', '40', 1)).toEqual(['NOTE 重量 30 kg，超过美国站上限 22.68 kg，须贴超重标签']);
    expect(said(US, null, null)).toEqual([]);
  });
});

describe('what a scanned code means among the lines of an order', () => {
  const line = (msku: string, boxed: number) => ({ msku, codes: ['B0AAA', msku], picked: 2, boxed });

  test('of two lines with one ASIN the first that misses pieces, whatever the case of the code', () => {
    expect(meantLine([line('A', 2), line('B', 1)], ' b0aaa ')?.msku).toBe('B');
    expect(meantLine([line('A', 2), line('B', 2)], 'B0AAA')?.msku).toBe('A');
    expect(meantLine([line('A', 0)], 'C')).toBeUndefined();
  });
});
