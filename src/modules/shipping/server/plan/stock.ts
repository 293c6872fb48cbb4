import type { Ctx } from '#kit/server/context.ts';
import {
  type ListingOf,
  type ListingPart,
  listingKey,
  localProducts,
  partsOfAllListings,
} from '#modules/product/server/index.ts';
import { freeOf, plannedFor, warehouses } from '#modules/warehouse/server/index.ts';
import { localWords, sets } from '../order/listings.ts';

/** What lies in our own warehouses of a listing. */
export interface LocalStock {
  /** Local SKUs with their pieces in one. */
  local: string;
  parts: readonly ListingPart[];
  /** Pieces of each local SKU, in their order: all that are free, and those that submitted plans want. */
  available: number[];
  held: number[];
  /** How many can be put together, of all that is free and of what is not promised; those of each warehouse added up. */
  makeable: number;
  promisable: number;
  /** The latter by warehouse. */
  promisableIn: ReadonlyMap<string, number>;
}

type ByPlace = Map<string, Map<string, number>>;

function add(all: ByPlace, place: string, product: string, qty: number): void {
  const mine = all.get(place) ?? new Map<string, number>();
  mine.set(product, (mine.get(product) ?? 0) + qty);
  all.set(place, mine);
}

function stockOf(parts: readonly ListingPart[], free: ByPlace, held: ByPlace): Omit<LocalStock, 'local'> {
  const total = (all: ByPlace, product: string) =>
    [...all.values()].reduce((sum, place) => sum + (place.get(product) ?? 0), 0);
  const promisableIn = new Map<string, number>();
  let makeable = 0;
  for (const [place, pieces] of free) {
    const left = new Map([...pieces].map(([product, qty]) => [product, qty - (held.get(place)?.get(product) ?? 0)]));
    promisableIn.set(place, sets(parts, left));
    makeable += sets(parts, pieces);
  }
  return {
    parts,
    available: parts.map(({ productId }) => total(free, productId)),
    held: parts.map(({ productId }) => total(held, productId)),
    makeable,
    promisable: [...promisableIn.values()].reduce((sum, qty) => sum + qty, 0),
    promisableIn,
  };
}

/** What lies in our own warehouses of each listing, by listingKey(); one that is matched with no product is absent. */
export async function localStock(ctx: Ctx, listings: readonly ListingOf[]): Promise<Map<string, LocalStock>> {
  const parts = await partsOfAllListings(ctx, listings);
  const products = [...new Set([...parts.values()].flat().map(({ productId }) => productId))];
  const known = await localProducts(ctx, products);
  const free: ByPlace = new Map();
  for (const { warehouse, product, qty } of await freeOf(ctx, products)) add(free, warehouse, product, qty);
  const held: ByPlace = new Map();
  const places = products.length === 0 ? [] : [...(await warehouses(ctx)).keys()];
  for (const { warehouse, product, qty } of await plannedFor(ctx, products, places)) {
    add(held, warehouse, product, qty);
  }
  return new Map(
    listings.flatMap((listing) => {
      const mine = parts.get(listingKey(listing));
      if (!mine) return [];
      return [[listingKey(listing), { local: localWords(mine, known), ...stockOf(mine, free, held) }] as const];
    }),
  );
}
