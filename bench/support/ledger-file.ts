/** A report of the FBA ledger: its type, its columns, one line by number, the instants that it was asked for. */
export interface LedgerKind {
  type: string;
  title: string;
  columns: readonly string[];
  line: (index: number) => string;
}

/** Business days that a file tells of; its lines come in the order of time, newest first, as Amazon writes them. */
const DAYS = 60;
const FIRST = Date.UTC(2026, 3, 1);
const SKUS = 500;
const EVENTS = ['Shipments', 'Shipments', 'Shipments', 'CustomerReturns', 'Receipts', 'WhseTransfers', 'Adjustments'];
const CENTRES = ['ONT8', 'LAX9', 'FTW1', 'MDW2', 'ABE8', 'PHX6'];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const pad = (value: number, width = 2) => String(value).padStart(width, '0');
const usDate = (at: Date) => `${pad(at.getUTCMonth() + 1)}/${pad(at.getUTCDate())}/${at.getUTCFullYear()}`;
const product = (sku: number) => `X00${pad(sku, 7)}\tB0${pad(sku, 8)}\tSKU-${sku}\tProduct ${sku}`;

const detail = (lines: number) => (index: number) => {
  const at = new Date(FIRST + (DAYS - (index / lines) * DAYS) * 86_400_000 - 1);
  const event = pick(EVENTS, index * 5);
  const quantity = event === 'Shipments' ? -1 : 1 + (index % 3);
  const reason = event === 'Adjustments' ? 'M' : '';
  const reference = event === 'Shipments' ? `FBA${pad(index, 12)}` : `V${pad(Math.floor(index / 3), 9)}`;
  return `${usDate(at)}\t${product((index * 7) % SKUS)}\t${event}\t${reference}\t${quantity}\t${pick(CENTRES, index)}\tSELLABLE\t${reason}\tUS\t${quantity}\t0\t${at.toISOString().slice(0, 19)}+0000\n`;
};

const summary = (lines: number) => (index: number) => {
  const perDay = Math.ceil(lines / DAYS);
  const at = new Date(FIRST + (DAYS - 1 - Math.floor(index / perDay)) * 86_400_000);
  const sold = index % 4;
  return `${usDate(at)}\t${product(index % perDay)}\tSELLABLE\t${100 + sold}\t0\t0\t${-sold}\t0\t0\t0\t0\t0\t0\t0\t0\t100\t0\tUS\n`;
};

const PRODUCT = ['Date', 'FNSKU', 'ASIN', 'MSKU', 'Title'];

/** Both reports of the ledger as they look with so many lines. */
export const ledgerKinds = (lines: number): { detail: LedgerKind; summary: LedgerKind } => ({
  detail: {
    type: 'GET_LEDGER_DETAIL_VIEW_DATA',
    title: 'FBA ledger, movements',
    columns: [
      ...PRODUCT,
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
    ],
    line: detail(lines),
  },
  summary: {
    type: 'GET_LEDGER_SUMMARY_VIEW_DATA',
    title: 'FBA ledger, balances by day',
    columns: [
      ...PRODUCT,
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
    ],
    line: summary(lines),
  },
});

/** The period of these files as the engine asks for it: business days of Los Angeles. */
export const ASKED = {
  from: new Date(FIRST + 7 * 3_600_000).toISOString(),
  to: new Date(FIRST + DAYS * 86_400_000 + 7 * 3_600_000).toISOString(),
  at: '2026-07-01T00:00:00.000Z',
  wholeDays: true,
};

/** A report of `lines` lines, made while it is read. */
export function* ledgerFile({ columns, line }: LedgerKind, lines: number): Generator<Buffer> {
  yield Buffer.from(`${columns.join('\t')}\n`);
  for (let from = 0; from < lines; from += 2000) {
    let chunk = '';
    for (let index = from; index < Math.min(lines, from + 2000); index += 1) chunk += line(index);
    yield Buffer.from(chunk);
  }
}
