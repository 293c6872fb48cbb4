import { allocate, currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { CustomsFacts, DeclaredOf } from '#modules/product/server/index.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import type { PaperRow } from '../../contract/papers/papers.ts';
import type { ShipOrder } from '../order/load.ts';

/** What papers are made of. */
export interface Goods {
  order: Pick<ShipOrder, 'state' | 'lines' | 'parts'>;
  boxes: readonly Pick<ShipBox, 'no' | 'weight' | 'items'>[];
  facts: ReadonlyMap<string, CustomsFacts>;
  /** kg of one piece with its packaging, by product; null where nobody measured it. */
  packed: ReadonlyMap<string, string | null>;
  /** What 海关报价 declares for the MSKUs of the lines, for products of which nothing else is written down. */
  declared?: ReadonlyMap<string, Pick<DeclaredOf, 'declared' | 'currency' | 'low'>>;
}

const GONE: readonly string[] = ['shipped', 'receiving', 'done'];
const PICKED: readonly string[] = ['packing', 'ready'];

/** Pieces of a line that go: what left, else what was picked, else what is planned. */
export function piecesOf(state: string, line: ShipOrder['lines'][number]): number {
  if (GONE.includes(state)) return line.shipped;
  return PICKED.includes(state) ? line.picked : line.qty;
}

/** Pieces of each local product that `items` of an order hold. */
export function productPieces(
  parts: ShipOrder['parts'],
  items: readonly { lineId: string; qty: number }[],
): Map<string, number> {
  const byLine = Map.groupBy(parts, (part) => part.line);
  const found = new Map<string, number>();
  for (const { lineId, qty } of items) {
    for (const { product, qtyPer } of byLine.get(lineId) ?? []) {
      found.set(product, (found.get(product) ?? 0) + qty * qtyPer);
    }
  }
  return found;
}

/** `weight` of so many pieces, kg with three decimals; null where one is not known. */
export const weightOf = (weight: string | null | undefined, pieces: number): string | null =>
  weight === null || weight === undefined ? null : new Decimal(weight).times(pieces).toFixed(3);

/**
 * A box's weight over the products in it, by what their pieces weigh, without losing a gram; the whole of it where there is
 * one product only. Null where a weight is not known: nothing is guessed.
 */
function shareOf(goods: Goods, box: Goods['boxes'][number], pieces: ReadonlyMap<string, number>) {
  if (box.weight === null) return null;
  const [only, ...others] = pieces.keys();
  if (only !== undefined && others.length === 0) return new Map([[only, box.weight]]);
  const weights = new Map<string, string>();
  for (const [product, count] of pieces) {
    const weight = weightOf(goods.packed.get(product), count);
    if (weight === null) return null;
    weights.set(product, weight);
  }
  return allocate(box.weight, weights, 3) ?? null;
}

/** Boxes and gross weight of each product. */
function packedOf(goods: Goods) {
  const found = new Map<string, { boxes: number; gross: string | null }>();
  for (const box of goods.boxes) {
    const pieces = productPieces(goods.order.parts, box.items);
    const shares = shareOf(goods, box, pieces);
    for (const product of pieces.keys()) {
      const { boxes, gross } = found.get(product) ?? { boxes: 0, gross: '0' };
      const share = shares?.get(product);
      found.set(product, {
        boxes: boxes + 1,
        gross: gross === null || share === undefined ? null : sum([gross, share]),
      });
    }
  }
  return found;
}

/**
 * What is declared for one piece of products by the listings they leave in: a listing of one product shares its value over its
 * pieces, several listings of it weigh by their pieces, two decimals. A bundle's value belongs to none of its products, and one
 * below cost that nobody agreed to is not used.
 */
function declaredPieces({ order, declared }: Goods): Map<string, { value: string; currency: string }> {
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  const sums = new Map<string, { amount: Decimal; pieces: number; currency: string } | null>();
  for (const line of order.lines) {
    const [only, ...others] = byLine.get(line.id) ?? [];
    const qty = piecesOf(order.state, line);
    if (only === undefined || others.length > 0 || qty === 0) continue;
    const known = declared?.get(line.msku);
    const before = sums.get(only.product);
    const usable = known?.declared != null && !known.low && (!before || before.currency === known.currency);
    if (before === null || !usable || known?.declared == null) {
      sums.set(only.product, null);
      continue;
    }
    sums.set(only.product, {
      amount: new Decimal(known.declared).times(qty).plus(before?.amount ?? 0),
      pieces: qty * only.qtyPer + (before?.pieces ?? 0),
      currency: known.currency,
    });
  }
  return new Map(
    [...sums].flatMap(([product, sum]) => {
      const value = sum ? round(sum.amount.div(sum.pieces), 2) : '0';
      return sum && new Decimal(value).gt(0) ? [[product, { value, currency: sum.currency }] as const] : [];
    }),
  );
}

/** What papers may not leave open, by field. */
const NEEDED = {
  nameCn: '品名',
  nameEn: '英文品名',
  hsCode: 'HS编码',
  value: '申报价',
  material: '材质',
  purpose: '用途',
  brand: '品牌',
  model: '型号',
  net: '净重',
  gross: '毛重',
} as const;

/** A row for each local product that goes, in the order of the lines; what is not known is null and named. */
export function paperRows(goods: Goods): PaperRow[] {
  const { order, facts } = goods;
  const items = order.lines.map((line) => ({ lineId: line.id, qty: piecesOf(order.state, line) }));
  const packed = packedOf(goods);
  const fromListings = declaredPieces(goods);
  return [...productPieces(order.parts, items)].flatMap(([id, pieces]): PaperRow[] => {
    const known = facts.get(id);
    if (!known || pieces === 0) return [];
    const { leaving, entering } = known;
    // The invoice is for the customs abroad: what is declared there comes first.
    const said = entering?.value ? entering : leaving;
    const priced = said?.value ? said : fromListings.get(id);
    const value = priced?.value ?? null;
    const currency = value === null ? null : (priced?.currency ?? null);
    const { boxes = 0, gross = null } = packed.get(id) ?? {};
    const row = {
      id,
      product: { name: known.name || known.sku, code: known.sku },
      nameCn: leaving?.nameCn ?? entering?.nameCn ?? null,
      nameEn: entering?.nameEn ?? leaving?.nameEn ?? null,
      hsCode: leaving?.hsCode ?? null,
      importHs: entering?.hsCode ?? null,
      pieces,
      unit: leaving?.unit ?? known.unit,
      value,
      amount: value === null || !currency ? null : round(new Decimal(value).times(pieces), currencyScale(currency)),
      currency,
      material: leaving?.material ?? entering?.material ?? null,
      purpose: leaving?.purpose ?? entering?.purpose ?? null,
      brand: known.brand,
      model: known.model,
      elements: leaving?.elements ?? null,
      boxes,
      net: weightOf(known.netWeight, pieces),
      gross: gross === null ? null : new Decimal(gross).toFixed(3),
    };
    const missing = Object.entries(NEEDED).flatMap(([key, title]) =>
      row[key as keyof typeof NEEDED] === null ? [title] : [],
    );
    return [{ ...row, missing }];
  });
}

/** Sum of weights; null where one is not known, or there is none. */
export function whole(weights: readonly (string | null)[]): string | null {
  const known = weights.flatMap((weight) => (weight === null ? [] : [weight]));
  return known.length === weights.length && known.length > 0 ? new Decimal(sum(known)).toFixed(3) : null;
}

/** Amounts by currency, in the order in which they first occur. */
export function amountsOf(
  rows: readonly Pick<PaperRow, 'amount' | 'currency'>[],
): { currency: string; amount: string }[] {
  const priced = rows.flatMap(({ amount, currency }) =>
    amount !== null && currency !== null ? [{ amount, currency }] : [],
  );
  return [...Map.groupBy(priced, (row) => row.currency)].map(([currency, mine]) => ({
    currency,
    amount: round(sum(mine.map((row) => row.amount)), currencyScale(currency)),
  }));
}
