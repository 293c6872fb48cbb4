import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate, Decimal } from '#kit/contract/decimal.ts';
import { amountOf, goodsDue, inCny, limitOf, rebateOf, taxWithin } from '../contract/money.ts';

describe('采购金额', () => {
  it('two lines of one product are priced by the tier of both together (worked example 8)', () => {
    expect([amountOf(300, '11.20', 'CNY'), amountOf(220, '11.20', 'CNY')]).toEqual(['3360.00', '2464.00']);
  });

  it('10,000 pieces at two percent: 10,200 may come (worked example 10)', () => {
    expect(limitOf(10_000, '0.02')).toBe(10_200);
    expect(limitOf(49, '0.02')).toBe(49);
    expect(limitOf(50, '0.02')).toBe(51);
  });

  it('385.50 by weight and 100.00 in three equal parts lose no cent (worked example 11)', () => {
    const shares = (total: string, weights: string[]) =>
      allocate(total, new Map(weights.map((weight, index) => [String(index), weight])), 2);
    const kilograms = shares('385.50', ['120.5', '64.2', '210.8']);
    expect([...(kilograms?.values() ?? [])]).toEqual(['117.45', '62.58', '205.47']);
    expect([...(shares('100.00', ['1', '1', '1'])?.values() ?? [])]).toEqual(['33.34', '33.33', '33.33']);
  });

  it('33.90 with 13 % tax and 9 % rebate stands in stock at 31.20, without a special invoice at 33.90 (worked example 12)', () => {
    const line = { taxRate: '0.13', rebateRate: '0.09' };
    const cost = (invoice: string) => new Decimal('33.90').minus(rebateOf('33.90', line, invoice)).toFixed(4);
    expect(cost('special')).toBe('31.2000');
    expect(cost('normal')).toBe('33.9000');
    expect(taxWithin('33.90', '0.13', 'CNY')).toBe('3.90');
  });

  it('USD 10,000 with 3,000 paid ahead at 7.10, received at 7.18, is CNY 71,560.00 (worked example 14)', () => {
    expect(inCny('10000', [{ amount: '3000', rate: '7.10' }], '7.18')).toBe('71560.0000');
    expect(inCny('1000', [{ amount: '3000', rate: '7.10' }], '7.18')).toBe('7100.0000');
  });

  it('whatever parts the goods come in, the parts add up to the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        (parts, micro) => {
          const line = {
            qty: 1,
            unitPrice: new Decimal(micro).div(1_000_000).toFixed(6),
            taxRate: '0',
            rebateRate: '0',
            charge: '0',
          };
          let net = 0;
          let owed = new Decimal(0);
          for (const part of parts) {
            const before = goodsDue(line, net, 'CNY');
            net += part;
            owed = owed.plus(new Decimal(goodsDue(line, net, 'CNY')).minus(before));
          }
          expect(owed.toFixed(2)).toBe(amountOf(net, line.unitPrice, 'CNY'));
        },
      ),
      { numRuns: 200 },
    );
  });
});
