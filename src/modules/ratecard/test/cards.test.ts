import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { COUNTRIES } from '../contract/calculator.ts';
import { CARDS, cardOn } from '../contract/card.ts';
import { storageFee } from '../contract/extras.ts';
import { fulfilmentCharge } from '../contract/fulfilment.ts';
import { referralFee } from '../contract/referral.ts';
import { resultRow } from '../contract/results.ts';

const piece = (sides: readonly [number, number, number], kg: number) => ({
  sides: sides.map(String) as [string, string, string],
  weight: String(kg),
});
const charged = (country: string, day: string, price: string, sides: readonly [number, number, number], kg: number) => {
  const charge = fulfilmentCharge(country, day, price, piece(sides, kg));
  return 'gap' in charge ? charge.gap : [charge.tier, charge.fee];
};

describe('both sides of the borders of', () => {
  it.each([
    // Grams, price, and the fuel surcharge that begins on 17 April.
    ['FR', '2026-04-16', '25', [33, 23, 2.5], 0.02, ['LIGHT_ENVELOPE', '2.75']],
    ['FR', '2026-04-16', '25', [33, 23, 2.5], 0.021, ['LIGHT_ENVELOPE', '2.76']],
    ['FR', '2026-04-16', '20', [33, 23, 2.5], 0.02, ['LIGHT_ENVELOPE', '2.24']],
    ['FR', '2026-04-16', '20.01', [33, 23, 2.5], 0.02, ['LIGHT_ENVELOPE', '2.75']],
    ['FR', '2026-04-17', '25', [33, 23, 2.5], 0.02, ['LIGHT_ENVELOPE', '2.79']],
    ['FR', '2025-12-14', '12', [35, 25, 10], 0.4, ['SMALL_PARCEL', '6.10']],
    ['IT', '2025-06-01', '30', [45, 34, 26], 11.9, ['STANDARD_PARCEL', '8.63']],
    ['IT', '2025-06-01', '30', [45, 34, 26.1], 1, ['SMALL_OVERSIZE', '8.35']],
    ['IT', '2026-03-01', '30', [45, 34, 20], 3.9, ['STANDARD_PARCEL', '5.41']],
    ['ES', '2026-03-01', '30', [34, 24, 5], 0.9, ['SMALL_PARCEL', '3.95']],
    ['ES', '2026-03-01', '30', [34, 24, 5], 0.901, ['SMALL_PARCEL', '4.21']],
    ['DE', '2026-03-01', '30', [34, 24, 5], 0.4, ['SMALL_PARCEL', '3.40']],
    ['CA', '2026-03-01', '30', [38, 27, 2], 0.5, ['ENVELOPE', '5.62']],
    ['CA', '2026-03-01', '30', [38, 27, 2], 0.501, ['STANDARD_SIZE', '7.40']],
    ['CA', '2026-03-01', '14', [38, 27, 2], 0.1, ['ENVELOPE', '3.66']],
    ['CA', '2026-03-01', '14.01', [38, 27, 2], 0.1, ['ENVELOPE', '4.46']],
    ['CA', '2026-05-01', '30', [38, 27, 2], 0.1, ['ENVELOPE', '4.62']],
    ['CA', '2026-03-01', '30', [45, 35, 1], 1.5, ['STANDARD_SIZE', '9.60']],
    ['CA', '2026-03-01', '30', [45, 35, 1], 1.6, ['STANDARD_SIZE', '10.41']],
    ['CA', '2026-03-01', '30', [271, 10, 10], 1, 'NO_CARD'],
    ['MX', '2026-06-04', '149.99', [38, 27, 2], 0.1, ['ENVELOPE', '27.00']],
    ['MX', '2026-06-04', '150', [38, 27, 2], 0.1, ['ENVELOPE', '33.00']],
    ['MX', '2026-06-04', '299', [45, 35, 20], 1, ['STANDARD_SIZE', '59.00']],
    ['MX', '2026-06-04', '299', [45, 35, 20], 1.25, ['STANDARD_SIZE', '61.75']],
    ['MX', '2026-06-04', '499', [45, 35, 20], 1.251, ['STANDARD_SIZE', '75.80']],
    ['MX', '2026-06-04', '100', [46, 35, 20], 1, ['LARGE_SIZE', '32.00']],
    ['MX', '2026-06-04', '100', [46, 35, 20], 50, ['LARGE_SIZE', '306.40']],
    ['MX', '2026-06-03', '100', [46, 35, 20], 50, 'NO_CARD'],
    ['JP', '2024-03-31', '500', [25, 18, 2], 0.25, ['JP_SMALL', '288']],
    ['JP', '2024-04-01', '1000', [25, 18, 2], 0.25, ['JP_SMALL', '222']],
    ['JP', '2024-04-01', '1001', [25, 18, 2], 0.25, ['JP_SMALL', '288']],
    ['JP', '2026-06-01', '2980', [25, 18, 2], 0.251, ['JP_STANDARD_1', '318']],
    ['JP', '2026-06-01', '2980', [10, 5, 5], 0.5, ['JP_STANDARD_2', '413']],
    ['JP', '2026-06-01', '2980', [30, 20, 10], 2, ['JP_STANDARD_6', '485']],
    ['JP', '2026-06-01', '2980', [30, 20, 10], 2.001, ['JP_STANDARD_7', '514']],
    ['JP', '2026-06-01', '2980', [46, 7, 7], 2, ['JP_LARGE_1', '589']],
    ['JP', '2026-06-01', '2980', [200, 30, 30], 50, ['JP_EXTRA_4', '5625']],
    ['JP', '2026-06-01', '2980', [200, 31, 30], 50, 'NO_CARD'],
    ['AU', '2026-06-10', '12.99', [20, 15, 1], 0.075, ['SMALL_ENVELOPE', '3.64']],
    ['AU', '2026-06-10', '13', [20, 15, 1], 0.075, ['SMALL_ENVELOPE', '4.55']],
    ['AU', '2026-06-10', '13', [20, 15, 1], 0.076, ['STANDARD_ENVELOPE', '5.26']],
    ['AU', '2026-06-10', '30', [40, 30, 10], 2, ['PARCEL', '9.86']],
    ['AU', '2026-06-10', '30', [46, 34, 20], 1, ['OVER_SMALL', '10.74']],
    ['AU', '2026-06-10', '30', [110, 10, 10], 5, ['OVER_LARGE', '14.71']],
  ] as const)('%s on %s at %s: %j, %f kg', (country, day, price, sides, kg, expected) => {
    expect(charged(country, day, price, sides, kg)).toEqual(expected);
  });
});

