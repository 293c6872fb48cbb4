import { Decimal } from '#kit/contract/decimal.ts';
import type { FeeBand, FulfilmentCard, Sides, SizeTier } from '../card.ts';

/** Goods below 13 AUD pay so much less than others, whatever they weigh. */
const LESS = '0.91';

const both = (fee: string): string[] => [new Decimal(fee).minus(LESS).toFixed(2), fee];
const bands = (limits: readonly number[], fees: string): FeeBand[] =>
  fees.split(' ').map((fee, at) => ({ upTo: limits[at] ?? null, fees: both(fee) }));
const rising = (fee: string, over: number, add: string): FeeBand => ({
  upTo: null,
  fees: both(fee),
  more: { over, every: '1000', adds: [add] },
});
const tier = (code: SizeTier['code'], weight: number | null, sides: Sides | null, of: FeeBand[]): SizeTier => ({
  code,
  weight,
  dimensional: null,
  greater: null,
  sides,
  girth: null,
  billedBy: code.endsWith('ENVELOPE') ? 'weight' : 'greater',
  bands: of,
});
const kilos = (...of: number[]) => of.map((kg) => kg * 1_000);

/** Fees of Australia without GST, as its page told them after they were cut in June 2026. */
export const auCards: readonly FulfilmentCard[] = [
  {
    country: 'AU',
    from: '2026-06-10',
    to: null,
    currency: 'AUD',
    system: 'METRIC',
    divisor: 4,
    prices: [{ from: '13', inclusive: true }],
    surcharge: null,
    overmax: null,
    verified: 'UNVERIFIED',
    source: '两份公开转录的澳大利亚站定价页（2026年6月10日起），不含 GST；超尺寸每公斤加价偏低，待核实',
    isForPlanning: true,
    tiers: [
      tier('SMALL_ENVELOPE', 75, [20, 15, 1], bands([75], '4.55')),
      tier('STANDARD_ENVELOPE', 475, [33, 23, 2.5], bands([75, 225, 475], '4.58 5.26 5.61')),
      tier('LARGE_ENVELOPE', 975, [33, 23, 5], bands([225, 475, 975], '6.78 7.02 8.29')),
      tier(
        'PARCEL',
        12_000,
        [45, 34, 20],
        bands(
          kilos(0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
          '7.34 7.64 9.22 9.68 9.81 9.86 10.18 10.19 11.10 11.26 11.26 11.27 11.27 13.80 13.93',
        ),
      ),
      tier(
        'OVER_SMALL',
        null,
        [61, 46, 46],
        [...bands(kilos(1, 1.25, 1.5, 1.75, 2), '9.94 10.41 10.65 10.66 10.66'), rising('10.68', 2_000, '0.01')],
      ),
      tier(
        'OVER_STANDARD',
        22_000,
        [105, 60, 60],
        [
          ...bands(
            kilos(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 22),
            '12.30 12.95 13.04 13.18 13.41 14.31 14.46 14.48 14.52 14.52 15.86 16.42 16.42',
          ),
          rising('16.43', 22_000, '0.01'),
        ],
      ),
      tier('OVER_LARGE', 35_000, null, [
        ...bands(kilos(5, 10, 15, 20, 25, 30, 35), '14.71 15.12 16.02 16.52 16.56 23.00 24.00'),
        rising('34.00', 35_000, '0.10'),
      ]),
      tier('OVER_EXTRA', 250_000, null, [rising('72.00', 35_000, '0.10')]),
    ],
  },
];
