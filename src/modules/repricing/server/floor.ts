import { Decimal } from '#kit/contract/decimal.ts';

/** What a price must earn: shares of one; `cost` and `referralMin` in the currency of the price. */
export interface FloorInput {
  /** Of a piece: purchase, freight, fulfilment, storage, returns. */
  cost: string;
  /** Profit wanted, share of net. */
  margin: string;
  /** Advertising, share of net. */
  adShare: string;
  /** Amazon's referral fee, share of gross, and the least it takes. */
  referral: string;
  referralMin: string;
  /** VAT in the price. */
  vat: string;
  /** Decimals of the currency. */
  scale: number;
}

/**
 * The lowest price that earns the margin: P ≥ C / ((1 − m − a)/(1 + v) − r), rounded up to the currency; where the referral
 * fee would be less than its minimum, that is part of the cost instead. Null where no price does (the margin cannot be
 * reached). Handbook 5.9.
 */
export function floorPrice({ cost, margin, adShare, referral, referralMin, vat, scale }: FloorInput): string | null {
  // Multiplied through by 1 + v: one division of exact numbers, so that what comes out even is not rounded up.
  const gross = new Decimal(1).plus(vat);
  const left = new Decimal(1).minus(margin).minus(adShare);
  const after = left.minus(gross.times(referral));
  if (left.lte(0) || after.lte(0)) return null;
  // The fee is the larger of the two, so the price must be enough for either.
  const byShare = gross.times(cost).div(after);
  const byMinimum = gross.times(new Decimal(cost).plus(referralMin)).div(left);
  return Decimal.max(byShare, byMinimum).toDecimalPlaces(scale, Decimal.ROUND_UP).toFixed(scale);
}
