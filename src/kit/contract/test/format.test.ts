import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, round } from '../decimal.ts';
import { formatInteger, formatMoney, formatPercent, formatShort, formatShortMoney, moneyParts } from '../format.ts';

describe('money', () => {
  test('the minus sign stands before the symbol and is a real one', () => {
    expect(formatMoney('-1281.65', 'USD')).toBe('−$1,281.65');
    expect(formatMoney('1281.65', 'GBP')).toBe('£1,281.65');
  });

  test('as many places as the currency has, a half rounded up', () => {
    expect(formatMoney('1234567.891', 'EUR')).toBe('€1,234,567.89');
    expect(formatMoney('0.005', 'USD')).toBe('$0.01');
    expect(formatMoney('1999.5', 'JPY')).toBe('¥2,000');
    expect(formatMoney('5', 'USD')).toBe('$5.00');
  });

  test('what rounds to nothing is not minus nothing', () => {
    expect(formatMoney('-0.004', 'USD')).toBe('$0.00');
    expect(formatMoney('-0', 'USD')).toBe('$0.00');
    expect(formatMoney('-0.4', 'JPY')).toBe('¥0');
  });

  test('an unknown currency shows its code, a missing amount a dash', () => {
    expect(formatMoney('10', 'ZAR')).toBe('ZAR 10.00');
    expect(formatMoney(null, 'USD')).toBe('—');
    expect(formatMoney(undefined, 'USD')).toBe('—');
  });

  test('amounts beyond what a float holds keep every digit', () => {
    expect(formatMoney('123456789012345678.99', 'USD')).toBe('$123,456,789,012,345,678.99');
  });

  test('read back it is the rounded amount', () => {
    const amount = fc
      .bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
      .map((n) => new Decimal(n.toString()).div(10_000).toFixed());
    fc.assert(
      fc.property(amount, fc.constantFrom('USD', 'JPY', 'SEK', 'ZAR'), (value, currency) => {
        const { negative, digits } = moneyParts(value, currency);
        const back = `${negative ? '-' : ''}${digits.replaceAll(',', '')}`;
        expect(new Decimal(back).eq(round(value, currency === 'JPY' ? 0 : 2))).toBe(true);
      }),
    );
  });
});

describe('numbers', () => {
  test('whole numbers are grouped in threes', () => {
    expect([0, 999, 1000, -1234567].map((n) => formatInteger(n))).toEqual(['0', '999', '1,000', '−1,234,567']);
    expect(formatInteger(null)).toBe('—');
  });

  test('percent is rounded half up and has a real minus sign', () => {
    expect(formatPercent('0.2015')).toBe('20.15%');
    expect(formatPercent('-0.05')).toBe('−5.00%');
    expect(formatPercent('0.0000499')).toBe('0.00%');
    expect(formatPercent('0.00005')).toBe('0.01%');
    expect(formatPercent('1.5', 0)).toBe('150%');
    expect(formatPercent(null)).toBe('—');
  });

  test('a share that rounds to nothing is not minus nothing', () => {
    expect(formatPercent('-0.00001')).toBe('0.00%');
  });

  test('cards are short from a hundred thousand on', () => {
    expect([99_999, 100_000, 123_456, 120_000_000].map(formatShort)).toEqual(['99,999', '10.0万', '12.3万', '1.2亿']);
    expect(formatShort(-250_000)).toBe('−25.0万');
    expect(formatShort(12.5)).toBe('12.50');
  });
});

test('an amount in a calendar is short, with its sign, and never minus nothing', () => {
  expect(formatShortMoney('8200.4', 'CNY')).toBe('¥8,200');
  expect(formatShortMoney('-27000', 'USD')).toBe('−$2.7万');
  expect(formatShortMoney('9999.6', 'CNY')).toBe('¥10,000');
  expect(formatShortMoney('-0.3', 'CNY')).toBe('¥0');
});
