import { parseMinor } from '../business/amounts.ts';
import { code } from '../business/draws.ts';
import type { SimAccount, SimMarketplace, SimOrder, SimTransaction } from '../business/types.ts';
import { unitDraw } from './random.ts';
import type { World } from './world.ts';

/** Standard rates, percent, of countries where the sandbox sells. */
const RATES: Readonly<Record<string, number>> = { GB: 20, DE: 19, FR: 20, IT: 22, ES: 21 };
export const VAT_COUNTRIES: ReadonlySet<string> = new Set([...Object.keys(RATES), 'NL', 'PL', 'SE', 'BE', 'IE']);

const DAY_MS = 86_400_000;
/** Refunds come at most so long after the order. */
const REFUND_DAYS = 90;

/** Gross and tax of a part of a line, cents; positive. */
export interface VatPart {
  gross: number;
  tax: number;
  promotion: number;
}

export interface VatItem {
  orderItemId: string;
  sku: string;
  asin: string;
  title: string;
  quantity: number;
  item: VatPart;
  shipping: VatPart;
  gift: VatPart;
}

/** A shipment or a refund that Amazon wants a document of. */
export interface VatDocument {
  order: SimOrder;
  kind: 'SHIPMENT' | 'REFUND';
  shippingId: string;
  transactionId: string;
  /** Epoch ms: of the shipment, of the refund. */
  at: number;
  /** Country that the goods left. */
  from: string;
  rate: number;
  items: VatItem[];
}

/** Tax within a gross amount, both in cents. */
function taxIn(gross: number, rate: number): number {
  return gross - Math.round((gross * 100) / (100 + rate));
}

/** Tax of a price, less that of its promotion: what stands on the line is the tax of what was paid. */
function part(price: string, promotion: string, rate: number): VatPart {
  const [gross, off] = [parseMinor(price), parseMinor(promotion)];
  return { gross, promotion: off, tax: taxIn(gross - off, rate) };
}

const rateOf = (order: SimOrder): number => RATES[order.shipTo.countryCode] ?? 0;

/** Goods for France leave a German warehouse now and then, as in the Pan-European programme. */
function leftFrom(world: World, { orderId, shipTo, fulfilment, isBusiness }: SimOrder): string {
  const isAway = shipTo.countryCode === 'FR' && fulfilment === 'AFN' && !isBusiness;
  return isAway && unitDraw('vat-from', world.seed, orderId) < 0.4 ? 'DE' : shipTo.countryCode;
}

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZbcdfghjkmnpqrstvwxz';
const shippingIdOf = (world: World, { orderId }: SimOrder): string =>
  `D${code(8, ALPHABET, world.seed, 'vat-ship', orderId)}`;

function shipment(world: World, order: SimOrder): VatDocument {
  const rate = rateOf(order);
  const items = order.items
    .filter(({ quantityShipped }) => quantityShipped > 0)
    .map((item) => ({
      orderItemId: item.orderItemId,
      sku: item.sku,
      asin: item.asin,
      title: item.title,
      quantity: item.quantityShipped,
      item: part(item.itemPrice, item.itemDiscount, rate),
      shipping: part(item.shippingPrice, item.shippingDiscount, rate),
      gift: part(item.giftWrapPrice, '0', rate),
    }));
  const shippingId = shippingIdOf(world, order);
  return {
    order,
    kind: 'SHIPMENT',
    shippingId,
    transactionId: `amzn:crow:${shippingId}`,
    at: order.shippedAt ?? 0,
    from: leftFrom(world, order),
    rate,
    items,
  };
}

const NOTHING: VatPart = { gross: 0, tax: 0, promotion: 0 };

/** What went back of a sale: the leaves under Sales that are of the goods; shipping and wrapping stay paid. */
function refund(world: World, order: SimOrder, { transactionId, postedAt, items }: SimTransaction): VatDocument {
  const rate = rateOf(order);
  const back = items.flatMap(({ sku, quantity, breakdowns }) => {
    const line = order.items.find((item) => item.sku === sku);
    const goods = breakdowns.filter(({ path }) => path[1] === 'Product Charges' || path[2] === 'Product');
    const gross = Math.abs(goods.reduce((sum, { amount }) => sum + parseMinor(amount), 0));
    if (!line || gross === 0) return [];
    const item = { gross, promotion: 0, tax: taxIn(gross, rate) };
    const { orderItemId, asin, title } = line;
    return [
      { orderItemId, sku: line.sku, asin, title, quantity: quantity ?? 1, item, shipping: NOTHING, gift: NOTHING },
    ];
  });
  return {
    order,
    kind: 'REFUND',
    shippingId: shippingIdOf(world, order),
    transactionId: `amzn:crow:${transactionId}`,
    at: postedAt,
    from: leftFrom(world, order),
    rate,
    items: back,
  };
}

/** Documents about the orders of a period by the day of the order, as of an instant: each shipment, then its refunds. */
export function vatDocuments(
  world: World,
  account: SimAccount,
  market: SimMarketplace,
  { from, to, asOf }: { from: number; to: number; asOf: number },
): VatDocument[] {
  const { marketplaceId } = market;
  const orders = world.business
    .orders(account, { marketplaceIds: [marketplaceId], by: 'created', from, to }, asOf)
    .filter((order) => !order.isReplacement && order.shippedAt !== undefined && order.shippedAt <= asOf);
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  const until = Math.min(asOf, to + REFUND_DAYS * DAY_MS);
  const refunds = world.business
    .transactions(account, { from, to: until, marketplaceId }, asOf)
    .filter(({ transactionType }) => transactionType === 'Refund')
    .flatMap((one) => {
      const order = byId.get(one.orderId ?? '');
      const document = order && refund(world, order, one);
      return document && document.items.length > 0 ? [document] : [];
    });
  return [...orders.map((order) => shipment(world, order)).filter(({ items }) => items.length > 0), ...refunds];
}

/** Sums of a document, cents. */
export function vatTotals({ items }: VatDocument): { gross: number; tax: number } {
  const parts = items.flatMap(({ item, shipping, gift }) => [item, shipping, gift]);
  return {
    gross: parts.reduce((sum, { gross, promotion }) => sum + gross - promotion, 0),
    tax: parts.reduce((sum, { tax }) => sum + tax, 0),
  };
}
