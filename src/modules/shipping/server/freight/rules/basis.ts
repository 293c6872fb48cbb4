import { Decimal } from '#kit/contract/decimal.ts';
import type { FreightBase } from '../../../contract/freight/fields.ts';
import { type Refusal, splitWeight, stepUp, volumetricWeight, type WeighRule } from '../../transport/rules/weigh.ts';

/** A box with its pieces by line: cm and kg, null where nobody measured. */
export interface PackedBox {
  length: string | null;
  width: string | null;
  height: string | null;
  weight: string | null;
  items: readonly { lineId: string; qty: number }[];
}

/** A line whose freight is asked for: kg and cm³ of one piece, null where nobody measured; CNY of all of its pieces. */
export interface WeighedLine {
  id: string;
  msku: string;
  weight: string | null;
  volume: string | null;
  value: string | null;
}

type Measure = Exclude<FreightBase, 'PIECES' | 'VALUE'>;

const CM3_IN_M3 = 1_000_000;

const sizeOf = ({ length, width, height }: PackedBox): Decimal | null =>
  length === null || width === null || height === null ? null : new Decimal(length).times(width).times(height);

/**
 * What one box counts for: kg (m³ in channels by volume) that its channel charges it with, kg, or cm³. Rounding up to steps
 * belongs to it where the channel does so box by box; the least of a shipment does not. Null where it was not measured.
 */
export function boxMeasure(base: Measure, box: PackedBox, rule: WeighRule): Decimal | null {
  const size = sizeOf(box);
  if (base === 'WEIGHT') return box.weight === null ? null : new Decimal(box.weight);
  if (base === 'VOLUME') return size;
  if (size === null || box.weight === null) return null;
  if (rule.billUnit === 'CBM') {
    const heavy = rule.kgPerCbm === null ? 0 : new Decimal(box.weight).div(rule.kgPerCbm);
    return Decimal.max(size.div(CM3_IN_M3), heavy);
  }
  const volumetric = volumetricWeight({ ...box, count: 1 }, rule.divisor) ?? '0';
  const charged = splitWeight(box.weight, volumetric, rule.splitRate);
  return new Decimal(rule.roundPer === 'BOX' ? stepUp(charged, rule.weightStep) : charged);
}

/** What one piece counts for beside the others of its box, in the unit of {@link boxMeasure}; null where it was not measured. */
export function pieceMeasure(
  base: Measure,
  { weight, volume }: Pick<WeighedLine, 'weight' | 'volume'>,
  rule: Pick<WeighRule, 'billUnit' | 'divisor' | 'kgPerCbm'>,
): Decimal | null {
  const known = (text: string | null) => (text === null || new Decimal(text).lte(0) ? null : new Decimal(text));
  const [heavy, large] = [known(weight), known(volume)];
  if (base === 'WEIGHT') return heavy;
  if (base === 'VOLUME') return large;
  if (heavy === null || large === null) return null;
  if (rule.billUnit === 'KG') return Decimal.max(heavy, large.div(rule.divisor));
  return Decimal.max(large.div(CM3_IN_M3), rule.kgPerCbm === null ? 0 : heavy.div(rule.kgPerCbm));
}

const WORDS: Record<Measure, string> = {
  BILLABLE: '尺寸或重量，无法计算计费重',
  WEIGHT: '重量',
  VOLUME: '尺寸',
};

type Sums = Map<string, Decimal>;
const add = (sums: Sums, line: string, by: Decimal) => sums.set(line, (sums.get(line) ?? new Decimal(0)).plus(by));

function byMeasure(
  base: Measure,
  boxes: readonly PackedBox[],
  lines: ReadonlyMap<string, WeighedLine>,
  rule: WeighRule,
): Sums | Refusal {
  const sums: Sums = new Map();
  for (const [index, box] of boxes.entries()) {
    const whole = boxMeasure(base, box, rule);
    if (whole === null) return { why: `第 ${index + 1} 箱缺少${WORDS[base]}` };
    const [only, ...others] = box.items;
    if (only && others.length === 0) {
      add(sums, only.lineId, whole);
      continue;
    }
    const parts: { line: string; weight: Decimal }[] = [];
    for (const { lineId, qty } of box.items) {
      const line = lines.get(lineId);
      const piece = line && pieceMeasure(base, line, rule);
      if (!piece) return { why: `SKU【${line?.msku ?? ''}】缺少${WORDS[base]}` };
      parts.push({ line: lineId, weight: piece.times(qty) });
    }
    const all = parts.reduce((sum, part) => sum.plus(part.weight), new Decimal(0));
    for (const { line, weight } of parts) add(sums, line, whole.times(weight).div(all));
  }
  return sums;
}

/**
 * What each line counts for when a charge is shared (handbook of shipping 5.6), by its id. By measures, a box is shared
 * among what lies in it by the measure of a piece times its pieces, so a box of one SKU asks for no measure of that. Without
 * boxes, or with something that was not measured, there is no figure but the reason; never 0.
 */
export function lineWeights(
  base: FreightBase,
  boxes: readonly PackedBox[],
  lines: readonly WeighedLine[],
  rule: WeighRule,
): ReadonlyMap<string, string> | Refusal {
  if (base === 'VALUE') {
    const without = lines.find(({ value }) => value === null);
    if (without || lines.length === 0) return { why: `SKU【${without?.msku ?? ''}】没有库存成本，无法按货值分摊` };
    const values = new Map(lines.map(({ id, value }) => [id, value ?? '0']));
    const none = [...values.values()].every((value) => new Decimal(value).isZero());
    return none ? { why: '货值为0，无法按货值分摊' } : values;
  }
  if (boxes.length === 0) return { why: '没有装箱数据' };
  const known = new Map(lines.map((line) => [line.id, line]));
  const sums: Sums | Refusal =
    base === 'PIECES'
      ? boxes
          .flatMap((box) => box.items)
          .reduce((all: Sums, { lineId, qty }) => add(all, lineId, new Decimal(qty)), new Map())
      : byMeasure(base, boxes, known, rule);
  return 'why' in sums ? sums : new Map([...sums].map(([line, weight]) => [line, weight.toFixed()]));
}
