import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { depth } from '#test/support/depth.ts';
import { type Card, type Charged, charge } from '../../server/transport/rules/charge.ts';
import { chooseTier, tierOf, tierProblem } from '../../server/transport/rules/tiers.ts';
import {
  type Boxes,
  splitWeight,
  stepUp,
  volumetricWeight,
  type Weighed,
  type WeighRule,
  weigh,
} from '../../server/transport/rules/weigh.ts';
import { inZone } from '../../server/transport/rules/zone.ts';

const boxes = (count: number, length: string, width: string, height: string, weight: string): Boxes => ({
  count,
  length,
  width,
  height,
  weight,
});
const FOUR = boxes(4, '60', '40', '40', '15.2');
const KG: WeighRule = {
  billUnit: 'KG',
  divisor: 6000,
  weightStep: '0.5',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  kgPerCbm: null,
};
const TIERS = [
  { from: '21', to: '50', price: '9.5' },
  { from: '51', to: '100', price: '8.8' },
];
const CARD: Card = {
  currency: 'CNY',
  fuel: '0',
  minCharge: '0',
  fees: [{ name: '报关费', amount: '100', per: 'SHIPMENT' }],
  tiers: TIERS,
};
const PLAIN = { billUnit: 'KG', breakUp: false } as const;

const weighed = (list: readonly Boxes[], rule: WeighRule): Weighed => {
  const found = weigh(list, rule);
  if ('why' in found) throw new Error(found.why);
  return found;
};
const charged = (
  card: Card,
  billable: string,
  rule: { billUnit: 'KG' | 'CBM'; breakUp: boolean },
  count = 1,
): Charged => {
  const found = charge(card, { billable, boxes: count }, rule);
  if ('why' in found) throw new Error(found.why);
  return found;
};

describe('what is charged for', () => {
  test('four boxes by volume: 16.00 kg each, 64 kg, 563.20 and 100.00 for the declaration', () => {
    expect(volumetricWeight(FOUR, 6000)).toBe('16.00');
    const found = weighed([FOUR], KG);
    expect(found).toEqual({ boxes: 4, actual: '60.800', volumetric: '64.00', volume: '0.384', billable: '64' });
    expect(charged(CARD, found.billable, PLAIN)).toMatchObject({ price: '8.8', freight: '563.20', total: '663.20' });
  });

  test('the same with half of the volume given away and no step: 15.6 kg each, 649.12', () => {
    const { billable } = weighed([FOUR], { ...KG, splitRate: '0.5', weightStep: '0' });
    expect(billable).toBe('62.4');
    expect(charged(CARD, billable, PLAIN)).toMatchObject({ freight: '549.12', total: '649.12' });
  });

  test('48 kg come cheaper as 51 kg of the next tier: 448.80 instead of 456.00', () => {
    const card = { ...CARD, fees: [] };
    expect(charged(card, '48', PLAIN)).toMatchObject({ quantity: '48', price: '9.5', total: '456.00' });
    expect(charged(card, '48', { ...PLAIN, breakUp: true })).toMatchObject({
      quantity: '51',
      price: '8.8',
      total: '448.80',
    });
  });

  test('volume is rounded half up to two places by box, a heavy box counts as it weighs', () => {
    // 10×10×50.03 ÷ 6000 = 0.83383…; 10×10×50.1 ÷ 6000 = 0.835.
    expect(volumetricWeight(boxes(1, '10', '10', '50.03', '1'), 6000)).toBe('0.83');
    expect(volumetricWeight(boxes(1, '10', '10', '50.1', '1'), 6000)).toBe('0.84');
    expect(splitWeight('20', '16', '0.5')).toBe('20.000');
  });

  test('steps go up by box or for the whole shipment', () => {
    const light = boxes(3, '10', '10', '10', '1.1');
    expect(weighed([light], KG).billable).toBe('4.5');
    expect(weighed([light], { ...KG, roundPer: 'SHIPMENT' }).billable).toBe('3.5');
    expect(stepUp('3.5', '0.5')).toBe('3.5');
    expect(weighed([light], { ...KG, minBillable: '21' }).billable).toBe('21');
  });

  test('channels by the cubic metre take the weight where it is more', () => {
    const rule: WeighRule = { ...KG, billUnit: 'CBM', kgPerCbm: '363' };
    expect(weighed([boxes(10, '60', '40', '40', '8')], rule).billable).toBe('0.96');
    expect(weighed([boxes(10, '60', '40', '40', '60')], rule).billable).toBe('1.653');
    expect(weighed([boxes(10, '60', '40', '40', '60')], { ...rule, kgPerCbm: null }).billable).toBe('0.96');
    expect(weighed([boxes(1, '60', '40', '40', '8')], { ...rule, minBillable: '1' }).billable).toBe('1');
  });

  test('what was not measured has no price, and the box is named', () => {
    const bare: Boxes = { count: 2, length: '60', width: null, height: '40', weight: '1' };
    expect(weigh([FOUR, bare], KG)).toEqual({ why: '第 5–6 箱缺少尺寸，无法计算材积' });
    expect(weigh([{ ...FOUR, count: 1, weight: null }], KG)).toEqual({ why: '第 1 箱缺少重量，无法计费' });
    expect(weigh([{ ...FOUR, weight: null }], { ...KG, billUnit: 'CBM' })).toHaveProperty('why');
    expect(weigh([], KG)).toEqual({ why: '没有箱子，无法计费' });
  });
});

