import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { MatchRow } from '../../contract/match.ts';
import { type ListingOf, listingKey } from './of-listing.ts';

/** Who keeps Amazon's stock says here how many pieces of listings lie there, by listingKey(); a listing without is absent. */
export const listingStocks =
  extensionPoint<(ctx: Ctx, listings: readonly ListingOf[]) => Promise<ReadonlyMap<string, number>>>(
    'product.listingStocks',
  );

/** Who keeps our own stock says here how many available pieces of products there are, by id; a product without is absent. */
export const localStocks =
  extensionPoint<(ctx: Ctx, productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>>(
    'product.localStocks',
  );

/** Listings that the pieces of their parts suffice for; null for one that stands for nothing. */
export function setsOf(parts: MatchRow['parts'], pieces: ReadonlyMap<string, number>): number | null {
  if (parts.length === 0) return null;
  return Math.min(...parts.map(({ productId, qty }) => Math.max(0, Math.floor((pieces.get(productId) ?? 0) / qty))));
}

/** Rows of the list with what lies at Amazon and with us: one question each for all of them. */
export async function withStocks(ctx: Ctx, rows: readonly MatchRow[]): Promise<MatchRow[]> {
  const { modules } = ctx.runtime;
  const fba = new Map<string, number>();
  for (const source of extensionsOf(modules, listingStocks)) {
    for (const [key, pieces] of await source(ctx, rows)) fba.set(key, (fba.get(key) ?? 0) + pieces);
  }
  const ids = [...new Set(rows.flatMap((row) => row.parts.map((part) => part.productId)))];
  const local = new Map<string, number>();
  for (const source of ids.length === 0 ? [] : extensionsOf(modules, localStocks)) {
    for (const [id, pieces] of await source(ctx, ids)) local.set(id, (local.get(id) ?? 0) + pieces);
  }
  return rows.map((row) => ({ ...row, fba: fba.get(listingKey(row)) ?? null, local: setsOf(row.parts, local) }));
}

/** The same for an export: so many rows at a time. */
export async function* stockedRows(ctx: Ctx, rows: AsyncIterable<MatchRow>, batch = 2000): AsyncGenerator<MatchRow> {
  let some: MatchRow[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < batch) continue;
    yield* await withStocks(ctx, some);
    some = [];
  }
  yield* await withStocks(ctx, some);
}
