import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { RateBand } from '../contract/aging.ts';
import { countDays, planOf } from '../server/aging/months.ts';
import {
  bandOf,
  type Card,
  cubicFeet,
  depleted,
  type Goods,
  type Layer,
  lowSupply,
  storageFee,
  surcharge,
} from '../server/aging/reckon.ts';
import { usualCards } from '../server/aging/usual-rates.ts';

const card = (kind: string): Card => {
  const found = usualCards.find((one) => one.kind === kind && one.country === 'US');
  if (!found) throw new Error(`no card of ${kind}`);
  return found;
};
const AGED = card('AGED');
const STORAGE = card('STORAGE');
const LOW = card('LOW');
const goods = (more: Partial<Goods> = {}): Goods => ({ volume: '0.05', tier: 'LARGE', exempt: false, ...more });

/** Goods of an age on a day. */
const aged = (on: string, age: number, qty: number): Layer => ({
  day: new Date(Date.parse(on) - age * 86_400_000).toISOString().slice(0, 10),
  qty,
  estimated: false,
});
const DAY = '2026-03-15';

describe('worked examples of the handbook', () => {
  it('6: storage of a month by volume and season', () => {
    const volume = cubicFeet('12', '8', '4');
    expect(volume).toBe('0.222222');
    // 12 × 8 × 4 in, 900 pieces on average: 200 cubic feet but for the rounding of one piece.
    const exact = new Decimal(384).div(1728).toFixed(12);
    expect(storageFee(STORAGE, goods({ volume: exact }), '900', 3)).toBe('156.00');
    expect(storageFee(STORAGE, goods({ volume: exact }), '900', 11)).toBe('480.00');
    expect(storageFee(STORAGE, goods({ volume }), '900', 3)).toBe('156.00');
  });

  it('7: the surcharge by age, rounded once; clothes are free of the younger bands', () => {
    const layers = [aged(DAY, 185, 40), aged(DAY, 275, 30), aged(DAY, 400, 20), aged(DAY, 470, 10)];
    expect(surcharge(AGED, goods(), layers, DAY)).toEqual({ qty: 100, fee: '20.03' });
    expect(surcharge(AGED, goods({ exempt: true }), layers, DAY)).toEqual({ qty: 60, fee: '19.03' });
  });

  it('8: the next surcharge after what is sold until then, the oldest first', () => {
    const today = '2026-03-01';
    const layers: Layer[] = [{ day: '2025-09-10', qty: 50, estimated: false }, aged(today, 60, 100)];
    const plan = planOf(
      { layers, goods: goods(), perDay: '2', today, aged: () => AGED, storage: () => STORAGE },
      'USD',
    );
    expect(plan.months[0]).toMatchObject({ day: '2026-03-15', left: 122, chargedQty: 22, surcharge: '0.55' });
    expect(depleted(layers, 28)[0]?.qty).toBe(22);
  });

  it('9: the fee on goods that are kept too short', () => {
    const short = { onHand: 210 * 30, shipped: 12 * 30 };
    const long = { onHand: 190 * 90, shipped: 10 * 90 };
    const of = { short, long, week: 84, available: 210, young: false };
    const supply = lowSupply(LOW, goods(), of);
    expect(supply).toMatchObject({ days30: '17.5', days90: '19.0', band: '14–21天', fee: '0.7', toReach: 126 });
    expect(new Decimal(supply.fee ?? 0).times(1000).toFixed(2)).toBe('700.00');
  });
});

describe('the fee on short stock', () => {
  const window = (days: number, perDay: number, n: number) => ({ onHand: days * perDay * n, shipped: perDay * n });
  const of = (days30: number, days90: number, more: object = {}) => ({
    short: window(days30, 10, 30),
    long: window(days90, 10, 90),
    week: 70,
    available: 100,
    young: false,
    ...more,
  });
  it('is charged only where both windows are short, for what sells, and not for new goods', () => {
    expect(lowSupply(LOW, goods(), of(10, 12)).band).toBe('0–14天');
    expect(lowSupply(LOW, goods(), of(10, 28)).band).toBe('');
    expect(lowSupply(LOW, goods(), of(28, 10)).band).toBe('');
    expect(lowSupply(LOW, goods(), of(10, 12, { week: 19 })).band).toBe('');
    expect(lowSupply(LOW, goods(), of(10, 12, { young: true })).band).toBe('');
    expect(lowSupply(LOW, goods({ tier: 'HEAVY' }), of(10, 12)).fee).toBe('1.11');
    expect(lowSupply(undefined, goods(), of(10, 12))).toMatchObject({ days30: '10.0', fee: null, month: null });
  });
  it('is not told where nothing was sold', () => {
    const none = { onHand: 300, shipped: 0 };
    expect(lowSupply(LOW, goods(), { short: none, long: none, week: 0, available: 10, young: false })).toEqual({
      days30: null,
      days90: null,
      band: '',
      fee: null,
      month: null,
      toReach: null,
    });
  });
});

describe('cards and days', () => {
  it('counts on the 15th, today not', () => {
    expect(countDays('2026-03-14')[0]).toBe('2026-03-15');
    expect(countDays('2026-03-15')).toEqual([
      '2026-04-15',
      '2026-05-15',
      '2026-06-15',
      '2026-07-15',
      '2026-08-15',
      '2026-09-15',
    ]);
    expect(countDays('2026-11-20').at(-1)).toBe('2027-05-15');
  });

  it('has one band for each age from 181 days on, and none before', () => {
    for (let age = 0; age < 600; age += 1) {
      const bands = AGED.bands.filter((one: RateBand) => age >= one.from && (one.to === null || age <= one.to));
      expect(bands.length, `${age}`).toBe(age < 181 ? 0 : 1);
      expect(bandOf(AGED, 'LARGE', age)).toBe(bands[0]);
    }
  });

  it('says nothing of money where the size is not known', () => {
    const layers = [aged(DAY, 200, 4)];
    expect(surcharge(AGED, goods({ volume: null }), layers, DAY)).toEqual({ qty: 4, fee: null });
    expect(storageFee(STORAGE, goods({ volume: null }), '4', 3)).toBeNull();
  });
});

it('sells the oldest first and loses no piece', () => {
  const layer = fc.record({
    day: fc.integer({ min: 0, max: 600 }).map((age) => aged(DAY, age, 1).day),
    qty: fc.integer({ min: 1, max: 500 }),
    estimated: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(layer, { maxLength: 12 }), fc.integer({ min: 0, max: 3000 }), (layers, gone) => {
      const have = layers.reduce((all, one) => all + one.qty, 0);
      const left = depleted(layers, gone);
      expect(left.reduce((all, one) => all + one.qty, 0)).toBe(Math.max(0, have - gone));
      // Nothing older than what is left in part stays.
      const [oldest] = left;
      for (const one of left.slice(1)) expect(one.day >= (oldest?.day ?? '')).toBe(true);
      // Selling more never costs more.
      const now = new Decimal(surcharge(AGED, goods(), layers, DAY).fee ?? 0);
      expect(now.gte(surcharge(AGED, goods(), left, DAY).fee ?? 0)).toBe(true);
    }),
  );
});
