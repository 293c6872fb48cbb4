import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';

/** Who knows below what price listings lose money. */
export interface PriceFloors {
  floors: (ctx: Ctx, listingIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export const priceFloors = extensionPoint<PriceFloors>('listing.priceFloors');

/** A price of a listing, and the floor for which somebody agreed to go below it. */
export interface Priced {
  listingId: string;
  price: string;
  agreedFloor?: string | null | undefined;
}

/** Floor by listing id, decimal text in its currency; a listing whose cost is not known is absent. */
export async function floorsOf(ctx: Ctx, listingIds: readonly string[]): Promise<Map<string, string>> {
  const floors = new Map<string, string>();
  for (const source of extensionsOf(ctx.runtime.modules, priceFloors)) {
    for (const [id, floor] of await source.floors(ctx, listingIds)) floors.set(id, floor);
  }
  return floors;
}

/**
 * Those of some prices that are below the floor of now, each with it. What was agreed holds as long as the floor has not risen
 * since.
 */
export async function underFloor<P extends Priced>(ctx: Ctx, prices: readonly P[]): Promise<(P & { floor: string })[]> {
  const floors = await floorsOf(
    ctx,
    prices.map(({ listingId }) => listingId),
  );
  return prices.flatMap((one) => {
    const floor = floors.get(one.listingId);
    if (floor === undefined || new Decimal(one.price).gte(floor)) return [];
    const isAgreed = one.agreedFloor != null && new Decimal(floor).lte(one.agreedFloor);
    return isAgreed ? [] : [{ ...one, floor }];
  });
}
