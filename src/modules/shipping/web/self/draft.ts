import type { Product } from '#kit/contract/field.ts';
import type { SelfLineInput } from '../../contract/self/input.ts';
import type { OpenLine } from '../../contract/self/waiting.ts';

/** A line while it is written. */
export interface Draft {
  key: string;
  orderId: string | null;
  orderItemId: string | null;
  productId: string | null;
  product: Product;
  /** The order that it is of; empty for one typed by hand. */
  order: string;
  local: string;
  /** The most that may be sent; null where nothing but stock bounds it. */
  open: number | null;
  available: number;
  qty: number | null;
}

/** The lines of orders, each with all that is open, or with what the document holds of it. */
export function draftsOf(lines: readonly OpenLine[], held: readonly SelfLineInput[]): Draft[] {
  const known = new Map(held.map((line) => [`${line.orderId} ${line.orderItemId}`, line.qty]));
  return lines
    .filter((line) => line.open > 0)
    .map(({ orderId, orderItemId, product, order, local, open, available }) => ({
      key: `${orderId} ${orderItemId}`,
      orderId,
      orderItemId,
      productId: null,
      product,
      order,
      local,
      open,
      available,
      qty: held.length > 0 ? (known.get(`${orderId} ${orderItemId}`) ?? null) : open,
    }));
}

/** Why the lines cannot be sent as they are; undefined where they can. Those without a number stay away. */
export function obstacle(lines: readonly Draft[]): string | undefined {
  const written = lines.filter((line) => line.qty);
  if (written.length === 0) return '至少填写一行数量';
  for (const { product, qty, open, local } of written) {
    if (local === '') return `【${product.code}】未关联本地产品`;
    if (open !== null && (qty ?? 0) > open) return `【${product.code}】还可发货 ${open} 件`;
  }
  return undefined;
}

/** Lines as the call takes them. */
export const sent = (lines: readonly Draft[]): SelfLineInput[] =>
  lines.flatMap(({ orderId, orderItemId, productId, qty }) => (qty ? [{ orderId, orderItemId, productId, qty }] : []));
