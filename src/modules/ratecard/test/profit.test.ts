import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { storageFee } from '../contract/extras.ts';
import { fulfilmentCharge, type Measures } from '../contract/fulfilment.ts';
import { type Assumptions, type Model, modelOf, NO_MEASURES, profitAt, reaches } from '../contract/profit.ts';
import { referralFee } from '../contract/referral.ts';
import { targetPrices } from '../contract/targets.ts';

const inches = (a: string, b: string, c: string, pounds: string): Measures => ({
  sides: [a, b, c].map((side) => new Decimal(side).times('2.54').toFixed()) as [string, string, string],
  weight: new Decimal(pounds).times('0.45359237').toFixed(),
});
const BOX = inches('12', '9', '3', '1.4');
const base: Assumptions = {
  country: 'US',
  countryName: '美国',
  day: '2026-06-01',
  measures: BOX,
  category: 'home',
  establishment: 'elsewhere',
  vat: '0',
  ads: '0.10',
  returns: '0.02',
  other: '0',
  fixed: '4.32',
  cost: '0',
  firstLeg: '0',
  duty: '0',
  months: '0',
};
function model(more: Partial<Assumptions> = {}): Model {
  const made = modelOf({ ...base, ...more });
  if ('problem' in made) throw new Error(made.problem);
  return made;
}
const toy = {
  country: 'UK',
  // Before the fuel surcharge.
  day: '2026-03-01',
  measures: { sides: ['32', '22', '3.5'], weight: '0.5' },
  category: 'toys',
  vat: '0.20',
  ads: '0',
  returns: '0',
  fixed: '0',
  cost: '5.20',
} as const;

describe('worked examples', () => {
  it('E8: fulfilment with surcharge, referral and storage of a box in the United States', () => {
    expect(fulfilmentCharge('US', '2026-06-01', '24.99', BOX)).toMatchObject({
      tier: 'LARGE_STANDARD',
      billable: new Decimal('2.3309352518').times('0.45359237').toFixed(4),
      fee: '6.31',
      surcharge: '0.21',
    });
    expect(referralFee('US', '2026-06-01', 'home', '24.99', 'USD')).toBe('3.75');
    expect(storageFee('US', '2026-06-01', 'LARGE_STANDARD', BOX, '1')).toBe('0.15');
    expect(profitAt(model(), '24.99')).toMatchObject({ referral: '3.75', fulfilment: '6.10', surcharge: '0.21' });
  });

  it('E9: breaks even at 14.56 and brings 20 % at 20.06', () => {
    const box = model();
    expect(profitAt(box, '14.55').profit).toBe('-0.01');
    expect(profitAt(box, '14.56').profit).toBe('0.00');
    expect(targetPrices(box, '0')[0]?.from).toBe('14.56');
    expect(targetPrices(box, '0.2')[0]?.from).toBe('20.06');
  });

  it('E10: a cliff of the fee parts the prices that bring 20 %', () => {
    const small = model({ measures: inches('10', '6', '0.5', '0.21875'), fixed: '2.60' });
    expect(targetPrices(small, '0.2')).toEqual([
      { from: '9.79', to: '9.99' },
      { from: '11.59', to: null },
    ]);
  });

  it('E11: VAT, the low price programme and the digital services fee in the United Kingdom', () => {
    const figures = profitAt(model(toy), '19.99');
    expect(figures).toMatchObject({ vat: '3.33', net: '16.66', referral: '3.00', fulfilment: '2.42', dsf: '0.11' });
    expect(figures.profit).toBe('5.93');
    expect(new Decimal(figures.margin ?? 0).toFixed(4)).toBe('0.3559');
  });
});