describe('every card', () => {
  it('says where it was read, does not overlap another of its country, and claims no money where it is not official', () => {
    for (const card of CARDS) {
      expect(card.source).not.toBe('');
      expect(
        CARDS.filter(
          (other) =>
            other !== card &&
            other.country === card.country &&
            other.from <= (card.to ?? '9999') &&
            card.from <= (other.to ?? '9999'),
        ),
      ).toEqual([]);
      if (card.verified === 'UNVERIFIED') expect(card.isForPlanning).toBe(true);
      for (const { bands } of card.tiers)
        for (const { fees, more } of bands) {
          expect([1, card.prices.length + 1]).toContain(fees.length);
          for (const fee of fees) expect(fee).toMatch(/^\d+(\.\d{2})?$/);
          if (more) expect([1, card.prices.length + 1]).toContain(more.adds.length);
        }
    }
    expect(COUNTRIES.every(({ country, currency }) => cardOn(country, '2026-06-15')?.currency === currency)).toBe(true);
  });

  it('puts each piece into one tier whatever way it is turned, and asks no less for a heavier one of the same tier', () => {
    const side = fc.integer({ min: 5, max: 1200 }).map((tenths) => tenths / 10);
    const grams = fc.integer({ min: 1, max: 30_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...CARDS),
        fc.tuple(side, side, side),
        grams,
        grams,
        fc.constantFrom('5', '15', '60', '500', '3000'),
        ({ country, from }, sides, a, b, price) => {
          const [light, heavy] = [Math.min(a, b), Math.max(a, b)].map((weight) =>
            fulfilmentCharge(country, from, price, piece(sides, weight / 1000)),
          );
          const turned = fulfilmentCharge(
            country,
            from,
            price,
            piece([sides[2], sides[0], sides[1]], Math.min(a, b) / 1000),
          );
          expect(turned).toEqual(light);
          if (!light || !heavy || 'gap' in light || 'gap' in heavy || light.tier !== heavy.tier) return;
          expect(new Decimal(heavy.fee).gte(light.fee)).toBe(true);
        },
      ),
      { numRuns: 2_000, seed: 20_260_601 },
    );
  });
});

