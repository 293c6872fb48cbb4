import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';

/** A document as its list reads it: the product of its first line, and how many others it has. */
interface Listed {
  product: null;
  productId: string | null;
  more: number;
}

/** Puts the first product of each document into its row, with the number of the others; read at once for all rows. */
export async function withFirstProduct<R extends Listed>(ctx: Ctx, rows: readonly R[]) {
  const products = await localProducts(
    ctx,
    rows.flatMap((row) => row.productId ?? []),
  );
  return rows.map(({ productId, more, ...row }) => {
    const cell = productId ? products.get(productId)?.cell : undefined;
    return { ...row, product: cell ? { ...cell, ...(more > 0 ? { more } : {}) } : null };
  });
}
