import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import {
  type LocalProduct,
  localProducts,
  type PartOf,
  partPieces,
  partsOfAll,
} from '#modules/product/server/index.ts';
import { availableOf } from '#modules/warehouse/server/index.ts';

/** Pieces of a product that are wanted in a warehouse. */
export interface Need {
  /** Line of the plan; null for a part that nobody planned for itself. */
  planLine: string | null;
  product: string;
  warehouse: string;
  /** Supplier that the planner named. */
  supplier: string | null;
  qty: number;
  needBy: string | null;
  /** SKUs of the bundles that it is a part of. */
  usedFor: readonly string[];
}

/** Bundles within bundles are followed no deeper than lists of parts may go. */
const MAX_DEPTH = 5;

const keyOf = (need: Pick<Need, 'warehouse' | 'product'>) => `${need.warehouse} ${need.product}`;
const earliest = (days: readonly (string | null)[]) => days.flatMap((day) => day ?? []).sort()[0] ?? null;

/** One need for each warehouse and product; what is a part of several bundles names all of them. */
export function gathered(needs: readonly Need[]): Need[] {
  const all = new Map<string, Need>();
  for (const need of needs) {
    const old = all.get(keyOf(need));
    all.set(
      keyOf(need),
      old
        ? {
            ...old,
            planLine: old.planLine ?? need.planLine,
            qty: old.qty + need.qty,
            needBy: earliest([old.needBy, need.needBy]),
            usedFor: [...new Set([...old.usedFor, ...need.usedFor])],
          }
        : need,
    );
  }
  return [...all.values()];
}

/** Pieces that come without being ordered anew: of orders that were placed, and of process orders under way. */
async function onTheWay(ctx: Ctx, products: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ warehouse: string; product: string; qty: number }>`
    SELECT warehouse, product, sum(qty)::int AS qty FROM (
      SELECT o.warehouse_id AS warehouse, l.product_id AS product, l.open_qty AS qty
        FROM purchase.order_line AS l
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = ${ctx.companyId} AND l.product_id = ANY (${[...products]}::uuid[]) AND l.open_qty > 0
         AND o.state = 'ordered'
      UNION ALL
      SELECT warehouse_id, product_id, qty - done - scrapped FROM purchase.process_order
       WHERE company_id = ${ctx.companyId} AND product_id = ANY (${[...products]}::uuid[])
         AND state IN ('approved', 'running')) AS coming
     GROUP BY 1, 2`.execute(ctx.db);
  return new Map(rows.map((row) => [keyOf(row), row.qty]));
}

/** Free pieces of parts in the warehouses where they are wanted, and those that are on their way there. */
async function supplyOf(ctx: Ctx, needs: readonly Need[]): Promise<Map<string, number>> {
  const products = [...new Set(needs.map((need) => need.product))];
  const supply = new Map(await onTheWay(ctx, products));
  for (const warehouse of new Set(needs.map((need) => need.warehouse))) {
    for (const [product, { available }] of await availableOf(ctx, warehouse, products)) {
      const key = keyOf({ warehouse, product });
      supply.set(key, (supply.get(key) ?? 0) + available);
    }
  }
  return supply;
}

/** What is missing of each need; `supply` loses what the needs take, so that nothing covers two of them. */
function missing(needs: readonly Need[], supply: Map<string, number>): Need[] {
  return needs.flatMap((need) => {
    const there = supply.get(keyOf(need)) ?? 0;
    const taken = Math.min(there, need.qty);
    supply.set(keyOf(need), there - taken);
    return need.qty > taken ? [{ ...need, qty: need.qty - taken }] : [];
  });
}

function partsNeeded(
  bundles: readonly Need[],
  lists: ReadonlyMap<string, PartOf[]>,
  names: ReadonlyMap<string, LocalProduct>,
): Need[] {
  return bundles.flatMap((bundle) =>
    (lists.get(bundle.product) ?? []).map((part) => ({
      planLine: null,
      product: part.componentId,
      warehouse: bundle.warehouse,
      supplier: null,
      qty: partPieces(part, bundle.qty),
      needBy: bundle.needBy,
      usedFor: [names.get(bundle.product)?.sku ?? ''],
    })),
  );
}

/**
 * Parts what is to be bought from what is put together. A planned bundle is made of its parts, in the planned pieces,
 * unless the planner named a supplier who sells it complete; of its parts, and of bundles within it, only what neither
 * lies free in the warehouse nor is on its way there is needed. Parts of several bundles share the stock.
 */
export async function explodeNeeds(ctx: Ctx, needs: readonly Need[]): Promise<{ make: Need[]; buy: Need[] }> {
  const make: Need[] = [];
  const buy: Need[] = [];
  const supply = new Map<string, number>();
  let wanted: readonly Need[] = needs;
  for (let depth = 0; wanted.length > 0; depth += 1) {
    const products = await localProducts(
      ctx,
      wanted.map((need) => need.product),
    );
    const maybe = wanted.filter(
      (need) => depth < MAX_DEPTH && need.supplier === null && products.get(need.product)?.structure === 'bundle',
    );
    const lists = await partsOfAll(
      ctx,
      maybe.map((need) => need.product),
    );
    const bundles = maybe.filter((need) => lists.has(need.product));
    make.push(...bundles);
    buy.push(...wanted.filter((need) => !bundles.includes(need)));
    const parts = gathered(partsNeeded(bundles, lists, products));
    for (const [key, qty] of await supplyOf(ctx, parts)) if (!supply.has(key)) supply.set(key, qty);
    wanted = missing(parts, supply);
  }
  return { make: gathered(make), buy };
}
