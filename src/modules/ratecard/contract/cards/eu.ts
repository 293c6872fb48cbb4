import type { FeeBand, FulfilmentCard, SizeTier } from '../card.ts';

/** Fees by tier, in the order of the limits of TIERS; of the oversize tiers the first fee and what a kilogram more adds. */
interface Rates {
  /** Fees of the low price programme where it is part of the card; small: of the lightest parcels only. */
  low?: { envelopes: Rates['envelopes']; small: string };
  envelopes: readonly [light: string, standard: string, large: string, extra: string];
  small: string;
  standard: string;
  oversize: readonly (readonly [over: number, fee: string, perKg: string])[];
  /** Absent where it is not known: such pieces have no fee then. */
  special?: { fees: string; perKg: string };
}

/** Bands with one fee each, or with the low price's before it where there is one. */
const bands = (limits: readonly number[], fees: string, low = ''): FeeBand[] => {
  const list = fees.split(' ');
  const below = low.split(' ');
  return limits.map((upTo, at) => {
    const fee = list[at] ?? '';
    return { upTo, fees: below[at] ? [below[at], fee] : [fee] };
  });
};
const OVERSIZE = [
  'SMALL_OVERSIZE',
  'LIGHT_OVERSIZE',
  'HEAVY_OVERSIZE',
  'LARGE_OVERSIZE',
  'BULKY_OVERSIZE',
  'WEIGHTY_OVERSIZE',
] as const;
const LIMITS: readonly Pick<SizeTier, 'weight' | 'dimensional' | 'sides' | 'girth'>[] = [
  { weight: 1_760, dimensional: 25_820, sides: [61, 46, 46], girth: null },
  { weight: 15_000, dimensional: 72_720, sides: [101, 60, 60], girth: null },
  { weight: 23_000, dimensional: 72_720, sides: [101, 60, 60], girth: null },
  { weight: 23_000, dimensional: 86_400, sides: [120, 60, 60], girth: null },
  { weight: 23_000, dimensional: 126_000, sides: [175, 175, 175], girth: 360 },
  { weight: 31_500, dimensional: 126_000, sides: [175, 175, 175], girth: 360 },
];

const flat = (
  code: SizeTier['code'],
  weight: number,
  dimensional: number | null,
  sides: SizeTier['sides'],
  fees: readonly FeeBand[],
): SizeTier => ({
  code,
  weight,
  dimensional,
  greater: null,
  sides,
  girth: null,
  billedBy: dimensional === null ? 'weight' : 'greater',
  bands: fees,
});

const specialTier = ({ fees, perKg }: { fees: string; perKg: string }): SizeTier => ({
  code: 'SPECIAL_OVERSIZE',
  weight: null,
  dimensional: null,
  greater: null,
  sides: null,
  girth: null,
  billedBy: 'weight',
  bands: [
    ...bands([30_000, 40_000, 50_000, 60_000], fees),
    { upTo: null, fees: [fees.split(' ')[3] ?? ''], more: { over: 60_000, every: '1000', add: perKg } },
  ],
});

/** Tiers in grams and centimetres; the dimensional weight is cm³ ÷ 5 in grams. Envelopes and special oversize go by weight. */
function tiersOf({ envelopes, small, standard, oversize, special, low }: Rates): SizeTier[] {
  const [light, usual, large, extra] = envelopes;
  const [lowLight, lowUsual, lowLarge, lowExtra] = low?.envelopes ?? [];
  return [
    flat('LIGHT_ENVELOPE', 100, null, [33, 23, 2.5], bands([20, 40, 60, 80, 100], light, lowLight)),
    flat('STANDARD_ENVELOPE', 460, null, [33, 23, 2.5], bands([210, 460], usual, lowUsual)),
    flat('LARGE_ENVELOPE', 960, null, [33, 23, 4], bands([960], large, lowLarge)),
    flat('EXTRA_ENVELOPE', 960, null, [33, 23, 6], bands([960], extra, lowExtra)),
    flat('SMALL_PARCEL', 3_900, 2_100, [35, 25, 12], bands([150, 400, 900, 1_400, 1_900, 3_900], small, low?.small)),
    flat(
      'STANDARD_PARCEL',
      11_900,
      7_960,
      [45, 34, 26],
      bands([150, 400, 900, 1_400, 1_900, 2_900, 3_900, 5_900, 8_900, 11_900], standard),
    ),
    ...LIMITS.map((limit, at): SizeTier => {
      const [over, fee, perKg] = oversize[at] ?? [0, '0', '0'];
      return {
        code: OVERSIZE[at] ?? 'SPECIAL_OVERSIZE',
        ...limit,
        greater: null,
        billedBy: 'greater',
        bands: [{ upTo: null, fees: [fee], more: { over, every: '1000', add: perKg } }],
      };
    }),
    ...(special ? [specialTier(special)] : []),
  ];
}

