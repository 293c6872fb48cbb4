import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buyQty } from '../server/catalogue/tiers.ts';
import { bestOf, priceOffer } from '../server/inquiry/compare.ts';

const TERMS = {
  currency: 'CNY',
  taxIncluded: true,
  tiers: [
    { minQty: 1, unitPrice: '12.50' },
    { minQty: 200, unitPrice: '11.80' },
  ],
  moq: 1,
  orderMultiple: 1,
  invoiceRate: '0',
};

describe('an offer for so many pieces', () => {
  it('is priced at the tier of what must really be bought, minimum and multiple kept', () => {
    expect(priceOffer({ ...TERMS, moq: 150, orderMultiple: 60 }, 100, '1')).toEqual({
      buyQty: 180,
      unitPrice: '12.50',
      amount: '2250.00',
      baseUnit: '12.5000',
      baseAmount: '2250.00',
    });
    expect(priceOffer({ ...TERMS, moq: 150, orderMultiple: 60 }, 181, '1')).toMatchObject({
      buyQty: 240,
      unitPrice: '11.80',
      amount: '2832.00',
    });
  });

  it('gains the tax of the invoices where it is stated without, and is never taken as CNY without a rate', () => {
    const plain = { ...TERMS, taxIncluded: false, invoiceRate: '0.13' };
    expect(priceOffer(plain, 10, '1')).toMatchObject({ unitPrice: '12.50', amount: '141.25', baseUnit: '14.1250' });
    expect(priceOffer({ ...TERMS, currency: 'USD' }, 10, '7.10')).toMatchObject({
      amount: '125.00',
      baseAmount: '887.50',
      baseUnit: '88.7500',
    });
    expect(priceOffer({ ...TERMS, currency: 'EUR' }, 10, undefined)).toMatchObject({
      amount: '125.00',
      baseAmount: null,
      baseUnit: null,
    });
  });

  it('the cheapest valid one leads; between equals the one that comes sooner; those without a rate never', () => {
    const offer = (baseAmount: string | null, leadDays = 10, valid = true) => ({ baseAmount, leadDays, valid });
    expect(bestOf([offer('100.00'), offer('99.90'), offer('9', 1, false), offer(null)])).toBe(1);
    expect(bestOf([offer('100.00', 20), offer('100.00', 15)])).toBe(1);
    expect(bestOf([offer(null), offer('1', 1, false)])).toBe(-1);
  });

  it('what is bought is the least that is enough, not below the minimum, and a whole multiple', () => {
    const some = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 300 }), (qty, moq, multiple) => {
        const pieces = buyQty(qty, moq, multiple);
        expect(pieces % multiple).toBe(0);
        expect(pieces).toBeGreaterThanOrEqual(Math.max(qty, moq));
        expect(pieces - multiple).toBeLessThan(Math.max(qty, moq));
      }),
    );
  });
});
