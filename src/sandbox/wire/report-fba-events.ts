import type { FbaRemoval } from '../business/index.ts';
import { type Cells, fbaTable, named, overPeriod, stamp } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const RETURNS = [
  'return-date',
  'order-id',
  'sku',
  'asin',
  'fnsku',
  'product-name',
  'quantity',
  'fulfillment-center-id',
  'detailed-disposition',
  'reason',
  'status',
  'license-plate-number',
  'customer-comments',
];

const REIMBURSEMENTS = [
  'approval-date',
  'reimbursement-id',
  'case-id',
  'amazon-order-id',
  'reason',
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'currency-unit',
  'amount-per-unit',
  'amount-total',
  'quantity-reimbursed-cash',
  'quantity-reimbursed-inventory',
  'quantity-reimbursed-total',
  'original-reimbursement-id',
  'original-reimbursement-type',
];

const REMOVALS = [
  'request-date',
  'order-id',
  'order-source',
  'order-type',
  'service-speed',
  'order-status',
  'last-updated-date',
  'sku',
  'fnsku',
  'disposition',
  'requested-quantity',
  'cancelled-quantity',
  'disposed-quantity',
  'shipped-quantity',
  'in-process-quantity',
  'removal-fee',
  'currency',
];

const REMOVAL_SHIPMENTS = [
  'request-date',
  'order-id',
  'shipment-date',
  'sku',
  'fnsku',
  'disposition',
  'shipped-quantity',
  'carrier',
  'tracking-number',
  'removal-order-type',
];

const returns = fbaTable(RETURNS, ({ books, market, from }) =>
  books.returns
    .filter(({ at }) => at >= from)
    .map((one) => ({
      ...named(one.product, market),
      'return-date': stamp(one.at),
      'order-id': one.orderId,
      quantity: 1,
      'fulfillment-center-id': one.centre,
      'detailed-disposition': one.disposition,
      reason: one.reason,
      status: one.disposition === 'SELLABLE' ? 'Unit returned to inventory' : 'Reimbursed',
      'license-plate-number': one.plate,
    })),
);

const reimbursements = fbaTable(REIMBURSEMENTS, ({ books, market, from }) =>
  books.reimbursements
    .filter(({ at }) => at >= from)
    .map((one) => ({
      ...named(one.product, market),
      'approval-date': stamp(one.at),
      'reimbursement-id': one.reimbursementId,
      'case-id': one.caseId,
      reason: one.reason,
      condition: 'NewItem',
      'currency-unit': market.currency,
      'amount-per-unit': one.amountPerUnit,
      'amount-total': one.amount,
      'quantity-reimbursed-cash': one.quantity,
      'quantity-reimbursed-inventory': 0,
      'quantity-reimbursed-total': one.quantity,
    })),
);

const DONE = 'Completed';

function removalCells(one: FbaRemoval, currency: string): Cells {
  const isDone = one.doneAt !== undefined;
  return {
    'request-date': stamp(one.requestedAt),
    'order-id': one.orderId,
    'order-source': 'Seller-initiated Manual Removal',
    'order-type': one.type,
    'service-speed': 'Standard',
    'order-status': isDone ? DONE : 'Pending',
    'last-updated-date': stamp(one.doneAt ?? one.requestedAt),
    sku: one.product.sku,
    fnsku: one.product.fnsku,
    disposition: one.disposition === 'SELLABLE' ? 'Sellable' : 'Unsellable',
    'requested-quantity': one.quantity,
    'cancelled-quantity': 0,
    'disposed-quantity': isDone && one.type === 'Disposal' ? one.quantity : 0,
    'shipped-quantity': isDone && one.type !== 'Disposal' ? one.quantity : 0,
    'in-process-quantity': isDone ? 0 : one.quantity,
    'removal-fee': isDone ? one.fee : '',
    currency: isDone ? currency : '',
    carrier: one.carrier,
    'tracking-number': one.tracking,
  };
}

/** One line per order, SKU and disposition, of which the report knows two only, and per what else is named. */
function joined(removals: readonly FbaRemoval[], currency: string, ...apart: string[]): Cells[] {
  const rows = new Map<string, Cells>();
  for (const cells of removals.map((one) => removalCells(one, currency))) {
    const key = ['order-id', 'sku', 'disposition', ...apart].map((name) => cells[name]).join('\t');
    const known = rows.get(key);
    if (known) add(known, cells);
    else rows.set(key, cells);
  }
  return [...rows.values()];
}

function add(known: Cells, more: Cells): void {
  for (const name of Object.keys(more)) if (isSummed(name)) known[name] = plus(known[name], more[name]);
  if (known['order-status'] !== more['order-status']) known['order-status'] = 'Processing';
  known.currency ||= more.currency;
  const [was, is] = [known, more].map((one) => String(one['last-updated-date']));
  if (is && was && is > was) known['last-updated-date'] = is;
}

const isSummed = (column: string): boolean => column.endsWith('-quantity') || column === 'removal-fee';

function plus(a: Cells[string], b: Cells[string]): Cells[string] {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  if (left === '' || right === '') return left || right;
  const places = left.split('.')[1]?.length ?? 0;
  return ((Math.round(Number(left) * 100) + Math.round(Number(right) * 100)) / 100).toFixed(places);
}

/** What was asked for or ended in the period. */
const removals = fbaTable(REMOVALS, ({ books, market, from }) => {
  const touched = books.removals.filter(({ requestedAt, doneAt }) => requestedAt >= from || (doneAt ?? 0) >= from);
  const orders = new Set(touched.map(({ orderId }) => orderId));
  return joined(
    books.removals.filter(({ orderId }) => orders.has(orderId)),
    market.currency,
  );
});

const removalShipments = fbaTable(REMOVAL_SHIPMENTS, ({ books, market, from }) => {
  const shipped = books.removals.filter(
    ({ type, doneAt }) => type === 'Return' && doneAt !== undefined && doneAt >= from,
  );
  return joined(shipped, market.currency, 'tracking-number').map((cells) => ({
    ...cells,
    'shipment-date': cells['last-updated-date'],
    'removal-order-type': cells['order-type'],
  }));
});

/** Reports about single happenings in Amazon's warehouses. */
export const eventTypes: Readonly<Record<string, ReportType>> = {
  GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: overPeriod(366, returns),
  GET_FBA_REIMBURSEMENTS_DATA: overPeriod(366, reimbursements),
  GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA: overPeriod(366, removals),
  GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA: overPeriod(366, removalShipments),
};
