/** The two casts: `demo` for people, `tiny` for tests. */
import type { Region } from './types.ts';

export type ScenarioName = 'demo' | 'tiny';

export interface SellerPlan {
  sellingPartnerId: string;
  /** Brand on the products and name of the store. */
  brand: string;
  skuPrefix: string;
  range: 'home' | 'pets';
  colours: number;
  /** Upper limit of the number of SKUs. */
  skus: number;
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
    skus: 44,
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
    skus: 42,
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

/** Sellers of a scenario. */
export function sellersOf(scenario: ScenarioName): SellerPlan[] {
  return scenario === 'demo' ? DEMO : TINY;
}
