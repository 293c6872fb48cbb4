import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';

/** Where a product is in use: words for people, e.g. 「深圳仓库存 120」, 「采购单 PO2601」. */
export type ProductUse = (ctx: Ctx, productIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Modules that keep stock or documents say here what stands against taking a product out of use. */
export const productUses = extensionPoint<ProductUse>('product.uses');

export interface StockPlace {
  place: string;
  /** e.g. 本地, 海外, FBA, AWD */
  kind: string;
  available: number;
  total: number;
}

/** Modules that keep stock say here how much of a product lies where. */
export const productStocks =
  extensionPoint<(ctx: Ctx, productId: string) => Promise<readonly StockPlace[]>>('product.stocks');

/** Everything that uses the products now, by id. */
export async function usesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const source of extensionsOf(ctx.runtime.modules, productUses)) {
    for (const [id, words] of await source(ctx, ids)) found.set(id, [...(found.get(id) ?? []), ...words]);
  }
  return found;
}

export async function stockOf(ctx: Ctx, id: string): Promise<StockPlace[]> {
  const places: StockPlace[] = [];
  for (const source of extensionsOf(ctx.runtime.modules, productStocks)) places.push(...(await source(ctx, id)));
  return places;
}
