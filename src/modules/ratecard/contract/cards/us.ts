import type { FeeBand, FulfilmentCard, SizeTier } from '../card.ts';

/** Billable pounds up to which a band goes, then fees below 10, from 10 to 50, and above 50 USD. */
type Row = readonly [upTo: number, under10: string, to50: string, above: string];
type Base = readonly [under10: string, to50: string, above: string];

const bands = (rows: readonly Row[]): FeeBand[] => rows.map(([upTo, ...fees]) => ({ upTo, fees }));
const rising = (upTo: number | null, fees: Base, over: number, every: string, add: string): FeeBand => ({
  upTo,
  fees,
  more: { over, every, adds: [add] },
});

interface Rates {
  small: readonly Row[];
  large: readonly Row[];
  above3: Base;
  /** Absent while there was one tier of bulky goods. */
  smallBulky?: Base;
  largeBulky: Base;
  extra: readonly [to50: Base, to70: Base, to150: Base, beyond: Base];
}

const extraLarge = (code: SizeTier['code'], greater: number | null, band: FeeBand): SizeTier => ({
  code,
  weight: greater,
  dimensional: null,
  greater,
  sides: null,
  girth: null,
  billedBy: 'greater',
  leastSide: 2,
  bands: [band],
});

/** Tiers in pounds and inches; the dimensional weight is inches³ ÷ 139, for bulky goods with sides of at least 2 inches. */
function tiersOf({ small, large, above3, smallBulky, largeBulky, extra }: Rates): SizeTier[] {
  const bulky = {
    weight: null,
    dimensional: null,
    greater: 50,
    girth: 130,
    billedBy: 'greater',
    leastSide: 2,
  } as const;
  const perPound = (fees: Base) => [rising(50, fees, 1, '1', '0.38')];
  return [
    {
      code: 'SMALL_STANDARD',
      weight: 1,
      dimensional: null,
      greater: null,
      sides: [15, 12, 0.75],
      girth: null,
      billedBy: 'weight',
      bands: bands(small),
    },
    {
      code: 'LARGE_STANDARD',
      weight: null,
      dimensional: null,
      greater: 20,
      sides: [18, 14, 8],
      girth: null,
      billedBy: 'greater',
      bands: [...bands(large), rising(20, above3, 3, '0.25', '0.08')],
    },
    ...(smallBulky
      ? [{ ...bulky, code: 'SMALL_BULKY', sides: [37, 28, 20], bands: perPound(smallBulky) } as const]
      : []),
    { ...bulky, code: 'LARGE_BULKY', sides: [59, 33, 33], bands: perPound(largeBulky) },
    extraLarge('EXTRA_50', 50, rising(50, extra[0], 1, '1', '0.38')),
    extraLarge('EXTRA_70', 70, rising(70, extra[1], 51, '1', '0.75')),
    extraLarge('EXTRA_150', 150, rising(150, extra[2], 71, '1', '0.75')),
    { ...extraLarge('EXTRA_MORE', null, rising(null, extra[3], 151, '1', '0.19')), billedBy: 'weight' },
  ];
}

const flat = (under10: string, other: string): Base => [under10, other, other];
const rows = (limits: readonly number[], ...fees: readonly (readonly string[])[]): Row[] =>
  limits.map((upTo, at) => [upTo, fees[0]?.[at] ?? '', fees[1]?.[at] ?? '', (fees[2] ?? fees[1])?.[at] ?? '']);

const EIGHTHS = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];
const QUARTERS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3];
const LARGE_UNDER_10 = '2.91 3.13 3.38 3.78 4.22 4.60 4.75 5.00 5.10 5.28 5.44 5.85'.split(' ');

const in2025: Rates = {
  small: rows(
    EIGHTHS,
    '2.29 2.38 2.47 2.56 2.66 2.76 2.83 2.88'.split(' '),
    '3.06 3.15 3.24 3.33 3.43 3.53 3.60 3.65'.split(' '),
  ),
  large: rows(QUARTERS, LARGE_UNDER_10, '3.68 3.90 4.15 4.55 4.99 5.37 5.52 5.77 5.87 6.05 6.21 6.62'.split(' ')),
  above3: flat('6.15', '6.92'),
  largeBulky: flat('8.84', '9.61'),
  extra: [flat('25.56', '26.33'), flat('39.35', '40.12'), flat('54.04', '54.81'), flat('194.18', '194.95')],
};

const peak2025: Rates = {
  small: rows(
    EIGHTHS,
    '2.48 2.57 2.67 2.76 2.87 2.97 3.05 3.10'.split(' '),
    '3.25 3.34 3.44 3.53 3.64 3.74 3.82 3.87'.split(' '),
  ),
  large: rows(
    QUARTERS,
    '3.15 3.39 3.66 4.07 4.52 4.91 5.07 5.33 5.47 5.67 5.84 6.26'.split(' '),
    '3.92 4.16 4.43 4.84 5.29 5.68 5.84 6.10 6.24 6.44 6.61 7.03'.split(' '),
  ),
  above3: flat('6.69', '7.46'),
  largeBulky: flat('9.88', '10.65'),
  extra: [flat('28.29', '29.06'), flat('42.16', '42.93'), flat('58.46', '59.23'), flat('202.69', '203.46')],
};

const in2026: Rates = {
  small: rows(
    EIGHTHS,
    '2.43 2.49 2.56 2.66 2.77 2.82 2.92 2.95'.split(' '),
    '3.32 3.42 3.45 3.54 3.68 3.78 3.91 3.96'.split(' '),
    '3.58 3.68 3.71 3.80 3.94 4.04 4.17 4.22'.split(' '),
  ),
  large: rows(
    QUARTERS,
    LARGE_UNDER_10,
    '3.73 3.95 4.20 4.60 5.04 5.42 5.57 5.82 5.92 6.10 6.26 6.67'.split(' '),
    '3.99 4.21 4.46 4.86 5.30 5.68 5.83 6.08 6.18 6.36 6.52 6.93'.split(' '),
  ),
  above3: ['6.15', '6.97', '7.23'],
  smallBulky: flat('6.78', '7.55'),
  largeBulky: flat('8.58', '9.35'),
  extra: [flat('25.56', '26.33'), flat('36.55', '37.32'), flat('50.55', '51.32'), flat('194.18', '194.95')],
};

const US = {
  country: 'US',
  currency: 'USD',
  system: 'US',
  divisor: 139,
  verified: 'SECONDARY',
  source: '卖家转录的亚马逊费率卡（2025年10月），标准尺寸与第二份公开表一致',
  prices: [
    { from: '10', inclusive: true },
    { from: '50', inclusive: false },
  ],
} as const;
/** From 2026 on goods longer than this pay a handling fee of their own on top. */
const OVERMAX = { longest: 96, girth: 130, weight: 150 };

/** Published fees of the United States, goods other than apparel. The fuel surcharge of 2026-04-17 is on top of the fee. */
export const usCards: readonly FulfilmentCard[] = [
  { ...US, from: '2025-01-15', to: '2025-10-14', surcharge: null, overmax: null, tiers: tiersOf(in2025) },
  { ...US, from: '2025-10-15', to: '2026-01-14', surcharge: null, overmax: null, tiers: tiersOf(peak2025) },
  { ...US, from: '2026-01-15', to: '2026-04-16', surcharge: null, overmax: OVERMAX, tiers: tiersOf(in2026) },
  { ...US, from: '2026-04-17', to: null, surcharge: '0.035', overmax: OVERMAX, tiers: tiersOf(in2026) },
];
