import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { cardOn } from '#modules/ratecard/contract/card.ts';
import { type Charge, fulfilmentCharge, type Measures } from '#modules/ratecard/contract/fulfilment.ts';
import { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import { auditOf } from '../server/fee-audit/audit.ts';
import { tiersNamed } from '../server/fee-audit/tier.ts';

/** A piece by inches and pounds. */
const piece = (a: number, b: number, c: number, pounds: number): Measures => ({
  sides: [a, b, c].map((side) => new Decimal(side).times('2.54').toFixed()) as [string, string, string],
  weight: new Decimal(pounds).times('0.45359237').toFixed(),
});
const metric = (a: number, b: number, c: number, kg: number): Measures => ({
  sides: [String(a), String(b), String(c)],
  weight: String(kg),
});
const us = (measures: Measures, price: string | null = '19.99', day = '2026-03-01') =>
  fulfilmentCharge('US', day, price, measures);
const fee = (charge: ReturnType<typeof us>): string => ('gap' in charge ? charge.gap : `${charge.tier} ${charge.fee}`);

describe('a card', () => {
  it('is the one of its country and day, and there is none where nothing was published', () => {
    expect(cardOn('US', '2025-01-14')).toBeUndefined();
    expect(cardOn('US', '2025-10-14')?.from).toBe('2025-01-15');
    expect(cardOn('US', '2025-10-15')?.from).toBe('2025-10-15');
    expect(cardOn('US', '2026-01-15')?.from).toBe('2026-01-15');
    expect(cardOn('DE', '2026-01-14')?.currency).toBe('EUR');
    expect(fee(fulfilmentCharge('DE', '2026-01-15', '20', metric(20, 10, 5, 0.3)))).toBe('NO_CARD');
    expect(fee(fulfilmentCharge('BR', '2025-06-01', '2000', metric(20, 10, 5, 0.3)))).toBe('NO_CARD');
  });

  it('is exact at limits of sides, of weight and of price', () => {
    expect(fee(us(piece(15, 12, 0.75, 1)))).toBe('SMALL_STANDARD 3.96');
    expect(fee(us(piece(15.01, 1, 0.75, 1)))).toBe('LARGE_STANDARD 4.60');
    expect(fee(us(piece(15, 1, 0.75, 1.001)))).toBe('LARGE_STANDARD 5.04');
    expect(fee(us(piece(15, 1, 0.75, 0.125)))).toBe('SMALL_STANDARD 3.32');
    expect(fee(us(piece(15, 1, 0.75, 0.1251)))).toBe('SMALL_STANDARD 3.42');
    expect(fee(us(piece(15, 1, 0.75, 0.5), '9.99'))).toBe('SMALL_STANDARD 2.66');
    expect(fee(us(piece(15, 1, 0.75, 0.5), '10'))).toBe('SMALL_STANDARD 3.54');
    expect(fee(us(piece(15, 1, 0.75, 0.5), '50.00'))).toBe('SMALL_STANDARD 3.54');
    expect(fee(us(piece(15, 1, 0.75, 0.5), '50.01'))).toBe('SMALL_STANDARD 3.80');
    expect(fee(us(piece(15, 1, 0.75, 0.5), null))).toBe('NO_PRICE');
  });

  it('goes by the greater of weight and dimensional weight, and counts what is started in full', () => {
    // 16 × 10 × 5 ÷ 139 = 5.755 lb: 12 quarters beyond 3 lb.
    expect(us(piece(10, 5, 16, 2))).toMatchObject({ tier: 'LARGE_STANDARD', billable: '2.6106', fee: '7.93' });
    // Small standard goods go by their weight alone.
    expect(us(piece(15, 12, 0.75, 0.2))).toMatchObject({ billable: '0.0907', fee: '3.42' });
    // Bulky goods count as 2 inches thick: 40 × 10 × 2 ÷ 139 = 5.755 lb, so 6 pounds.
    expect(fee(us(piece(40, 10, 1, 3)))).toBe('LARGE_BULKY 11.25');
    expect(fee(us(piece(30, 10, 1, 3)))).toBe('SMALL_BULKY 9.07');
    // Beyond 150 lb only the piece's own weight counts.
    expect(fee(fulfilmentCharge('US', '2025-06-01', '20', piece(60, 40, 40, 20)))).toBe('EXTRA_150 114.06');
    expect(fee(fulfilmentCharge('US', '2025-06-01', '20', piece(60, 40, 40, 152)))).toBe('EXTRA_MORE 195.14');
  });

  it('adds the surcharge of April 2026, and tells no fee where one it does not know is on top', () => {
    expect(fee(us(piece(15, 12, 0.75, 1), '19.99', '2026-04-16'))).toBe('SMALL_STANDARD 3.96');
    expect(fee(us(piece(15, 12, 0.75, 1), '19.99', '2026-04-17'))).toBe('SMALL_STANDARD 4.10');
    expect(fee(us(piece(97, 5, 5, 10)))).toBe('OVERMAX');
    expect(fee(fulfilmentCharge('US', '2025-06-01', '20', piece(97, 5, 5, 10)))).toBe('EXTRA_50 32.79');
  });

  it('knows envelopes, parcels and oversize of Europe', () => {
    const german = (measures: Measures) => fee(fulfilmentCharge('DE', '2025-06-01', null, measures));
    expect(german(metric(33, 23, 2.5, 0.1))).toBe('LIGHT_ENVELOPE 2.54');
    expect(german(metric(33, 23, 2.5, 0.101))).toBe('STANDARD_ENVELOPE 2.57');
    expect(german(metric(33, 23, 2.51, 0.1))).toBe('LARGE_ENVELOPE 3.04');
    // 30 × 20 × 10 ÷ 5000 = 1.2 kg.
    expect(german(metric(30, 20, 10, 0.5))).toBe('SMALL_PARCEL 4.29');
    expect(german(metric(35, 25, 12, 0.5))).toBe('SMALL_PARCEL 5.57');
    expect(german(metric(45, 34, 26, 1))).toBe('STANDARD_PARCEL 6.41');
    expect(german(metric(60, 5, 5, 1.7))).toBe('SMALL_OVERSIZE 5.27');
    expect(german(metric(176, 5, 5, 2))).toBe('SPECIAL_OVERSIZE 21.30');
  });
});

describe('more of a piece', () => {
  const RANK = Object.fromEntries(FeeTier.options.map((code, at) => [code, at]));
  let seed = 20260115;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.ceil((seed / 2_147_483_648) * most * 100) / 100;
  };
  const cases = [
    ['US', '2025-06-01'],
    ['US', '2025-12-01'],
    ['US', '2026-02-01'],
    ['UK', '2025-06-01'],
    ['DE', '2025-12-01'],
  ] as const;

  /** The one step down that was published: from an extra-large piece of 50 lb to one of 51 lb. */
  const steps = (tier: FeeTier, next: FeeTier) => tier === next || !['EXTRA_50', 'EXTRA_70'].includes(tier);

  it.each(cases)(
    'never leads to a lower tier, nor within a tier to less weight or a lower fee (%s %s)',
    (country, day) => {
      let within = 0;
      for (let at = 0; at < 2_000; at += 1) {
        const scale = 10 ** (1 + random(1.2));
        const sides = [random(scale), random(scale), random(scale)].map(String) as [string, string, string];
        const weight = String(random(scale / 5));
        const more = 1 + random(1) / 2;
        const which = at % 4;
        const grow = (value: string, index: number) =>
          index === which ? new Decimal(value).times(more).toFixed() : value;
        const first = fulfilmentCharge(country, day, '20', { sides, weight });
        const second = fulfilmentCharge(country, day, '20', {
          sides: sides.map(grow) as [string, string, string],
          weight: grow(weight, 3),
        });
        if ('gap' in first || 'gap' in second) continue;
        const [small, large]: [Charge, Charge] = [first, second];
        expect(RANK[large.tier], JSON.stringify({ sides, weight, which, more })).toBeGreaterThanOrEqual(
          RANK[small.tier] ?? 99,
        );
        if (small.tier === large.tier) {
          within += 1;
          expect(Number(large.billable)).toBeGreaterThanOrEqual(Number(small.billable));
          expect(Number(large.fee)).toBeGreaterThanOrEqual(Number(small.fee));
        } else if (country === 'US' && steps(small.tier, large.tier)) {
          expect(Number(large.fee), JSON.stringify({ sides, weight, which, more })).toBeGreaterThanOrEqual(
            Number(small.fee),
          );
        }
      }
      expect(within).toBeGreaterThan(200);
    },
  );
});

