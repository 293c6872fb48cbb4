import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDecimal, sum } from '#kit/contract/decimal.ts';
import { brokenTotals } from '#kit/web/charts/waterfall-steps.ts';
import { FIGURE_KEYS, type FigureKey, NET_SALES } from '../contract/figures.ts';
import type { ProfitRow } from '../contract/report.ts';
import { compositionOf, waterfallOf } from '../web/composition.ts';

const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => (n / 1000).toFixed(3));

/** A row as the server makes it: its sums are the sums of its figures. */
const rows: fc.Arbitrary<ProfitRow> = fc
  .record({
    figures: fc.record(Object.fromEntries(FIGURE_KEYS.map((key) => [key, amount])) as Record<FigureKey, typeof amount>),
    cogs: fc.option(amount),
  })
  .map(({ figures, cogs }) => {
    const platformNet = sum(FIGURE_KEYS.map((key) => figures[key]));
    return {
      ...figures,
      cogs,
      netSales: sum(NET_SALES.map((key) => figures[key])),
      platformNet,
      profit: sum([platformNet, cogs ?? '0']),
      refundUnits: 0,
      units: 1,
      costMissing: 0,
    } as unknown as ProfitRow;
  });

describe('the composition of a profit', () => {
  it('is a true waterfall: every total is what stands before it', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(brokenTotals(waterfallOf(row))).toEqual([]);
      }),
    );
  });

  it('its lines add up to the profit', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(sum(compositionOf(row).map((line) => line.amount))).toBe(plainDecimal(row.profit ?? ''));
      }),
    );
  });

  it('ends in the platform net for those who may not see costs', () => {
    const [row] = fc.sample(rows, 1);
    const { profit: _profit, cogs: _cogs, ...seen } = row as ProfitRow;
    const steps = waterfallOf(seen as ProfitRow);
    expect(steps.at(-1)).toMatchObject({ name: 'SKU结算', amount: row?.platformNet });
    expect(brokenTotals(steps)).toEqual([]);
  });
});
