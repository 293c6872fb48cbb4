import type { FulfilmentCard } from '../card.ts';
import { type Rates, tiersOf } from './eu-tiers.ts';

const france: Rates = {
  low: { envelopes: ['2.24 2.26 2.27 2.79 2.81', '2.81 3.31', '3.39', '4.31'], small: '4.31 4.71' },
  envelopes: ['2.75 2.76 2.78 3.30 3.32', '3.33 3.77', '4.39', '4.72'],
  small: '4.56 5.07 5.79 5.87 6.10 9.10',
  standard: '4.58 5.40 6.28 6.41 6.84 9.36 9.55 9.67 10.53 11.03',
  oversize: [
    [760, '7.23', '0.24'],
    [760, '7.61', '0.38'],
    [15_760, '13.00', '0.09'],
    [760, '9.07', '0.23'],
    [760, '16.92', '0.54'],
    [31_500, '22.02', '0.18'],
  ],
  special: { fees: '24.88 32.04 54.51 58.64', perKg: '0.40' },
};
const italy: Rates = {
  low: { envelopes: ['2.64 2.65 2.67 2.79 2.81', '2.81 3.04', '3.35', '3.59'], small: '3.59 3.91' },
  envelopes: ['3.23 3.26 3.28 3.39 3.41', '3.45 3.64', '3.94', '4.17'],
  small: '4.13 4.54 4.95 5.51 5.81 6.93',
  standard: '4.29 4.70 5.15 5.81 6.05 6.71 6.96 7.25 8.04 8.63',
  oversize: [
    [760, '7.39', '0.12'],
    [760, '7.78', '0.38'],
    [15_760, '13.31', '0.18'],
    [760, '9.74', '0.20'],
    [760, '11.13', '0.38'],
    [31_500, '16.85', '0.15'],
  ],
  special: { fees: '19.91 22.11 29.53 30.11', perKg: '0.60' },
};
const spain: Rates = {
  low: { envelopes: ['2.15 2.21 2.23 2.55 2.59', '2.61 2.85', '3.00', '3.23'], small: '3.23 3.46' },
  envelopes: ['2.77 2.84 2.87 3.21 3.23', '3.26 3.45', '3.60', '3.85'],
  small: '3.52 3.74 3.95 4.21 4.27 5.50',
  standard: '3.55 4.05 4.45 4.85 4.94 4.98 5.53 7.02 7.24 7.85',
  oversize: [
    [760, '5.86', '0.10'],
    [760, '6.91', '0.47'],
    [15_760, '13.50', '0.07'],
    [760, '7.88', '0.28'],
    [760, '11.49', '0.51'],
    [31_500, '14.00', '0.12'],
  ],
  special: { fees: '19.93 20.80 34.32 36.93', perKg: '0.45' },
};

/** From the day on which they were read to the one before parcels became cheaper; there was no peak surcharge in the south. */
const SOUTH = {
  from: '2025-02-14',
  to: '2025-12-14',
  currency: 'EUR',
  system: 'METRIC',
  divisor: 5,
  prices: [{ from: '12', inclusive: false }],
  surcharge: null,
  overmax: null,
  verified: 'SECONDARY',
  source: '两份互相一致的公开转录（2025年2月），其英国、德国部分与另一份转录逐格相同',
  isForPlanning: true,
} as const;

/** Published fees of France, Italy and Spain in 2025, with the programme for low prices. */
export const southCards: readonly FulfilmentCard[] = [
  { ...SOUTH, country: 'FR', tiers: tiersOf(france) },
  { ...SOUTH, country: 'IT', tiers: tiersOf(italy) },
  { ...SOUTH, country: 'ES', tiers: tiersOf(spain) },
];
