import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, currencyScale, Decimal, ratio, round, sum } from '../decimal.ts';

const parts = (total: string, weights: string[], scale: number) => [
  ...(allocate(total, new Map(weights.map((weight, index) => [String(index), weight])), scale)?.values() ?? []),
];

describe('allocation', () => {
  test('the worked example: thirds, yen and a weight of nothing', () => {
    expect(parts('-100.00', ['1', '1', '1'], 2)).toEqual(['-33.34', '-33.33', '-33.33']);
    expect(parts('-1000', ['1', '1', '1'], 0)).toEqual(['-334', '-333', '-333']);
    const four = parts('-87.65', ['1200.50', '860.25', '0', '39.99'], 2);
    expect(four).toEqual(['-50.09', '-35.89', '0.00', '-1.67']);
    expect(sum(four)).toBe('-87.65');
  });

  test('a part of nothing is not minus nothing', () => {
    expect(parts('-5', ['0', '1'], 2)).toEqual(['0.00', '-5.00']);
  });

  test('without any weight there is no answer rather than a wrong one', () => {
    expect(allocate('10', new Map([['a', '0']]), 2)).toBeUndefined();
    expect(allocate('10', new Map(), 2)).toBeUndefined();
  });

  const money = fc
    .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.constantFrom(0, 2, 4))
    .map(([units, scale]) => ({
      total: new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed(),
      scale,
    }));
  const weight = fc.bigInt({ min: 0n, max: 10n ** 10n }).map((n) => new Decimal(n.toString()).div(10_000).toFixed());
  const weights = fc
    .dictionary(fc.string({ minLength: 1, maxLength: 6 }), weight, { minKeys: 1, maxKeys: 20 })
    .map((record) => Object.entries(record))
    .filter((entries) => entries.some(([, w]) => !new Decimal(w).isZero()));

  test('no unit is lost or made: the parts add up to the whole', () => {
    fc.assert(
      fc.property(money, weights, ({ total, scale }, entries) => {
        const split = allocate(total, new Map(entries), scale);
        expect(sum(split?.values() ?? [])).toBe(new Decimal(total).toFixed());
      }),
    );
  });

  test('it is the allocation by decimals, also of amounts finer than the scale and weights with an exponent', () => {
    const anyScale = fc.constantFrom(0, 2, 4);
    const odd = weights.map((entries) =>
      entries.map(([key, w], nth): [string, string] => [key, nth % 3 === 0 ? new Decimal(w).toExponential() : w]),
    );
    fc.assert(
      fc.property(money, anyScale, odd, ({ total }, scale, entries) => {
        const unit = new Decimal(10).pow(-scale);
        const whole = new Decimal(total).abs();
        const base = new Decimal(sum(entries.map(([, w]) => w)));
        const exact = entries.map(([key, w]) => ({ key, exact: whole.times(w).div(base) }));
        const cut = exact.map((one) => ({ ...one, part: one.exact.toDecimalPlaces(scale, Decimal.ROUND_FLOOR) }));
        const left = whole
          .minus(sum(cut.map(({ part }) => part.toFixed())))
          .div(unit)
          .floor()
          .toNumber();
        const largest = cut
          .toSorted((a, b) => b.exact.minus(b.part).comparedTo(a.exact.minus(a.part)) || (a.key < b.key ? -1 : 1))
          .slice(0, left)
          .map(({ key }) => key);
        const sign = new Decimal(total).isNegative() ? -1 : 1;
        const wanted = cut.map(({ key, part }) => [
          key,
          (largest.includes(key) ? part.plus(unit) : part).times(sign).toFixed(scale),
        ]);
        expect([...(allocate(total, new Map(entries), scale) ?? [])]).toEqual(wanted);
      }),
    );
  });

  test('it does not matter in which order the weights come', () => {
    fc.assert(
      fc.property(money, weights, fc.infiniteStream(fc.nat()), ({ total, scale }, entries, dice) => {
        const shuffled = [...entries].sort(() => ((dice.next().value ?? 0) % 3) - 1);
        const one = allocate(total, new Map(entries), scale);
        const other = allocate(total, new Map(shuffled), scale);
        for (const [key] of entries) expect(other?.get(key)).toBe(one?.get(key));
      }),
    );
  });

  test('no part is further than one unit from its exact share, and none has the wrong sign', () => {
    fc.assert(
      fc.property(money, weights, ({ total, scale }, entries) => {
        const base = sum(entries.map(([, w]) => w));
        const unit = new Decimal(10).pow(-scale);
        for (const [key, part] of allocate(total, new Map(entries), scale) ?? []) {
          const exact = new Decimal(total).times(new Map(entries).get(key) ?? '0').div(base);
          expect(new Decimal(part).minus(exact).abs().lt(unit)).toBe(true);
          expect(new Decimal(part).times(total).gte(0)).toBe(true);
          expect(part.startsWith('-') && new Decimal(part).isZero()).toBe(false);
        }
      }),
    );
  });
});

describe('sums and roundings', () => {
  test('a tenth and two tenths are three tenths', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3');
    expect(sum([])).toBe('0');
  });

  test('the order of a sum does not matter, to the last of 18 digits', () => {
    const amount = fc
      .bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
      .map((n) => new Decimal(n.toString()).div(10_000).toFixed());
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        expect(sum([...amounts].reverse())).toBe(sum(amounts));
      }),
    );
  });

  test('a half is rounded away from zero, on both sides', () => {
    expect(round('2.345', 2)).toBe('2.35');
    expect(round('-2.345', 2)).toBe('-2.35');
    expect(round('1.005', 2)).toBe('1.01');
    expect(round('87943.14878', 2)).toBe('87943.15');
    expect(round('0.5', 0)).toBe('1');
  });

  test('a share of nothing does not apply; it is not zero', () => {
    expect(ratio('1', '0')).toBeNull();
    expect(ratio('0', '0')).toBeNull();
    expect(ratio('0', '5')).toBe('0');
    expect(ratio('1', '3')).toBe('0.3333333333');
    expect(ratio(1, 4)).toBe('0.25');
    expect(ratio('100', '1')).toBe('100');
  });

  test('yen have no cents', () => {
    expect([currencyScale('JPY'), currencyScale('USD')]).toEqual([0, 2]);
  });
});
