import { flatReader } from './flat.ts';

const text = (name: string) => ({ kind: 'text', name }) as const;
const amount = (name: string) => ({ kind: 'decimal', name }) as const;

/** GET_VAT_TRANSACTION_DATA: every taxable movement of a month in the United Kingdom and the European Union. */
export const vatTransactions = flatReader({
  type: 'GET_VAT_TRANSACTION_DATA',
  title: 'VAT交易报告',
  currency: 'currency',
  columns: {
    sellerId: text('UNIQUE_ACCOUNT_IDENTIFIER'),
    period: { kind: 'need', name: 'ACTIVITY_PERIOD', required: true },
    channel: text('SALES_CHANNEL'),
    marketplace: { kind: 'text', name: 'MARKETPLACE', required: true },
    program: text('PROGRAM_TYPE'),
    transaction: { kind: 'need', name: 'TRANSACTION_TYPE', required: true },
    orderId: { kind: 'text', name: 'TRANSACTION_EVENT_ID', required: true },
    activityId: { kind: 'text', name: 'ACTIVITY_TRANSACTION_ID', required: true },
    taxDay: { kind: 'day', name: 'TAX_CALCULATION_DATE' },
    departDay: { kind: 'day', name: 'TRANSACTION_DEPART_DATE' },
    completeDay: { kind: 'day', name: 'TRANSACTION_COMPLETE_DATE', required: true },
    sku: text('SELLER_SKU'),
    asin: text('ASIN'),
    title: text('ITEM_DESCRIPTION'),
    quantity: { kind: 'count', name: 'QTY', required: true },
    net: amount('TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL'),
    vat: amount('TOTAL_ACTIVITY_VALUE_VAT_AMT'),
    gross: amount('TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL'),
    rate: amount('PRICE_OF_ITEMS_VAT_RATE_PERCENT'),
    currency: text('TRANSACTION_CURRENCY_CODE'),
    from: text('DEPARTURE_COUNTRY'),
    to: text('ARRIVAL_COUNTRY'),
    invoice: text('VAT_INV_NUMBER'),
    jurisdiction: text('TAXABLE_JURISDICTION'),
    responsibility: text('TAX_COLLECTION_RESPONSIBILITY'),
  },
});
