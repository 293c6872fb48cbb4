import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { DEFAULTS, type RuleSettings } from '../contract/settings.ts';
import { decide, type Inputs } from '../server/engine.ts';
import { floorPrice } from '../server/floor.ts';

const offer = (sellerId: string, price: string, more: Partial<MarketOffer> = {}): MarketOffer => ({
  sellerId,
  price,
  shipping: '0',
  landed: new Decimal(price).plus(more.shipping ?? '0').toFixed(),
  fba: true,
  positive: '97',
  ratings: 500,
  featured: false,
  own: false,
  ...more,
});

const RULE: RuleSettings = { ...DEFAULTS, offset: '-0.05', minPositive: 90, belowMin: 'min', dailyDrop: '0.1' };
const OWN = offer('US', '19.99', { own: true });

const inputs = (more: Partial<Inputs> = {}): Inputs => ({
  settings: RULE,
  price: '19.99',
  shipping: '0',
  ownFba: true,
  offers: [OWN],
  min: '17.80',
  max: '24.99',
  floor: null,
  dayOpen: '19.99',
  sinceMin: null,
  weekday: 3,
  hour: 10,
  scale: 2,
  ...more,
});

const A = (price: string) => offer('A', price, { featured: true });
const B = offer('B', '16.90', { fba: false, shipping: '2.00', positive: '82' });

describe('保本价, example 12', () => {
  const of = (more: object) =>
    floorPrice({
      cost: '0',
      margin: '0.1',
      adShare: '0',
      referral: '0.15',
      referralMin: '0',
      vat: '0',
      scale: 2,
      ...more,
    });

  it('is 13.74 in the US and 14.17 in the UK', () => {
    expect(of({ cost: '10.30' })).toBe('13.74');
    expect(of({ cost: '8.50', vat: '0.2' })).toBe('14.17');
  });

  it('is none where the margin cannot be reached', () => {
    expect(of({ cost: '10', margin: '0.6', adShare: '0.3' })).toBeNull();
    expect(of({ cost: '10', margin: '0.85' })).toBeNull();
  });

  it('counts the least referral fee as a cost, and yen without decimals', () => {
    expect(of({ cost: '1.00', referralMin: '0.30' })).toBe('1.45');
    expect(of({ cost: '1000', scale: 0 })).toBe('1334');
  });

  test('earns the margin, and one step less does not', () => {
    const cents = fc.integer({ min: 1, max: 20_000 }).map((n) => new Decimal(n).div(100).toFixed(2));
    const shares = fc.integer({ min: 0, max: 30 }).map((n) => new Decimal(n).div(100).toFixed(2));
    fc.assert(
      fc.property(cents, shares, shares, shares, shares, cents, (cost, margin, adShare, referral, vat, referralMin) => {
        const price = floorPrice({ cost, margin, adShare, referral, referralMin, vat, scale: 2 });
        if (price === null) return;
        const earns = (gross: Decimal): boolean => {
          const net = gross.div(new Decimal(1).plus(vat));
          const fee = Decimal.max(gross.times(referral), referralMin);
          // Forty digits: what is equal but for the last of them is equal.
          return net.minus(net.times(adShare)).minus(fee).minus(cost).minus(net.times(margin)).gte('-1e-30');
        };
        expect(earns(new Decimal(price))).toBe(true);
        expect(earns(new Decimal(price).minus('0.01'))).toBe(false);
      }),
    );
  });
});

describe('example 13', () => {
  it('follows the featured offer of a trusted seller: 18.45', () => {
    const made = decide(inputs({ offers: [OWN, A('18.50'), B] }));
    expect(made).toMatchObject({ price: '18.45', target: '18.45', atFloor: false });
    expect(made.words).toBe('跟随购物车 A 18.5');
  });

  it('stops at the daily limit, 17.991 rounded up: 18.00', () => {
    const made = decide(inputs({ offers: [OWN, A('17.50'), B] }));
    expect(made.price).toBe('18.00');
    expect(made.words).toBe('跟随购物车 A 17.5，触底（最低价 17.80），日降幅限制');
  });
});

