import { Decimal, round } from '#kit/contract/decimal.ts';

/** So many boxes of one size: cm and kg as decimal text, null where nobody measured. */
export interface Boxes {
  count: number;
  length: string | null;
  width: string | null;
  height: string | null;
  weight: string | null;
}

/** How a channel measures a shipment. Weights in kg, `minBillable` in the unit that is billed. */
export interface WeighRule {
  billUnit: 'KG' | 'CBM';
  /** cm³ for one kg. */
  divisor: number;
  /** Weight is rounded up to a multiple of it; "0": it is not. */
  weightStep: string;
  roundPer: 'BOX' | 'SHIPMENT';
  minBillable: string;
  /** 分泡: share of the volumetric weight above the actual one that is not charged, "0" to "1". */
  splitRate: string;
  /** CBM channels: kg that count as one m³; null where weight does not matter. */
  kgPerCbm: string | null;
}

/** A shipment on the scales. kg with 3 places, volumetric kg with 2, m³ with 3; `billable` in the channel's unit. */
export interface Weighed {
  boxes: number;
  actual: string;
  volumetric: string;
  volume: string;
  billable: string;
}

/** Why there is no figure, in words for the user. */
export interface Refusal {
  why: string;
}

/** Places of a weight in kg (grams) and of a volume in m³ (litres): what scales and forwarders tell. */
const PLACES = 3;

const sizeOf = ({ length, width, height }: Boxes): Decimal | null =>
  length === null || width === null || height === null ? null : new Decimal(length).times(width).times(height);

/**
 * Volumetric weight of one box, kg with 2 places half up: L×W×H in cm ÷ divisor, as the carriers publish it (6000 or 5000
 * cm³ for one kg). Null where a side is unknown.
 */
export function volumetricWeight(box: Boxes, divisor: number): string | null {
  const size = sizeOf(box);
  return size && round(size.div(divisor), 2);
}

/**
 * 分泡: what of a box is charged, kg with 3 places. The actual weight and of the volumetric weight above it the share that is
 * not given away: actual + (volumetric − actual) × (1 − rate); the actual weight alone where the box is heavy for its size.
 */
export function splitWeight(actual: string, volumetric: string, rate: string): string {
  const above = Decimal.max(0, new Decimal(volumetric).minus(actual));
  return round(new Decimal(actual).plus(above.times(new Decimal(1).minus(rate))), PLACES);
}

/** A weight rounded up to the next multiple of a step; a step of 0 leaves it as it is. */
export function stepUp(weight: string, step: string): string {
  const by = new Decimal(step);
  return by.isZero() ? new Decimal(weight).toFixed() : new Decimal(weight).div(by).ceil().times(by).toFixed();
}

/** The first boxes whose size or weight nobody knows, in words; undefined where all were measured. */
function unmeasured(boxes: readonly Boxes[]): string | undefined {
  let before = 0;
  for (const box of boxes) {
    const words = box.count === 1 ? `第 ${before + 1} 箱` : `第 ${before + 1}–${before + box.count} 箱`;
    if (sizeOf(box) === null) return `${words}缺少尺寸，无法计算材积`;
    if (box.weight === null) return `${words}缺少重量，无法计费`;
    before += box.count;
  }
  return undefined;
}

const total = (boxes: readonly Boxes[], of: (box: Boxes, index: number) => Decimal.Value) =>
  boxes.reduce((sum, box, index) => sum.plus(new Decimal(of(box, index)).times(box.count)), new Decimal(0));

/** Runs once for each key and remembers what came of it. */
function remembered<T>(make: (rule: WeighRule) => T, keyOf: (rule: WeighRule) => string): (rule: WeighRule) => T {
  const known = new Map<string, T>();
  return (rule) => {
    const key = keyOf(rule);
    const found = known.get(key) ?? make(rule);
    known.set(key, found);
    return found;
  };
}

/**
 * Puts boxes on the scales, to be read by the rules of many channels: what channels have in common is worked out once. The
 * answers are those of {@link weigh}.
 */
export function scalesOf(boxes: readonly Boxes[]): (rule: WeighRule) => Weighed | Refusal {
  const count = boxes.reduce((sum, box) => sum + box.count, 0);
  const why = count === 0 ? '没有箱子，无法计费' : unmeasured(boxes);
  if (why) return () => ({ why });
  const actual = total(boxes, (box) => box.weight ?? '0');
  const volume = round(total(boxes, (box) => sizeOf(box) ?? 0).div(1_000_000), PLACES);
  const volumetricOf = remembered(
    ({ divisor }) => {
      const each = boxes.map((box) => volumetricWeight(box, divisor) ?? '0');
      return { each, all: total(boxes, (_, index) => each[index] ?? '0').toFixed(2) };
    },
    ({ divisor }) => String(divisor),
  );
  const kilogramsOf = remembered(
    (rule) => {
      const { each } = volumetricOf(rule);
      const step = (weight: string) => stepUp(weight, rule.weightStep);
      const charged = (box: Boxes, index: number) => splitWeight(box.weight ?? '0', each[index] ?? '0', rule.splitRate);
      if (rule.roundPer === 'BOX') return total(boxes, (box, index) => step(charged(box, index)));
      return new Decimal(step(total(boxes, charged).toFixed()));
    },
    ({ divisor, splitRate, weightStep, roundPer }) => [divisor, splitRate, weightStep, roundPer].join(' '),
  );
  const metresOf = ({ kgPerCbm }: WeighRule) =>
    Decimal.max(volume, kgPerCbm === null ? 0 : round(actual.div(kgPerCbm), PLACES));
  return (rule) => ({
    boxes: count,
    actual: actual.toFixed(PLACES),
    volumetric: volumetricOf(rule).all,
    volume,
    billable: Decimal.max(rule.billUnit === 'KG' ? kilogramsOf(rule) : metresOf(rule), rule.minBillable).toFixed(),
  });
}

/**
 * What a channel charges a shipment for. KG: each box by 分泡, rounded up by box or as a whole, at least `minBillable`.
 * CBM: the volume, or the weight ÷ kg per m³ where that is more, at least `minBillable`. Without boxes, or with one that was
 * not measured, there is no figure but the reason; never 0.
 */
export const weigh = (boxes: readonly Boxes[], rule: WeighRule): Weighed | Refusal => scalesOf(boxes)(rule);
