import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { SupplyShown as Supply } from '#modules/product/contract/parts.ts';
import {
  findProducts,
  localProducts,
  quantityWarnings,
  suppliesOfAll,
  tierFor,
} from '#modules/product/server/index.ts';

/** Kinds of product that a type of order may hold. */
const KINDS: Record<string, readonly string[] | undefined> = {
  GOODS: ['goods'],
  CONSUMABLE: ['consumable', 'package'],
  SAMPLE: ['goods', 'consumable', 'package'],
};

export function kindsFor(type: string): readonly string[] {
  return KINDS[type] ?? [];
}

/** What a supplier says of each product: his prices of today, minimum and multiple; absent where he does not supply it. */
export async function offersOf(
  ctx: Ctx,
  supplierId: string,
  products: readonly string[],
): Promise<Map<string, Supply>> {
  const offers = new Map<string, Supply>();
  for (const [product, supplies] of await suppliesOfAll(ctx, products)) {
    const mine = supplies.find((one) => one.supplierId === supplierId);
    if (mine) offers.set(product, mine);
  }
  return offers;
}

/** Products for a line of an order, with what the supplier asks for his smallest quantity. */
export async function findGoods(ctx: Ctx, input: { text: string; supplierId: string; type: string }) {
  const found = await findProducts(ctx, { text: input.text, kinds: kindsFor(input.type), limit: 20 });
  const ids = found.map((row) => row.id);
  const products = await localProducts(ctx, ids);
  const offers = await offersOf(ctx, input.supplierId, ids);
  return ids.flatMap((id) => {
    const product = products.get(id);
    if (!product) return [];
    const offer = offers.get(id);
    const tiers = offer?.prices?.tiers ?? [];
    return [
      {
        id,
        product: product.cell,
        unitPrice: tierFor(tiers, offer?.moq ?? 1)?.unitPrice ?? null,
        currency: offer?.prices?.currency ?? null,
        moq: offer?.moq ?? null,
        leadDays: offer?.leadDays ?? null,
      },
    ];
  });
}

/** Pieces by product: the tier follows from all lines of a product together. */
function totals(lines: readonly { productId: string; qty: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { productId, qty } of lines) sums.set(productId, (sums.get(productId) ?? 0) + qty);
  return sums;
}

/** The supplier's price of each product for all of its pieces on the order; null where he has quoted none. */
export async function priceGoods(
  ctx: Ctx,
  supplierId: string,
  lines: readonly { productId: string; qty: number }[],
): Promise<{ productId: string; unitPrice: string | null; currency: string | null }[]> {
  const sums = totals(lines);
  const offers = await offersOf(ctx, supplierId, [...sums.keys()]);
  return [...sums].map(([productId, qty]) => {
    const prices = offers.get(productId)?.prices;
    const tier = prices && tierFor(prices.tiers, qty);
    return { productId, unitPrice: tier?.unitPrice ?? null, currency: prices?.currency ?? null };
  });
}

/** Rules of the supplier that quantities break, by product, in words; and the quantity that would do. */
export function quantityFindings(
  offers: ReadonlyMap<string, Supply>,
  lines: readonly { productId: string; qty: number }[],
): Map<string, { below: boolean; texts: string[]; fix: number }> {
  const found = new Map<string, { below: boolean; texts: string[]; fix: number }>();
  for (const [product, qty] of totals(lines)) {
    const offer = offers.get(product);
    if (!offer) continue;
    const texts = quantityWarnings(qty, offer.moq, offer.orderMultiple);
    if (texts.length === 0) continue;
    const fix = Math.ceil(Math.max(qty, offer.moq) / offer.orderMultiple) * offer.orderMultiple;
    found.set(product, { below: qty < offer.moq, texts, fix });
  }
  return found;
}

/**
 * Mean price of the last three placed orders of each product at a supplier, in one currency, six decimals; gifts do not
 * count. Absent where there is none.
 */
export async function lastPrices(
  ctx: Ctx,
  input: { supplier: string; currency: string; products: readonly string[]; but?: string | undefined },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ product: string; price: string }>`
    SELECT p.id AS product, round(avg(l.unit_price), 6)::text AS price
      FROM unnest(${[...new Set(input.products)]}::uuid[]) AS p(id)
      CROSS JOIN LATERAL (SELECT l.unit_price FROM purchase.order_line AS l
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = ${ctx.companyId} AND l.product_id = p.id AND NOT l.gift AND o.supplier_id = ${input.supplier}
         AND o.currency = ${input.currency} AND o.placed_at IS NOT NULL AND o.state <> 'void'
         AND o.id IS DISTINCT FROM ${input.but ?? null}::uuid
       ORDER BY l.id DESC LIMIT 3) AS l
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.product, row.price]));
}

/** How much a price lies above the mean of the last ones: 0.05 is five percent. */
export function riseOf(price: string, last: string | undefined): Decimal | undefined {
  if (last === undefined || new Decimal(last).isZero()) return undefined;
  return new Decimal(price).div(last).minus(1);
}
