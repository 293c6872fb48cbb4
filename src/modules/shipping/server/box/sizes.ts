import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { packedSizes } from '#modules/product/server/index.ts';
import type { ShipOrder } from '../order/load.ts';

/** Volume and weight of one piece of a line, rounded up to whole mm³ and grams; null where a part was not measured. */
export interface LineSize {
  volume: number | null;
  weight: number | null;
}

/** The size of one piece of each line of an order, by line. */
export async function lineSizes(ctx: Ctx, order: Pick<ShipOrder, 'lines' | 'parts'>): Promise<Map<string, LineSize>> {
  const sizes = await packedSizes(
    ctx,
    order.parts.map((part) => part.product),
  );
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  const sum = (line: string, key: 'volume' | 'weight') => {
    const parts = byLine.get(line) ?? [];
    let total = new Decimal(0);
    for (const { product, qtyPer } of parts) {
      const one = sizes.get(product)?.[key];
      if (one === null || one === undefined) return null;
      total = total.plus(new Decimal(one).times(qtyPer));
    }
    // cm³ to mm³ and kg to g
    return parts.length > 0 ? total.times(1000).ceil().toNumber() : null;
  };
  return new Map(order.lines.map(({ id }) => [id, { volume: sum(id, 'volume'), weight: sum(id, 'weight') }]));
}
