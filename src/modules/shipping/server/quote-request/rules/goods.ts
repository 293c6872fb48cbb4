import { Decimal, round } from '#kit/contract/decimal.ts';
import { type Boxes, volumetricWeight } from '../../transport/rules/weigh.ts';

/** So many boxes of one size, with what they weigh altogether (kg) and fill (cm³); null where nobody knows. */
export interface Packed extends Boxes {
  pieces: number;
  totalWeight: string | null;
  totalVolume: string | null;
}

/** Goods as forwarders are told of them. kg with 3 places, volumetric kg with 2, m³ with 3. */
export interface Goods {
  boxes: number;
  pieces: number;
  weight: string | null;
  volumetric: string | null;
  volume: string | null;
  specs: Boxes[];
}

/** Boxes of one size with their totals. */
export function packedBoxes(box: Boxes, pieces: number): Packed {
  const { length, width, height, weight, count } = box;
  const size =
    length === null || width === null || height === null ? null : new Decimal(length).times(width).times(height);
  return {
    ...box,
    pieces,
    totalWeight: weight === null ? null : new Decimal(weight).times(count).toFixed(),
    totalVolume: size === null ? null : size.times(count).toFixed(),
  };
}

const added = (values: readonly (string | null)[]): Decimal | null =>
  values.reduce<Decimal | null>(
    (sum, one) => (sum === null || one === null ? null : sum.plus(one)),
    values.length === 0 ? null : new Decimal(0),
  );

const plain = (text: string | null) => text && new Decimal(text).toFixed();
const specOf = ({ length, width, height, weight }: Boxes) => JSON.stringify([length, width, height, weight].map(plain));

/** Boxes of the same size and weight together, in the order in which they came first. */
function specsOf(parts: readonly Boxes[]): Boxes[] {
  return [...Map.groupBy(parts, specOf).values()].flatMap((same): Boxes[] => {
    const [first] = same;
    if (!first) return [];
    const { length, width, height, weight } = first;
    const count = same.reduce((sum, one) => sum + one.count, 0);
    return [{ count, length: plain(length), width: plain(width), height: plain(height), weight: plain(weight) }];
  });
}

/**
 * What boxes come to. Volumetric weight box by box, L×W×H in cm ÷ divisor; of pieces whose boxes nobody measured their own
 * volume ÷ divisor. What is not known of a part is not known of the whole, never 0.
 */
export function goodsOf(parts: readonly Packed[], divisor: number): Goods {
  const weight = added(parts.map((part) => part.totalWeight));
  const volume = added(parts.map((part) => part.totalVolume));
  const volumetric = added(
    parts.map((part) => {
      const each = volumetricWeight(part, divisor);
      if (each !== null) return new Decimal(each).times(part.count).toFixed();
      return part.totalVolume && new Decimal(part.totalVolume).div(divisor).toFixed();
    }),
  );
  return {
    boxes: parts.reduce((sum, { count }) => sum + count, 0),
    pieces: parts.reduce((sum, { pieces }) => sum + pieces, 0),
    weight: weight && round(weight, 3),
    volumetric: volumetric && round(volumetric, 2),
    volume: volume && round(volume.div(1_000_000), 3),
    specs: specsOf(parts),
  };
}

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : new Decimal(one).eq(other);

/** Whether goods are others than they were: boxes, pieces, weight or size. */
export function differs(before: Omit<Goods, 'volumetric'>, now: Omit<Goods, 'volumetric'>): boolean {
  const told = ({ specs }: Pick<Goods, 'specs'>) =>
    JSON.stringify(specs.map((spec) => `${spec.count} ${specOf(spec)}`).sort());
  return (
    before.boxes !== now.boxes ||
    before.pieces !== now.pieces ||
    !isSame(before.weight, now.weight) ||
    !isSame(before.volume, now.volume) ||
    told(before) !== told(now)
  );
}

/** Boxes as people write them: "4×60×40×40cm 15.2kg"; what nobody measured is left out. */
export function specWords(specs: readonly Boxes[]): string {
  return specs
    .map(({ count, length, width, height, weight }) => {
      const size = length && width && height ? `×${length}×${width}×${height}cm` : '箱（尺寸待定）';
      return `${count}${size}${weight ? ` ${weight}kg` : ''}`;
    })
    .join('；');
}

/** What the orders of a request count for when an answer is shared over them: what the forwarder counts by, else boxes, else one each. */
export function shareWeights(
  orders: readonly Pick<Goods, 'boxes' | 'weight' | 'volumetric' | 'volume'>[],
  unit: 'KG' | 'CBM' | 'BOX',
): string[] {
  const boxes = orders.map((order) => String(order.boxes));
  const byUnit = orders.map(({ weight, volumetric, volume }, index) => {
    if (unit === 'BOX') return boxes[index] ?? '0';
    if (unit === 'CBM') return volume;
    return weight !== null && volumetric !== null ? Decimal.max(weight, volumetric).toFixed() : null;
  });
  const known = byUnit.every((one) => one !== null && new Decimal(one).gt(0)) ? byUnit.map((one) => one ?? '0') : boxes;
  return known.some((one) => !new Decimal(one).isZero()) ? known : orders.map(() => '1');
}