const britain: Rates = {
  envelopes: ['1.83 1.87 1.89 2.07 2.08', '2.10 2.16', '2.72', '2.94'],
  small: '2.91 3.00 3.04 3.05 3.25 5.10',
  standard: '2.94 3.01 3.06 3.26 3.48 4.73 5.16 5.19 5.57 5.77',
  oversize: [
    [760, '3.65', '0.25'],
    [760, '4.67', '0.24'],
    [15_760, '8.28', '0.20'],
    [760, '6.20', '0.16'],
    [760, '11.53', '0.31'],
    [31_500, '13.04', '0.09'],
  ],
  special: { fees: '16.22 17.24 34.38 42.04', perKg: '0.35' },
};
const germany: Rates = {
  envelopes: ['2.33 2.37 2.39 2.52 2.54', '2.57 2.68', '3.04', '3.42'],
  small: '3.38 3.40 3.67 4.29 4.49 5.57',
  standard: '3.39 3.78 3.90 4.54 4.97 5.20 5.67 5.95 6.41 6.65',
  oversize: [
    [760, '4.79', '0.48'],
    [760, '4.91', '0.29'],
    [15_760, '9.19', '0.14'],
    [760, '6.67', '0.18'],
    [760, '9.78', '0.36'],
    [31_500, '13.00', '0.15'],
  ],
  special: { fees: '21.30 24.19 47.98 51.99', perKg: '0.36' },
};
const britainAtPeak: Rates = {
  ...britain,
  envelopes: ['1.83 1.87 1.89 2.07 2.08', '2.10 2.16', '2.77', '3.00'],
  small: '3.00 3.09 3.13 3.14 3.34 5.25',
  standard: '3.03 3.10 3.15 3.36 3.58 4.87 5.32 5.34 5.74 5.95',
};
const germanyAtPeak: Rates = {
  ...germany,
  small: '3.53 3.56 3.84 4.49 4.70 5.83',
  standard: '3.55 3.95 4.08 4.75 5.20 5.44 5.94 6.23 6.71 6.96',
};

/** Without special oversize, which is not known. */
const britain2026: Rates = {
  low: { envelopes: ['1.46 1.50 1.52 1.67 1.70', '1.73 1.87', '2.42', '2.65'], small: '2.67 2.70' },
  envelopes: ['1.83 1.87 1.89 2.07 2.08', '2.10 2.16', '2.72', '2.94'],
  small: '2.91 3.00 3.04 3.05 3.25 3.27',
  standard: '2.94 3.01 3.06 3.26 3.48 3.49 3.54 3.56 3.57 3.58',
  oversize: [
    [760, '3.49', '0.22'],
    [760, '4.35', '0.15'],
    [15_760, '6.58', '0.08'],
    [760, '5.67', '0.07'],
    [760, '10.20', '0.24'],
    [31_500, '13.04', '0.09'],
  ],
};

const EU = {
  system: 'EU',
  prices: [],
  surcharge: null,
  overmax: null,
  verified: 'SECONDARY',
  sourceUrl: null,
} as const;
/** Low prices of the programme, as they are from February 2026. */
const LOW_2026 = [{ from: '20', inclusive: false, excepted: '10' }] as const;
const UK = { ...EU, country: 'UK', currency: 'GBP' } as const;
const DE = { ...EU, country: 'DE', currency: 'EUR' } as const;
const USUAL = { from: '2025-01-15', to: '2025-10-14' } as const;
const PEAK = { from: '2025-10-15', to: '2026-01-14' } as const;

/**
 * Published fees of the United Kingdom and Germany in 2025, without the programme for low prices, and of the United Kingdom
 * with it from February 2026 to the next peak, whose surcharge is not known; others are not known.
 */
export const euCards: readonly FulfilmentCard[] = [
  { ...UK, ...USUAL, tiers: tiersOf(britain) },
  { ...UK, ...PEAK, tiers: tiersOf(britainAtPeak) },
  {
    ...UK,
    from: '2026-02-01',
    to: '2026-10-14',
    prices: LOW_2026,
    tiers: tiersOf(britain2026),
    isForPlanning: true,
  },
  { ...DE, ...USUAL, tiers: tiersOf(germany) },
  { ...DE, ...PEAK, tiers: tiersOf(germanyAtPeak) },
];
