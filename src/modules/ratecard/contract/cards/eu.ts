import type { FulfilmentCard } from '../card.ts';
import { eu2026Cards } from './eu-2026.ts';
import { southCards } from './eu-south.ts';
import { type Rates, tiersOf } from './eu-tiers.ts';

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

const EU = {
  system: 'METRIC',
  divisor: 5,
  prices: [],
  surcharge: null,
  overmax: null,
  verified: 'SECONDARY',
  source: '卖家转录的亚马逊费率卡（2025年10月），未含低价计划与服装',
} as const;
const UK = { ...EU, country: 'UK', currency: 'GBP' } as const;
const DE = { ...EU, country: 'DE', currency: 'EUR' } as const;
const USUAL = { from: '2025-01-15', to: '2025-10-14' } as const;
const PEAK = { from: '2025-10-15', to: '2026-01-14' } as const;

/** Published fees of the United Kingdom and Germany in 2025 without the programme for low prices, of the south, and of all in 2026. */
export const euCards: readonly FulfilmentCard[] = [
  { ...UK, ...USUAL, tiers: tiersOf(britain) },
  { ...UK, ...PEAK, tiers: tiersOf(britainAtPeak) },
  { ...DE, ...USUAL, tiers: tiersOf(germany) },
  { ...DE, ...PEAK, tiers: tiersOf(germanyAtPeak) },
  ...southCards,
  ...eu2026Cards,
];
