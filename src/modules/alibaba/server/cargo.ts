import { Decimal } from '#kit/contract/decimal.ts';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Order, orderOf } from '#modules/purchase/server/index.ts';
import type { Cargo } from './port.ts';

export interface CargoLine {
  cargo: Cargo;
  product: Product;
  /** Pieces, and the purchase order's amount for them (CNY). */
  qty: number;
  ordered: string;
}

/** The platform takes no more variants in one order. */
const MAX_SKUS = 50;

/**
 * What a purchase order is at the platform: units of offers for its pieces, gifts left out because nobody sells them.
 * @throws refused B1105 an order that cannot go there, B1106 a product without an offer or pieces that make no whole units
 */
export async function cargoOf(ctx: Ctx, orderId: string): Promise<{ order: Order; lines: CargoLine[] }> {
  const order = await orderOf(ctx, orderId);
  if (order.state !== 'approved') throw refused('只有待下单的采购单可以在1688下单', 'B1105');
  if (order.currency !== 'CNY') throw refused('1688只能用人民币下单', 'B1105');
  const wanted = order.lines.filter((line) => !line.gift);
  if (wanted.length > MAX_SKUS) throw refused(`超过${MAX_SKUS}个规格将自动拆单，请先拆分采购单`, 'B1105');
  const ids = wanted.map((line) => line.product);
  const products = await localProducts(ctx, ids);
  const links = await ctx.db
    .selectFrom('alibaba.offer_link')
    .select(['product_id', 'offer_id', 'spec_id', 'pieces_per_unit'])
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', order.supplier)
    .where('product_id', 'in', ids)
    .execute();
  const lines = wanted.map((line): CargoLine => {
    const product = products.get(line.product)?.cell ?? { name: '—', code: '—' };
    const link = links.find((one) => one.product_id === line.product);
    if (!link) throw refused(`SKU【${product.code}】还没有对应的1688商品`, 'B1106');
    if (line.qty % link.pieces_per_unit !== 0) {
      throw refused(`SKU【${product.code}】的数量须为${link.pieces_per_unit}的整数倍`, 'B1106');
    }
    const quantity = line.qty / link.pieces_per_unit;
    return {
      cargo: { offerId: link.offer_id, specId: link.spec_id, quantity },
      product,
      qty: line.qty,
      ordered: new Decimal(line.amount).toFixed(),
    };
  });
  return { order, lines };
}
