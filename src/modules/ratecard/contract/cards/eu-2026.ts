import type { FulfilmentCard } from '../card.ts';
import { type Rates, tiersOf } from './eu-tiers.ts';

/** Special oversize is known of none of them. */
const britain: Rates = {
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
/** For those who do not let Amazon store in Poland and the Czech Republic: 0.26 more than others pay. */
const germany: Rates = {
  low: { envelopes: ['1.87 1.90 1.92 2.06 2.09', '2.12 2.28', '2.65', '3.04'], small: '3.04 3.25' },
  envelopes: ['2.33 2.37 2.39 2.52 2.54', '2.57 2.68', '3.04', '3.42'],
  small: '3.38 3.39 3.40 3.41 3.43 4.54',
  standard: '3.39 3.42 3.44 3.93 3.95 4.55 5.09 5.22 6.03 6.65',
  oversize: [
    [760, '4.56', '0.18'],
    [760, '4.59', '0.18'],
    [15_760, '7.25', '0.07'],
    [760, '6.06', '0.08'],
    [760, '8.24', '0.27'],
    [31_500, '13.00', '0.15'],
  ],
};
const france: Rates = {
  low: { envelopes: ['2.24 2.26 2.27 2.79 2.81', '2.81 3.31', '3.96', '4.31'], small: '4.31 4.71' },
  envelopes: ['2.75 2.76 2.78 3.30 3.32', '3.33 3.77', '4.39', '4.72'],
  small: '4.56 5.07 5.79 5.87 6.10 7.80',
  standard: '4.58 5.22 6.01 6.41 6.44 7.08 7.81 8.22 8.84 9.38',
  oversize: [
    [760, '7.05', '0.20'],
    [760, '7.29', '0.21'],
    [15_760, '10.42', '0.11'],
    [760, '8.47', '0.13'],
    [760, '15.38', '0.45'],
    [31_500, '15.59', '0.18'],
  ],
};
const italy: Rates = {
  low: { envelopes: ['2.64 2.65 2.67 2.79 2.81', '2.81 3.04', '3.35', '3.59'], small: '3.59 3.91' },
  envelopes: ['3.23 3.26 3.28 3.39 3.41', '3.45 3.64', '3.94', '4.17'],
  small: '4.13 4.54 4.95 5.11 5.14 5.16',
  standard: '4.29 4.70 5.15 5.26 5.29 5.30 5.35 5.38 5.41 6.25',
  oversize: [
    [760, '7.21', '0.08'],
    [760, '7.45', '0.22'],
    [15_760, '10.63', '0.08'],
    [760, '9.13', '0.09'],
    [760, '9.59', '0.30'],
    [31_500, '16.85', '0.15'],
  ],
};
const spain: Rates = {
  low: { envelopes: ['2.15 2.21 2.23 2.55 2.59', '2.61 2.85', '3.00', '3.23'], small: '3.23 3.46' },
  envelopes: ['2.77 2.84 2.87 3.21 3.23', '3.26 3.45', '3.60', '3.85'],
  small: '3.52 3.74 3.95 4.21 4.27 5.50',
  standard: '3.55 3.77 3.99 4.85 4.94 4.98 5.53 5.96 7.24 7.85',
  oversize: [
    [760, '5.68', '0.04'],
    [760, '6.55', '0.34'],
    [15_760, '11.72', '0.27'],
    [760, '6.76', '0.33'],
    [760, '9.95', '0.43'],
    [31_500, '14.00', '0.12'],
  ],
};

const CARD = {
  system: 'METRIC',
  divisor: 5,
  overmax: null,
  verified: 'SECONDARY',
  source: '公开转录的亚马逊欧洲费率卡（2026年2月1日版），燃油附加费见各站公告',
  isForPlanning: true,
} as const;
/** Some categories leave the programme for low prices at a lower price already. */
const lowTo = (excepted: string) => [{ from: '20', inclusive: false, excepted }];

/** Until the next peak, whose surcharge is not known; the fuel surcharge came on top in April. */
const both = (country: string, currency: string, excepted: string, rates: Rates): FulfilmentCard[] => {
  const card = { ...CARD, country, currency, prices: lowTo(excepted), tiers: tiersOf(rates) };
  return [
    { ...card, from: '2026-02-01', to: '2026-04-16', surcharge: null },
    { ...card, from: '2026-04-17', to: '2026-10-14', surcharge: '0.015' },
  ];
};

/** Published fees of the five great marketplaces of Europe from February 2026, with the programme for low prices. */
export const eu2026Cards: readonly FulfilmentCard[] = [
  ...both('UK', 'GBP', '10', britain),
  ...both('DE', 'EUR', '11', germany),
  ...both('FR', 'EUR', '12', france),
  ...both('IT', 'EUR', '12', italy),
  ...both('ES', 'EUR', '12', spain),
];
