import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { type Charge, fulfilmentCharge, type Measures } from '#modules/ratecard/contract/fulfilment.ts';
import type { FeeGap, FeeVerdict } from '../../contract/fee-audit.ts';
import { tiersNamed } from './tier.ts';

/** What Amazon says of a listing, and what is known of it here. cm and kg; money per piece. */
export interface AuditInput {
  country: string;
  day: string;
  price: string | null;
  currency: string;
  theirs: Measures | null;
  amazonTier: string;
  amazonFee: string | null;
  /** Our measurement, or why there is none. */
  own: Measures | FeeGap;
  apparel: boolean;
  units30: number | null;
}

export interface Audit {
  own: Charge | null;
  cardFee: string | null;
  gap: FeeGap | null;
  diff: string | null;
  tolerance: string;
  monthly: string | null;
  verdict: FeeVerdict;
}

/** Fees differ by less than this for reasons of rounding. */
const TOLERANCE: Readonly<Record<string, string>> = { JPY: '10', INR: '5', MXN: '2' };
const USUAL_TOLERANCE = '0.10';
const WEIGHT_TOLERANCE = '0.05';

const apart = (a: string, b: string): boolean =>
  new Decimal(a).minus(b).abs().gt(new Decimal(b).times(WEIGHT_TOLERANCE));

/** Charged per piece less Amazon's own preview of it; null where either is missing. */
export function chargedApart({
  charged,
  fulfilment,
}: {
  charged: string | null;
  fulfilment: string | null;
}): string | null {
  return charged === null || fulfilment === null ? null : new Decimal(charged).minus(fulfilment).toFixed();
}

function charged(input: AuditInput, measures: Measures | FeeGap | null): Charge | FeeGap {
  if (measures === null) return 'NO_MEASURE';
  if (typeof measures === 'string') return measures;
  if (input.apparel) return 'APPAREL';
  const charge = fulfilmentCharge(input.country, input.day, input.price, measures);
  if ('gap' in charge) return charge.gap;
  // What is owed cannot be told by a card that goes by more than is known here.
  if (charge.isForPlanning) return 'NO_CARD';
  return charge.currency === input.currency ? charge : 'CURRENCY';
}

/** Amazon's measurement puts the piece elsewhere: into another size tier, or more than 5 % of weight away. */
function isMeasuredOtherwise(input: AuditInput, own: Charge, byAmazon: Charge | null): boolean {
  const named = tiersNamed(input.country, input.amazonTier);
  const tiers = named.length > 0 ? named : byAmazon ? [byAmazon.tier] : [own.tier];
  if (!tiers.includes(own.tier)) return true;
  if (input.theirs && typeof input.own !== 'string' && apart(input.theirs.weight, input.own.weight)) return true;
  return byAmazon !== null && apart(byAmazon.billable, own.billable);
}

/**
 * Compares Amazon's fee with the one by our own measurement (handbook 5.11): diff = Amazon − own, monthly overcharge =
 * max(0, diff) × units of 30 days, and an overcharge where diff reaches the tolerance and the size tier differs or the
 * weight is more than 5 % away. Where our fee cannot be told, it and all that follows from it is null with the reason.
 */
export function auditOf(input: AuditInput): Audit {
  const own = charged(input, input.own);
  const byAmazon = charged(input, input.theirs);
  const cardFee = typeof byAmazon === 'string' ? null : byAmazon.fee;
  const tolerance = TOLERANCE[input.currency] ?? USUAL_TOLERANCE;
  const none = { cardFee, tolerance, diff: null, monthly: null, verdict: 'NONE' } as const;
  if (typeof own === 'string') return { ...none, own: null, gap: own };
  if (input.amazonFee === null) return { ...none, own, gap: 'NO_FEE' };
  const diff = new Decimal(input.amazonFee).minus(own.fee);
  const isOver = diff.gte(tolerance) && isMeasuredOtherwise(input, own, typeof byAmazon === 'string' ? null : byAmazon);
  return {
    own,
    cardFee,
    gap: null,
    diff: diff.toFixed(),
    tolerance,
    monthly:
      input.units30 === null ? null : round(Decimal.max(0, diff).times(input.units30), currencyScale(input.currency)),
    verdict: isOver ? 'OVER' : diff.isZero() ? 'EQUAL' : diff.gt(0) ? 'HIGHER' : 'LOWER',
  };
}
