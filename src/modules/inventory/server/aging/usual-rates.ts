import type { RateBand, RateCardRow, RateTier } from '../../contract/aging.ts';

const byVolume = (
  tier: RateTier,
  from: number,
  to: number | null,
  perVolume: string,
  more: Partial<RateBand> = {},
) => ({
  tier,
  from,
  to,
  perVolume,
  perUnit: null,
  exempt: false,
  ...more,
});
const byPiece = (tier: RateTier, from: number, to: number, perUnit: string): RateBand => ({
  tier,
  from,
  to,
  perVolume: null,
  perUnit,
  exempt: false,
});
const US = { country: 'US', currency: 'USD', volumeUnit: 'FT3', own: false } as const;

/** Published rates of the United States as of early 2026, outside the peak; a company keeps its own beside them. */
export const usualCards: readonly RateCardRow[] = [
  {
    ...US,
    kind: 'STORAGE',
    validFrom: '2024-04-01',
    bands: [
      byVolume('STANDARD', 1, 9, '0.78'),
      byVolume('STANDARD', 10, 12, '2.40'),
      byVolume('OVERSIZE', 1, 9, '0.56'),
      byVolume('OVERSIZE', 10, 12, '1.40'),
    ],
  },
  {
    ...US,
    kind: 'AGED',
    validFrom: '2026-01-15',
    bands: [
      byVolume('ALL', 181, 210, '0.50', { exempt: true }),
      byVolume('ALL', 211, 240, '1.00', { exempt: true }),
      byVolume('ALL', 241, 270, '1.50', { exempt: true }),
      byVolume('ALL', 271, 300, '5.45'),
      byVolume('ALL', 301, 330, '5.70'),
      byVolume('ALL', 331, 365, '5.90'),
      byVolume('ALL', 366, 455, '6.90', { perUnit: '0.30' }),
      byVolume('ALL', 456, null, '7.90', { perUnit: '0.35' }),
    ],
  },
  {
    ...US,
    kind: 'LOW',
    validFrom: '2024-04-01',
    bands: [
      byPiece('SMALL', 0, 13, '0.89'),
      byPiece('SMALL', 14, 20, '0.63'),
      byPiece('SMALL', 21, 27, '0.32'),
      byPiece('LARGE', 0, 13, '0.97'),
      byPiece('LARGE', 14, 20, '0.70'),
      byPiece('LARGE', 21, 27, '0.36'),
      byPiece('HEAVY', 0, 13, '1.11'),
      byPiece('HEAVY', 14, 20, '0.87'),
      byPiece('HEAVY', 21, 27, '0.47'),
    ],
  },
];
