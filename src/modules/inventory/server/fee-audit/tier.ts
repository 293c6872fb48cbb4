import type { FeeTier } from '#modules/ratecard/contract/tiers.ts';

const US: readonly [RegExp, readonly FeeTier[]][] = [
  [/small.*standard/, ['SMALL_STANDARD']],
  [/large.*standard/, ['LARGE_STANDARD']],
  [/small.*bulky/, ['SMALL_BULKY']],
  // One tier until 2026.
  [/large.*bulky/, ['LARGE_BULKY']],
  [/extra.*large|oversize|special/, ['EXTRA_50', 'EXTRA_70', 'EXTRA_150', 'EXTRA_MORE']],
];
const EU: readonly [RegExp, readonly FeeTier[]][] = [
  [/(light|small).*envelope/, ['LIGHT_ENVELOPE']],
  [/standard.*envelope/, ['STANDARD_ENVELOPE']],
  [/extra.*large.*envelope/, ['EXTRA_ENVELOPE']],
  [/large.*envelope/, ['LARGE_ENVELOPE']],
  [/small.*parcel/, ['SMALL_PARCEL']],
  [/standard.*parcel/, ['STANDARD_PARCEL']],
  [/small.*oversize/, ['SMALL_OVERSIZE']],
  [/standard.*oversize/, ['LIGHT_OVERSIZE', 'HEAVY_OVERSIZE', 'LARGE_OVERSIZE']],
  [/special.*oversize/, ['SPECIAL_OVERSIZE']],
  [/oversize/, ['BULKY_OVERSIZE', 'WEIGHTY_OVERSIZE']],
];

/** Tiers that a report's word for one may mean, by country ("UsLargeStandardSize", "Large standard-size"); none where it is not known. */
export function tiersNamed(country: string, words: string): readonly FeeTier[] {
  const plain = words.toLowerCase().replace(/[^a-z]/g, '');
  return (country === 'US' ? US : EU).find(([form]) => form.test(plain))?.[1] ?? [];
}
