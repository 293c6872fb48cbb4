import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Order, orderOf } from '#modules/purchase/server/index.ts';
import type { Asked } from '../contract/index.ts';
import { type Covered, coveredOf } from './lines.ts';
import { type Cargo, keyOf } from './port.ts';

export interface CargoLine {
  lineId: string;
  productId: string;
  product: Product;
  cargo: Cargo;
  piecesPerUnit: number;
  /** Empty: nobody asked the platform yet. */
  seller: string;
  /** Pieces of the purchase order that are not ordered at the platform, and those that are to be now. */
  left: number;
  qty: number;
  /** The purchase order's amount for them (CNY), its fees left out. */
  ordered: string;
}

export interface Wanted {
  order: Order;
  lines: CargoLine[];
  /** What the purchase order says for these pieces with their share of its fees, CNY. */
  amount: string;
}

/** What a line's pieces cost, to the cent; the last pieces get what the others left. */
function partOf(line: { qty: number; amount: string }, qty: number, covered: Covered | undefined): string {
  if ((covered?.pieces ?? 0) + qty === line.qty) return new Decimal(line.amount).minus(covered?.ordered ?? 0).toFixed();
  return new Decimal(line.amount).times(qty).div(line.qty).toDecimalPlaces(2).toFixed();
}

/** Fees and free pieces belong to what is bought: their amounts over its lines, so that all add up to the order's. */
function withFees(order: Order): Map<string, string> {
  const bought = order.lines.filter((line) => !line.gift);
  const weights = new Map(bought.map((line) => [line.id, line.amount]));
  return allocate(order.amount, weights, 2) ?? weights;
}

/** What is left of the order's total for the pieces that are ordered now. */
function amountOf(order: Order, lines: readonly CargoLine[], covered: ReadonlyMap<string, Covered>, placed: string) {
  const now = new Map(lines.map((line) => [line.lineId, line.qty]));
  const bought = order.lines.filter((line) => !line.gift);
  const all = bought.every((line) => (covered.get(line.id)?.pieces ?? 0) + (now.get(line.id) ?? 0) === line.qty);
  if (all) return new Decimal(order.amount).minus(placed).toFixed();
  const shares = withFees(order);
  const parts = bought.map((line) =>
    new Decimal(shares.get(line.id) ?? 0)
      .times(now.get(line.id) ?? 0)
      .div(line.qty)
      .toDecimalPlaces(2),
  );
  return sum(parts.map((part) => part.toFixed()));
}

function requireOrderable(order: Order, begun: boolean): void {
  if (order.state !== 'approved' && !(order.state === 'ordered' && begun)) {
    throw refused('只有待下单的采购单可以在1688下单', 'B1105');
  }
  if (order.currency !== 'CNY') throw refused('1688只能用人民币下单', 'B1105');
}

function nothingLeft(order: Order): never {
  if (order.state === 'approved') throw refused('该采购单已在1688下单或正在确认，不能重复下单', 'B1110');
  throw refused('只有待下单的采购单可以在1688下单，该采购单已全部在1688下单', 'B1110');
}

interface Piece {
  line: Order['lines'][number];
  left: number;
  qty: number;
}

/** How many pieces of each line are to be ordered: all that are left, or as many as are asked for. */
function piecesOf(order: Order, covered: ReadonlyMap<string, Covered>, asked: Asked['lines']): Piece[] {
  const open = order.lines
    .filter((line) => !line.gift)
    .map((line) => ({ line, left: Math.max(0, line.qty - line.cancelled - (covered.get(line.id)?.pieces ?? 0)) }));
  if (open.every(({ left }) => left === 0)) nothingLeft(order);
  if (!asked) return open.filter(({ left }) => left > 0).map((one) => ({ ...one, qty: one.left }));
  return asked.map(({ lineId, qty }) => {
    const one = open.find(({ line }) => line.id === lineId);
    if (!one) throw refused('采购单明细不存在', 'B1105');
    if (qty > one.left) throw refused(`第${one.line.lineNo}行最多还可下单${one.left}件`, 'B1110');
    return { ...one, qty };
  });
}

/**
 * What of a purchase order is to be ordered at the platform: units of offers for its pieces, less what is there already;
 * gifts left out because nobody sells them.
 * @throws refused B1105 an order that cannot go there, B1106 a product without an offer or pieces that make no whole
 * units, B1110 more than is left
 */
export async function cargoOf(ctx: Ctx, orderId: string, asked: Asked['lines']): Promise<Wanted> {
  const order = await orderOf(ctx, orderId);
  const { covered, placed, begun } = await coveredOf(ctx, orderId);
  requireOrderable(order, begun);
  const pieces = piecesOf(order, covered, asked);
  const ids = pieces.map(({ line }) => line.product);
  const products = await localProducts(ctx, ids);
  const links = await ctx.db
    .selectFrom('alibaba.offer_link')
    .select(['product_id', 'offer_id', 'spec_id', 'pieces_per_unit', 'seller'])
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', order.supplier)
    .where('product_id', 'in', ids)
    .execute();
  const lines = pieces.map(({ line, left, qty }): CargoLine => {
    const product = products.get(line.product)?.cell ?? { name: '—', code: '—' };
    const link = links.find((one) => one.product_id === line.product);
    if (!link) throw refused(`SKU【${product.code}】还没有对应的1688商品`, 'B1106');
    if (qty % link.pieces_per_unit !== 0) {
      throw refused(`SKU【${product.code}】的数量须为${link.pieces_per_unit}的整数倍`, 'B1106');
    }
    return {
      lineId: line.id,
      productId: line.product,
      product,
      cargo: { offerId: link.offer_id, specId: link.spec_id, quantity: qty / link.pieces_per_unit },
      piecesPerUnit: link.pieces_per_unit,
      seller: link.seller,
      left,
      qty,
      ordered: partOf(line, qty, covered.get(line.id)),
    };
  });
  return { order, lines, amount: amountOf(order, lines, covered, placed) };
}

/** Units of the same variant as one, for the platform knows no lines of ours. */
export function cargoOfAll(lines: readonly CargoLine[]): Cargo[] {
  const merged = new Map<string, Cargo>();
  for (const { cargo } of lines) {
    const known = merged.get(keyOf(cargo));
    merged.set(keyOf(cargo), { ...cargo, quantity: cargo.quantity + (known?.quantity ?? 0) });
  }
  return [...merged.values()];
}
