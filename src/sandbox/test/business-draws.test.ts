import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dice, draw, poisson, uniqueDigits } from '../business/draws.ts';
import { EventHeap } from '../business/heap.ts';

describe('counter-based draws', () => {
  it('gives the published example: seed, seller, SKU and day to a draw, a rate and 33 units', () => {
    const u = draw('demo-1', 'A1SANDBOX0001', 'demand:SKU-001', '2026-01-15', 0);
    const lambda = 20 * (26.99 / 29.99) ** -1.8;
    expect(u).toBe(0.9537658265042467);
    expect(lambda).toBeCloseTo(24.17812, 5);
    expect(poisson(u, lambda)).toBe(33);
  });

  it('inverts the Poisson distribution: P(X < k) < u <= P(X <= k)', () => {
    const below = (lambda: number, k: number): number => {
      let term = Math.exp(-lambda);
      let sum = 0;
      for (let i = 0; i <= k; i += 1) {
        sum += term;
        term *= lambda / (i + 1);
      }
      return k < 0 ? 0 : sum;
    };
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0.01, max: 60, noNaN: true }),
        (u, l) => {
          const k = poisson(u, l);
          expect(below(l, k)).toBeGreaterThanOrEqual(u);
          expect(below(l, k - 1)).toBeLessThanOrEqual(u);
        },
      ),
    );
    expect(poisson(0.7, 0)).toBe(0);
  });

  it('rolls the same dice for the same key, past the first digest too, and others for another key', () => {
    const roll = (...key: string[]): number[] => {
      const dice = new Dice(...key);
      return Array.from({ length: 40 }, () => dice.next());
    };
    expect(roll('seed', 'order', '7')).toEqual(roll('seed', 'order', '7'));
    expect(new Set(roll('seed', 'order', '7')).size).toBe(40);
    expect(roll('seed', 'order', '7')).not.toEqual(roll('seed', 'order', '8'));
  });

  it('never gives one number twice', () => {
    const seen = new Set(Array.from({ length: 20_000 }, (_, n) => uniqueDigits(n, 987_654_321, 'order')));
    expect(seen.size).toBe(20_000);
    for (const digits of seen) expect(digits).toMatch(/^\d{14}$/);
  });

  it('takes happenings from the calendar by time, then by arrival', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }),
        fc.integer({ min: 0, max: 25 }),
        (ats, end) => {
          const heap = new EventHeap<number>();
          for (const [position, at] of ats.entries()) heap.push(at, position);
          const out: number[] = [];
          for (let next = heap.popBefore(end); next; next = heap.popBefore(end)) out.push(next.value);
          const expected = [...ats.entries()].filter(([, at]) => at < end).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
          expect(out).toEqual(expected.map(([position]) => position));
        },
      ),
    );
  });
});
