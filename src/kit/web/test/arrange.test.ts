import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { added, COLUMNS, type Direction, moved, type Place, resized, settled } from '../cards/arrange.ts';

const places: fc.Arbitrary<Place[]> = fc
  .array(
    fc.record({
      x: fc.integer({ min: 0, max: COLUMNS - 1 }),
      y: fc.integer({ min: 0, max: 30 }),
      w: fc.integer({ min: 1, max: COLUMNS }),
      h: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((all) => all.map((at, id) => ({ ...at, id: String(id), w: Math.min(at.w, COLUMNS - at.x) })));
const direction = fc.constantFrom<Direction>('left', 'right', 'up', 'down');
const LEAST = { minW: 2, minH: 2 };

const over = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** Nothing lies over another card or outside, and no card could lie one row higher. */
function expectSound(all: readonly Place[]): void {
  for (const place of all) {
    expect(place.x).toBeGreaterThanOrEqual(0);
    expect(place.x + place.w).toBeLessThanOrEqual(COLUMNS);
    const others = all.filter(({ id }) => id !== place.id);
    expect(others.filter((other) => over(place, other))).toEqual([]);
    const higher = { ...place, y: place.y - 1 };
    expect(place.y === 0 || others.some((other) => over(higher, other))).toBe(true);
  }
}

const at = (all: readonly Place[], id: string) => {
  const found = all.find((place) => place.id === id);
  if (!found) throw new Error(`no card ${id}`);
  return found;
};

describe('cards on a grid', () => {
  it('never lie over one another or leave a gap above, whatever is done to them', () => {
    fc.assert(
      fc.property(places, fc.array(fc.tuple(fc.nat(8), direction, fc.boolean()), { maxLength: 12 }), (all, steps) => {
        let now: readonly Place[] = settled(all);
        expectSound(now);
        for (const [index, to, sizes] of steps) {
          const id = String(index % all.length);
          now = sizes ? resized(now, id, to, LEAST) : moved(now, id, to);
          expectSound(now);
          expect(now.map((place) => place.id)).toEqual(all.map((place) => place.id));
        }
        expectSound(added(now, { id: 'new', w: 4, h: 3 }));
      }),
    );
  });

  it('stay where they are once they are settled', () => {
    fc.assert(
      fc.property(places, (all) => {
        expect(settled(settled(all))).toEqual(settled(all));
      }),
    );
  });

  it('are moved past the one below, and back', () => {
    const all = [
      { id: 'a', x: 0, y: 0, w: 6, h: 3 },
      { id: 'b', x: 0, y: 3, w: 6, h: 5 },
      { id: 'c', x: 6, y: 0, w: 6, h: 8 },
    ];
    const down = moved(all, 'a', 'down');
    expect([at(down, 'a').y, at(down, 'b').y, at(down, 'c').y]).toEqual([5, 0, 0]);
    expect(moved(down, 'a', 'up')).toEqual(all);
    expect(moved(down, 'a', 'down')).toBe(down);
    expect(moved(all, 'a', 'left')).toBe(all);
  });

  it('push aside what is in their way, and keep to their least size', () => {
    const all = [
      { id: 'a', x: 0, y: 0, w: 6, h: 3 },
      { id: 'b', x: 6, y: 0, w: 6, h: 3 },
    ];
    const wider = resized(all, 'a', 'right', LEAST);
    expect(at(wider, 'a')).toMatchObject({ x: 0, y: 0, w: 7 });
    expect(at(wider, 'b')).toMatchObject({ x: 6, y: 3, w: 6 });
    const least = [{ id: 'a', x: 0, y: 0, w: 2, h: 2 }];
    expect(resized(least, 'a', 'up', LEAST)).toBe(least);
    expect(resized(least, 'a', 'left', LEAST)).toBe(least);
  });
});
