import type { FulfilmentCard, Sides, SizeTier } from '../card.ts';
import type { FeeTier } from '../tiers.ts';

/** Largest sides that a standard piece may have. */
const STANDARD: Sides = [45, 35, 20];

/** A tier has one fee, whatever is weighed in it; `fees` of low prices, where there are any, and of all others. */
const tier = (code: FeeTier, fees: string, grams: number, sides: Sides | null, sum?: number): SizeTier => ({
  code,
  weight: grams,
  dimensional: null,
  greater: null,
  sides,
  ...(sum === undefined ? {} : { sum }),
  girth: null,
  billedBy: 'weight',
  bands: [{ upTo: null, fees: fees.split(' ') }],
});
const LARGE = [
  'JP_LARGE_1',
  'JP_LARGE_2',
  'JP_LARGE_3',
  'JP_LARGE_4',
  'JP_LARGE_5',
  'JP_LARGE_6',
  'JP_LARGE_7',
  'JP_LARGE_8',
] as const;
const EXTRA = ['JP_EXTRA_1', 'JP_EXTRA_2', 'JP_EXTRA_3', 'JP_EXTRA_4'] as const;
const LARGE_KG = [2, 5, 10, 15, 20, 25, 30, 40];

/** By all three sides together: from 60 cm by 20, and from 200 cm. */
const beyondStandard = (large: readonly string[], extra: readonly string[]): SizeTier[] => [
  ...LARGE.map((code, at) => tier(code, large[at] ?? '', (LARGE_KG[at] ?? 0) * 1_000, null, 60 + 20 * at)),
  ...EXTRA.map((code, at) => tier(code, extra[at] ?? '', 50_000, null, 200 + 20 * at)),
];

const JP = {
  country: 'JP',
  currency: 'JPY',
  system: 'METRIC',
  divisor: 5,
  surcharge: null,
  overmax: null,
  verified: 'UNVERIFIED',
  isForPlanning: true,
} as const;

/** Fees of Japan, JPY with consumption tax: standard goods were parted more finely in April 2024. */
export const jpCards: readonly FulfilmentCard[] = [
  {
    ...JP,
    from: '2022-03-01',
    to: '2024-03-31',
    prices: [],
    source: '公开转录的旧费率卡，大件与特大件的重量上限取自后一版',
    tiers: [
      tier('JP_SMALL', '288', 250, [25, 18, 2]),
      tier('JP_STANDARD_1', '318', 1_000, [33, 24, 2.8]),
      tier('JP_STANDARD_2', '434', 2_000, STANDARD, 60),
      tier('JP_STANDARD_3', '514', 5_000, STANDARD, 80),
      tier('JP_STANDARD_4', '603', 9_000, STANDARD, 100),
      ...beyondStandard('589 712 815 975 1020 1100 1532 1756'.split(' '), '2755 3573 4496 5625'.split(' ')),
    ],
  },
  {
    ...JP,
    from: '2024-04-01',
    to: null,
    prices: [{ from: '1000', inclusive: false }],
    source: '公开转录的日本站料金页（小型、标准1之外按三边合计分段）',
    tiers: [
      tier('JP_SMALL', '222 288', 250, [25, 18, 2]),
      tier('JP_STANDARD_1', '252 318', 1_000, [35, 30, 3.3]),
      tier('JP_STANDARD_2', '347 413', 2_000, STANDARD, 20),
      tier('JP_STANDARD_3', '368 434', 2_000, STANDARD, 30),
      tier('JP_STANDARD_4', '389 455', 2_000, STANDARD, 40),
      tier('JP_STANDARD_5', '399 465', 2_000, STANDARD, 50),
      tier('JP_STANDARD_6', '419 485', 2_000, STANDARD, 60),
      tier('JP_STANDARD_7', '448 514', 5_000, STANDARD, 80),
      tier('JP_STANDARD_8', '466 532', 9_000, STANDARD, 100),
      ...beyondStandard(
        ['523 589', '558 624', '609 675', '715 781', '954 1020', '1034 1100', '1466 1532', '1690 1756'],
        ['2689 2755', '3507 3573', '4430 4496', '5559 5625'],
      ),
    ],
  },
];
