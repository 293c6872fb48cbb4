import { Decimal } from '#kit/contract/decimal.ts';

/** One order line that fell due in the quarter, as purchasing knows it. */
export interface ScoredLine {
  qty: number;
  /** Accepted in time: by the first promise plus one day. */
  acceptedInTime: number;
  /** Inspected and found bad, of those received. */
  received: number;
  defective: number;
  /** Unit price, and what it is compared with: the best valid quote or the price of a year before; null: nothing. */
  unitPrice: string;
  comparedPrice: string | null;
  /** Receipts as pieces and days since the order was placed, without days that the buyer held it up. */
  receipts: readonly { qty: number; days: number }[];
}

export interface Score {
  lines: number;
  delivery: Decimal | null;
  quality: Decimal | null;
  price: Decimal | null;
  service: Decimal | null;
  total: Decimal | null;
  grade: 'A' | 'B' | 'C' | 'D' | null;
  /** Mean days from placing to receipt, by piece. */
  leadDays: Decimal | null;
}

export const WEIGHTS = { delivery: '0.35', quality: '0.35', price: '0.20', service: '0.10' } as const;
const MIN_LINES = 5;
const IN_TIME = new Decimal('0.95');
const ZERO_AT_DEFECTS = new Decimal('0.05');
const ZERO_AT_RISE = new Decimal('0.10');
const HUNDRED = new Decimal(100);

const floor0 = (value: Decimal) => Decimal.max(0, value);

/** Points for the share of defective pieces: 100 at none, 0 from five percent on. */
export function qualityPoints(received: number, defective: number): Decimal | null {
  if (received <= 0) return null;
  return floor0(HUNDRED.minus(new Decimal(defective).div(received).div(ZERO_AT_DEFECTS).times(100)));
}

/** Points for a price so much above what it is compared with (0.03: three percent): 0 from ten percent on. */
export function pricePoints(above: Decimal.Value): Decimal {
  return floor0(HUNDRED.minus(Decimal.max(0, above).div(ZERO_AT_RISE).times(100)));
}

function deliveryPoints(lines: readonly ScoredLine[]): Decimal | null {
  if (lines.length === 0) return null;
  const good = lines.filter((line) => IN_TIME.times(line.qty).lte(line.acceptedInTime)).length;
  return new Decimal(good).div(lines.length).times(100);
}

/** How far the bought goods cost more than compared, weighted by their value; lines without a comparison do not count. */
function priceRise(lines: readonly ScoredLine[]): Decimal | null {
  let paid = new Decimal(0);
  let compared = new Decimal(0);
  for (const { qty, unitPrice, comparedPrice } of lines) {
    if (comparedPrice === null) continue;
    paid = paid.plus(new Decimal(unitPrice).times(qty));
    compared = compared.plus(new Decimal(comparedPrice).times(qty));
  }
  return compared.isZero() ? null : paid.div(compared).minus(1);
}

/** Mean days of receipts by piece: Σ qty · days / Σ qty. */
export function leadTime(receipts: readonly { qty: number; days: number }[]): Decimal | null {
  const pieces = receipts.reduce((sum, one) => sum + one.qty, 0);
  if (pieces === 0) return null;
  return receipts.reduce((sum, one) => sum.plus(new Decimal(one.qty).times(one.days)), new Decimal(0)).div(pieces);
}

/** What to plan with: n observations against a prior that counts like five. */
export function expectedLead(mean: Decimal.Value, observations: number, prior: Decimal.Value): Decimal {
  return new Decimal(mean)
    .times(observations)
    .plus(new Decimal(prior).times(5))
    .div(observations + 5);
}

/** Points from which on a supplier is of a grade; below the last one he is D. */
export interface Thresholds {
  atA: number;
  atB: number;
  atC: number;
}
const USUAL: Thresholds = { atA: 90, atB: 75, atC: 60 };

/** The grade for so many points: A from 90, B from 75, C from 60, unless the company has it otherwise. */
export function gradeOf(total: Decimal, { atA, atB, atC }: Thresholds = USUAL): 'A' | 'B' | 'C' | 'D' {
  if (total.gte(atA)) return 'A';
  if (total.gte(atB)) return 'B';
  return total.gte(atC) ? 'C' : 'D';
}

/** Weighted sum of the parts that are known; the weights of those that are not are shared out among the others. */
export function totalOf(parts: Record<keyof typeof WEIGHTS, Decimal | null>): Decimal | null {
  let sum = new Decimal(0);
  let weights = new Decimal(0);
  for (const [key, weight] of Object.entries(WEIGHTS)) {
    const points = parts[key as keyof typeof WEIGHTS];
    if (points === null) continue;
    sum = sum.plus(points.times(weight));
    weights = weights.plus(weight);
  }
  return weights.isZero() ? null : sum.div(weights).toDecimalPlaces(2);
}

/**
 * Scorecard of a quarter: delivery 35 % (lines at least 95 % accepted in time over lines due), quality 35 %, price 20 %,
 * service 10 % given by hand. Fewer than five lines make no total.
 */
export function score(lines: readonly ScoredLine[], service: string | null, thresholds = USUAL): Score {
  const received = lines.reduce((sum, line) => sum + line.received, 0);
  const defective = lines.reduce((sum, line) => sum + line.defective, 0);
  const rise = priceRise(lines);
  const parts = {
    delivery: deliveryPoints(lines),
    quality: qualityPoints(received, defective),
    price: rise === null ? null : pricePoints(rise),
    service: service === null ? null : new Decimal(service),
  };
  const total = lines.length < MIN_LINES ? null : totalOf(parts);
  const leadDays = leadTime(lines.flatMap((line) => line.receipts));
  return { lines: lines.length, ...parts, total, grade: total === null ? null : gradeOf(total, thresholds), leadDays };
}