describe('an audit', () => {
  // 4.12 is no cell of a card, so the example is told by its difference.
  const own = piece(14, 10, 1, 0.7);
  const input = {
    country: 'US',
    day: '2025-06-01',
    price: '19.99',
    currency: 'USD',
    theirs: piece(14, 10, 4, 2.4),
    amazonTier: 'Large standard-size',
    own,
    apparel: false,
    units30: 214,
  };

  it('of 5.95 against 4.12 and 214 pieces is 391.62 (example 14)', () => {
    // 1.83 above what our measurement costs by the card.
    const ownFee = fulfilmentCharge('US', '2025-06-01', '19.99', own) as Charge;
    const amazonFee = new Decimal(ownFee.fee).plus('1.83').toFixed();
    expect(auditOf({ ...input, amazonFee })).toMatchObject({
      diff: '1.83',
      monthly: '391.62',
      verdict: 'OVER',
      gap: null,
    });
  });

  it('flags only what is measured otherwise and dearer by the tolerance', () => {
    const { fee: right } = fulfilmentCharge('US', '2025-06-01', '19.99', own) as Charge;
    const plus = (more: string) => new Decimal(right).plus(more).toFixed();
    const agreeing = { ...input, theirs: own };
    expect(auditOf({ ...agreeing, amazonFee: right })).toMatchObject({ verdict: 'EQUAL', diff: '0', monthly: '0.00' });
    expect(auditOf({ ...agreeing, amazonFee: plus('1.83') }).verdict).toBe('HIGHER');
    expect(auditOf({ ...input, amazonFee: plus('0.09') }).verdict).toBe('HIGHER');
    expect(auditOf({ ...input, amazonFee: plus('0.10') }).verdict).toBe('OVER');
    expect(auditOf({ ...input, amazonFee: plus('-0.50') })).toMatchObject({ verdict: 'LOWER', monthly: '0.00' });
    // Exactly 5 % heavier is not more than 5 %; another tier alone is enough.
    const heavier = (pounds: number) => ({
      ...input,
      own: piece(14, 2, 1, 2),
      theirs: piece(14, 2, 1, pounds),
      amazonFee: '9',
    });
    expect(auditOf(heavier(2.1)).verdict).toBe('HIGHER');
    expect(auditOf(heavier(2.11)).verdict).toBe('OVER');
    expect(auditOf({ ...heavier(2), amazonTier: 'UsLargeBulky' }).verdict).toBe('OVER');
  });

  it('says why nothing can be told, and never 0', () => {
    const blank = { own: null, diff: null, monthly: null, verdict: 'NONE' };
    expect(auditOf({ ...input, amazonFee: '5', own: 'NO_MATCH' })).toMatchObject({ ...blank, gap: 'NO_MATCH' });
    expect(auditOf({ ...input, amazonFee: '5', country: 'FR' })).toMatchObject({ ...blank, gap: 'NO_CARD' });
    expect(auditOf({ ...input, amazonFee: '5', apparel: true })).toMatchObject({ ...blank, gap: 'APPAREL' });
    expect(auditOf({ ...input, amazonFee: '5', currency: 'CAD' })).toMatchObject({ ...blank, gap: 'CURRENCY' });
    const silent = auditOf({ ...input, amazonFee: null });
    expect([silent.gap, silent.diff, silent.own?.tier]).toEqual(['NO_FEE', null, 'LARGE_STANDARD']);
    expect(auditOf({ ...input, amazonFee: '9', units30: null })).toMatchObject({ verdict: 'OVER', monthly: null });
  });

  it('reads the tiers of reports in both spellings', () => {
    expect(tiersNamed('US', 'UsLargeStandardSize')).toEqual(['LARGE_STANDARD']);
    expect(tiersNamed('US', 'Small standard-size')).toEqual(['SMALL_STANDARD']);
    expect(tiersNamed('DE', 'Extra-large envelope')).toEqual(['EXTRA_ENVELOPE']);
    expect(tiersNamed('DE', '?')).toEqual([]);
  });
});
