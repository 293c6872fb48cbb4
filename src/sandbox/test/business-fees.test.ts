import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMinor, parseMinor, share } from '../business/amounts.ts';
import { fulfilmentFee, referralFee, refundAdminFee, storageFee } from '../business/fees.ts';
import { marketplaceOf } from '../business/marketplaces.ts';
import type { SimProduct } from '../business/types.ts';

function box(lengthCm: number, widthCm: number, heightCm: number, weightKg: number): SimProduct {
  const names = { sku: 'X', asin: 'X', fnsku: 'X', titles: {}, brand: 'X', productType: 'X', imageKey: 'x-blue' };
  return { ...names, fulfilment: 'AFN', condition: 'New', lengthCm, widthCm, heightCm, weightKg, pack: 1, openedAt: 0 };
}

const JUNE = Date.UTC(2026, 5, 1);
const US = marketplaceOf('US');
/** 12 x 9 x 3 inches, 1.4 pounds. */
const HOME_BOX = box(30.48, 22.86, 7.62, 0.635);

describe('fees', () => {
  it('charge the published example: dimensional weight 2.5 lb, 6.10 and 3.5 % surcharge', () => {
    expect(fulfilmentFee(US, HOME_BOX, 2499, JUNE)).toBe(631);
    expect(fulfilmentFee(US, HOME_BOX, 2499, Date.UTC(2026, 2, 1))).toBe(610);
    expect(referralFee('US', 2499, 1, JUNE)).toBe(375);
    expect(storageFee('US', 5309 * 30, 6, 30)).toBe(15);
  });

  it('give back the commission of a refund less 20 %, at most 5.00', () => {
    expect(referralFee('US', 2999, 1, JUNE)).toBe(450);
    expect(refundAdminFee('US', 450)).toBe(90);
    expect(refundAdminFee('US', 9000)).toBe(500);
  });

  it('know minimums, price bands and the yen', () => {
    expect(referralFee('US', 100, 3, JUNE)).toBe(90);
    const small = box(20, 10, 1.5, 0.05);
    expect([999, 1000, 5001].map((price) => fulfilmentFee(US, small, price, 0))).toEqual([243, 332, 358]);
    expect(fulfilmentFee(marketplaceOf('JP'), small, 1980, JUNE)).toBe(288);
    expect(referralFee('JP', 1980, 1, JUNE)).toBe(305);
    expect(referralFee('JP', 1980, 1, Date.UTC(2026, 2, 31))).toBe(297);
    expect(fulfilmentFee(marketplaceOf('GB'), box(32, 22, 3.5, 0.5), 2999, JUNE)).toBe(272);
  });
});

describe('amounts', () => {
  it('are written and read without loss', () => {
    expect(['-5', '0', '450', '123456'].map((minor) => formatMinor(Number(minor), 'USD'))).toEqual([
      '-0.05',
      '0.00',
      '4.50',
      '1234.56',
    ]);
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('USD', 'JPY', 'EUR'), (minor, currency) => {
        expect(parseMinor(formatMinor(minor, currency))).toBe(minor);
      }),
    );
  });

  it('are shared half up, alike on both sides of zero', () => {
    expect(share(2999, 15, 100)).toBe(450);
    expect(share(5, 1, 2)).toBe(3);
    expect(share(-5, 1, 2)).toBe(-3);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 5000 }), (amount, part) => {
        const exact = (amount * part) / 10_000;
        expect(Math.abs(share(amount, part, 10_000) - exact)).toBeLessThanOrEqual(0.5);
        expect(share(-amount, part, 10_000) + share(amount, part, 10_000)).toBe(0);
      }),
    );
  });
});