describe('rules', () => {
  it('goods outside the low price programme pay the usual fee above its lower limit', () => {
    const kitchen = model({ ...toy, category: 'kitchen' });
    expect([profitAt(kitchen, '10').fulfilment, profitAt(kitchen, '10.01').fulfilment]).toEqual(['2.42', '2.72']);
    expect([profitAt(model(toy), '20').fulfilment, profitAt(model(toy), '20.01').fulfilment]).toEqual(['2.42', '2.72']);
  });

  it.each([
    ['clothing', '15', '0.75'],
    ['clothing', '15.01', '1.50'],
    ['clothing', '20.01', '3.40'],
    ['beauty', '10', '0.80'],
    ['beauty', '10.01', '1.50'],
    ['electronicsAccessories', '150', '19.00'],
    ['jewelry', '300', '52.50'],
    ['watches', '1600', '243.00'],
    ['tires', '1', '0.30'],
  ] as const)('a referral fee of %s at %s is %s', (category, price, fee) => {
    expect(referralFee('US', '2026-06-01', category, price, 'USD')).toBe(fee);
  });

  it('says plainly what is missing instead of reckoning wrongly', () => {
    const missing = { ...base, measures: { sides: ['12', '', '3'], weight: '1' } } as const;
    expect(modelOf(missing)).toEqual({ problem: NO_MEASURES });
    expect(modelOf({ ...base, measures: null })).toEqual({ problem: NO_MEASURES });
    expect(modelOf({ ...base, country: 'BR', countryName: '巴西' })).toEqual({ problem: '尚无 巴西 的费率表' });
    const mexico = { ...base, country: 'MX', countryName: '墨西哥', day: '2026-06-04' };
    expect(modelOf(mexico)).toEqual({ problem: '墨西哥 的佣金费率未知，无法测算利润' });
    const early = { ...base, country: 'DE', countryName: '德国', day: '2024-12-31' };
    expect(modelOf(early)).toEqual({ problem: '尚无 德国 的费率表' });
  });

  it('takes the last fees that are known where they are over, and says so', () => {
    const [then, now] = ['2026-10-14', '2026-12-01'].map((day) => model({ country: 'DE', day }));
    expect(then?.outdated).toBeNull();
    expect(now?.outdated).toBe('2026-10-14');
    expect(now && profitAt(now, '30').fulfilment).toBe(then && profitAt(then, '30').fulfilment);
    expect(model({ ...toy, day: '2026-12-01' }).outdated).toBe('2026-10-14');
    expect(model().outdated).toBeNull();
  });

  it('finds no price where shares take it all', () => {
    expect(targetPrices(model({ ads: '0.6' }), '0.3')).toEqual([]);
  });
});

describe('target prices', () => {
  let seed = 20_260_601;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  const cents = (most: number) => new Decimal(random(most)).div(100).toFixed(2);
  const CATEGORIES = ['home', 'clothing', 'beauty', 'electronicsAccessories', 'jewelry', 'grocery'] as const;

  it('are exactly the prices at which the rounded profit reaches the target, each cent tried', () => {
    let ranges = 0;
    for (let round = 0; round < 24; round += 1) {
      const piece = model({
        ...(round % 3 === 0 ? toy : {}),
        category: CATEGORIES[round % CATEGORIES.length] ?? 'home',
        ads: cents(30),
        returns: cents(8),
        other: cents(5),
        cost: cents(900),
      });
      const margin = ['0', '0.1', '0.2', '0.3'][round % 4] ?? '0';
      const found = targetPrices(piece, margin);
      ranges += found.length;
      const inside = (price: Decimal) =>
        found.some(({ from, to }) => price.gte(from) && (to === null || price.lte(to)));
      for (let at = 1; at <= 4_000; at += 1) {
        const price = new Decimal(at).div(100);
        const reached = reaches(piece, price, margin);
        if (reached !== inside(price)) expect({ price: price.toFixed(2), margin, found, reached }).toBeUndefined();
      }
      const smallest = found[0]?.from;
      if (smallest === undefined) continue;
      expect(reaches(piece, new Decimal(smallest), margin)).toBe(true);
      expect(reaches(piece, new Decimal(smallest).minus('0.01'), margin)).toBe(false);
    }
    expect(ranges).toBeGreaterThan(12);
  });
});
