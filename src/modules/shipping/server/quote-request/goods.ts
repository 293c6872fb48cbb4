import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type Carton, cartonsOf, type PackedSize, packedSizes } from '#modules/product/server/index.ts';
import { boxesOf } from '../order/boxes.ts';
import { sizeOf } from '../order/listings.ts';
import type { ShipLine, ShipOrder } from '../order/load.ts';
import { type Goods, goodsOf, type Packed, packedBoxes } from './rules/goods.ts';

/** Goods of an order, and where they go. */
export interface OrderGoods extends Goods {
  /** Reckoned from products, not from boxes that are packed. */
  estimated: boolean;
  /** Codes of the fulfilment centres, with commas between; empty where nobody knows. */
  center: string;
}

const PICKED: readonly string[] = ['packing', 'ready', 'shipped', 'receiving', 'done'];

/** Boxes that a line will fill: cases of its product, else its pieces with what is known of them. */
function plannedBoxes(
  order: ShipOrder,
  line: ShipLine,
  cartons: ReadonlyMap<string, Carton>,
  sizes: Map<string, PackedSize>,
): Packed[] {
  const qty = PICKED.includes(order.state) ? line.picked : line.qty;
  if (qty === 0) return [];
  const parts = order.parts.filter((part) => part.line === line.id);
  const [part] = parts;
  const carton = parts.length === 1 && part ? cartons.get(part.product) : undefined;
  const inCase = carton?.units && part ? Math.floor(carton.units / part.qtyPer) : 0;
  if (carton && inCase > 0 && (line.boxQty === null || line.boxQty === inCase)) {
    const { length, width, height, weight } = carton;
    return [packedBoxes({ count: Math.ceil(qty / inCase), length, width, height, weight }, qty)];
  }
  const piece = sizeOf(
    parts.map(({ product, qtyPer }) => ({ productId: product, qty: qtyPer })),
    sizes,
  );
  const total = (one: string | null) => one && new Decimal(one).times(qty).toFixed();
  return [
    {
      count: Math.ceil(qty / (line.boxQty ?? qty)),
      length: null,
      width: null,
      height: null,
      weight: null,
      pieces: qty,
      totalWeight: total(piece.weight),
      totalVolume: total(piece.volume),
    },
  ];
}

async function centerOf(ctx: Ctx, order: ShipOrder): Promise<string> {
  const { rows } = await sql<{ center: string }>`
    SELECT DISTINCT center FROM (
      SELECT center FROM shipping.inbound_shipment WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}
      UNION ALL
      SELECT center FROM shipping.fba_shipment
       WHERE company_id = ${ctx.companyId} AND account_id = ${order.account} AND shipment_no = ${order.shipmentNo}
         AND shipment_no <> '') AS x
     WHERE center <> '' ORDER BY 1`.execute(ctx.db);
  return rows
    .map(({ center }) => center)
    .join(',')
    .slice(0, 100);
}

/** The boxes of an order once it is packed, till then the cases that its products come in. */
export async function orderGoods(ctx: Ctx, order: ShipOrder, divisor: number): Promise<OrderGoods> {
  const center = await centerOf(ctx, order);
  const boxes = await boxesOf(ctx, order.id);
  if (boxes.length > 0) {
    const parts = boxes.map(({ length, width, height, weight, items }) =>
      packedBoxes(
        { count: 1, length, width, height, weight },
        items.reduce((sum, { qty }) => sum + qty, 0),
      ),
    );
    return { ...goodsOf(parts, divisor), estimated: false, center };
  }
  const products = [...new Set(order.parts.map((part) => part.product))];
  const cartons = await cartonsOf(ctx, products);
  const sizes = await packedSizes(ctx, products);
  const parts = order.lines.flatMap((line) => plannedBoxes(order, line, cartons, sizes));
  return { ...goodsOf(parts, divisor), estimated: true, center };
}
