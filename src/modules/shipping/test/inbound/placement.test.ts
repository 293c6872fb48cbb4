import { describe, expect, it } from 'vitest';
import type { PlacementLeg } from '../../contract/placement.ts';
import { comparePlacements, type Placed } from '../../server/inbound/costs/rules.ts';
import { charge } from '../../server/transport/rules/charge.ts';
import { weigh } from '../../server/transport/rules/weigh.ts';
import { reaches } from '../../server/transport/rules/zone.ts';

const RULE = {
  billUnit: 'KG',
  divisor: 6000,
  weightStep: '0.5',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  kgPerCbm: null,
  breakUp: false,
} as const;
const CARD = {
  currency: 'CNY',
  fuel: '0',
  minCharge: '0',
  fees: [{ name: '报关费', amount: '100', per: 'SHIPMENT' as const }],
  tiers: [
    { from: '21', to: '50', price: '9.5' },
    { from: '51', to: '100', price: '8.8' },
  ],
};

/** So many boxes of example E2 by its card. */
function sent(count: number): string {
  const weighed = weigh([{ count, length: '60', width: '40', height: '40', weight: '15.2' }], RULE);
  if ('why' in weighed) throw new Error(weighed.why);
  const asked = charge(CARD, weighed, RULE);
  if ('why' in asked) throw new Error(asked.why);
  return asked.total;
}

const leg = (center: string, freightCny: string | null, days: number | null = null, why = ''): PlacementLeg => ({
  shipmentId: center,
  center,
  freight: freightCny,
  currency: 'CNY',
  freightCny,
  why,
  days,
  daysWhy: '',
});
const offer = (optionId: string, fee: string | null, legs: PlacementLeg[], more: Partial<Placed> = {}): Placed => ({
  optionId,
  fee: fee === null ? null : { amount: fee, code: 'USD' },
  pieces: 120,
  expired: false,
  legs,
  ...more,
});
const RATES = new Map([
  ['CNY', '1'],
  ['USD', '7.1'],
]);
const told = (offers: readonly Placed[], rates: ReadonlyMap<string, string> = RATES) =>
  comparePlacements(offers, rates).map(({ totalCny, eachCny, cheapest, fastest }) => [
    totalCny,
    eachCny,
    cheapest,
    fastest,
  ]);

describe('placements side by side', () => {
  it('the four boxes of E2 in one centre for a fee, or two and two for none', () => {
    expect([sent(4), sent(2)]).toEqual(['663.20', '404.00']);
    const one = offer('one', '32.40', [leg('ONT8', sent(4), 6)]);
    const two = offer('two', null, [leg('ONT8', sent(2), 6), leg('ABE8', sent(2), 11)]);
    // 32.40 × 7.1 + 663.20 = 893.24, of 120 pieces 7.4437; 808.00 and 6.7333.
    expect(told([one, two])).toEqual([
      ['893.24', '7.4437', false, true],
      ['808.00', '6.7333', true, false],
    ]);
  });

  it('what cannot be told is no 0: no sum, no mark, and the reason by centre', () => {
    const open = offer('open', '1', [leg('ONT8', '10.00', 5), leg('ABE8', null, null, '渠道不含该仓')]);
    const known = offer('known', '1', [leg('ONT8', '20.00', 5)]);
    const [first] = comparePlacements([open, known], RATES);
    expect(first).toMatchObject({
      freightCny: null,
      totalCny: null,
      eachCny: null,
      days: null,
      why: 'ABE8：渠道不含该仓',
    });
    expect(told([open, known])).toEqual([
      [null, null, false, false],
      ['27.10', '0.2258', false, false],
    ]);
    const [unrated] = comparePlacements([known], new Map([['CNY', '1']]));
    expect(unrated).toMatchObject({ feeCny: null, freightCny: '20.00', totalCny: null, why: '没有 USD 的汇率' });
  });

  it('marks none where all are alike, and nothing that has expired', () => {
    const dear = offer('dear', '9', [leg('ONT8', '10.00', 5)]);
    const late = offer('late', '1', [leg('ONT8', '10.00', 3)], { expired: true });
    expect(told([dear, { ...dear, optionId: 'twin' }, late]).map(([, , ...marks]) => marks)).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
  });
});

it('a channel goes to a centre by its code, its postal code or the region of that', () => {
  const center = { code: 'ONT8', postalCode: '92551', country: 'US' };
  for (const zone of ['', 'ONT,LGB', '8,9', '美西']) expect(reaches(zone, center), zone).toBe(true);
  for (const zone of ['FTW', '0,1', '美东', '美中']) expect(reaches(zone, center), zone).toBe(false);
  expect(reaches('美西', { code: 'DTM2', postalCode: '92551', country: 'DE' })).toBe(false);
  expect(reaches('', { code: '', postalCode: '', country: 'US' })).toBe(true);
  expect(reaches('ONT', { code: '', postalCode: '', country: 'US' })).toBe(false);
});
