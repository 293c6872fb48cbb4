import { formatMinor } from '../business/amounts.ts';
import type { SimAccount, SimMarketplace } from '../business/types.ts';
import { iso } from './clock.ts';
import { invalidInput } from './errors.ts';
import { unitDraw } from './random.ts';
import type { ReportTable } from './report-table.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import { VAT_COUNTRIES, type VatDocument, type VatItem, type VatPart, vatDocuments } from './vat-documents.ts';
import { sameDocument } from './vat-feed.ts';
import type { World } from './world.ts';

const amounts = (part: string): string[] => [
  `${part}-vat-incl-amount`,
  `${part}-vat-amount`,
  `${part}-vat-excl-amount`,
];

/** Columns as in Amazon's "Invoice Data reports attributes". */
const COLUMNS = [
  'marketplace-id',
  'order-id',
  'order-item-id',
  'shipping-id',
  'transaction-id',
  'transaction-type',
  'invoice-number',
  'invoice-status',
  'invoice-status-description',
  'is-amazon-invoiced',
  'order-date',
  'shipment-date',
  'buyer-vat-number',
  'seller-vat-number',
  'asin',
  'sku',
  'product-name',
  'quantity-purchased',
  'currency',
  ...['item', 'gift-wrap', 'shipping'].flatMap((part) => [...amounts(part), `${part}-vat-rate`]),
  ...['item', 'gift', 'shipping'].flatMap((part) => [...amounts(`${part}-promo`), `${part}-promo-vat-rate`]),
  'item-promotion-id',
  'gift-promotion-id',
  'ship-promotion-id',
  'is-business-order',
  'price-designation',
  'purchase-order-number',
  'recipient-name',
  'ship-service-level',
  'fulfilled-by',
  'ship-address-1',
  'ship-address-2',
  'ship-address-3',
  'ship-city',
  'ship-state',
  'ship-postal-code',
  'ship-country',
  'ship-phone-number',
  'ship-from-country',
  'ship-from-state',
  'ship-from-city',
  'ship-from-postal-code',
  'billing-name',
  'bill-address-1',
  'bill-address-2',
  'bill-address-3',
  'bill-city',
  'bill-state',
  'bill-postal-code',
  'bill-country',
  'billing-phone-number',
  'buyer-name',
  'buyer-company-name',
  'legacy-customer-order-item-id',
  'recommended-invoice-format',
  'buyer-tax-registration-type',
  'buyer-e-invoice-account-id',
  'is-buyer-physically-present',
  'is-seller-physically-present',
  'citation-es',
  'citation-it',
  'citation-fr',
  'citation-de',
  'citation-en',
  'export-outside-eu',
  'is-invoice-corrected',
  'original-vat-invoice-number',
  'invoice-correction-details',
];

/** Numbers that are good in form and check digits; they are of nobody here. */
const SELLERS: Readonly<Record<string, string>> = { GB: 'GB980780684', DE: 'DE136695976', FR: 'FR40303265045' };
const BUYERS: Readonly<Record<string, string>> = { GB: 'GB434031494', DE: 'DE129273398', FR: 'FR83404833048' };

/** Columns of a part: its price, and what a promotion took off; the tax is that of what was paid. */
function partCells(name: string, promo: string, part: VatPart, rate: number, sign: number): Record<string, string> {
  if (part.gross === 0) return {};
  const cell = (minor: number) => formatMinor(sign * minor, 'EUR');
  return {
    [`${name}-vat-incl-amount`]: cell(part.gross),
    [`${name}-vat-amount`]: cell(part.tax),
    [`${name}-vat-excl-amount`]: cell(part.gross - part.tax),
    [`${name}-vat-rate`]: formatMinor(rate, 'EUR'),
    ...(part.promotion === 0
      ? {}
      : {
          [`${promo}-vat-incl-amount`]: cell(-part.promotion),
          [`${promo}-vat-amount`]: '0.00',
          [`${promo}-vat-excl-amount`]: cell(-part.promotion),
          [`${promo}-vat-rate`]: formatMinor(rate, 'EUR'),
        }),
  };
}

/** How a document stands: what was handed in last about it, and what became of that. */
function statusOf(world: World, account: SimAccount, document: VatDocument, asOf: number): Record<string, string> {
  const name = document.kind === 'SHIPMENT' ? 'Invoice' : 'CreditNote';
  const { shippingId, kind } = document;
  const key = { shippingId, kind, transactionId: kind === 'SHIPMENT' ? '' : document.transactionId };
  const told = world.feeds.vatOutcomes(account, asOf).filter((one) => sameDocument(one, key));
  const taken = told.find(({ refusal }) => refusal === undefined);
  if (taken) return { 'invoice-status': `${name}Uploaded`, 'invoice-number': taken.number };
  const last = told.at(-1);
  return { 'invoice-status': `${name}Pending`, 'invoice-status-description': last?.refusal ?? '' };
}

