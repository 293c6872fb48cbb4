import { describe, expect, test } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { verdictOf } from '../server/facts/judge.ts';
import { byRate, splitGross, total } from '../server/rules/amounts.ts';
import { vatNumber } from '../server/rules/numbers.ts';
import { numberBy } from '../server/rules/pattern.ts';
import { rateOf } from '../server/rules/rates.ts';
import { type Seller, treat, treatmentOfAmazon } from '../server/rules/treat.ts';

describe('amounts', () => {
  test('example 15: net half up, tax is the rest', () => {
    expect(splitGross('49.99', '20')).toEqual({ gross: '49.99', net: '41.66', tax: '8.33' });
    expect(splitGross('29.95', '19')).toEqual({ gross: '29.95', net: '25.17', tax: '4.78' });
  });

  test('worked example E6 of sales: what a price that includes VAT is without it', () => {
    expect(splitGross('29.97', '20')).toEqual({ gross: '29.97', net: '24.98', tax: '4.99' });
    expect(splitGross('119.00', '19')).toEqual({ gross: '119.00', net: '100.00', tax: '19.00' });
  });

  test('a refund is the same below zero, and nothing is taxed at nothing', () => {
    expect(splitGross('-29.95', '19')).toEqual({ gross: '-29.95', net: '-25.17', tax: '-4.78' });
    expect(splitGross('10.00', '0')).toEqual({ gross: '10.00', net: '10.00', tax: '0.00' });
  });

  test('a document is the sum of its lines, and its rates are too', () => {
    const rates = ['0', '5.5', '7', '19', '20', '25'];
    const lines = Array.from({ length: 400 }, (_, at) => {
      const rate = rates[(at * 7) % rates.length] ?? '0';
      return { rate, ...splitGross(((at * 7919 + 13) / 100).toFixed(2), rate) };
    });
    const whole = total(lines);
    expect(new Decimal(whole.net).plus(whole.tax).toFixed(2)).toBe(whole.gross);
    for (const key of ['net', 'tax', 'gross'] as const) {
      expect(new Decimal(sum(byRate(lines).map((one) => one[key]))).toFixed(2)).toBe(whole[key]);
    }
  });
});

test('VAT numbers are held to the form of their country, and to check digits where those are known', () => {
  const good = ['DE136695976', 'GB980780684', 'FR40303265045', 'IT00743110157', 'ESB58378431', 'NL004495445B01'];
  const more = ['PL5260001246', 'SE556188840401', 'BE0776091951', 'CZ25123891', 'IE6433435F', 'ATU13585627'];
  for (const number of [...good, ...more]) expect(vatNumber(number.slice(0, 2), number)).toBe(number);
  expect(vatNumber('DE', 'de 136 695-976')).toBe('DE136695976');
  // One digit wrong each, too short, of another country, of none.
  const bad = [
    'DE136695978',
    'GB980780685',
    'FR41303265045',
    'IT00743110158',
    'PL5260001247',
    'BE0776091952',
    'ATU13585626',
  ];
  for (const number of [...bad, 'SE556188840301', 'DE1366', 'DEGB980780684']) {
    expect(vatNumber(number.slice(0, 2), number)).toBeUndefined();
  }
  expect(vatNumber('US', '123456789')).toBeUndefined();
});

test('of several rates the one with the latest first day counts', () => {
  const rates = [
    { country: 'DE', rate: '16', validFrom: '2020-07-01' },
    { country: 'DE', rate: '19', validFrom: '2021-01-01' },
  ] as const;
  expect(rateOf(rates, 'DE', '2020-06-30')).toBe('19');
  expect(rateOf(rates, 'DE', '2020-07-01')).toBe('16');
  expect(rateOf(rates, 'DE', '2021-01-01')).toBe('19');
  expect(rateOf([], 'US', '2026-01-01')).toBeUndefined();
});