describe('what a rule does', () => {
  it('counts shipping, shifts merchants and leaves out whom it shall not follow', () => {
    const merchant = offer('M', '17.00', { fba: false, shipping: '1.50' });
    const lowest = { ...RULE, strategy: 'LOWEST' as const };
    expect(decide(inputs({ settings: lowest, offers: [OWN, merchant] })).price).toBe('18.45');
    expect(decide(inputs({ settings: { ...lowest, fbmShift: '0.05' }, offers: [OWN, merchant] })).price).toBe('19.38');
    expect(decide(inputs({ settings: { ...lowest, channel: 'fba' }, offers: [OWN, merchant] })).price).toBeNull();
    expect(decide(inputs({ settings: { ...lowest, excludedSellers: 'M, N' }, offers: [OWN, merchant] })).words).toBe(
      '没有竞争对手，保持现价',
    );
    expect(decide(inputs({ settings: lowest, shipping: '1.00', offers: [OWN, merchant], min: '15' })).price).toBe(
      '18.00',
    );
  });

  it('never competes with offers of its own company', () => {
    const twin = offer('TWIN', '15.00', { own: true, featured: true });
    expect(decide(inputs({ offers: [OWN, twin, A('18.50')] })).words).toBe('已持有购物车，保持现价');
  });

  it('holds the featured place, and raises where the next one is far away', () => {
    const own = { ...OWN, featured: true };
    const offers = [own, offer('A', '22.00')];
    expect(decide(inputs({ offers })).price).toBeNull();
    expect(decide(inputs({ offers, settings: { ...RULE, strategy: 'HOLD_AND_RAISE' } })).price).toBe('21.95');
    const near = { ...RULE, strategy: 'HOLD_AND_RAISE' as const, raiseStep: '3' };
    expect(decide(inputs({ offers, settings: near })).words).toBe('已持有购物车，保持现价');
  });

  it('alone it holds or takes the highest price; above that it stops', () => {
    const alone = { ...RULE, noCompetition: 'max' as const };
    expect(decide(inputs({ settings: alone })).price).toBe('24.99');
    expect(decide(inputs({ offers: [OWN, A('30.00')] })).words).toContain('封顶');
  });

  it('below the lowest price it holds, stops there or goes to the highest', () => {
    const offers = [OWN, A('16.00')];
    const at = (belowMin: RuleSettings['belowMin']) =>
      decide(inputs({ offers, settings: { ...RULE, belowMin, dailyDrop: '0.5' } }));
    expect(at('hold')).toMatchObject({ price: null, words: '跟随购物车 A 16，低于最低价，保持现价' });
    expect(at('min')).toMatchObject({ price: '17.80', atFloor: true });
    expect(at('max').price).toBe('24.99');
  });

  it('waits for its hours, for the cooldown, and for changes that matter', () => {
    const offers = [OWN, A('18.50')];
    expect(decide(inputs({ offers, settings: { ...RULE, weekdays: ['SAT', 'SUN'] } })).words).toBe('不在执行时段');
    expect(decide(inputs({ offers, settings: { ...RULE, hourFrom: 22, hourTo: 6 } })).words).toBe('不在执行时段');
    expect(decide(inputs({ offers, settings: { ...RULE, hourFrom: 22, hourTo: 11 } })).price).toBe('18.45');
    expect(decide(inputs({ offers, sinceMin: 14 })).words).toContain('冷却中');
    expect(decide(inputs({ offers, sinceMin: 15 })).price).toBe('18.45');
    expect(decide(inputs({ offers, settings: { ...RULE, minChange: '2' } })).words).toContain('变化小于最小幅度');
  });

  it('mends a price below the floor at once, and never goes where the floor is above the highest price', () => {
    const made = decide(inputs({ floor: '20.10', sinceMin: 1, hour: 3, settings: { ...RULE, hourFrom: 9 } }));
    expect(made).toMatchObject({ price: '20.10', atFloor: true });
    expect(decide(inputs({ floor: '30' })).price).toBeNull();
  });
});

test('no price that is sent is below its limits, whatever the offers, costs and settings', () => {
  const cents = (from: number, to: number) =>
    fc.integer({ min: from, max: to }).map((n) => new Decimal(n).div(100).toFixed(2));
  const offers = fc.array(
    fc.record({
      sellerId: fc.constantFrom('A', 'B', 'C'),
      price: cents(1, 6_000),
      shipping: cents(0, 500),
      fba: fc.boolean(),
      positive: fc.integer({ min: 50, max: 100 }).map(String),
      ratings: fc.integer({ min: 0, max: 100 }),
      featured: fc.boolean(),
      own: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const settings = fc.record({
    strategy: fc.constantFrom('FEATURED' as const, 'LOWEST' as const, 'HOLD_AND_RAISE' as const),
    offset: fc.integer({ min: -200, max: 200 }).map((n) => new Decimal(n).div(100).toFixed(2)),
    noCompetition: fc.constantFrom('hold' as const, 'max' as const),
    belowMin: fc.constantFrom('hold' as const, 'min' as const, 'max' as const),
    fbmShift: fc.constantFrom('0', '0.05'),
    dailyDrop: fc.constantFrom('0', '0.1', '0.333'),
  });
  const prices = fc.record({
    price: cents(1, 5_000),
    min: cents(1, 3_000),
    room: cents(0, 3_000),
    floor: fc.option(cents(1, 4_000)),
  });
  fc.assert(
    fc.property(offers, settings, prices, cents(1, 5_000), (some, rule, { price, min, room, floor }, dayOpen) => {
      const max = new Decimal(min).plus(room).toFixed(2);
      const all = some.map((one) => ({ ...one, landed: new Decimal(one.price).plus(one.shipping).toFixed() }));
      const made = decide(inputs({ settings: { ...RULE, ...rule }, offers: all, price, min, max, floor, dayOpen }));
      if (made.price === null) return;
      const sent = new Decimal(made.price);
      expect(sent.gte(min)).toBe(true);
      if (floor !== null) expect(sent.gte(floor)).toBe(true);
      expect(sent.decimalPlaces()).toBeLessThanOrEqual(2);
      expect(sent.equals(price)).toBe(false);
      const least = new Decimal(dayOpen).times(new Decimal(1).minus(rule.dailyDrop));
      if (sent.gt(max)) expect(sent.minus(least).abs().lt('0.01')).toBe(true);
      if (rule.dailyDrop !== '0') expect(sent.gte(least)).toBe(true);
      expect(made.words).not.toBe('');
    }),
    { numRuns: 2_000 },
  );
});