function buyerCells(document: VatDocument): Record<string, string> {
  const { order } = document;
  const { shipTo, isBusiness } = order;
  return {
    'is-business-order': String(isBusiness),
    'recipient-name': shipTo.name,
    'ship-address-1': shipTo.line1,
    'ship-city': shipTo.city,
    'ship-state': shipTo.state,
    'ship-postal-code': shipTo.postalCode,
    'ship-country': shipTo.countryCode,
    'ship-phone-number': shipTo.phone,
    'billing-name': order.buyer.name,
    'bill-address-1': shipTo.line1,
    'bill-city': shipTo.city,
    'bill-postal-code': shipTo.postalCode,
    'bill-country': shipTo.countryCode,
    'buyer-name': order.buyer.name,
    ...(isBusiness
      ? {
          'buyer-company-name': `${order.buyer.name} Trading`,
          'buyer-vat-number': BUYERS[shipTo.countryCode] ?? '',
          'price-designation': 'Business Price',
        }
      : {}),
  };
}

function cellsOf(
  world: World,
  account: SimAccount,
  market: SimMarketplace,
  document: VatDocument,
  item: VatItem,
  asOf: number,
) {
  const { order, rate } = document;
  const sign = document.kind === 'REFUND' ? -1 : 1;
  return {
    'marketplace-id': market.marketplaceId,
    'order-id': order.orderId,
    'order-item-id': item.orderItemId,
    'shipping-id': document.shippingId,
    'transaction-id': document.transactionId,
    'transaction-type': document.kind,
    ...statusOf(world, account, document, asOf),
    'is-amazon-invoiced': 'false',
    'order-date': iso(order.purchasedAt),
    'shipment-date': iso(document.at),
    'seller-vat-number': SELLERS[document.from] ?? '',
    asin: item.asin,
    sku: item.sku,
    'product-name': item.title,
    'quantity-purchased': String(item.quantity),
    currency: market.currency,
    ...partCells('item', 'item-promo', item.item, rate, sign),
    ...partCells('shipping', 'shipping-promo', item.shipping, rate, sign),
    ...partCells('gift-wrap', 'gift-promo', item.gift, rate, sign),
    'ship-service-level': order.serviceLevel,
    'fulfilled-by': order.fulfilment === 'AFN' ? 'Amazon' : 'Merchant',
    'ship-from-country': document.from,
    ...buyerCells(document),
    'recommended-invoice-format': 'PDF',
    'is-buyer-physically-present': 'false',
    'is-seller-physically-present': 'false',
    'export-outside-eu': 'false',
    'is-invoice-corrected': 'false',
    'legacy-customer-order-item-id': String(Math.floor(unitDraw('vat-legacy', world.seed, item.orderItemId) * 1e14)),
  } as Record<string, string>;
}

const DAY_MS = 86_400_000;
const PENDING_DAYS = 90;

/** With `all` the orders of the period; else what waits for a document, of the orders of ninety days. */
function table(
  world: World,
  account: SimAccount,
  { marketplaceIds, from, to, asOf, options }: ReportScope,
): ReportTable {
  const all = options?.all === 'true' && options.pendingInvoices !== 'true';
  const period = all ? { from, to } : { from: asOf - PENDING_DAYS * DAY_MS, to: asOf };
  const rows = marketplaceIds
    .map((id) => world.marketplace(id))
    .flatMap((market) =>
      vatDocuments(world, account, market, { ...period, asOf }).flatMap((document) =>
        document.items.map((item) => cellsOf(world, account, market, document, item, asOf)),
      ),
    )
    .filter((cells) => all || cells['invoice-status']?.endsWith('Pending'));
  return {
    columns: COLUMNS,
    rows: rows.map((cells) => COLUMNS.map((name) => cells[name] ?? '')),
    pinned: 0,
    eol: '\n',
  };
}

function impossible(world: World, { marketplaceIds }: ReportScope): string | undefined {
  const foreign = marketplaceIds.some((id) => !VAT_COUNTRIES.has(world.marketplace(id).countryCode));
  return foreign ? 'Provided MarketplaceIdList is invalid.' : undefined;
}

/** What sellers who write their own invoices need for them. */
export const vatInvoiceTypes: Readonly<Record<string, ReportType>> = {
  GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT: {
    maxDays: 30,
    singleMarketplace: false,
    checkOptions: (options) => {
      const unknown = Object.keys(options).find((name) => name !== 'all' && name !== 'pendingInvoices');
      if (unknown !== undefined) throw invalidInput(`reportOptions: '${unknown}' is not an option of this report`);
    },
    impossible,
    table,
  },
};