describe('what it costs', () => {
  test('fuel is on the freight, the minimum before the fuel, a fee by box on each', () => {
    const card: Card = {
      ...CARD,
      fuel: '0.08',
      minCharge: '300',
      fees: [
        { name: '报关费', amount: '100', per: 'SHIPMENT' },
        { name: '超长费', amount: '12.5', per: 'BOX' },
      ],
    };
    expect(charged(card, '21', PLAIN, 4)).toMatchObject({
      freight: '300.00',
      fuelFee: '24.00',
      fees: '150.00',
      total: '474.00',
    });
    expect(charged({ ...card, currency: 'JPY' }, '33.3', PLAIN, 4).total).toMatch(/^\d+$/);
  });

  test('what lies between two tiers is priced by the lower; outside of all of them there is no price', () => {
    expect(tierOf(TIERS, '50.5')?.price).toBe('9.5');
    expect(tierOf(TIERS, '100')?.price).toBe('8.8');
    expect(charge(CARD, { billable: '20', boxes: 1 }, PLAIN)).toEqual({ why: '计费量 20kg 低于首档 21kg' });
    expect(charge(CARD, { billable: '100.5', boxes: 1 }, PLAIN)).toEqual({ why: '计费量 100.5kg 超过最高档 100kg' });
    expect(tierOf([{ from: '0', to: null, price: '1' }], '999999')?.price).toBe('1');
  });

  test('tiers that cannot be are named', () => {
    expect(tierProblem(TIERS)).toBeUndefined();
    expect(tierProblem([])).toBe('至少填写一档价格');
    expect(tierProblem([{ from: '5', to: '4', price: '1' }])).toBe('第 1 档的止不能小于起');
    expect(tierProblem([{ from: '5', to: '9', price: '0' }])).toBe('第 1 档的单价须大于0');
    expect(tierProblem([TIERS[0], { from: '50', to: null, price: '1' }] as never)).toBe('第 2 档的起须大于上一档的止');
    expect(tierProblem([{ from: '5', to: null, price: '1' }, TIERS[1]] as never)).toContain('后面不能再有档');
  });

  test('zones are names, or beginnings of centres and postal codes', () => {
    expect(inZone('', 'ONT8')).toBe(true);
    expect(inZone('ONT，LGB', 'ont8')).toBe(true);
    expect(inZone('美西', '美东')).toBe(false);
    expect(inZone('8 9', '90001')).toBe(true);
    expect(inZone('8 9', '')).toBe(true);
  });
});

