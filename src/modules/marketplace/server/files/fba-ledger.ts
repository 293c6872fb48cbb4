import { flatReader } from './flat.ts';

const PRODUCT = {
  fnsku: { kind: 'text', name: 'FNSKU', required: true },
  asin: { kind: 'text', name: 'ASIN', required: true },
  sku: { kind: 'text', name: 'MSKU', required: true, aliases: ['sku', 'seller-sku', '出品者SKU', 'Händler-SKU'] },
  title: { kind: 'text', name: 'Title', aliases: ['product-name', '商品名', 'Titel'] },
} as const;

/** GET_LEDGER_DETAIL_VIEW_DATA: every movement into and out of Amazon's warehouses, quantities signed. */
export const ledgerDetail = flatReader({
  type: 'GET_LEDGER_DETAIL_VIEW_DATA',
  title: '库存分类账（明细）',
  columns: {
    day: { kind: 'day', name: 'Date', required: true, aliases: ['日付', 'Datum'] },
    ...PRODUCT,
    event: { kind: 'need', name: 'Event Type', required: true },
    reference: { kind: 'text', name: 'Reference ID', required: true },
    quantity: { kind: 'int', name: 'Quantity', required: true },
    centre: { kind: 'text', name: 'Fulfillment Center', required: true, aliases: ['Fulfilment Center', 'FC'] },
    disposition: { kind: 'text', name: 'Disposition', required: true },
    reason: { kind: 'text', name: 'Reason' },
    country: { kind: 'text', name: 'Country' },
    reconciled: { kind: 'int', name: 'Reconciled Quantity' },
    unreconciled: { kind: 'int', name: 'Unreconciled Quantity' },
    happenedAt: { kind: 'instant', name: 'Date and Time' },
  },
});

/** GET_LEDGER_SUMMARY_VIEW_DATA by day: balances of a product and disposition, and what moved between them, signed. */
export const ledgerSummary = flatReader({
  type: 'GET_LEDGER_SUMMARY_VIEW_DATA',
  title: '库存分类账（汇总）',
  columns: {
    day: { kind: 'day', name: 'Date', required: true, aliases: ['日付', 'Datum'] },
    ...PRODUCT,
    disposition: { kind: 'text', name: 'Disposition', required: true },
    starting: { kind: 'count', name: 'Starting Warehouse Balance', required: true },
    inTransit: { kind: 'count', name: 'In Transit Between Warehouses' },
    receipts: { kind: 'count', name: 'Receipts', required: true },
    shipments: { kind: 'count', name: 'Customer Shipments', required: true },
    customerReturns: { kind: 'count', name: 'Customer Returns', required: true },
    vendorReturns: { kind: 'count', name: 'Vendor Returns', required: true },
    transfers: { kind: 'count', name: 'Warehouse Transfer In/Out', required: true },
    found: { kind: 'count', name: 'Found', required: true },
    lost: { kind: 'count', name: 'Lost', required: true },
    damaged: { kind: 'count', name: 'Damaged', required: true },
    disposed: { kind: 'count', name: 'Disposed', required: true },
    other: { kind: 'count', name: 'Other Events' },
    ending: { kind: 'count', name: 'Ending Warehouse Balance', required: true },
    unknown: { kind: 'count', name: 'Unknown Events' },
    location: { kind: 'text', name: 'Location', aliases: ['Country'] },
  },
});
