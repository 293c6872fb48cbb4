import type { ColumnSpec } from './headers.ts';
import { cellAt, extraOf } from './headers.ts';
import { currencyScale } from './markets.ts';
import { decimalCell, integerCell } from './numbers.ts';
import type { FileFacts, FileReader } from './reader.ts';
import { FileRefused } from './refusal.ts';
import { dateMemory, reportReader } from './report.ts';

/** One order line. Texts are '' when the file has nothing; amounts are those of the whole line, as Amazon states them. */
export interface OrderReportLine {
  lineNo: number;
  amazonOrderId: string;
  /** '' in older files; the line is then told apart by SKU and occurrence within the order. */
  orderItemId: string;
  merchantOrderId: string;
  /** ISO instants (UTC). */
  purchasedAt: string;
  lastUpdatedAt: string | null;
  orderStatus: string;
  fulfillmentChannel: string;
  salesChannel: string;
  orderChannel: string;
  shipServiceLevel: string;
  productName: string;
  sku: string;
  asin: string;
  itemStatus: string;
  /** Whole number as string. */
  quantity: string | null;
  currency: string;
  itemPrice: string | null;
  itemTax: string | null;
  shippingPrice: string | null;
  shippingTax: string | null;
  giftWrapPrice: string | null;
  giftWrapTax: string | null;
  itemPromotionDiscount: string | null;
  shipPromotionDiscount: string | null;
  shipCity: string;
  shipState: string;
  shipPostalCode: string;
  shipCountry: string;
  promotionIds: string;
  isBusinessOrder: boolean;
  purchaseOrderNumber: string;
  priceDesignation: string;
  extra?: Record<string, string>;
}

/**
 * Documented in English only; the localised words are those that the other reports of a site use for the same thing.
 */
export const ALL_ORDERS_COLUMNS = [
  { name: 'amazon-order-id', required: true },
  { name: 'order-item-id', aliases: ['amazon-order-item-id', 'order-item-code'] },
  { name: 'merchant-order-id' },
  { name: 'purchase-date', required: true },
  { name: 'last-updated-date', required: true },
  { name: 'order-status', required: true },
  {
    name: 'fulfillment-channel',
    required: true,
    aliases: ['fulfilment-channel', 'Versender', "canal d'expédition", 'フルフィルメント・チャンネル'],
  },
  { name: 'sales-channel' },
  { name: 'order-channel' },
  { name: 'ship-service-level' },
  { name: 'product-name', aliases: ['Produktname', 'nom-produit', '商品名'] },
  { name: 'sku', required: true },
  { name: 'asin', required: true },
  { name: 'item-status', required: true },
  { name: 'quantity', required: true, aliases: ['Menge', 'quantité', '数量'] },
  { name: 'currency', required: true },
  { name: 'item-price', required: true },
  { name: 'item-tax' },
  { name: 'shipping-price' },
  { name: 'shipping-tax' },
  { name: 'gift-wrap-price' },
  { name: 'gift-wrap-tax' },
  { name: 'item-promotion-discount' },
  { name: 'ship-promotion-discount' },
  { name: 'ship-city' },
  { name: 'ship-state' },
  { name: 'ship-postal-code' },
  { name: 'ship-country' },
  { name: 'promotion-ids' },
  { name: 'is-business-order' },
  { name: 'purchase-order-number' },
  { name: 'price-designation' },
  // Known and left alone: a dead link, the buyer's tax number, a hint for the carrier.
  { name: 'url' },
  { name: 'cpf' },
  { name: 'signature-confirmation-recommended' },
] as const satisfies readonly ColumnSpec<string>[];

type OrderColumn = (typeof ALL_ORDERS_COLUMNS)[number]['name'];

const MONEY = [
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'item-promotion-discount',
  'ship-promotion-discount',
] as const;

function ordersReader(type: string, title: string): FileReader<OrderReportLine> {
  return reportReader<OrderColumn, OrderReportLine, object>({
    type,
    title,
    columns: ALL_ORDERS_COLUMNS,
    amounts: MONEY,
    dates: ['purchase-date', 'last-updated-date'],
    currency: 'currency',
    about: 'amazon-order-id',
    convert: ({ index: at, extra }, facts) => orderConverter(at, extra, facts),
  });
}

function orderConverter(
  at: Readonly<Record<OrderColumn, number>>,
  extra: readonly { name: string; index: number }[],
  facts: FileFacts,
) {
  const date = dateMemory(facts);
  return {
    row({ cells, line }: { cells: string[]; line: number }, out: OrderReportLine[]) {
      const text = (column: OrderColumn): string => cellAt(cells, at[column]);
      const required = (column: OrderColumn): string => {
        const value = text(column).trim();
        if (value === '') throw new FileRefused('VALUE', '不能为空', { line, column });
        return value;
      };
      const currency = text('currency').trim();
      const scale = currencyScale(currency);
      const money = (column: OrderColumn): string | null =>
        decimalCell(text(column), facts.decimal, { line, column }, scale);
      const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
      const purchased = date(required('purchase-date'), { line, column: 'purchase-date' });
      out.push({
        lineNo: line,
        amazonOrderId: required('amazon-order-id'),
        orderItemId: text('order-item-id').trim(),
        merchantOrderId: text('merchant-order-id'),
        purchasedAt: purchased?.instant ?? '',
        lastUpdatedAt: date(text('last-updated-date'), { line, column: 'last-updated-date' })?.instant ?? null,
        orderStatus: text('order-status').trim(),
        fulfillmentChannel: text('fulfillment-channel').trim(),
        salesChannel: text('sales-channel').trim(),
        orderChannel: text('order-channel').trim(),
        shipServiceLevel: text('ship-service-level').trim(),
        productName: text('product-name'),
        sku: text('sku'),
        asin: text('asin').trim(),
        itemStatus: text('item-status').trim(),
        quantity: integerCell(text('quantity'), facts.decimal, { line, column: 'quantity' }),
        currency,
        itemPrice: money('item-price'),
        itemTax: money('item-tax'),
        shippingPrice: money('shipping-price'),
        shippingTax: money('shipping-tax'),
        giftWrapPrice: money('gift-wrap-price'),
        giftWrapTax: money('gift-wrap-tax'),
        itemPromotionDiscount: money('item-promotion-discount'),
        shipPromotionDiscount: money('ship-promotion-discount'),
        shipCity: text('ship-city'),
        shipState: text('ship-state'),
        shipPostalCode: text('ship-postal-code').trim(),
        shipCountry: text('ship-country').trim(),
        promotionIds: text('promotion-ids'),
        isBusinessOrder: /^(?:true|yes|1)$/i.test(text('is-business-order').trim()),
        purchaseOrderNumber: text('purchase-order-number'),
        priceDesignation: text('price-designation').trim(),
        ...(more ? { extra: more } : {}),
      });
    },
  };
}

/** GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL, with or without order-item-id. Dates are of 24 hours. */
export const allOrdersByUpdate = ordersReader(
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL',
  '所有订单报告（按最后更新时间）',
);

/** GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL: the same columns; the file itself does not tell the two apart. */
export const allOrdersByDate = ordersReader(
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  '所有订单报告（按下单时间）',
);
