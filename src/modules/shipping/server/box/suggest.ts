import type { Box } from '#kit/contract/box.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { cartonsOf } from '#modules/product/server/index.ts';
import { MOST_BOXES, type suggestBoxes } from '../../contract/box/calls.ts';
import type { BoxTemplate } from '../../contract/box/template.ts';
import { boxesOf, packedByLine } from '../order/boxes.ts';
import { loaded, type ShipLine, type ShipOrder } from '../order/load.ts';
import { type Carton, fillCartons, fitsAlone, type Pile } from './fill.ts';
import { limitsOf, lowerCap } from './limits.ts';
import { lineSizes } from './sizes.ts';
import { templatesOf } from './templates.ts';

type Suggestion = Reply<typeof suggestBoxes>;

/** Grams as kg with three decimals. */
const kg = (grams: number): string => new Decimal(grams).div(1000).toFixed(3);

interface Rest {
  line: ShipLine;
  pieces: number;
}

async function toPack(ctx: Ctx, order: ShipOrder): Promise<{ rest: Rest[]; boxes: number }> {
  const boxes = await boxesOf(ctx, order.id);
  const packed = packedByLine(boxes);
  const rest = order.lines.map((line) => ({ line, pieces: line.picked - (packed.get(line.id) ?? 0) }));
  return { rest: rest.filter(({ pieces }) => pieces > 0), boxes: boxes.length };
}

const MANY = () => refused(`建议的箱数超过 ${MOST_BOXES}，请换更大的箱型`, 'B1353');

function answer(boxes: Box[], problems: string[]): Suggestion {
  const weights = boxes.map((box) => box.weight);
  const known = weights.flatMap((weight) => (weight === null ? [] : [new Decimal(weight)]));
  const all = known.length > 0 && known.length === boxes.length;
  return {
    boxes,
    problems,
    heaviest: all ? Decimal.max(...known).toFixed(3) : null,
    lightest: all ? Decimal.min(...known).toFixed(3) : null,
  };
}

/** The carton of a template with the lower of its own and the marketplace's weight, in mm³ and grams. */
function cartonOf(template: BoxTemplate, cap: string | undefined): Carton {
  const { length, width, height, tare, maxWeight } = template;
  const most = lowerCap(maxWeight, cap);
  return {
    volume: new Decimal(length).times(width).times(height).times(1000).floor().toNumber(),
    tare: new Decimal(tare).times(1000).toNumber(),
    maxWeight: most === null ? Number.MAX_SAFE_INTEGER : new Decimal(most).times(1000).floor().toNumber(),
  };
}

async function mixed(ctx: Ctx, order: ShipOrder, rest: readonly Rest[], template: BoxTemplate, most: number) {
  const sizes = await lineSizes(ctx, order);
  const carton = cartonOf(template, limitsOf(order.marketplaceId).maxWeight);
  const problems: string[] = [];
  const piles = rest.flatMap(({ line, pieces }): Pile[] => {
    const { volume = null, weight = null } = sizes.get(line.id) ?? {};
    if (volume === null || weight === null) {
      problems.push(`SKU【${line.msku}】缺少尺寸或重量，无法计算材积`);
      return [];
    }
    const pile = { id: line.id, pieces, volume, weight };
    if (fitsAlone(carton, pile)) return [pile];
    problems.push(`SKU【${line.msku}】单件放不进箱型【${template.name}】`);
    return [];
  });
  const filled = fillCartons(carton, piles, most);
  if (!filled) throw MANY();
  const { length, width, height } = template;
  const boxes = filled.map(({ pieces, weight }) => ({
    length,
    width,
    height,
    weight: kg(weight),
    items: [...pieces].map(([lineId, qty]) => ({ lineId, qty })),
  }));
  return answer(boxes, problems);
}

/** Boxes as they came from the factory: full ones in the size of the product's case, what is left in one that is weighed by hand. */
async function cases(ctx: Ctx, order: ShipOrder, rest: readonly Rest[], most: number): Promise<Suggestion> {
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  const known = await cartonsOf(
    ctx,
    order.parts.map((part) => part.product),
  );
  const problems: string[] = [];
  const boxes: Box[] = [];
  for (const { line, pieces } of rest) {
    const [only, second] = byLine.get(line.id) ?? [];
    const carton = only && !second && only.qtyPer === 1 ? known.get(only.product) : undefined;
    const each = line.boxQty ?? carton?.units ?? null;
    if (each === null) {
      problems.push(`SKU【${line.msku}】没有每箱数`);
      continue;
    }
    if (boxes.length + Math.ceil(pieces / each) > most) throw MANY();
    for (let left = pieces; left > 0; left -= each) {
      const qty = Math.min(each, left);
      const { length = null, width = null, height = null } = carton ?? {};
      // The case was weighed with so many pieces in it.
      const weight = qty === carton?.units ? carton.weight : null;
      boxes.push({ length, width, height, weight, items: [{ lineId: line.id, qty }] });
    }
  }
  return answer(boxes, problems);
}

/**
 * Boxes for what was picked of an order and lies in none yet: into one template, or as they came where the order goes in
 * cases. SKUs that cannot be judged are left out and named. @throws notFound, refused B1353 without a template or with too many boxes
 */
export async function suggest(ctx: Ctx, id: string, templateId: string | null): Promise<Suggestion> {
  const order = await loaded(ctx, id);
  const { rest, boxes } = await toPack(ctx, order);
  if (order.packType === 'CASE') return cases(ctx, order, rest, MOST_BOXES - boxes);
  if (templateId === null) throw refused('请选择箱型', 'B1353');
  const template = (await templatesOf(ctx)).find((one) => one.id === templateId);
  if (!template) throw notFound('箱型不存在或已删除');
  return mixed(ctx, order, rest, template, MOST_BOXES - boxes);
}
