import { auCards } from './cards/au.ts';
import { caCards } from './cards/ca.ts';
import { euCards } from './cards/eu.ts';
import { jpCards } from './cards/jp.ts';
import { mxCards } from './cards/mx.ts';
import { usCards } from './cards/us.ts';
import type { FeeTier } from './tiers.ts';
import type { Verified } from './verified.ts';

/** Longest, median and shortest side. */
export type Sides = readonly [longest: number, median: number, shortest: number];

/** A fee for billable weights up to a limit; beyond `over`, one of `adds` for every started `every` of weight more. */
export interface FeeBand {
  /** Last weight of the band, in the card's unit; null has no end. */
  upTo: number | null;
  /** Per piece, one for each price band of the card, or one for all. */
  fees: readonly string[];
  /** `adds` one for each price band, or one for all. */
  more?: { over: number; every: string; adds: readonly string[] };
}

/** One size tier with all that a piece has to keep to be in it; of several the first that fits counts. Null: no limit. */
export interface SizeTier {
  code: FeeTier;
  /** Largest weight of the piece, dimensional weight, and the greater of both. */
  weight: number | null;
  dimensional: number | null;
  greater: number | null;
  sides: Sides | null;
  /** All three sides together. */
  sum?: number;
  /** Longest side + 2 × (median + shortest). */
  girth: number | null;
  /** What the fee goes by: the piece's weight alone, or the greater of it and the dimensional weight. */
  billedBy: 'weight' | 'greater';
  /** Median and shortest side count as at least so much for the dimensional weight. */
  leastSide?: number;
  bands: readonly FeeBand[];
}

/** Where a price band begins; for goods outside the low price programme it begins at `excepted`. */
export interface PriceStep {
  from: string;
  /** Whether `from` itself is in the band above. */
  inclusive: boolean;
  excepted?: string;
}

/** Fulfilment fees of a country for some days, both included. US: inches and pounds; METRIC: centimetres and grams. */
export interface FulfilmentCard {
  country: string;
  from: string;
  /** Null: until further notice. */
  to: string | null;
  currency: string;
  system: 'US' | 'METRIC';
  /** Volume in the card's unit of length, by which it is divided for the dimensional weight in its unit of weight. */
  divisor: number;
  /** Where each price band after the first begins. */
  prices: readonly PriceStep[];
  /** Share of the fee that is charged on top, e.g. "0.035". */
  surcharge: string | null;
  /** Beyond these sides something is charged on top that the card does not tell; null where there is nothing. */
  overmax: { longest: number; girth: number; weight: number } | null;
  tiers: readonly SizeTier[];
  verified: Verified;
  /** Where the figures were read, in words. */
  source: string;
  /** It does to plan by, and not to claim money by: categories decide too, and few say which. */
  isForPlanning?: true;
}

export const CARDS: readonly FulfilmentCard[] = [
  ...usCards,
  ...caCards,
  ...mxCards,
  ...euCards,
  ...jpCards,
  ...auCards,
];

/** The card of a country (as pages show it: "UK" is the United Kingdom) on a day of its marketplace; undefined without one. */
export function cardOn(country: string, day: string): FulfilmentCard | undefined {
  return CARDS.find((card) => card.country === country && card.from <= day && (card.to === null || day <= card.to));
}

/** The last day of the newest card of a country that is over on `day`, to plan by until a newer one is known; undefined without one. */
export function lastKnownDay(country: string, day: string): string | undefined {
  const over = CARDS.flatMap((card) =>
    card.country === country && card.to !== null && card.to < day ? [card.to] : [],
  );
  return over.toSorted().at(-1);
}
