import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { boxMeasure, lineWeights, type PackedBox, type WeighedLine } from '../../server/freight/rules/basis.ts';
import { matched } from '../../server/freight/rules/match.ts';
import { changes, type Share, shareOver, spread } from '../../server/freight/rules/share.ts';
import type { WeighRule } from '../../server/transport/rules/weigh.ts';

const SEA: WeighRule = {
  billUnit: 'KG',
  divisor: 6000,
  weightStep: '0.5',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  kgPerCbm: null,
};
const SIZE = { length: '60', width: '40', height: '40', weight: '15.2' };
const box = (items: Record<string, number>, more: Partial<PackedBox> = {}): PackedBox => ({
  ...SIZE,
  items: Object.entries(items).map(([lineId, qty]) => ({ lineId, qty })),
  ...more,
});
const line = (id: string, more: Partial<WeighedLine> = {}): WeighedLine => ({
  id,
  msku: `${id}-US`,
  weight: '0.2',
  volume: '600',
  value: '0',
  ...more,
});
/** Four boxes of 16.0 kg, of which A, B and C have 24.0, 28.8 and 11.2. */
const E4 = [box({ A: 80 }), box({ A: 40, B: 40 }), box({ B: 80 }), box({ B: 24, C: 56 })];
const ABC = [line('A'), line('B'), line('C')];
const byLine = (weights: ReturnType<typeof lineWeights>) => ('why' in weights ? weights : Object.fromEntries(weights));

describe('shares of a charge', () => {
  it('E4: largest remainder, ties to the lower line', () => {
    expect(shareOver('663.21', ['24.0', '28.8', '11.2'], 2)).toEqual(['248.70', '298.45', '116.06']);
    expect(shareOver('100.00', ['1', '1', '1'], 2)).toEqual(['33.34', '33.33', '33.33']);
  });

  it('E5: the whole new total, and what each line differs by', () => {
    const before = shareOver('663.21', ['24.0', '28.8', '11.2'], 2);
    const after = shareOver('700.00', ['24.0', '28.8', '11.2'], 2);
    expect(after).toEqual(['262.50', '315.00', '122.50']);
    const named = (amounts: string[]) => amounts.map((amount, move): Share => ({ line: `l${move}`, move, amount }));
    expect(changes(named(after), named(before)).map(({ amount }) => amount)).toEqual(['13.8', '16.55', '6.44']);
    expect(changes(named(before), named(before))).toEqual([]);
    expect(changes([], named(before)).map(({ amount }) => amount)).toEqual(['-248.7', '-298.45', '-116.06']);
  });

  it('add up to the charge whatever the weights, and are in proportion to a cent', () => {
    const weight = fc.oneof(
      fc.integer({ min: 1, max: 99_999_999 }).map((n) => new Decimal(n).div(1000).toFixed()),
      fc
        .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }))
        .map(([a, b]) => new Decimal(a).div(b).toFixed()),
    );
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        (weights, cents) => {
          const total = new Decimal(cents).div(100).toFixed(2);
          const shares = shareOver(total, weights, 2);
          expect(sum(shares)).toBe(new Decimal(total).toFixed());
          const all = sum(weights);
          for (const [index, share] of shares.entries()) {
            const exact = new Decimal(total).times(weights[index] ?? '0').div(all);
            expect(new Decimal(share).minus(exact).abs().lt('0.01')).toBe(true);
          }
        },
      ),
    );
  });

  it('go on to the moves of their line to the last unit, a line without any keeps its own', () => {
    const moves = [
      { move: 0, line: 'a', weight: '1' },
      { move: 1, line: 'b', weight: '5' },
      { move: 2, line: 'a', weight: '2' },
    ];
    const shares = [
      { line: 'a', amount: '10.00' },
      { line: 'b', amount: '0.01' },
      { line: 'c', amount: '7.00' },
    ];
    expect(spread(shares, moves)).toEqual([
      { line: 'a', move: 0, amount: '3.3333' },
      { line: 'a', move: 2, amount: '6.6667' },
      { line: 'b', move: 1, amount: '0.0100' },
      { line: 'c', move: null, amount: '7.00' },
    ]);
  });

  it('after any bills and reversals are those of what stands, whatever came before', () => {
    const weights = ['24.0', '28.8', '11.2', '0.7'];
    const moves = weights.map((_, move) => ({ move, line: `l${move}`, weight: '1' }));
    const wanted = (total: string) =>
      spread(
        shareOver(total, weights, 2).map((amount, index) => ({ line: `l${index}`, amount })),
        moves,
      );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 }), (steps) => {
        const state = new Map<number, Decimal>();
        for (const cents of steps) {
          const total = new Decimal(cents).div(100).toFixed(2);
          const before = [...state].map(([move, amount]) => ({ line: `l${move}`, move, amount: amount.toFixed() }));
          for (const { move, amount } of changes(wanted(total), before)) {
            if (move !== null) state.set(move, (state.get(move) ?? new Decimal(0)).plus(amount));
          }
          expect(sum([...state.values()].map(String))).toBe(new Decimal(total).toFixed());
          for (const { move, amount } of wanted(total)) {
            expect((state.get(move ?? -1) ?? new Decimal(0)).eq(amount)).toBe(true);
          }
        }
      }),
    );
  });
});