const grams = (max: number) => fc.integer({ min: 1, max }).map((n) => new Decimal(n).div(1000).toFixed());
const side = fc.integer({ min: 100, max: 12_000 }).map((n) => new Decimal(n).div(100).toFixed());
const someBoxes = fc.record<Boxes>({
  count: fc.integer({ min: 1, max: 20 }),
  length: side,
  width: side,
  height: side,
  weight: grams(40_000),
});
const someRule = fc.record<WeighRule>({
  billUnit: fc.constantFrom('KG', 'CBM'),
  divisor: fc.constantFrom(5000, 6000),
  weightStep: fc.constantFrom('0', '0.1', '0.5', '1'),
  roundPer: fc.constantFrom('BOX', 'SHIPMENT'),
  minBillable: fc.constantFrom('0', '1', '21'),
  splitRate: fc.constantFrom('0', '0.3', '0.5', '1'),
  kgPerCbm: fc.constantFrom(null, '167', '363'),
});
/** Tiers from nothing to whatever, with prices that go up and down. */
const someTiers = fc.array(fc.record({ width: fc.integer({ min: 1, max: 300 }), price: grams(20_000) }), {
  minLength: 1,
  maxLength: 6,
});
const tiersOf = (list: readonly { width: number; price: string }[]) => {
  let from = 0;
  return list.map(({ width, price }, index) => {
    const tier = { from: String(from), to: index === list.length - 1 ? null : String(from + width - 1), price };
    from += width;
    return tier;
  });
};
const someCard = fc.record<Card>({
  currency: fc.constantFrom('CNY', 'USD', 'JPY'),
  fuel: fc.constantFrom('0', '0.08', '0.1575'),
  minCharge: fc.constantFrom('0', '88', '1234.56'),
  fees: fc.constantFrom([], [{ name: '报关费', amount: '100', per: 'SHIPMENT' as const }]),
  tiers: someTiers.map(tiersOf),
});
const runs = { numRuns: depth(200, 5000) };
const of = (text: string) => new Decimal(text);

describe('for any shipment and any card', () => {
  test('tiers that are drawn are good ones', () => {
    fc.assert(
      fc.property(someTiers.map(tiersOf), (tiers) => tierProblem(tiers) === undefined),
      runs,
    );
  });

  test('nothing costs less than the minimum charge, and its parts add up', () => {
    fc.assert(
      fc.property(someCard, grams(500_000), fc.boolean(), (card, billable, breakUp) => {
        const found = charged(card, billable, { billUnit: 'KG', breakUp });
        const least = of(card.minCharge).toDecimalPlaces(card.currency === 'JPY' ? 0 : 2);
        expect(of(found.freight).gte(least)).toBe(true);
        expect(of(found.total).eq(of(found.freight).plus(found.fuelFee).plus(found.fees))).toBe(true);
      }),
      runs,
    );
  });

  test('breaking up is never dearer than not, and quantity × price is what it takes', () => {
    fc.assert(
      fc.property(someTiers.map(tiersOf), grams(500_000), (tiers, billable) => {
        const [plain, broken] = [chooseTier(tiers, billable, false), chooseTier(tiers, billable, true)];
        if (!plain || !broken) throw new Error('every quantity has a tier here');
        const cost = (one: typeof plain) => of(one.quantity).times(one.tier.price);
        expect(cost(broken).lte(cost(plain))).toBe(true);
        expect(of(broken.quantity).gte(billable)).toBe(true);
      }),
      runs,
    );
  });

  test('one box more never weighs less on any scale', () => {
    fc.assert(
      fc.property(fc.array(someBoxes, { minLength: 1, maxLength: 5 }), someBoxes, someRule, (list, more, rule) => {
        const [one, two] = [weighed(list, rule), weighed([...list, more], rule)];
        expect(of(two.billable).gte(one.billable)).toBe(true);
        expect(of(one.billable).gte(rule.minBillable)).toBe(true);
      }),
      runs,
    );
  });

  test('one box more is never cheaper at one price for all, nor with breaking up at any prices', () => {
    fc.assert(
      fc.property(
        fc.array(someBoxes, { minLength: 1, maxLength: 5 }),
        someBoxes,
        someRule,
        someCard,
        fc.boolean(),
        (list, more, rule, card, breakUp) => {
          // Without breaking up a lower price of a higher tier may well make more cost less; that is what it is for.
          const tiers = breakUp ? card.tiers : card.tiers.slice(-1).map((tier) => ({ ...tier, from: '0' }));
          const totalOf = (some: readonly Boxes[]) => {
            const { billable, boxes: count } = weighed(some, rule);
            return charged({ ...card, tiers }, billable, { billUnit: rule.billUnit, breakUp }, count).total;
          };
          expect(of(totalOf([...list, more])).gte(totalOf(list))).toBe(true);
        },
      ),
      runs,
    );
  });
});
