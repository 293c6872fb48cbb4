import { round, sum } from '#kit/contract/decimal.ts';

export const V1 = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE';
export const V2 = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';

/** One amount of a settlement; everything but the names and the amount has a default. */
export interface FileLine {
  transactionType?: string;
  amountType: string;
  amountDescription: string;
  amount: string;
  orderId?: string;
  marketplaceName?: string;
  postedAt?: string;
  sku?: string;
  quantity?: number;
}

const COLUMNS =
  'settlement-id settlement-start-date settlement-end-date deposit-date total-amount currency transaction-type order-id merchant-order-id adjustment-id shipment-id marketplace-name amount-type amount-description amount fulfillment-id posted-date posted-date-time order-item-code merchant-order-item-id merchant-adjustment-item-id sku quantity-purchased promotion-id'.split(
    ' ',
  );

function row(cells: Record<string, string | undefined>): string {
  return COLUMNS.map((name) => cells[name] ?? '').join('\t');
}

function time(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A V2 settlement file of January and February 2026; its total is the sum of its lines, so it always proves out. */
export function settlementFile(id: string, currency: string, lines: readonly FileLine[]): string {
  const total = round(sum(lines.map((line) => line.amount)), 2);
  const head = row({
    'settlement-id': id,
    'settlement-start-date': '2026-01-01 00:00:00 UTC',
    'settlement-end-date': '2026-01-15 00:00:00 UTC',
    'deposit-date': '2026-01-17 00:00:00 UTC',
    'total-amount': total,
    currency,
  });
  const rows = lines.map((line) => {
    const posted = time(line.postedAt ?? '2026-01-10T12:00:00Z');
    return row({
      'settlement-id': id,
      'transaction-type': line.transactionType ?? 'Order',
      'order-id': line.orderId,
      'marketplace-name': line.marketplaceName,
      'amount-type': line.amountType,
      'amount-description': line.amountDescription,
      amount: line.amount,
      'posted-date': posted.slice(0, 10),
      'posted-date-time': posted,
      sku: line.sku,
      'quantity-purchased': line.quantity === undefined ? '' : String(line.quantity),
    });
  });
  return `${[COLUMNS.join('\t'), head, ...rows].join('\n')}\n`;
}
