import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bare, coresOf, refusesSuggestions } from '../../server/match/suggest/code.ts';

const cores = (msku: string) => coresOf(msku).map(({ core, qty }) => [core, qty]);

describe('what an MSKU may mean', () => {
  it('is its code without case and separators, then without what only says where it is sold', () => {
    expect(cores('KD_Cup 01')).toEqual([['kdcup01', 1]]);
    expect(cores('CUP-1-FBA-US')).toEqual([
      ['cup1fbaus', 1],
      ['cup1fba', 1],
      ['cup1', 1],
    ]);
    expect(coresOf('CUP-1-FBA').at(-1)).toEqual({ core: 'cup1', qty: 1, cut: ['FBA'] });
  });

  it('counts the pieces of a pack', () => {
    expect(coresOf('CUP-1-3PCS').at(-1)).toEqual({ core: 'cup1', qty: 3, cut: ['3PCS'] });
    expect(coresOf('PACK2-CUP-1-US').at(-1)).toEqual({ core: 'cup1', qty: 2, cut: ['US', 'PACK2'] });
  });

  it('is nothing for graded resale, and never nothing but such words', () => {
    expect(refusesSuggestions('amzn.gr.CUP-1-abc')).toBe(true);
    expect(coresOf('AMZN.GR.CUP-1')).toEqual([]);
    expect(cores('US-FBA').at(-1)).toEqual(['us', 1]);
  });

  it('begins with the whole code, and each further one is cut from an end of the one before', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (msku) => {
        const found = coresOf(msku);
        if (found.length === 0) return;
        expect(found[0]?.core).toBe(bare(msku));
        for (const [index, one] of found.entries()) {
          expect(one.qty).toBeGreaterThanOrEqual(1);
          const before = found[index - 1];
          if (before) expect(before.core.startsWith(one.core) || before.core.endsWith(one.core)).toBe(true);
        }
      }),
    );
  });
});
