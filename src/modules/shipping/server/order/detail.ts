import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type ShipInput, type ShipLineRow, type ShipRow, shipOrder } from '../../contract/order.ts';
import { boxesOf, checkedBoxes, packedByLine } from './boxes.ts';
import { orderRow } from './list.ts';
import { localWords, sets, stockIn } from './listings.ts';
import { loaded, type ShipOrder } from './load.ts';
import { hasRest } from './lose.ts';

/** The order as its list shows it. @throws notFound for one out of reach */
export async function rowOf(ctx: Ctx, id: string): Promise<ShipRow> {
  const row = await orderRow(ctx, id);
  if (!row) throw notFound('发货单不存在或已删除');
  return row;
}

async function linesOf(ctx: Ctx, order: ShipOrder, packed: ReadonlyMap<string, number>): Promise<ShipLineRow[]> {
  const products = [...new Set(order.parts.map((part) => part.product))];
  const known = await localProducts(ctx, products);
  const stock = await stockIn(ctx, order.warehouse, products);
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  return order.lines.map((line) => {
    const parts = (byLine.get(line.id) ?? []).map(({ product, qtyPer }) => ({ productId: product, qty: qtyPer }));
    return {
      id: line.id,
      product: { name: line.title || line.msku, code: line.asin ?? line.msku, image: line.image },
      msku: line.msku,
      fnsku: line.fnsku,
      local: localWords(parts, known),
      qty: line.qty,
      available: sets(parts, stock),
      pickedQty: line.picked,
      boxedQty: packed.get(line.id) ?? 0,
      shippedQty: line.shipped,
      receivedQty: line.received,
      lostQty: line.lost,
      boxQty: line.boxQty,
      labelOwner: line.labelOwner,
      prepOwner: line.prepOwner,
      expiresOn: line.expiresOn,
    };
  });
}

const inputOf = (order: ShipOrder): ShipInput => ({
  id: order.id,
  version: order.version,
  authid: order.account,
  marketplaceId: order.marketplaceId,
  warehouseId: order.warehouse,
  addressId: order.addressId,
  packType: order.packType,
  transport: order.transport,
  stockMode: order.stockMode,
  plannedOn: order.plannedOn,
  shipmentNo: order.shipmentNo,
  remark: order.remark,
  lines: order.lines.map(({ msku, qty, boxQty, labelOwner, prepOwner, expiresOn }) => ({
    msku,
    qty,
    boxQty,
    labelOwner,
    prepOwner,
    expiresOn,
  })),
});

/** Everything that the page of an order shows. @throws notFound */
export async function orderDetail(ctx: Ctx, id: string) {
  const row = await rowOf(ctx, id);
  const order = await loaded(ctx, id);
  const boxes = await boxesOf(ctx, id);
  const codes = Object.values(shipOrder.transitions).map((rule) => rule.permission);
  return {
    order: row,
    lines: await linesOf(ctx, order, packedByLine(boxes)),
    boxes: await checkedBoxes(ctx, order, boxes),
    input: inputOf(order),
    actions: actionsOf(shipOrder, order.state, new Set(codes.filter((code) => can(ctx, code)))).filter(
      ({ name }) => name !== 'writeOff' || hasRest(order),
    ),
    timeline: await timelineOf(ctx, shipOrder.name, id),
  };
}
