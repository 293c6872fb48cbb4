import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { RateBand, RateTier } from '../../contract/aging.ts';

/** Goods that came in on one day (YYYY-MM-DD) and lie there still. */
export interface Layer {
  day: string;
  qty: number;
  estimated: boolean;
}

/** What one piece is to the cards of rates; volume in cubic feet. */
export interface Goods {
  volume: string | null;
  tier: Exclude<RateTier, 'ALL' | 'STANDARD'>;
  /** Clothes, shoes, bags, jewellery, watches: the younger bands of the surcharge are not charged for them. */
  exempt: boolean;
}

/** A card as it is reckoned with. */
export interface Card {
  currency: string;
  volumeUnit: 'FT3' | 'M3';
  bands: readonly RateBand[];
}

const CUBIC_FEET_OF_METRE = new Decimal('35.3146667215');
const DAY_MS = 86_400_000;

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const isFor = (band: RateBand, tier: Goods['tier']): boolean =>
  band.tier === 'ALL' || band.tier === tier || (band.tier === 'STANDARD' && tier !== 'OVERSIZE');

/** The band of a card for goods and a value; undefined where none is charged. */
export function bandOf(card: Card, tier: Goods['tier'], value: number): RateBand | undefined {
  return card.bands.find((band) => isFor(band, tier) && value >= band.from && (band.to === null || value <= band.to));
}

/** What a piece costs by a band: by its volume or by the piece, whichever is more; null where its volume is needed and unknown. */
export function feeOfPiece(card: Card, band: RateBand, volume: string | null): Decimal | null {
  const perUnit = new Decimal(band.perUnit ?? 0);
  if (band.perVolume === null) return perUnit;
  if (volume === null) return null;
  const units = card.volumeUnit === 'FT3' ? new Decimal(volume) : new Decimal(volume).div(CUBIC_FEET_OF_METRE);
  return Decimal.max(units.times(band.perVolume), perUnit);
}

/** Cubic feet of a box whose sides are in inches. */
export const cubicFeet = (l: string, w: string, h: string): string =>
  new Decimal(l).times(w).times(h).div(1728).toFixed(6);

/** The layers after so many pieces have left, the oldest first. */
export function depleted(layers: readonly Layer[], gone: number): Layer[] {
  let rest = gone;
  return layers
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .flatMap((layer) => {
      const taken = Math.min(rest, layer.qty);
      rest -= taken;
      return layer.qty > taken ? { ...layer, qty: layer.qty - taken } : [];
    });
}

/**
 * The surcharge on a day (handbook 5.5): pieces by age times the larger of volume and piece, rounded once. `qty` is how many
 * pieces are charged for; `fee` null where the size is needed and not known.
 */
export function surcharge(
  card: Card,
  goods: Goods,
  layers: readonly Layer[],
  day: string,
): { qty: number; fee: string | null } {
  let total: Decimal | null = new Decimal(0);
  let qty = 0;
  for (const layer of layers) {
    const band = bandOf(card, goods.tier, daysBetween(layer.day, day));
    if (!band || (band.exempt && goods.exempt)) continue;
    qty += layer.qty;
    const piece = feeOfPiece(card, band, goods.volume);
    total = piece === null || total === null ? null : total.plus(piece.times(layer.qty));
  }
  return { qty, fee: total === null ? null : round(total, currencyScale(card.currency)) };
}

/** Storage of a month (1 to 12) of so many pieces on average (handbook 5.5); null where no rate or no size is known. */
export function storageFee(card: Card, goods: Goods, average: string | Decimal, month: number): string | null {
  const band = bandOf(card, goods.tier, month);
  const piece = band && feeOfPiece(card, band, goods.volume);
  return piece ? round(piece.times(average), currencyScale(card.currency)) : null;
}

/** Pieces on hand added up over days, and pieces that left in them. */
export interface Window {
  onHand: number;
  shipped: number;
}

const supplyOf = ({ onHand, shipped }: Window): Decimal | null =>
  shipped > 0 ? new Decimal(onHand).div(shipped) : null;

/** Above so many days of supply, or below so many pieces in a week, nothing is charged. */
const ENOUGH_DAYS = 28;
const FEW_PIECES = 20;

export interface Supply {
  days30: string | null;
  days90: string | null;
  band: string;
  /** For each piece that is sold. */
  fee: string | null;
  /** For the pieces of the last 30 days. */
  month: string | null;
  /** Pieces that lack to `ENOUGH_DAYS`; null where nothing was sold. */
  toReach: number | null;
}

/**
 * The fee on goods that are kept too short (handbook 5.6): charged only where both windows are below 28 days, by the larger
 * of them. `week` pieces were sold in seven days; `young` goods are new at Amazon's and charged nothing.
 */
export function lowSupply(
  card: Card | undefined,
  goods: Goods,
  of: { short: Window; long: Window; week: number; available: number; young: boolean },
): Supply {
  const [short, long] = [supplyOf(of.short), supplyOf(of.long)];
  const perDay = new Decimal(of.short.shipped).div(30);
  const most = short && long && Decimal.max(short, long);
  const isShort = most?.lt(ENOUGH_DAYS) === true && of.week >= FEW_PIECES && !of.young;
  const band = isShort && card ? bandOf(card, goods.tier, most.floor().toNumber()) : undefined;
  const fee = band && card ? feeOfPiece(card, band, goods.volume) : null;
  return {
    days30: short?.toFixed(1) ?? null,
    days90: long?.toFixed(1) ?? null,
    band: band ? `${band.from}–${(band.to ?? ENOUGH_DAYS) + 1}天` : '',
    fee: fee?.toFixed() ?? null,
    month: fee && card ? round(fee.times(of.short.shipped), currencyScale(card.currency)) : null,
    toReach: perDay.isZero() ? null : Math.max(0, perDay.times(ENOUGH_DAYS).ceil().toNumber() - of.available),
  };
}
