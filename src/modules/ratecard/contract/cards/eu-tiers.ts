import type { FeeBand, SizeTier } from '../card.ts';

/** Fees of a European card by tier, in the order of its limits; of the oversize tiers the first fee and what a kilogram more adds. */
export interface Rates {
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
    { upTo: null, fees: [fees.split(' ')[3] ?? ''], more: { over: 60_000, every: '1000', adds: [perKg] } },
  ],
});

/** Tiers in grams and centimetres; the dimensional weight is cm³ ÷ 5 in grams. Envelopes and special oversize go by weight. */
export function tiersOf({ envelopes, small, standard, oversize, special, low }: Rates): SizeTier[] {
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
        bands: [{ upTo: null, fees: [fee], more: { over, every: '1000', adds: [perKg] } }],
      };
    }),
    ...(special ? [specialTier(special)] : []),
  ];
}
