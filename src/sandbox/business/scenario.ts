/** The casts: `demo` for people, `tiny` for tests, `medium` for two years of a group, `large` for a thousand accounts. */
import type { Region } from './types.ts';

export const SCENARIOS = ['demo', 'tiny', 'medium', 'large'] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** Whether a text names a scenario. */
export function isScenario(text: unknown): text is ScenarioName {
  return SCENARIOS.some((name) => name === text);
}

/** Days of business that lie behind when a scenario begins. */
export const HISTORY_DAYS: Readonly<Record<ScenarioName, number>> = { demo: 120, tiny: 120, medium: 730, large: 30 };

export interface SellerPlan {
  sellingPartnerId: string;
  /** Brand on the products and name of the store. */
  brand: string;
  skuPrefix: string;
  range: 'home' | 'pets';
  colours: number;
  /** Sold singly, and in packs of 2 up to so many. */
  packs: number;
  /** Upper limit of the number of SKUs. */
  skus: number;
  /** Products of each region that Amazon measures too large; none where left out. */
  mismeasured?: number;
  regions: { region: Region; countries: CountryPlan[] }[];
}

export interface CountryPlan {
  country: string;
  /** Mean orders a day over all SKUs, before season and stock. */
  ordersPerDay: number;
  /** Share of the seller's SKUs that are on offer here. */
  offered: number;
}

/** Shipped by the merchant itself: every n-th SKU. */
export const MERCHANT_SHIPPED_EVERY = 12;

const DEMO: SellerPlan[] = [
  {
    sellingPartnerId: 'A1SANDBOX0001',
    brand: 'Northquay',
    skuPrefix: 'NQ',
    range: 'home',
    colours: 4,
    packs: 1,
    skus: 44,
    mismeasured: 3,
    regions: [
      {
        region: 'na',
        countries: [
          { country: 'US', ordersPerDay: 68, offered: 1 },
          { country: 'CA', ordersPerDay: 19, offered: 0.75 },
        ],
      },
      {
        region: 'eu',
        countries: [
          { country: 'GB', ordersPerDay: 33, offered: 0.85 },
          { country: 'DE', ordersPerDay: 38, offered: 0.9 },
          { country: 'FR', ordersPerDay: 18, offered: 0.7 },
        ],
      },
    ],
  },
  {
    sellingPartnerId: 'A2SANDBOX0002',
    brand: 'Lumipaw',
    skuPrefix: 'LP',
    range: 'pets',
    colours: 5,
    packs: 1,
    skus: 42,
    mismeasured: 2,
    regions: [
      { region: 'na', countries: [{ country: 'US', ordersPerDay: 44, offered: 1 }] },
      { region: 'fe', countries: [{ country: 'JP', ordersPerDay: 29, offered: 0.95 }] },
    ],
  },
];

const TINY: SellerPlan[] = [
  {
    sellingPartnerId: 'A1SANDBOX0001',
    brand: 'Northquay',
    skuPrefix: 'NQ',
    range: 'home',
    colours: 2,
    packs: 1,
    skus: 6,
    regions: [
      {
        region: 'na',
        countries: [
          { country: 'US', ordersPerDay: 11, offered: 1 },
          { country: 'CA', ordersPerDay: 4, offered: 1 },
        ],
      },
    ],
  },
];

/** Where the sellers of a crowd sell, in turn; the shares of a seller's orders are one together. */
const SPREADS: { region: Region; countries: { country: string; share: number }[] }[][] = [
  [
    {
      region: 'na',
      countries: [
        { country: 'US', share: 0.8 },
        { country: 'CA', share: 0.2 },
      ],
    },
  ],
  [
    {
      region: 'eu',
      countries: [
        { country: 'GB', share: 0.35 },
        { country: 'DE', share: 0.4 },
        { country: 'FR', share: 0.25 },
      ],
    },
  ],
  [
    { region: 'na', countries: [{ country: 'US', share: 0.6 }] },
    {
      region: 'eu',
      countries: [
        { country: 'GB', share: 0.2 },
        { country: 'DE', share: 0.2 },
      ],
    },
  ],
  [
    { region: 'na', countries: [{ country: 'US', share: 0.7 }] },
    { region: 'fe', countries: [{ country: 'JP', share: 0.3 }] },
  ],
];

interface Crowd {
  /** Begins the id of each seller and the code of each of his SKUs. */
  letter: string;
  sellers: number;
  skus: number;
  colours: number;
  packs: number;
  /** Mean orders a day of the seller in this place, the largest first. */
  ordersPerDay: (rank: number) => number;
}

const MEDIUM: Crowd = {
  letter: 'M',
  sellers: 20,
  skus: 200,
  colours: 7,
  packs: 4,
  ordersPerDay: (rank) => 60 / Math.sqrt(rank) + 8,
};

/** A few large sellers and a long tail of small ones, as marketplaces have them. */
const LARGE: Crowd = {
  letter: 'L',
  sellers: 1000,
  skus: 10,
  colours: 1,
  packs: 1,
  ordersPerDay: (rank) => 200 / rank ** 0.75 + 1,
};

function sellerOf(crowd: Crowd, index: number): SellerPlan {
  const number = String(index + 1).padStart(4, '0');
  const perDay = crowd.ordersPerDay(index + 1);
  return {
    sellingPartnerId: `A${crowd.letter}SANDBOX${number}`,
    brand: `${index % 2 === 0 ? 'Harbour' : 'Meadow'} ${number}`,
    skuPrefix: `${crowd.letter}${number}`,
    range: index % 2 === 0 ? 'home' : 'pets',
    colours: crowd.colours,
    packs: crowd.packs,
    skus: crowd.skus,
    regions: (SPREADS[index % SPREADS.length] ?? []).map(({ region, countries }) => ({
      region,
      countries: countries.map(({ country, share }) => ({ country, ordersPerDay: perDay * share, offered: 0.9 })),
    })),
  };
}

function sellers(crowd: Crowd): SellerPlan[] {
  return Array.from({ length: crowd.sellers }, (_, index) => sellerOf(crowd, index));
}

const CASTS: Readonly<Record<ScenarioName, () => SellerPlan[]>> = {
  demo: () => DEMO,
  tiny: () => TINY,
  medium: () => sellers(MEDIUM),
  large: () => sellers(LARGE),
};

/** Sellers of a scenario. */
export function sellersOf(scenario: ScenarioName): SellerPlan[] {
  return CASTS[scenario]();
}
