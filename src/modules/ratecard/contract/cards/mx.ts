import type { FeeBand, FulfilmentCard, SizeTier } from '../card.ts';

/** Grams up to which a band goes, then fees below 150, below 299, below 499 and from there, MXN with IVA. */
const bands = (rows: readonly string[]): FeeBand[] =>
  rows.map((fees, at) => ({ upTo: (at + 1) * 100, fees: fees.split(' ') }));
const rising = (upTo: number | null, fees: string, over: number, every: string, adds: string): FeeBand => ({
  upTo,
  fees: fees.split(' '),
  more: { over, every, adds: adds.split(' ') },
});
const tier = (code: SizeTier['code'], weight: number | null, sides: SizeTier['sides'], of: FeeBand[]): SizeTier => ({
  code,
  weight,
  dimensional: null,
  greater: null,
  sides,
  girth: null,
  billedBy: 'weight',
  bands: of,
});

/** Fees of Mexico as its page told them in June 2026; of earlier days nothing is known, nor by which referral fees. */
export const mxCards: readonly FulfilmentCard[] = [
  {
    country: 'MX',
    from: '2026-06-04',
    to: null,
    currency: 'MXN',
    system: 'METRIC',
    divisor: 5,
    prices: ['150', '299', '499'].map((from) => ({ from, inclusive: true })),
    surcharge: null,
    overmax: null,
    verified: 'UNVERIFIED',
    source: '公开转录的墨西哥站价目页（2026年6月4日更新），含 IVA，按实重计费',
    isForPlanning: true,
    tiers: [
      tier(
        'ENVELOPE',
        400,
        [38, 27, 2],
        bands([
          '27.00 33.00 49.00 60.00',
          '27.20 34.00 50.00 60.40',
          '27.40 35.00 51.00 60.80',
          '27.60 36.00 52.00 61.20',
        ]),
      ),
      tier(
        'STANDARD_SIZE',
        null,
        [45, 35, 20],
        [
          ...bands([
            '28.00 33.00 50.00 61.80',
            '28.05 34.00 51.00 63.00',
            '28.10 35.00 52.00 64.00',
            '28.15 36.00 53.00 66.00',
            '28.20 37.00 54.00 67.00',
            '28.25 37.50 55.00 68.30',
            '28.30 38.00 56.00 69.60',
            '28.35 38.50 57.00 71.00',
            '28.40 39.00 58.00 72.00',
            '28.45 39.50 59.00 72.70',
          ]),
          rising(null, '28.50 40.00 60.00 72.80', 1_000, '250', '1.15 1.15 1.75 1.50'),
        ],
      ),
      tier('LARGE_SIZE', null, null, [
        { upTo: 1_000, fees: ['32.00', '38.00', '61.00', '75.40'] },
        rising(50_000, '32.00 38.00 61.00 75.40', 1_000, '500', '2.80 2.80 3.10 3.75'),
        rising(100_000, '306.40 312.40 364.80 442.90', 50_000, '500', '1.50 1.50 1.60 2.10'),
        rising(null, '456.40 462.40 524.80 652.90', 100_000, '500', '1.50 1.50 3.00 3.60'),
      ]),
    ],
  },
];
