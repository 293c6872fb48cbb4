import type { FbaDay, FbaMovement, SimMarketplace, SimProduct } from '../business/index.ts';
import { notImplemented } from './errors.ts';
import { type Cells, dayIn, fbaTable, overPeriod } from './report-fba.ts';
import { titleIn } from './report-stock.ts';
import type { ReportType } from './report-types.ts';

const DETAIL = [
  'Date',
  'FNSKU',
  'ASIN',
  'MSKU',
  'Title',
  'Event Type',
  'Reference ID',
  'Quantity',
  'Fulfillment Center',
  'Disposition',
  'Reason',
  'Country',
  'Reconciled Quantity',
  'Unreconciled Quantity',
  'Date and Time',
];

const SUMMARY = [
  'Date',
  'FNSKU',
  'ASIN',
  'MSKU',
  'Title',
  'Disposition',
  'Starting Warehouse Balance',
  'In Transit Between Warehouses',
  'Receipts',
  'Customer Shipments',
  'Customer Returns',
  'Vendor Returns',
  'Warehouse Transfer In/Out',
  'Found',
  'Lost',
  'Damaged',
  'Disposed',
  'Other Events',
  'Ending Warehouse Balance',
  'Unknown Events',
  'Location',
];

/** The ledger writes days the American way in every marketplace. */
function american(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

function productCells(product: SimProduct, market: SimMarketplace): Cells {
  return { FNSKU: product.fnsku, ASIN: product.asin, MSKU: product.sku, Title: titleIn(product, market) };
}

function movementCells(move: FbaMovement, market: SimMarketplace): Cells {
  const adjusted = move.event === 'Adjustments';
  return {
    ...productCells(move.product, market),
    Date: american(dayIn(market, move.at)),
    'Event Type': move.event,
    'Reference ID': move.reference,
    Quantity: move.quantity,
    'Fulfillment Center': move.centre,
    Disposition: move.disposition,
    Reason: move.reason,
    Country: market.countryCode,
    'Reconciled Quantity': adjusted ? Math.abs(move.quantity) : 0,
    'Unreconciled Quantity': 0,
    'Date and Time': new Date(move.at).toISOString().replace(/\.\d{3}Z$/, '+0000'),
  };
}

function dayCells(one: FbaDay, market: SimMarketplace): Cells {
  return {
    ...productCells(one.product, market),
    Date: american(one.day),
    Disposition: one.disposition,
    'Starting Warehouse Balance': one.start,
    'In Transit Between Warehouses': one.inTransit,
    Receipts: one.receipts,
    'Customer Shipments': one.shipments,
    'Customer Returns': one.customerReturns,
    'Vendor Returns': one.vendorReturns,
    'Warehouse Transfer In/Out': one.transfers,
    Found: one.found,
    Lost: one.lost,
    Damaged: one.damaged,
    Disposed: one.disposed,
    'Other Events': 0,
    'Ending Warehouse Balance': one.end,
    'Unknown Events': 0,
    Location: market.countryCode,
  };
}

const detail = fbaTable(DETAIL, ({ books, market, from }) =>
  books.movements.filter((move) => move.at >= from).map((move) => movementCells(move, market)),
);

const summary = fbaTable(SUMMARY, ({ books, market, from, until }) => {
  const [first, last] = [dayIn(market, from), dayIn(market, until)];
  return books.days.filter(({ day }) => day >= first && day <= last).map((one) => dayCells(one, market));
});

/** Both views of the inventory ledger. The summary by day and country only: by month and warehouse nobody asks here. */
export const ledgerTypes: Readonly<Record<string, ReportType>> = {
  GET_LEDGER_DETAIL_VIEW_DATA: overPeriod(62, detail),
  GET_LEDGER_SUMMARY_VIEW_DATA: {
    ...overPeriod(62, summary),
    checkOptions({ aggregateByLocation = 'COUNTRY', aggregatedByTimePeriod = 'MONTHLY' }) {
      if (aggregateByLocation !== 'COUNTRY' || aggregatedByTimePeriod !== 'DAILY') {
        throw notImplemented(`GET_LEDGER_SUMMARY_VIEW_DATA by ${aggregateByLocation} and ${aggregatedByTimePeriod}`);
      }
    },
  },
};
