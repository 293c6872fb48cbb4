import { Decimal } from '#kit/contract/decimal.ts';
import type { FeeBand, FulfilmentCard, Sides, SizeTier } from '../card.ts';

/** Below this price, the price itself included, a piece is charged so much less. */
const LOW_PRICE = '14';
const LESS = '0.80';

const cheaper = (fee: string): string => new Decimal(fee).minus(LESS).toFixed(2);
/** Fees of low prices, then the usual ones. */
const bands = (step: number, fees: string): FeeBand[] =>
  fees.split(' ').map((fee, at) => ({ upTo: (at + 1) * step, fees: [cheaper(fee), fee] }));
const rising = (upTo: number | null, fee: string, over: number, every: string, add: string): FeeBand => ({
  upTo,
  fees: [cheaper(fee), fee],
  more: { over, every, adds: [add] },
});

const tier = (
  code: SizeTier['code'],
  weight: number | null,
  sides: Sides,
  of: FeeBand[],
  girth: number | null = null,
) => ({
  code,
  weight,
  dimensional: null,
  greater: null,
  sides,
  girth,
  billedBy: code === 'ENVELOPE' ? ('weight' as const) : ('greater' as const),
  bands: of,
});

/** Beyond the last one there is special handling, of which the borders are known and the fee is not. */
const tiers: readonly SizeTier[] = [
  tier('ENVELOPE', 500, [38, 27, 2], bands(100, '4.46 4.71 5.01 5.28 5.62')),
  tier(
    'STANDARD_SIZE',
    9_000,
    [45, 35, 20],
    [
      ...bands(100, '5.92 6.12 6.36 6.73 7.23 7.40 7.71 7.95 8.25 8.49 8.58 8.84 9.04 9.29 9.60'),
      rising(null, '10.32', 1_500, '100', '0.09'),
    ],
  ),
  tier('OVER_SMALL', null, [61, 46, 46], [rising(null, '15.43', 500, '500', '0.46')]),
  tier('OVER_MEDIUM', null, [120, 60, 60], [rising(null, '37.78', 500, '500', '0.52')]),
  tier('OVER_LARGE', 69_000, [270, 270, 270], [rising(null, '82.20', 500, '500', '0.58')], 419),
];

const CA = {
  country: 'CA',
  currency: 'CAD',
  system: 'METRIC',
  divisor: 5,
  prices: [{ from: LOW_PRICE, inclusive: false }],
  overmax: null,
  verified: 'UNVERIFIED',
  source: '公开转录的加拿大站定价页（2026年）；计费重取实重与体积重（÷5000）中较大的，此点未核实',
  isForPlanning: true,
  tiers,
} as const;

/** Fees of Canada as its page told them in 2026, until the next peak, whose surcharge is not known. */
export const caCards: readonly FulfilmentCard[] = [
  { ...CA, from: '2026-01-01', to: '2026-04-16', surcharge: null },
  { ...CA, from: '2026-04-17', to: '2026-10-14', surcharge: '0.035' },
];
