import { localDate } from '../business/marketplaces.ts';
import type { SimAccount, SimMarketplace, SimOrder, SimOrderItem } from '../business/types.ts';
import { invalidInput } from './errors.ts';
import { sumMoney } from './money.ts';
import type { ReportTable } from './report-table.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import type { World } from './world.ts';

const PARTS = ['PRICE_OF_ITEMS', 'PROMO_PRICE_OF_ITEMS', 'SHIP_CHARGE', 'PROMO_SHIP_CHARGE', 'GIFT_WRAP'] as const;
const AMOUNTS = ['AMT_VAT_EXCL', 'VAT_AMT', 'AMT_VAT_INCL'] as const;

const COLUMNS = [
  'UNIQUE_ACCOUNT_IDENTIFIER',
  'ACTIVITY_PERIOD',
  'SALES_CHANNEL',
  'MARKETPLACE',
  'PROGRAM_TYPE',
  'TRANSACTION_TYPE',
  'TRANSACTION_EVENT_ID',
  'ACTIVITY_TRANSACTION_ID',
  'TAX_CALCULATION_DATE',
  'TRANSACTION_DEPART_DATE',
  'TRANSACTION_ARRIVAL_DATE',
  'TRANSACTION_COMPLETE_DATE',
  'SELLER_SKU',
  'ASIN',
  'ITEM_DESCRIPTION',
  'QTY',
  ...PARTS.flatMap((part) => AMOUNTS.map((amount) => `${part}_${amount}`)),
  'TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL',
  'TOTAL_ACTIVITY_VALUE_VAT_AMT',
  'TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL',
  'PRICE_OF_ITEMS_VAT_RATE_PERCENT',
  'TRANSACTION_CURRENCY_CODE',
  'DEPARTURE_COUNTRY',
  'ARRIVAL_COUNTRY',
  'ARRIVAL_POST_CODE',
  'SALE_DEPART_COUNTRY',
  'SALE_ARRIVAL_COUNTRY',
  'SELLER_DEPART_COUNTRY_VAT_NUMBER',
  'VAT_INV_NUMBER',
  'TAXABLE_JURISDICTION',
  'TAX_COLLECTION_RESPONSIBILITY',
] as const;

const VAT_COUNTRIES = ['GB', 'DE', 'FR', 'IT', 'ES'];

const negative = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
const dashed = (market: SimMarketplace, at: number): string =>
  localDate(market.timeZone, at).split('-').reverse().join('-');

function amountsOf(part: string, net: string, vat: string): Record<string, string> {
  return { [`${part}_AMT_VAT_EXCL`]: net, [`${part}_VAT_AMT`]: vat, [`${part}_AMT_VAT_INCL`]: sumMoney([net, vat]) };
}

/** A sale, told in the month in which it was sent. */
function cellsOf(market: SimMarketplace, account: SimAccount, order: SimOrder, item: SimOrderItem) {
  const sentAt = order.shippedAt ?? order.purchasedAt;
  const net = sumMoney([
    item.itemPrice,
    negative(item.itemDiscount),
    item.shippingPrice,
    negative(item.shippingDiscount),
    item.giftWrapPrice,
  ]);
  const vat = sumMoney([item.itemTax, item.shippingTax, item.giftWrapTax]);
  const priced = Number(item.itemPrice) - Number(item.itemDiscount);
  return {
    UNIQUE_ACCOUNT_IDENTIFIER: account.sellingPartnerId,
    ACTIVITY_PERIOD: localDate(market.timeZone, sentAt).slice(0, 7).toUpperCase(),
    SALES_CHANNEL: order.fulfilment,
    MARKETPLACE: market.salesChannel.toLowerCase(),
    PROGRAM_TYPE: 'REGULAR',
    TRANSACTION_TYPE: 'SALE',
    TRANSACTION_EVENT_ID: order.orderId,
    ACTIVITY_TRANSACTION_ID: `${order.orderId}-${item.orderItemId}`,
    TAX_CALCULATION_DATE: dashed(market, order.purchasedAt),
    TRANSACTION_DEPART_DATE: dashed(market, sentAt),
    TRANSACTION_ARRIVAL_DATE: order.deliveredAt === undefined ? '' : dashed(market, order.deliveredAt),
    TRANSACTION_COMPLETE_DATE: dashed(market, sentAt),
    SELLER_SKU: item.sku,
    ASIN: item.asin,
    ITEM_DESCRIPTION: item.title,
    QTY: String(item.quantityShipped),
    ...amountsOf('PRICE_OF_ITEMS', item.itemPrice, item.itemTax),
    ...amountsOf('PROMO_PRICE_OF_ITEMS', negative(item.itemDiscount), '0'),
    ...amountsOf('SHIP_CHARGE', item.shippingPrice, item.shippingTax),
    ...amountsOf('PROMO_SHIP_CHARGE', negative(item.shippingDiscount), '0'),
    ...amountsOf('GIFT_WRAP', item.giftWrapPrice, item.giftWrapTax),
    TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL: net,
    TOTAL_ACTIVITY_VALUE_VAT_AMT: vat,
    TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL: sumMoney([net, vat]),
    PRICE_OF_ITEMS_VAT_RATE_PERCENT: priced > 0 ? (Number(item.itemTax) / priced).toFixed(2) : '0.00',
    TRANSACTION_CURRENCY_CODE: market.currency,
    DEPARTURE_COUNTRY: market.countryCode,
    ARRIVAL_COUNTRY: order.shipTo.countryCode,
    ARRIVAL_POST_CODE: order.shipTo.postalCode,
    SALE_DEPART_COUNTRY: market.countryCode,
    SALE_ARRIVAL_COUNTRY: order.shipTo.countryCode,
    TAXABLE_JURISDICTION: order.shipTo.countryCode,
    TAX_COLLECTION_RESPONSIBILITY: 'MARKETPLACE',
  };
}

function table(world: World, account: SimAccount, { marketplaceIds, from, to, asOf }: ReportScope): ReportTable {
  const markets = marketplaceIds.map((id) => world.marketplace(id));
  if (markets.some(({ countryCode }) => !VAT_COUNTRIES.includes(countryCode))) {
    throw invalidInput('marketplaceIds: the report is made for the United Kingdom and the European Union only');
  }
  const rows = markets.flatMap((market) =>
    world.business
      // What is sent in the period was bought at most a fortnight earlier.
      .orders(
        account,
        { marketplaceIds: [market.marketplaceId], by: 'created', from: from - 14 * 86_400_000, to },
        asOf,
      )
      .filter(
        ({ shippedAt, isReplacement }) =>
          !isReplacement && shippedAt !== undefined && shippedAt >= from && shippedAt < to,
      )
      .flatMap((order) => order.items.map((item): Record<string, string> => cellsOf(market, account, order, item))),
  );
  return {
    columns: COLUMNS,
    rows: rows.map((cells) => COLUMNS.map((name) => cells[name] ?? '')),
    pinned: 0,
    eol: '\n',
  };
}

/** What was sold, with its value added tax. */
export const vatTypes: Readonly<Record<string, ReportType>> = {
  GET_VAT_TRANSACTION_DATA: { maxDays: 32, singleMarketplace: false, table },
};
