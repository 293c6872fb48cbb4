import type { FeeTier } from '../../contract/fee-audit.ts';
import { euCards } from './eu-cards.ts';
import { usCards } from './us-cards.ts';

/** Longest, median and shortest side. */
export type Sides = readonly [longest: number, median: number, shortest: number];

/** A fee for billable weights up to a limit; beyond `over`, `add` for every started `every` of weight more. */
export interface FeeBand {
  /** Last weight of the band, in the card's unit; null has no end. */
  upTo: number | null;
  /** Per piece, one for each price band of the card. */
  fees: readonly string[];
  more?: { over: number; every: string; add: string };
}

/** One size tier with all that a piece has to keep to be in it; of several the first that fits counts. Null: no limit. */
export interface SizeTier {
  code: FeeTier;
  /** Largest weight of the piece, dimensional weight, and the greater of both. */
  weight: number | null;
  dimensional: number | null;
  greater: number | null;
  sides: Sides | null;
  /** Longest side + 2 × (median + shortest). */
  girth: number | null;
  /** What the fee goes by: the piece's weight alone, or the greater of it and the dimensional weight. */
  billedBy: 'weight' | 'greater';
  /** Median and shortest side count as at least so much for the dimensional weight. */
  leastSide?: number;
  bands: readonly FeeBand[];
}

/** Fulfilment fees of a country for some days, both included. US: inches and pounds; EU: centimetres and grams. */
export interface FulfilmentCard {
  country: string;
  from: string;
  /** Null: until further notice. */
  to: string | null;
  currency: string;
  system: 'US' | 'EU';
  /** Lowest price of each price band after the first, and whether the price itself is still in the band below. */
  prices: readonly { from: string; inclusive: boolean }[];
  /** Share of the fee that is charged on top, e.g. "0.035". */
  surcharge: string | null;
  /** Beyond these sides something is charged on top that the card does not tell; null where there is nothing. */
  overmax: { longest: number; girth: number; weight: number } | null;
  tiers: readonly SizeTier[];
}

const CARDS: readonly FulfilmentCard[] = [...usCards, ...euCards];

/** The card of a country (two letters, "GB" for the United Kingdom) on a day of its marketplace; undefined without one. */
export function cardOn(country: string, day: string): FulfilmentCard | undefined {
  return CARDS.find((card) => card.country === country && card.from <= day && (card.to === null || day <= card.to));
}
