import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../contract.ts';
import { parseTerms, termsAddUp, termsText } from '../server/words.ts';

describe('payment terms in words', () => {
  it('are read as they are written, whatever they are', () => {
    const stage: fc.Arbitrary<Stage> = fc.record({
      anchor: fc.constantFrom('order', 'before_shipment', 'receipt', 'invoice', 'monthly'),
      days: fc.integer({ min: 0, max: 365 }),
      share: fc.integer({ min: 1, max: 10_000 }).map((n) => String(n / 10_000)),
    });
    fc.assert(
      fc.property(fc.array(stage, { maxLength: 6 }), (stages) => {
        expect(parseTerms(termsText(stages))).toEqual(stages);
      }),
    );
  });

  it('say when they cannot be read or do not add up', () => {
    expect(parseTerms('先付一半')).toBeUndefined();
    expect(parseTerms('下单后 30%; 月结 30 天 70%')).toEqual([
      { anchor: 'order', days: 0, share: '0.3' },
      { anchor: 'monthly', days: 30, share: '0.7' },
    ]);
    expect(termsAddUp(parseTerms('下单后 30%') ?? [])).toBe(false);
    expect(termsAddUp([])).toBe(true);
  });
});