describe('what else is charged', () => {
  it.each([
    ['JP', '2026-03-31', 'toys', '1000', 'JPY', '100'],
    ['JP', '2026-04-01', 'toys', '1000', 'JPY', '104'],
    ['JP', '2026-04-01', 'toys', '750', 'JPY', '38'],
    ['JP', '2026-04-01', 'books', '500', 'JPY', '77'],
    ['JP', '2026-04-01', 'electronics', '100', 'JPY', '30'],
    ['FR', '2026-06-01', 'home', '20', 'EUR', '1.60'],
    ['IT', '2026-06-01', 'jewelry', '300', 'EUR', '52.50'],
    ['CA', '2026-06-01', 'clothing', '19.99', 'CAD', '2.00'],
    ['CA', '2026-06-01', 'clothing', '20', 'CAD', '3.40'],
    ['CA', '2026-06-01', 'other', '1', 'CAD', '0.40'],
    ['AU', '2026-07-01', 'pets', '300', 'AUD', '38.00'],
  ] as const)('%s on %s for %s at %s: a referral fee of %s %s', (country, day, category, price, currency, fee) => {
    expect(referralFee(country, day, category, price, currency)).toBe(fee);
  });

  it('storage by the cubic metre where it is told so, and nothing where it is not known', () => {
    const litre = { sides: ['10', '10', '10'] } as const;
    expect(storageFee('DE', '2026-06-01', 'SMALL_PARCEL', litre, '10')).toBe('0.28');
    expect(storageFee('DE', '2026-11-01', 'SMALL_PARCEL', litre, '10')).toBe('0.52');
    expect(storageFee('CA', '2026-06-01', 'OVER_SMALL', litre, '10')).toBe('0.28');
    expect(storageFee('JP', '2026-06-01', 'JP_SMALL', litre, '10')).toBeNull();
  });

  it('is said in words where it is not known: nothing is reckoned as free', () => {
    const typed = {
      day: '2026-06-15',
      category: 'toys',
      length: '20',
      width: '10',
      height: '5',
      weight: '0.3',
      cost: '',
      firstLeg: '',
      duty: '',
      ads: '',
      returns: '',
      other: '',
      fixed: '',
      months: '1',
    } as const;
    const of = (country: string) => {
      const site = COUNTRIES.find((one) => one.country === country) ?? COUNTRIES[0];
      return resultRow(typed, { price: '100', vat: '', rate: '' }, site);
    };
    expect(of('JP')).toMatchObject({
      fulfilment: '389',
      storage: null,
      problem: '配送费率未核验；仓储费率未知，未计入',
    });
    expect(of('MX')).toMatchObject({ profit: null, problem: '墨西哥 的佣金费率未知，无法测算利润' });
    expect(of('FR')).toMatchObject({ tier: '超大号信封', storage: '0.03', problem: null });
  });
});
