import type { ColumnSpec } from './headers.ts';
import { cellAt, extraOf } from './headers.ts';
import { decimalCell, integerCell } from './numbers.ts';
import { FileRefused } from './refusal.ts';
import { reportReader } from './report.ts';

/** Stock of one SKU and condition at the moment of the report. Quantities are whole numbers as strings, '0' when blank. */
export interface FbaInventoryRow {
  lineNo: number;
  sku: string;
  fnsku: string;
  asin: string;
  productName: string;
  condition: string;
  /** In the marketplace's currency; the file does not name it. */
  yourPrice: string | null;
  mfnListingExists: boolean;
  mfnFulfillable: string;
  afnListingExists: boolean;
  warehouse: string;
  fulfillable: string;
  unsellable: string;
  reserved: string;
  total: string;
  perUnitVolume: string | null;
  inboundWorking: string;
  inboundShipped: string;
  inboundReceiving: string;
  researching: string;
  reservedFutureSupply: string;
  futureSupplyBuyable: string;
  fcTransfer: string;
  onhandBuyable: string;
  fulfillableLocal: string;
  fulfillableRemote: string;
  store: string;
  extra?: Record<string, string>;
}

/** Documented in English only; the localised words are those that the other reports of a site use for the same thing. */
export const FBA_INVENTORY_COLUMNS = [
  {
    name: 'sku',
    required: true,
    aliases: ['seller-sku', '出品者SKU', 'Händler-SKU', 'sku-vendeur', 'SKU venditore', 'SKU del vendedor'],
  },
  { name: 'fnsku', required: true },
  { name: 'asin', required: true },
  { name: 'product-name', aliases: ['Produktname', 'nom-produit', '商品名'] },
  { name: 'condition', aliases: ['Zustand', 'état', 'コンディション'] },
  { name: 'your-price', aliases: ['Ihr Preis', 'votre-prix', '現在の出品価格'] },
  { name: 'mfn-listing-exists' },
  { name: 'mfn-fulfillable-quantity' },
  { name: 'afn-listing-exists' },
  { name: 'afn-warehouse-quantity', required: true },
  { name: 'afn-fulfillable-quantity', required: true },
  { name: 'afn-unsellable-quantity' },
  { name: 'afn-reserved-quantity' },
  { name: 'afn-total-quantity', required: true },
  { name: 'per-unit-volume' },
  { name: 'afn-inbound-working-quantity' },
  { name: 'afn-inbound-shipped-quantity' },
  { name: 'afn-inbound-receiving-quantity' },
  { name: 'afn-researching-quantity' },
  { name: 'afn-reserved-future-supply' },
  { name: 'afn-future-supply-buyable' },
  { name: 'afn-fc-transfer-quantity' },
  { name: 'afn-onhand-buyable-quantity' },
  { name: 'afn-fulfillable-quantity-local' },
  { name: 'afn-fulfillable-quantity-remote' },
  { name: 'store' },
] as const satisfies readonly ColumnSpec<string>[];

type InventoryColumn = (typeof FBA_INVENTORY_COLUMNS)[number]['name'];

/** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA. */
export const fbaInventory = reportReader<InventoryColumn, FbaInventoryRow, object>({
  type: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA',
  title: 'FBA库存报告',
  columns: FBA_INVENTORY_COLUMNS,
  amounts: ['your-price', 'per-unit-volume'],
  dates: [],
  convert: ({ index: at, extra }, facts) => ({
    row({ cells, line }, out) {
      const text = (column: InventoryColumn): string => cellAt(cells, at[column]);
      const pieces = (column: InventoryColumn): string =>
        integerCell(text(column), facts.decimal, { line, column }) ?? '0';
      const yes = (column: InventoryColumn): boolean => /^(?:yes|true|1)$/i.test(text(column).trim());
      const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
      if (text('sku').trim() === '') throw new FileRefused('VALUE', '不能为空', { line, column: 'sku' });
      out.push({
        lineNo: line,
        sku: text('sku'),
        fnsku: text('fnsku').trim(),
        asin: text('asin').trim(),
        productName: text('product-name'),
        condition: text('condition').trim(),
        yourPrice: decimalCell(text('your-price'), facts.decimal, { line, column: 'your-price' }),
        mfnListingExists: yes('mfn-listing-exists'),
        mfnFulfillable: pieces('mfn-fulfillable-quantity'),
        afnListingExists: yes('afn-listing-exists'),
        warehouse: pieces('afn-warehouse-quantity'),
        fulfillable: pieces('afn-fulfillable-quantity'),
        unsellable: pieces('afn-unsellable-quantity'),
        reserved: pieces('afn-reserved-quantity'),
        total: pieces('afn-total-quantity'),
        perUnitVolume: decimalCell(text('per-unit-volume'), facts.decimal, { line, column: 'per-unit-volume' }),
        inboundWorking: pieces('afn-inbound-working-quantity'),
        inboundShipped: pieces('afn-inbound-shipped-quantity'),
        inboundReceiving: pieces('afn-inbound-receiving-quantity'),
        researching: pieces('afn-researching-quantity'),
        reservedFutureSupply: pieces('afn-reserved-future-supply'),
        futureSupplyBuyable: pieces('afn-future-supply-buyable'),
        fcTransfer: pieces('afn-fc-transfer-quantity'),
        onhandBuyable: pieces('afn-onhand-buyable-quantity'),
        fulfillableLocal: pieces('afn-fulfillable-quantity-local'),
        fulfillableRemote: pieces('afn-fulfillable-quantity-remote'),
        store: text('store').trim(),
        ...(more ? { extra: more } : {}),
      });
    },
  }),
});