describe('how a supply is taxed', () => {
  const seller: Seller = { numbers: { DE: 'DE136695976', GB: 'GB980780684' }, ossCountry: '', rates: [] };
  const oss: Seller = { ...seller, ossCountry: 'DE' };
  const supply = { from: 'DE', to: 'DE', day: '2026-06-01', business: false, buyerVat: '' };

  test.each([
    ['at home', supply, seller, { treatment: 'DOMESTIC', taxCountry: 'DE', rate: '19', sellerCountry: 'DE' }],
    [
      'to a business at home',
      { ...supply, business: true, buyerVat: 'DE129273398' },
      oss,
      { treatment: 'DOMESTIC', rate: '19' },
    ],
    [
      'abroad under the one-stop shop',
      { ...supply, to: 'FR' },
      oss,
      { treatment: 'OSS', taxCountry: 'FR', rate: '20', sellerCountry: 'DE' },
    ],
    [
      'abroad below the threshold',
      { ...supply, to: 'FR' },
      seller,
      { treatment: 'ORIGIN', taxCountry: 'DE', rate: '19' },
    ],
    [
      'to a country with a number of ours',
      { ...supply, from: 'FR', to: 'DE' },
      seller,
      { treatment: 'DOMESTIC', taxCountry: 'DE', sellerCountry: 'DE' },
    ],
    [
      'to a business abroad',
      { ...supply, to: 'FR', business: true, buyerVat: 'FR40303265045' },
      oss,
      { treatment: 'REVERSE', taxCountry: 'FR', rate: '0', sellerCountry: 'DE' },
    ],
    [
      'to a business whose number is none',
      { ...supply, to: 'FR', business: true, buyerVat: 'FR41303265045' },
      oss,
      { treatment: 'OSS', rate: '20' },
    ],
    ['out of the Union', { ...supply, to: 'CH' }, oss, { treatment: 'EXPORT', rate: '0', taxCountry: 'DE' }],
    ['over the Channel', { ...supply, to: 'GB' }, oss, { treatment: 'EXPORT', rate: '0', sellerCountry: 'DE' }],
  ] as const)('%s', (_, one, who, expected) => {
    expect(treat(one, who)).toMatchObject(expected);
  });

  test('what is missing is said', () => {
    expect(treat({ ...supply, to: 'HU' }, oss)).toEqual({ problem: '未维护 HU 2026-06-01 的VAT税率' });
    expect(treat({ ...supply, from: '' }, oss)).toMatchObject({ problem: expect.stringContaining('发货国') });
  });

  test("Amazon's rate says what kind of supply it was", () => {
    const france = { ...supply, to: 'FR' };
    expect(treatmentOfAmazon(france, oss, '20')).toMatchObject({ treatment: 'OSS', taxCountry: 'FR' });
    expect(treatmentOfAmazon(france, seller, '19')).toMatchObject({ treatment: 'ORIGIN', taxCountry: 'DE' });
    expect(treatmentOfAmazon(france, oss, '0')).toMatchObject({ treatment: 'REVERSE', taxCountry: 'FR' });
    expect(treatmentOfAmazon({ ...supply, to: 'GB' }, oss, '0')).toMatchObject({
      treatment: 'EXPORT',
      taxCountry: 'DE',
    });
  });
});

test('numbers follow the pattern', () => {
  expect(numberBy('INV-{country}-{yyyy}-{seq:5}', { country: 'DE', year: 2026, no: 42 })).toBe('INV-DE-2026-00042');
  expect(numberBy('{yy}{country}{seq:3}', { country: 'GB', year: 2026, no: 1234 })).toBe('26GB1234');
});

describe('what a report says of an uploaded document', () => {
  const standing = { state: 'uploaded', uploadedAt: '2026-06-01T10:00:00Z', wantedAt: null };
  const later = '2026-06-01T11:00:00Z';

  test('accepted, refused with words, or nothing yet', () => {
    expect(verdictOf('InvoiceUploaded', '', standing, later)).toEqual({ state: 'accepted' });
    expect(verdictOf('CreditNoteUploaded', '', standing, later)).toEqual({ state: 'accepted' });
    expect(verdictOf('InvoicePending', 'TotalAmountMismatch', standing, later)).toEqual({
      state: 'rejected',
      problem: 'TotalAmountMismatch',
    });
    expect(verdictOf('InvoicePending', '', standing, later)).toBeUndefined();
    expect(verdictOf('InvoiceProcessing', 'x', standing, later)).toBeUndefined();
  });

  test('a report that was asked for before the upload ended, or while another is under way, says nothing', () => {
    expect(verdictOf('InvoiceUploaded', '', standing, '2026-06-01T09:00:00Z')).toBeUndefined();
    expect(verdictOf('InvoicePending', 'old words', { ...standing, wantedAt: later }, later)).toBeUndefined();
    expect(verdictOf('InvoiceUploaded', '', { ...standing, state: 'generated' }, later)).toBeUndefined();
  });
});
