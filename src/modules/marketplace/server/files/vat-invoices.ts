import { type FlatColumn, flatReader } from './flat.ts';

const text = (name: string) => ({ kind: 'text', name }) as const;
const amount = (name: string) => ({ kind: 'decimal', name }) as const;

/** Columns that say who bought: read to make the invoice out to, and kept nowhere else. */
const BUYER = {
  buyerVat: text('buyer-vat-number'),
  recipient: text('recipient-name'),
  ship1: text('ship-address-1'),
  ship2: text('ship-address-2'),
  ship3: text('ship-address-3'),
  shipCity: text('ship-city'),
  shipPostal: text('ship-postal-code'),
  billName: text('billing-name'),
  bill1: text('bill-address-1'),
  bill2: text('bill-address-2'),
  bill3: text('bill-address-3'),
  billCity: text('bill-city'),
  billPostal: text('bill-postal-code'),
  billCountry: text('bill-country'),
  buyerName: text('buyer-name'),
  buyerCompany: text('buyer-company-name'),
  purchaseOrder: text('purchase-order-number'),
} satisfies Record<string, FlatColumn>;

const COLUMNS = {
  marketplaceId: { kind: 'need', name: 'marketplace-id', required: true },
  orderId: { kind: 'need', name: 'order-id', required: true },
  itemId: text('order-item-id'),
  shippingId: { kind: 'need', name: 'shipping-id', required: true },
  transactionId: text('transaction-id'),
  transaction: { kind: 'need', name: 'transaction-type', required: true },
  invoiceNumber: text('invoice-number'),
  status: { kind: 'text', name: 'invoice-status', required: true },
  statusWords: { kind: 'text', name: 'invoice-status-description', required: true },
  byAmazon: text('is-amazon-invoiced'),
  orderedAt: { kind: 'instant', name: 'order-date' },
  shippedAt: { kind: 'instant', name: 'shipment-date', required: true },
  sellerVat: text('seller-vat-number'),
  asin: text('asin'),
  sku: text('sku'),
  title: text('product-name'),
  quantity: { kind: 'int', name: 'quantity-purchased', required: true },
  currency: { kind: 'text', name: 'currency', required: true },
  itemGross: { kind: 'decimal', name: 'item-vat-incl-amount', required: true },
  itemTax: amount('item-vat-amount'),
  itemRate: amount('item-vat-rate'),
  itemPromo: amount('item-promo-vat-incl-amount'),
  itemPromoTax: amount('item-promo-vat-amount'),
  giftGross: amount('gift-wrap-vat-incl-amount'),
  giftTax: amount('gift-wrap-vat-amount'),
  giftRate: amount('gift-wrap-vat-rate'),
  giftPromo: amount('gift-promo-vat-incl-amount'),
  giftPromoTax: amount('gift-promo-vat-amount'),
  shippingGross: amount('shipping-vat-incl-amount'),
  shippingTax: amount('shipping-vat-amount'),
  shippingRate: amount('shipping-vat-rate'),
  shippingPromo: amount('shipping-promo-vat-incl-amount'),
  shippingPromoTax: amount('shipping-promo-vat-amount'),
  business: text('is-business-order'),
  shipCountry: text('ship-country'),
  fromCountry: text('ship-from-country'),
  citationEs: text('citation-es'),
  citationIt: text('citation-it'),
  citationFr: text('citation-fr'),
  citationDe: text('citation-de'),
  citationEn: text('citation-en'),
  exportOutsideEu: text('export-outside-eu'),
  ...BUYER,
} satisfies Record<string, FlatColumn>;

const UNREAD = [
  'item-vat-excl-amount',
  'item-promo-vat-excl-amount',
  'item-promo-vat-rate',
  'item-promotion-id',
  'gift-wrap-vat-excl-amount',
  'gift-promo-vat-excl-amount',
  'gift-promo-vat-rate',
  'gift-promotion-id',
  'shipping-vat-excl-amount',
  'shipping-promo-vat-excl-amount',
  'shipping-promo-vat-rate',
  'ship-promotion-id',
  'price-designation',
  'ship-service-level',
  'fulfilled-by',
  'ship-state',
  'ship-phone-number',
  'ship-from-state',
  'ship-from-city',
  'ship-from-postal-code',
  'bill-state',
  'billing-phone-number',
  'legacy-customer-order-item-id',
  'recommended-invoice-format',
  'buyer-tax-registration-type',
  'buyer-e-invoice-account-id',
  'is-buyer-physically-present',
  'is-seller-physically-present',
  'is-invoice-corrected',
  'original-vat-invoice-number',
  'invoice-correction-details',
];

const reader = flatReader({
  type: 'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT',
  title: 'VAT发票数据报告',
  currency: 'currency',
  ignored: UNREAD,
  columns: COLUMNS,
});

/**
 * GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT: what an invoice, or a credit note, of each shipment and refund is made of, and how the
 * uploaded one was judged. Columns as in Amazon's "Invoice Data reports attributes". A line that is set aside keeps no buyer.
 */
export const vatInvoiceData = {
  ...reader,
  ignored: [...UNREAD, ...Object.values(BUYER).map(({ name }) => name)],
};
