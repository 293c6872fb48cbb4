import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ceiling, layOut } from '../web/stock-bars.ts';

const day = (name: string, total: number | null, fulfillable = total) => ({
  day: name,
  fulfillable,
  reserved: total === null ? null : 0,
  unsellable: total === null ? null : 0,
  researching: total === null ? null : 0,
  inbound: total === null || fulfillable === null ? null : total - fulfillable,
  total,
});

it('draws a day that was not read as a gap, and a day of zeros as nothing', () => {
  const { days } = layOut([day('2026-03-01', null), day('2026-03-02', 0), day('2026-03-03', 4, 3)], 300, 100);
  expect(days.map(({ bars }) => bars?.length)).toEqual([undefined, 0, 2]);
  expect(days[0]?.text).toBe('2026-03-01 当日无库存快照');
  expect(days[2]?.text).toContain('合计 4：可售 3，预留 0，在途 1');
});

it('stacks parts to the height of the total, inside the box', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5000), fc.nat(5000)), { minLength: 1, maxLength: 40 }), (pairs) => {
      const input = pairs.map(([a, b], index) => day(String(index), a + b, a));
      const { top, days } = layOut(input, 500, 200);
      days.forEach(({ bars, x, width }, index) => {
        const total = input[index]?.total ?? 0;
        const height = (bars ?? []).reduce((sum, bar) => sum + bar.height, 0);
        expect(height).toBeCloseTo((total / top) * 200, 6);
        expect(height).toBeLessThanOrEqual(200.000001);
        expect(x + width).toBeLessThanOrEqual(500.000001);
      });
    }),
  );
});

it('ends the axis on a round figure', () => {
  expect([0, 5, 6, 11, 26, 99, 101, 2400].map(ceiling)).toEqual([5, 5, 10, 20, 50, 100, 200, 2500]);
});
