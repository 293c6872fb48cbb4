import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Held, locationCodes } from '#modules/warehouse/server/index.ts';
import type { PickRow } from '../../contract/picking.ts';
import { holdings } from '../order/events.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import type { Wanting } from './hold.ts';

const placeWords = (held: readonly Held[], known: ReadonlyMap<string, string>) =>
  held.map((one) => `${known.get(one.location) ?? '暂存'}×${one.held}`).join('、');

/** Where the pieces of each part lie, e.g. 「A-01×3、B-02×1」, by part in the order in which a picker walks. */
export async function placesByPart(ctx: Ctx, held: readonly Held[]): Promise<Map<string, string>> {
  const known = await locationCodes(
    ctx,
    held.map((one) => one.location),
  );
  const byPart = Map.groupBy(held, (one) => one.line);
  return new Map([...byPart].map(([part, mine]) => [part, placeWords(mine, known)]));
}

/**
 * What is to be picked of a document, in the order in which a picker walks; what is not held comes last. `want`: pieces of a
 * part by what is held of it and what its line asks for.
 */
export async function pickRowsFor(
  ctx: Ctx,
  doc: Wanting,
  held: readonly Held[],
  want: (mine: readonly Held[], asked: number) => number = (_, asked) => asked,
): Promise<PickRow[]> {
  const places = await placesByPart(ctx, held);
  const products = await localProducts(
    ctx,
    doc.parts.map((part) => part.product),
  );
  const byPart = Map.groupBy(held, (one) => one.line);
  const lines = new Map(doc.lines.map((line) => [line.id, line]));
  const way = new Map([...places.keys()].map((part, index) => [part, index]));
  const rank = (part: string) => way.get(part) ?? Number.MAX_SAFE_INTEGER;
  return doc.parts
    .toSorted((a, b) => rank(a.id) - rank(b.id))
    .map((part) => {
      const line = lines.get(part.line);
      const mine = byPart.get(part.id) ?? [];
      return {
        lineId: part.id,
        product: products.get(part.product)?.cell ?? { name: '—', code: '—' },
        msku: line?.msku ?? '',
        place: places.get(part.id) ?? '',
        want: want(mine, (line?.qty ?? 0) * part.qtyPer),
        picked: mine.reduce((total, one) => total + one.picked, 0),
      };
    });
}

/** What is to be picked of an order. What was given back when picking ended short is not held again by beginning anew. */
export async function rowsOf(ctx: Ctx, order: ShipOrder): Promise<PickRow[]> {
  return pickRowsFor(ctx, order, await holdings(ctx, order), (mine, asked) =>
    mine.length > 0 ? mine.reduce((total, one) => total + one.held, 0) : asked,
  );
}

/** As rowsOf, by id. @throws notFound */
export const pickRowsOf = async (ctx: Ctx, id: string): Promise<PickRow[]> => rowsOf(ctx, await loaded(ctx, id));
