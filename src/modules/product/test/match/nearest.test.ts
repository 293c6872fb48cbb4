import { describe, expect, it } from 'vitest';
import { Nearest } from '../../server/match/suggest/nearest.ts';

/** Numbers below 1 that are the same each time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A set of at most `most` pieces, the low ones much more often than the high ones. */
function someSet(next: () => number, most: number, pieces: number): Int32Array {
  const size = 1 + Math.floor(next() * most);
  return Int32Array.from(new Set(Array.from({ length: size }, () => Math.floor(next() ** 3 * pieces))));
}

/** Every set compared with the asked one. */
function byHand(sets: readonly Int32Array[], asked: readonly number[], size: number, least: number): number[] {
  const own = new Set(asked);
  return sets
    .map((set, index) => {
      const shared = set.filter((piece) => own.has(piece)).length;
      return { index, how: shared / (size + set.length - shared) };
    })
    .filter(({ how }) => how >= least)
    .sort((a, b) => b.how - a.how || a.index - b.index)
    .slice(0, 2)
    .map(({ index }) => index);
}

describe('the two nearest of many sets', () => {
  it.each([
    [1, 12, 60, 0.45],
    [2, 12, 600, 0.45],
    [3, 40, 90, 0.4],
    [4, 40, 1500, 0.2],
    [5, 3, 5, 0.5],
  ])('are those that comparing all of them finds (seed %i)', (seed, most, pieces, least) => {
    const next = numbers(seed);
    const sets = Array.from({ length: 3000 }, () => someSet(next, most, pieces));
    const nearest = new Nearest(sets, pieces);
    let found = 0;
    for (let turn = 0; turn < 60; turn += 1) {
      // Half of them are like one that is there, with a piece more that nobody has.
      const asked =
        turn % 2 === 0 ? someSet(next, most, pieces) : (sets[Math.floor(next() * sets.length)] ?? new Int32Array());
      const size = asked.length + (turn % 3 === 0 ? 1 : 0);
      const wanted = byHand(sets, [...asked], size, least);
      expect(nearest.of(asked, size, least)).toEqual(wanted);
      found += wanted.length;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('take the lower number of those that are equally near, and none that is less alike than asked', () => {
    const sets = [[9], [1, 2, 3], [1, 2, 4], [1, 2, 3, 4], [1, 2, 3]].map((set) => Int32Array.from(set));
    const nearest = new Nearest(sets, 10);
    expect(nearest.of(Int32Array.from([1, 2, 3]), 3, 0.5)).toEqual([1, 4]);
    expect(nearest.of(Int32Array.from([2, 1]), 2, 0.6)).toEqual([1, 2]);
    expect(nearest.of(Int32Array.from([2, 1]), 2, 0.7)).toEqual([]);
    expect(nearest.of(new Int32Array(), 3, 0.4)).toEqual([]);
  });
});
