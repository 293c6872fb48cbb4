import { Decimal } from '#kit/contract/decimal.ts';
import type { Category, ReferralRule, ReferralStep } from './referral.ts';

const US = ['US'] as const;
const CA = ['CA'] as const;
const EUROPE = ['UK', 'DE', 'FR', 'IT', 'ES'] as const;
const UK = ['UK'] as const;
const UNION = ['DE', 'FR', 'IT', 'ES'] as const;
const AU = ['AU'] as const;

/** "5 to 15, 10 to 20, 17": rates in percent with their limits. */
function steps(text: string): ReferralStep[] {
  return text.split(', ').map((part) => {
    const [rate = '0', upTo = null] = part.split(' to ');
    return { upTo, rate: new Decimal(rate).div(100).toFixed() };
  });
}
const rule = (
  countries: readonly string[],
  category: Category,
  by: ReferralRule['by'],
  text: string,
  from = '2024-01-01',
  verified: ReferralRule['verified'] = 'SECONDARY',
): ReferralRule => ({ countries, category, from, by, steps: steps(text), verified });

/** The card of 2026 of the five great marketplaces; before it only what is not of it is known. */
const EU_2026 = '2026-02-01';
const europe: readonly ReferralRule[] = [
  rule(EUROPE, 'other', 'price', '15'),
  rule(EUROPE, 'clothing', 'price', '5 to 15, 10 to 20, 15', '2025-12-15'),
  rule(EUROPE, 'home', 'price', '8 to 20, 15', EU_2026),
  ...(['pets', 'grocery', 'vitamins'] as const).map((one) => rule(EUROPE, one, 'price', '5 to 10, 15', EU_2026)),
  ...(['beauty', 'health', 'baby'] as const).map((one) => rule(EUROPE, one, 'price', '8 to 10, 15', EU_2026)),
  rule(EUROPE, 'electronics', 'price', '7', EU_2026),
  rule(EUROPE, 'electronicsAccessories', 'part', '15 to 100, 8', EU_2026),
  rule(EUROPE, 'tires', 'price', '7', EU_2026),
  rule(EUROPE, 'deviceAccessories', 'price', '45', EU_2026),
  rule(UK, 'furniture', 'part', '15 to 175, 10', EU_2026),
  rule(UNION, 'furniture', 'part', '15 to 200, 10', EU_2026),
  rule(UK, 'jewelry', 'part', '20 to 225, 5', EU_2026),
  rule(UNION, 'jewelry', 'part', '20 to 250, 5', EU_2026),
  rule(UK, 'watches', 'part', '15 to 225, 5', EU_2026),
  rule(UNION, 'watches', 'part', '15 to 250, 5', EU_2026),
  ...(['kitchen', 'toys', 'books', 'office', 'industrial'] as const).map((one) =>
    rule(EUROPE, one, 'price', '15', EU_2026),
  ),
];

/** In April 2026 Japan raised what is charged above 750 JPY, and all of media, by 0.4 points. */
const japan = (category: Category, before: string, since: string): ReferralRule[] => [
  rule(['JP'], category, 'price', before),
  rule(['JP'], category, 'price', since, '2026-04-01'),
];
const jp: readonly ReferralRule[] = [
  ...(['other', 'home', 'kitchen', 'furniture', 'office', 'industrial'] as const).flatMap((one) =>
    japan(one, '5 to 750, 15', '5 to 750, 15.4'),
  ),
  ...(['beauty', 'health', 'vitamins', 'grocery'] as const).flatMap((one) =>
    japan(one, '5 to 750, 8 to 1500, 10', '5 to 750, 8.4 to 1500, 10.4'),
  ),
  ...(['baby', 'pets'] as const).flatMap((one) => japan(one, '5 to 750, 8 to 1500, 15', '5 to 750, 8.4 to 1500, 15.4')),
  ...japan('electronics', '5 to 750, 8', '5 to 750, 8.4'),
  ...(['electronicsAccessories', 'toys'] as const).flatMap((one) => japan(one, '5 to 750, 10', '5 to 750, 10.4')),
  ...japan('books', '15', '15.4'),
  ...japan('deviceAccessories', '45', '45.4'),
];

const CA_2026 = '2026-01-01';
const canada: readonly ReferralRule[] = [
  rule(CA, 'other', 'price', '15', CA_2026),
  rule(CA, 'clothing', 'price', '10 to 19.99, 17', CA_2026),
  ...(['beauty', 'health', 'baby'] as const).map((one) => rule(CA, one, 'price', '8 to 15, 15', CA_2026)),
  rule(CA, 'grocery', 'price', '8 to 20, 15', CA_2026),
  rule(CA, 'furniture', 'part', '15 to 250, 10', CA_2026),
  rule(CA, 'electronics', 'price', '8', CA_2026),
  rule(CA, 'electronicsAccessories', 'part', '15 to 100, 8', CA_2026),
  rule(CA, 'deviceAccessories', 'price', '45', CA_2026),
  rule(CA, 'industrial', 'price', '12', CA_2026),
  ...(['home', 'kitchen', 'toys', 'pets', 'office', 'books'] as const).map((one) =>
    rule(CA, one, 'price', '15', CA_2026),
  ),
];

/** All rules; a category without one in a country pays its default. Of Mexico none is known. */
export const REFERRAL_RULES: readonly ReferralRule[] = [
  rule(US, 'other', 'price', '15'),
  rule(US, 'clothing', 'price', '5 to 15, 10 to 20, 17'),
  ...(['beauty', 'health', 'baby'] as const).map((one) => rule(US, one, 'price', '8 to 10, 15')),
  rule(US, 'grocery', 'price', '8 to 15, 15'),
  rule(US, 'electronics', 'price', '8'),
  rule(US, 'electronicsAccessories', 'part', '15 to 100, 8'),
  rule(US, 'furniture', 'part', '15 to 200, 10'),
  rule(US, 'jewelry', 'part', '20 to 250, 5'),
  rule(US, 'watches', 'part', '16 to 1500, 3'),
  rule(US, 'tires', 'price', '10'),
  rule(US, 'deviceAccessories', 'price', '45'),
  ...canada,
  ...europe,
  ...jp,
  rule(AU, 'other', 'price', '15', '2026-06-10', 'UNVERIFIED'),
  ...(['home', 'kitchen', 'office'] as const).map((one) => rule(AU, one, 'price', '13', '2026-06-10', 'UNVERIFIED')),
  rule(AU, 'pets', 'part', '13 to 200, 12', '2026-06-10', 'UNVERIFIED'),
];
