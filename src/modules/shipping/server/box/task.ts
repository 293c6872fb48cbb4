import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { PackLine, packTask } from '../../contract/box/calls.ts';
import { plainCode } from '../../contract/box/codes.ts';
import type { ShipState } from '../../contract/order.ts';
import { boxesOf, checkedBoxes, packedByLine } from '../order/boxes.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { templatesOf } from './templates.ts';

/**
 * The lines of an order as packers see them. A local product stands for a line only where one piece of the line is one of
 * it: a part is not the set.
 */
export async function packLines(ctx: Ctx, order: ShipOrder): Promise<PackLine[]> {
  const products = await localProducts(
    ctx,
    order.parts.map((part) => part.product),
  );
  const packed = packedByLine(await boxesOf(ctx, order.id));
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  return order.lines.map((line) => {
    const [only, second] = byLine.get(line.id) ?? [];
    const local = only && !second && only.qtyPer === 1 ? products.get(only.product) : undefined;
    const codes = [line.fnsku, line.asin, line.msku, local?.barcode, local?.sku];
    return {
      lineId: line.id,
      msku: line.msku,
      fnsku: line.fnsku,
      product: {
        name: line.title || local?.name || line.msku,
        code: line.msku,
        image: line.image ?? local?.image ?? null,
      },
      codes: [...new Set(codes.flatMap((code) => (code ? [plainCode(code)] : [])))],
      picked: line.picked,
      boxed: packed.get(line.id) ?? 0,
    };
  });
}

/** Everything that packing an order with a scanner needs. @throws notFound */
export async function taskOf(ctx: Ctx, id: string): Promise<Reply<typeof packTask>> {
  const order = await loaded(ctx, id);
  const store = (await storeNames(ctx)).get(order.account) ?? '';
  const lines = await packLines(ctx, order);
  return {
    id: order.id,
    number: order.number,
    state: order.state as ShipState,
    cases: order.packType === 'CASE',
    goal: `${store}-${countryOf(order.marketplaceId)}`,
    // What was not picked at all goes into no box.
    lines: lines.filter((line) => line.picked > 0),
    boxes: await checkedBoxes(ctx, order, await boxesOf(ctx, id)),
    templates: await templatesOf(ctx),
  };
}
