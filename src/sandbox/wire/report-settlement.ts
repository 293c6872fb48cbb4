import type { SimMarketplace, SimMoneyLine, SimSettlement } from '../business/types.ts';
import type { ReportTable } from './report-table.ts';

const columns = [
  'settlement-id',
  'settlement-start-date',
  'settlement-end-date',
  'deposit-date',
  'total-amount',
  'currency',
  'transaction-type',
  'order-id',
  'merchant-order-id',
  'adjustment-id',
  'shipment-id',
  'marketplace-name',
  'amount-type',
  'amount-description',
  'amount',
  'fulfillment-id',
  'posted-date',
  'posted-date-time',
  'order-item-code',
  'merchant-order-item-id',
  'merchant-adjustment-item-id',
  'sku',
  'quantity-purchased',
  'promotion-id',
] as const;

type Cells = Partial<Record<(typeof columns)[number], string>>;

/** How a marketplace writes numbers and dates in its settlement files. */
interface Style {
  amount(value: string): string;
  day(at: number): string;
}

const plain = (value: string): string => value;
const germanAmount = (value: string): string => {
  const [whole = '', fraction] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
};
const commaAmount = (value: string): string => value.replace('.', ',');
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const dottedDay = (at: number): string => isoDay(at).split('-').reverse().join('.');
const slashedDay = (at: number): string => isoDay(at).replaceAll('-', '/');

function styleOf(marketplace: SimMarketplace): Style {
  const { countryCode, region } = marketplace;
  if (countryCode === 'DE') return { amount: germanAmount, day: dottedDay };
  if (countryCode === 'GB' || countryCode === 'IE') return { amount: plain, day: dottedDay };
  if (region === 'eu') return { amount: commaAmount, day: dottedDay };
  if (countryCode === 'JP') return { amount: plain, day: slashedDay };
  return { amount: plain, day: isoDay };
}

/**
 * The V2 settlement file: a header record with period, deposit date, total and currency, then one row per amount.
 * All times are UTC and say so; numbers and dates are in the marketplace's style.
 */
export function settlementTable(settlement: SimSettlement, marketplace: SimMarketplace): ReportTable {
  const style = styleOf(marketplace);
  const time = (at: number): string => `${style.day(at)} ${new Date(at).toISOString().slice(11, 19)} UTC`;
  const head: Cells = {
    'settlement-id': settlement.settlementId,
    'settlement-start-date': time(settlement.startAt),
    'settlement-end-date': time(settlement.endAt),
    'deposit-date': time(settlement.depositAt),
    'total-amount': style.amount(settlement.total),
    currency: settlement.currency,
  };
  const lines = settlement.lines.map((line) => lineCells(settlement.settlementId, line, style, time));
  const rows = [head, ...lines].map((cells) => columns.map((column) => cells[column] ?? ''));
  return { columns, rows, pinned: 1, eol: '\n' };
}

function lineCells(settlementId: string, line: SimMoneyLine, style: Style, time: (at: number) => string): Cells {
  return {
    'settlement-id': settlementId,
    'transaction-type': line.transactionType,
    'order-id': line.orderId ?? '',
    'merchant-order-id': line.merchantOrderId ?? '',
    'adjustment-id': line.adjustmentId ?? '',
    'shipment-id': line.shipmentId ?? '',
    'marketplace-name': line.marketplaceName ?? '',
    'amount-type': line.amountType,
    'amount-description': line.amountDescription,
    amount: style.amount(line.amount),
    'fulfillment-id': line.fulfillmentId ?? '',
    'posted-date': style.day(line.postedAt),
    'posted-date-time': time(line.postedAt),
    'order-item-code': line.orderItemCode ?? '',
    sku: line.sku ?? '',
    'quantity-purchased': line.quantity === undefined ? '' : String(line.quantity),
    'promotion-id': line.promotionId ?? '',
  };
}
