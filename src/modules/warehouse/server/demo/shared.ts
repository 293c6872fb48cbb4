import type { Ctx } from '#kit/server/context.ts';
import { act, type Effect } from '../documents/core/act.ts';
import type { StockKind } from '../documents/core/load.ts';

/** What the documents of the demo are made of. */
export interface DemoPlace {
  main: string;
  qc: string;
  overseas: string;
  /** Ids of products with enough pieces in the main warehouse to take some away, by SKU. */
  products: readonly string[];
}

/** Takes a document through transitions, one after the other. */
export async function follow(
  ctx: Ctx,
  kind: StockKind,
  id: string,
  steps: readonly string[],
  effects: Record<string, Effect>,
): Promise<void> {
  for (const name of steps) await act(ctx, kind, name, { id }, effects[name]);
}

/** The n-th product of the demo, going round. */
export const productAt = (place: DemoPlace, n: number): string => place.products[n % place.products.length] ?? '';

/** Some lines, each a little longer than the one before. */
export const someLines = (place: DemoPlace, first: number, count: number, qty: number) =>
  Array.from({ length: count }, (_, index) => ({ productId: productAt(place, first + index), qty: qty + index * 5 }));
