import { cellAt, columnMatch, extraOf, headerKey } from './headers.ts';
import type { ListingColumn } from './listings-columns.ts';
import { LISTING_COLUMNS } from './listings-columns.ts';
import { decimalCell, integerCell } from './numbers.ts';
import type { FileFacts, FileReader } from './reader.ts';
import { FileRefused } from './refusal.ts';
import { dateMemory, reportReader } from './report.ts';

/** One listing of one site. Texts are '' when the report variant does not have the column. */
export interface ListingRow {
  lineNo: number;
  sku: string;
  /** asin1, or the product id where that is an ASIN. */
  asin: string;
  itemName: string;
  itemDescription: string;
  listingId: string;
  /** In the site's currency; the file does not name it. */
  price: string | null;
  /** Whole number as string; null for FBA listings, which leave it blank. */
  quantity: string | null;
  /** ISO instant (UTC). */
  openedAt: string | null;
  imageUrl: string;
  productIdType: string;
  productId: string;
  itemNote: string;
  itemCondition: string;
  pendingQuantity: string | null;
  fulfillmentChannel: string;
  merchantShippingGroup: string;
  /** Active, Inactive, Incomplete … as written; '' in the variants that hold one state only. */
  status: string;
  extra?: Record<string, string>;
}

const ASIN = /^(?:B[0-9A-Z]{9}|\d{9}[0-9X])$/;

function converter(
  at: Readonly<Record<ListingColumn, number>>,
  extra: readonly { name: string; index: number }[],
  facts: FileFacts,
) {
  const date = dateMemory(facts);
  return {
    row({ cells, line }: { cells: string[]; line: number }, out: ListingRow[]) {
      const text = (column: ListingColumn): string => cellAt(cells, at[column]);
      if (text('seller-sku').trim() === '') {
        throw new FileRefused('VALUE', '不能为空', { line, column: 'seller-sku' });
      }
      const pieces = (column: ListingColumn): string | null =>
        integerCell(text(column), facts.decimal, { line, column });
      const productId = text('product-id').trim();
      const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
      out.push({
        lineNo: line,
        sku: text('seller-sku'),
        asin: text('asin1').trim() || (ASIN.test(productId) ? productId : ''),
        itemName: text('item-name'),
        itemDescription: text('item-description'),
        listingId: text('listing-id').trim(),
        price: decimalCell(text('price'), facts.decimal, { line, column: 'price' }),
        quantity: pieces('quantity'),
        openedAt: date(text('open-date'), { line, column: 'open-date' })?.instant ?? null,
        imageUrl: text('image-url').trim(),
        productIdType: text('product-id-type').trim(),
        productId,
        itemNote: text('item-note'),
        itemCondition: text('item-condition').trim(),
        pendingQuantity: pieces('pending-quantity'),
        fulfillmentChannel: text('fulfillment-channel').trim(),
        merchantShippingGroup: text('merchant-shipping-group').trim(),
        status: text('status').trim(),
        ...(more ? { extra: more } : {}),
      });
    },
  };
}

/** Columns of reports that also have a SKU and a price, but are no listings. */
const FOREIGN = ['amazon-order-id', 'order-id', 'fnsku', 'settlement-id', 'quantity-purchased'].map(headerKey);

function listingsReader(type: string, title: string, required: readonly ListingColumn[]): FileReader<ListingRow> {
  const columns = LISTING_COLUMNS.map((column) => ({ ...column, required: required.includes(column.name) }));
  return reportReader<ListingColumn, ListingRow, object>({
    type,
    title,
    columns,
    amounts: ['price'],
    dates: ['open-date'],
    matches: (headers) => {
      const keys = headers.map(headerKey);
      return FOREIGN.some((key) => keys.includes(key)) ? 0 : columnMatch(headers, columns);
    },
    convert: ({ index, extra }, facts) => converter(index, extra, facts),
  });
}

/** GET_MERCHANT_LISTINGS_ALL_DATA: every listing of a site, with its status. */
export const listingsAll = listingsReader('GET_MERCHANT_LISTINGS_ALL_DATA', '所有商品报告', [
  'seller-sku',
  'item-name',
  'listing-id',
  'price',
  'open-date',
  'product-id',
  'status',
]);

/** Columns that the reports of one state have; they lack the status. */
const ONE_STATE: readonly ListingColumn[] = [
  'seller-sku',
  'item-name',
  'listing-id',
  'price',
  'open-date',
  'product-id',
];

/** GET_MERCHANT_LISTINGS_DATA: active listings only. */
export const listingsActive = listingsReader('GET_MERCHANT_LISTINGS_DATA', '在售商品报告', ONE_STATE);

/** GET_MERCHANT_LISTINGS_INACTIVE_DATA: the same columns; the file itself does not tell the two apart. */
export const listingsInactive = listingsReader('GET_MERCHANT_LISTINGS_INACTIVE_DATA', '不可售商品报告', ONE_STATE);

/** GET_FLAT_FILE_OPEN_LISTINGS_DATA: SKU, ASIN, price and quantity; business prices go to `extra`. */
export const listingsOpen = listingsReader('GET_FLAT_FILE_OPEN_LISTINGS_DATA', '可售商品报告（精简）', [
  'seller-sku',
  'asin1',
  'price',
  'quantity',
]);
