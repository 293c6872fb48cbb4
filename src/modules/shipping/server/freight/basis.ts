import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type PackedSize, packedSizes } from '#modules/product/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { FreightBase } from '../../contract/freight/fields.ts';
import { boxesOf } from '../order/boxes.ts';
import { sizeOf } from '../order/listings.ts';
import type { ShipLine, ShipOrder } from '../order/load.ts';
import { pricedChannels } from '../transport/compare/cards.ts';
import type { Refusal, WeighRule } from '../transport/rules/weigh.ts';
import type { Dispatch } from './moves.ts';
import { lineWeights, pieceMeasure } from './rules/basis.ts';
import type { ShippedMove } from './rules/share.ts';

/** What is charged by where an order names no channel: 5000 cm³ for one kg in the air, 6000 otherwise (handbook 5.4). */
const plainRule = (transport: Transport): WeighRule => ({
  billUnit: 'KG',
  divisor: transport === 'AIR' || transport === 'EXPRESS' ? 5000 : 6000,
  weightStep: '0',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  kgPerCbm: null,
});

async function ruleOf(ctx: Ctx, order: ShipOrder): Promise<WeighRule> {
  if (order.channelId === null) return plainRule(order.transport);
  const [channel] = await pricedChannels(ctx, { channelId: order.channelId }, ctx.clock.today());
  return channel ?? plainRule(order.transport);
}

/** What the lines of an order count for, in the order of their numbers; those that sent nothing are left out. */
export interface Basis {
  lines: { line: ShipLine; weight: string }[];
  /** What the moves of a line count for among each other. */
  moves: ShippedMove[];
}

function moveWeights(
  base: FreightBase,
  rule: WeighRule,
  sizes: ReadonlyMap<string, PackedSize>,
  { moves }: Dispatch,
): ShippedMove[] {
  const weigh = base === 'PIECES' || base === 'VALUE' ? undefined : base;
  const found = moves.map((one) => {
    const size = sizes.get(one.product);
    const piece = weigh && size ? pieceMeasure(weigh, size, rule) : null;
    return { ...one, measure: base === 'VALUE' ? new Decimal(one.value) : (piece?.times(one.qty) ?? null) };
  });
  return [...Map.groupBy(found, (one) => one.line).values()].flatMap((mine) => {
    // A set of which a part was not measured, or is worth nothing, is shared by its pieces.
    const byPieces = mine.some(({ measure }) => measure === null || measure.isZero());
    return mine.map(({ move, line, qty, measure }) => ({
      move,
      line,
      weight: byPieces ? String(qty) : (measure?.toFixed() ?? '0'),
    }));
  });
}

/** How a charge of an order is shared over its lines and their moves, or why it cannot be. */
export async function basisOf(
  ctx: Ctx,
  order: ShipOrder,
  base: FreightBase,
  dispatch: Dispatch | undefined,
): Promise<Basis | Refusal> {
  const sizes = await packedSizes(ctx, [...new Set(order.parts.map((part) => part.product))]);
  const rule = await ruleOf(ctx, order);
  const sent = order.lines.filter((line) => line.shipped > 0);
  const parts = Map.groupBy(order.parts, (part) => part.line);
  const values = Map.groupBy(dispatch?.moves ?? [], (one) => one.line);
  const lines = sent.map(({ id, msku }) => {
    const mine = (parts.get(id) ?? []).map(({ product, qtyPer }) => ({ productId: product, qty: qtyPer }));
    const moved = values.get(id);
    return { id, msku, ...sizeOf(mine, sizes), value: moved ? sum(moved.map(({ value }) => value)) : null };
  });
  const weights = lineWeights(base, await boxesOf(ctx, order.id), lines, rule);
  if ('why' in weights) return weights;
  return {
    lines: sent.map((line) => ({ line, weight: weights.get(line.id) ?? '0' })),
    moves: dispatch ? moveWeights(base, rule, sizes, dispatch) : [],
  };
}
