import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DayOrderEvidence, parseDate } from '../server/files/dates.ts';
import { FileRefused } from '../server/files/index.ts';
import { DecimalEvidence, decimalCell, integerCell, parseDecimal } from '../server/files/numbers.ts';
import { ExactSum } from '../server/files/sums.ts';
import { businessDay } from '../server/files/zones.ts';

const place = { line: 7, column: 'amount' };
const utc = { dayOrder: 'month-first', timeZone: 'UTC' } as const;

function caught(work: () => unknown): FileRefused {
  try {
    work();
  } catch (error) {
    if (error instanceof FileRefused) return error;
  }
  throw new Error('nothing was refused');
}

describe('amounts', () => {
  it('become canonical decimal strings', () => {
    const point: [string, string | undefined][] = [
      ['1,234.56', '1234.56'],
      ['1234.56', '1234.56'],
      ['62.31    ', '62.31'],
      ['\u2212 5.00', '-5.00'],
      ['-0.00', '0.00'],
      ['+7', '7'],
      ['007.10', '7.10'],
      ['.5', '0.5'],
      ['5.', '5'],
      ['12,34,567.80', '1234567.80'],
      ['1.234,56', undefined],
      ['1,23', undefined],
      ['1.2.3', undefined],
      ['12a', undefined],
      ['', undefined],
      ['-', undefined],
      ['1e5', undefined],
    ];
    for (const [text, value] of point) expect([text, parseDecimal(text, 'point')]).toEqual([text, value]);
    const comma: [string, string | undefined][] = [
      ['1.234,56', '1234.56'],
      ['-1.234.567,8', '-1234567.8'],
      ['1\u202f234,50', '1234.50'],
      ['1 234,50', '1234.50'],
      ['12,5', '12.5'],
      ['12.50', undefined],
    ];
    for (const [text, value] of comma) expect([text, parseDecimal(text, 'comma')]).toEqual([text, value]);
  });

  it('survive being written in either style with any grouping', () => {
    const amount = fc.tuple(
      fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(amount, fc.constantFrom('point', 'comma'), ([digits, scale, grouped], style) => {
        const value = new Decimal(digits.toString()).div(new Decimal(10).pow(scale)).toFixed(scale);
        const [whole = '', fraction] = value.replace('-', '').split('.');
        const [mark, group] = style === 'point' ? ['.', ','] : [',', '.'];
        const written =
          (grouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole) + (fraction ? mark + fraction : '');
        const sign = value.startsWith('-') ? '-' : '';
        expect(parseDecimal(sign + written, style)).toBe(value);
      }),
    );
  });

  it('decide the decimal mark of a file by what they prove', () => {
    const style = (values: string[], scale?: number, fallback?: 'point' | 'comma') => {
      const evidence = new DecimalEvidence();
      for (const [index, value] of values.entries()) evidence.see(value, index + 2, 'amount', scale);
      return evidence.decide(fallback);
    };
    expect(style(['1234', '12,50'])).toBe('comma');
    expect(style(['1.234.567'])).toBe('comma');
    expect(style(['1,234,567'])).toBe('point');
    expect(style(['0.500', '3'], undefined, 'comma')).toBe('point');
    expect(style(['1.234'], undefined, 'point')).toBe('point');
    expect(style(['1.234'], 2, 'point')).toBe('comma');
    expect(style(['1,234'], 0, 'comma')).toBe('point');
    expect(style(['12', '7'], 2, 'comma')).toBe('comma');
    const error = caught(() => style(['5', '12,50', '3.75']));
    expect([error.code, error.line]).toEqual(['CONTRADICTION', 4]);
    expect(error.message).toContain('第 3 行');
    expect(error.message).toContain('12,50');
  });

  it('of a currency without decimals have none', () => {
    expect(decimalCell('1,200', 'point', place, 0)).toBe('1200');
    expect(decimalCell('1200.00', 'point', place, 0)).toBe('1200');
    expect(decimalCell('  ', 'point', place)).toBeNull();
    expect(caught(() => decimalCell('12.5', 'point', place, 0)).message).toContain('没有小数');
    expect(caught(() => decimalCell('abc', 'point', place)).message).toBe('第 7 行，列 amount：“abc”不是有效的金额');
  });

  it('of pieces are whole', () => {
    expect(integerCell('2.0', 'comma', place)).toBe('2');
    expect(integerCell('1,000', 'point', place)).toBe('1000');
    expect(integerCell('1.000', 'comma', place)).toBe('1000');
    expect(integerCell('-3 ', 'point', place)).toBe('-3');
    expect(integerCell('', 'point', place)).toBeNull();
    for (const text of ['1.5', '1.001', 'two', '99999999999999999999']) {
      expect(caught(() => integerCell(text, 'point', place)).code).toBe('NUMBER');
    }
  });

  it('add up exactly', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 60 }), (list) => {
        const texts = list.map(([digits, scale]) => new Decimal(digits.toString()).div(10 ** scale).toFixed(scale));
        const sum = new ExactSum();
        for (const text of texts) sum.add(text);
        Decimal.set({ precision: 60 });
        const expected = texts.reduce((total, text) => total.plus(text), new Decimal(0));
        expect(new Decimal(sum.text()).equals(expected)).toBe(true);
        expect(sum.minus(expected.toFixed())).toBe('0');
        expect(sum.minus(expected.plus('0.01').toFixed())).toBe('-0.01');
      }),
    );
  });
});