describe('what a line counts for', () => {
  it('is its part of the billable weight of each box', () => {
    expect(byLine(lineWeights('BILLABLE', E4, ABC, SEA))).toEqual({ A: '24', B: '28.8', C: '11.2' });
  });

  it('is its part of weight, volume, pieces or value where the bill says so', () => {
    expect(byLine(lineWeights('WEIGHT', E4, ABC, SEA))).toEqual({ A: '22.8', B: '27.36', C: '10.64' });
    expect(byLine(lineWeights('VOLUME', E4, ABC, SEA))).toEqual({ A: '144000', B: '172800', C: '67200' });
    expect(byLine(lineWeights('PIECES', E4, ABC, SEA))).toEqual({ A: '120', B: '144', C: '56' });
    const priced = [line('A', { value: '240' }), line('B', { value: '0' }), line('C', { value: '11.2' })];
    expect(byLine(lineWeights('VALUE', E4, priced, SEA))).toEqual({ A: '240', B: '0', C: '11.2' });
  });

  it('follows the greater of weight and volume of each piece within a box', () => {
    const light = line('B', { weight: '0.1', volume: '3600' });
    const found = byLine(lineWeights('BILLABLE', [box({ A: 20, B: 20 })], [line('A'), light], SEA));
    // 0.2 kg beside 3600 ÷ 6000 = 0.6 kg: a quarter and three quarters of 16.
    expect(found).toEqual({ A: '4', B: '12' });
  });

  it('charges a box as its channel does', () => {
    expect(boxMeasure('BILLABLE', box({}), SEA)?.toFixed()).toBe('16');
    expect(boxMeasure('BILLABLE', box({}), { ...SEA, splitRate: '0.5', weightStep: '0' })?.toFixed()).toBe('15.6');
    expect(boxMeasure('BILLABLE', box({}, { weight: '16.1' }), SEA)?.toFixed()).toBe('16.5');
    expect(boxMeasure('BILLABLE', box({}, { weight: '16.1' }), { ...SEA, roundPer: 'SHIPMENT' })?.toFixed()).toBe(
      '16.1',
    );
    const cubic = { ...SEA, billUnit: 'CBM' as const };
    expect(boxMeasure('BILLABLE', box({}), cubic)?.toFixed()).toBe('0.096');
    expect(boxMeasure('BILLABLE', box({}), { ...cubic, kgPerCbm: '100' })?.toFixed()).toBe('0.152');
  });

  it('is never silently nothing', () => {
    const unknown = line('B', { volume: null });
    expect(lineWeights('BILLABLE', E4, [line('A'), unknown, line('C')], SEA)).toEqual({
      why: 'SKU【B-US】缺少尺寸或重量，无法计算计费重',
    });
    // A box of one SKU needs no measure of it.
    expect(byLine(lineWeights('BILLABLE', [box({ B: 80 })], [unknown], SEA))).toEqual({ B: '16' });
    expect(byLine(lineWeights('WEIGHT', E4, [line('A'), unknown, line('C')], SEA))).toMatchObject({ B: '27.36' });
    expect(lineWeights('BILLABLE', [box({ A: 1 }), box({ A: 1 }, { height: null })], ABC, SEA)).toEqual({
      why: '第 2 箱缺少尺寸或重量，无法计算计费重',
    });
    expect(lineWeights('WEIGHT', [box({ A: 1 }, { weight: null })], ABC, SEA)).toEqual({ why: '第 1 箱缺少重量' });
    expect(lineWeights('BILLABLE', [], ABC, SEA)).toEqual({ why: '没有装箱数据' });
    expect(lineWeights('VALUE', E4, [line('A', { value: null })], SEA)).toEqual({
      why: 'SKU【A-US】没有库存成本，无法按货值分摊',
    });
    expect(lineWeights('VALUE', E4, ABC, SEA)).toEqual({ why: '货值为0，无法按货值分摊' });
  });
});

describe('estimate against bill', () => {
  it('differs beyond the threshold, in both directions, and never where one of them is not known', () => {
    const of = (estimated: string | null, billed: string | null, unrated = false) =>
      matched({ estimated, billed, unrated }, '0.05');
    expect(of('663.20', '663.21')).toMatchObject({ state: 'fits', difference: '0.01' });
    expect(of('100', '105')).toEqual({ state: 'fits', difference: '5.00', share: '0.05' });
    expect(of('100', '105.01')).toMatchObject({ state: 'differs', share: '0.0501' });
    expect(of('100', '94.99')).toMatchObject({ state: 'differs', difference: '-5.01' });
    expect(of(null, '100')).toEqual({ state: 'unknown', difference: null, share: null });
    expect(of('100', null).state).toBe('unknown');
    expect(of('100', '100', true).state).toBe('unrated');
  });
});
