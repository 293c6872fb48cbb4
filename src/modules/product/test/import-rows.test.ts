import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCost, readDay } from '../server/import-rows.ts';

describe('a price as people write it', () => {
  it.each([
    ['12.5', '12.5'],
    [' 12.50 ', '12.5'],
    ['¥12.50', '12.5'],
    ['￥１２．５０', '12.5'],
    ['1,234.50', '1234.5'],
    ['12.50元', '12.5'],
    ['12.50 CNY', '12.5'],
  ])('%s is %s', (text, value) => expect(readCost(text)).toEqual({ value }));

  it.each(['', '0', '0.0000', '-3', '1,23', '12,5', '1.00001', '1e3', 'abc', '∞'])(
    '%s is refused with advice',
    (text) => {
      expect(readCost(text)).toMatchObject({ reason: expect.any(String), suggestion: expect.stringMatching(/.+/) });
    },
  );

  it('keeps every price that it takes, to the last digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), fc.integer({ min: 0, max: 4 }), (digits, places) => {
        const text = String(digits).padStart(places + 1, '0');
        const cut = text.length - places;
        const written = places === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
        const read = readCost(written);
        expect('value' in read && Number(read.value) * 10 ** places).toBeCloseTo(digits, 2);
      }),
    );
  });
});

describe('a day as people write it', () => {
  it.each([
    ['2026-01-31', '2026-01-31'],
    ['2026/1/3', '2026-01-03'],
    ['2026.1.3', '2026-01-03'],
    ['2026年1月3日', '2026-01-03'],
    ['20260103', '2026-01-03'],
    ['2026-01-31 00:00:00', '2026-01-31'],
    ['', '2000-01-01'],
  ])('%s is %s', (text, value) => expect(readDay(text)).toEqual({ value }));

  it.each(['2026-02-30', '31/01/2026', '1999-01-01', '9999-01-01', 'gestern'])('%s is refused with advice', (text) => {
    expect(readDay(text)).toMatchObject({ reason: expect.any(String), suggestion: expect.stringMatching(/.+/) });
  });
});