describe('dates', () => {
  it('read every spelling of Amazon’s files as an instant', () => {
    const cases: [string, string][] = [
      ['2026-01-15 23:30:00 UTC', '2026-01-15T23:30:00.000Z'],
      ['15.01.2026 23:30:00 UTC', '2026-01-15T23:30:00.000Z'],
      ['2026/01/15 23:30:00 UTC', '2026-01-15T23:30:00.000Z'],
      ['2026/01/16 08:30:00 JST', '2026-01-15T23:30:00.000Z'],
      ['2026-01-15T15:30:00-08:00', '2026-01-15T23:30:00.000Z'],
      ['2025-08-14T06:23:59+00:00', '2025-08-14T06:23:59.000Z'],
      ['2025-08-14T06:23:59.250Z', '2025-08-14T06:23:59.250Z'],
      ['2025-07-01 10:00:00 PDT', '2025-07-01T17:00:00.000Z'],
      ['2025-01-01 10:00:00 PST', '2025-01-01T18:00:00.000Z'],
      ['28/05/2015 16:16:26 BST', '2015-05-28T15:16:26.000Z'],
      ['Oct 1, 2025 1:23:45 PM PDT', '2025-10-01T20:23:45.000Z'],
      ['Feb 1, 2020', '2020-02-01T00:00:00.000Z'],
      ['10-Jul-2025', '2025-07-10T00:00:00.000Z'],
      ['04-30-22', '2022-04-30T00:00:00.000Z'],
      ['4/30/2022', '2022-04-30T00:00:00.000Z'],
    ];
    for (const [text, instant] of cases) {
      const style = text.startsWith('28/') ? { ...utc, dayOrder: 'day-first' as const } : utc;
      expect([text, parseDate(text, style)?.instant]).toEqual([text, instant]);
    }
  });

  it('refuse days and times that do not exist', () => {
    for (const text of [
      '2025-02-29',
      '31.04.2026 00:00:00 UTC',
      '31-Jun-2026',
      '10-Jux-2026',
      '2026-01-15 24:00:00 UTC',
      '2026-13-01',
      '13:00',
      '2026-01-01 10:00:00 XYZ',
      'soon',
      '0000-00-00',
      '2026-01-15 13:00 PM',
    ]) {
      expect([text, parseDate(text, utc)]).toEqual([text, undefined]);
    }
    expect(parseDate('2024-02-29', utc)?.day).toBe('2024-02-29');
  });

  it('without a zone are local, over the change of clocks', () => {
    const berlin = { dayOrder: 'day-first', timeZone: 'Europe/Berlin' } as const;
    expect(parseDate('29.03.2026 01:59:59', berlin)?.instant).toBe('2026-03-29T00:59:59.000Z');
    expect(parseDate('29.03.2026 03:00:00', berlin)?.instant).toBe('2026-03-29T01:00:00.000Z');
    expect(parseDate('25.10.2026 02:30:00', berlin)?.instant).toBe('2026-10-25T00:30:00.000Z');
    expect(parseDate('2026-07-01', { ...utc, timeZone: 'America/Los_Angeles' })).toEqual({
      instant: '2026-07-01T07:00:00.000Z',
      day: '2026-07-01',
    });
    expect(businessDay('2026-01-15T23:30:00Z', 'Europe/Berlin')).toBe('2026-01-16');
    expect(businessDay('2026-10-01T06:30:00Z', 'America/Los_Angeles')).toBe('2026-09-30');
  });

  it('round trip through any zone that has no gap there', () => {
    const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'Asia/Kolkata', 'America/Sao_Paulo');
    const seconds = fc.integer({ min: 1_600_000_000, max: 1_900_000_000 });
    fc.assert(
      fc.property(zone, seconds, (timeZone, second) => {
        const day = businessDay(second * 1000, timeZone);
        const midnight = parseDate(day, { ...utc, timeZone });
        expect(businessDay(midnight?.instant ?? '', timeZone)).toBe(day);
        expect(second * 1000 - Date.parse(midnight?.instant ?? '')).toBeLessThan(25 * 3_600_000);
        expect(Date.parse(midnight?.instant ?? '')).toBeLessThanOrEqual(second * 1000);
      }),
    );
  });

  it('decide the order of day and month over the whole column', () => {
    const order = (values: string[], fallback?: 'day-first' | 'month-first') => {
      const evidence = new DayOrderEvidence();
      for (const [index, value] of values.entries()) evidence.see(value, index + 2, 'Date');
      return evidence.decide(fallback);
    };
    expect(order(['04-01-2022', '04-30-22'])).toBe('month-first');
    expect(order(['04/01/2022', '30/04/2022'])).toBe('day-first');
    expect(order(['2022-01-04', '05-05-2022'])).toBe('month-first');
    expect(order(['03-04-2022'], 'day-first')).toBe('day-first');
    expect(caught(() => order(['01-01-2022', '03-04-2022'])).code).toBe('UNDECIDABLE');
    const error = caught(() => order(['04-30-22', '03-04-22', '30-04-22']));
    expect([error.code, error.line]).toEqual(['CONTRADICTION', 4]);
    expect(error.message).toContain('第 2 行');
  });
});
