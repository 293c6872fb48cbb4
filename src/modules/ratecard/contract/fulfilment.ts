import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { cardOn, type FeeBand, type FulfilmentCard, type SizeTier } from './card.ts';
import type { FeeTier } from './tiers.ts';

export const CM_PER_INCH = '2.54';
export const KG_PER_POUND = '0.45359237';

/** A packed piece: cm in any order, and kg. */
export interface Measures {
  sides: readonly [string, string, string];
  weight: string;
}

/** What a piece is charged by a card: kg, and money per piece in `currency`. */
export interface Charge {
  tier: FeeTier;
  billable: string;
  /** With the surcharge. */
  fee: string;
  surcharge: string;
  currency: string;
  /** Name of the card: country and first day. */
  card: string;
  isForPlanning: boolean;
}

/** Why nothing can be reckoned. */
export interface Unknown {
  gap: 'NO_CARD' | 'NO_PRICE' | 'OVERMAX';
}

/** Sides, longest first, and weight in the units of a card. */
interface Piece {
  sides: readonly [Decimal, Decimal, Decimal];
  weight: Decimal;
}

function pieceOf({ system }: FulfilmentCard, { sides, weight }: Measures): Piece {
  const [a, b, c] = sides
    .map((side) => (system === 'US' ? new Decimal(side).div(CM_PER_INCH) : new Decimal(side)))
    .sort((x, y) => y.comparedTo(x)) as [Decimal, Decimal, Decimal];
  return {
    sides: [a, b, c],
    weight: system === 'US' ? new Decimal(weight).div(KG_PER_POUND) : new Decimal(weight).times(1000),
  };
}

/** In the card's unit of weight. */
function dimensional({ divisor }: FulfilmentCard, { sides: [a, b, c] }: Piece, least = 0): Decimal {
  return a.times(Decimal.max(b, least)).times(Decimal.max(c, least)).div(divisor);
}

const sumOf = ({ sides: [a, b, c] }: Piece): Decimal => a.plus(b).plus(c);
const girthOf = ({ sides: [a, b, c] }: Piece): Decimal => a.plus(b.plus(c).times(2));
const within = (value: Decimal, limit: number | null): boolean => limit === null || value.lte(limit);

/** Beyond 150 lb only the piece's own weight counts: its dimensional weight counts up to there. */
const MOST_DIMENSIONAL_LB = 150;

function weightsFor(card: FulfilmentCard, tier: SizeTier, piece: Piece) {
  const full = dimensional(card, piece, tier.leastSide);
  const dim = card.system === 'US' ? Decimal.min(full, MOST_DIMENSIONAL_LB) : full;
  return { dim, greater: Decimal.max(piece.weight, dim) };
}

/** The dimensional weight comes last: most tiers are out by their sides, and it takes the longest to reckon. */
function fits(card: FulfilmentCard, tier: SizeTier, piece: Piece): boolean {
  if (!within(piece.weight, tier.weight)) return false;
  if (tier.sides && !piece.sides.every((side, at) => within(side, tier.sides?.[at] ?? null))) return false;
  if (tier.sum !== undefined && sumOf(piece).gt(tier.sum)) return false;
  if (tier.girth !== null && girthOf(piece).gt(tier.girth)) return false;
  if (tier.dimensional === null && tier.greater === null) return true;
  const { dim, greater } = weightsFor(card, tier, piece);
  return within(dim, tier.dimensional) && within(greater, tier.greater);
}

function feeOf(band: FeeBand, price: number, billable: Decimal): Decimal {
  const fee = new Decimal(band.fees[price] ?? band.fees[0] ?? 0);
  if (!band.more) return fee;
  const steps = Decimal.max(0, billable.minus(band.more.over)).div(band.more.every).ceil();
  return fee.plus(steps.times(band.more.adds[price] ?? band.more.adds[0] ?? 0));
}

/** Which price band of the card a price is in; 0 where the card has only one. */
function priceBand({ prices }: FulfilmentCard, price: string, isExcepted: boolean): number {
  return prices.filter(({ from, inclusive, excepted }) => {
    const first = isExcepted && excepted ? excepted : from;
    return inclusive ? new Decimal(price).gte(first) : new Decimal(price).gt(first);
  }).length;
}

function isOvermax({ overmax }: FulfilmentCard, piece: Piece): boolean {
  if (!overmax || piece.weight.gt(overmax.weight)) return false;
  return piece.sides[0].gt(overmax.longest) || girthOf(piece).gt(overmax.girth);
}

/**
 * What Amazon charges for sending one piece, by its published card of the country and day (Seller Central, "FBA fulfilment
 * fees"; handbook 5.11): the first size tier that the packed piece fits into, its billable weight, and the fee of the price
 * and weight band, rounded to the currency. A started pound, quarter of a pound or kilogram counts in full. `price` in the
 * card's currency; null is enough where the card knows no price bands. `isExcepted`: of a category that is outside the low
 * price programme above a lower limit. Answers why where nothing can be told.
 */
export function fulfilmentCharge(
  country: string,
  day: string,
  price: string | null,
  measures: Measures,
  isExcepted = false,
): Charge | Unknown {
  const card = cardOn(country, day);
  if (!card) return { gap: 'NO_CARD' };
  if (price === null && card.prices.length > 0) return { gap: 'NO_PRICE' };
  const piece = pieceOf(card, measures);
  if (isOvermax(card, piece)) return { gap: 'OVERMAX' };
  const tier = card.tiers.find((one) => fits(card, one, piece));
  if (!tier) return { gap: 'NO_CARD' };
  const billable = tier.billedBy === 'weight' ? piece.weight : weightsFor(card, tier, piece).greater;
  const band = tier.bands.find(({ upTo }) => within(billable, upTo));
  if (!band) return { gap: 'NO_CARD' };
  const fee = feeOf(band, priceBand(card, price ?? '0', isExcepted), billable);
  const scale = currencyScale(card.currency);
  const surcharge = round(card.surcharge === null ? '0' : fee.times(card.surcharge), scale);
  return {
    tier: tier.code,
    billable: round(card.system === 'US' ? billable.times(KG_PER_POUND) : billable.div(1000), 4),
    fee: round(fee.plus(surcharge), scale),
    surcharge,
    currency: card.currency,
    card: `${card.country} ${card.from}`,
    isForPlanning: card.isForPlanning ?? false,
  };
}
