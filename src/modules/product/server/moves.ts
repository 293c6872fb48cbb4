import { extend } from '#kit/server/extension.ts';
import { rowMoves } from '#modules/identity/server/index.ts';

/** When a company moves into another one: products that both have by SKU are listed, and nothing moves. */
export const productMoves = [extend(rowMoves, { table: 'product.local_product', title: '商品SKU' })];
