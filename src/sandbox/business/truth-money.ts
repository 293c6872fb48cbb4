/**
 * What the sellers earned, counted from the two lists of money that the business serves: the lines of closed
 * settlements and, of what no closed settlement holds yet, the finance transactions.
 */

import { formatMinor, parseMinor } from './amounts.ts';
import type { SimMoneyLine, SimSettlement, SimTransaction, TruthMoney } from './types.ts';

/** One amount with what the count asks of it. */
interface Amount {
  /** Empty: money of the whole shop. */
  sku: string;
  /** Empty: money of no order. */
  orderId: string;
  kind: 'sales' | 'refunds' | 'other';
  minor: number;
  /** Pieces sold, on the amount of the goods themselves. */
  units: number;
}

/** Movements between Amazon and the seller: never earned and never spent. */
const BALANCES = new Set([
  'Previous Reserve Amount Balance',
  'Current Reserve Amount',
  'Payable to Amazon',
  'Successful charge',
]);
const CHARGED = new Set(['Principal', 'Shipping', 'GiftWrap']);
const CHARGED_LEAVES = new Set(['Product Charges', 'Shipping Charges', 'Gift Wrap Charges']);

function kindOf(charged: boolean, refund: boolean): Amount['kind'] {
  if (!charged) return 'other';
  return refund ? 'refunds' : 'sales';
}

function ofLine(line: SimMoneyLine): Amount[] {
  if (BALANCES.has(line.amountDescription)) return [];
  const charged = line.amountType === 'ItemPrice' && CHARGED.has(line.amountDescription);
  const kind = kindOf(charged, line.transactionType === 'Refund');
  const units = kind === 'sales' && line.amountDescription === 'Principal' ? (line.quantity ?? 0) : 0;
  return [{ sku: line.sku ?? '', orderId: line.orderId ?? '', kind, minor: parseMinor(line.amount), units }];
}

function ofTransaction({ transactionType, orderId = '', items, breakdowns }: SimTransaction): Amount[] {
  const groups = [...items, { sku: '', quantity: 0, breakdowns }];
  return groups.flatMap(({ sku = '', quantity = 0, breakdowns: leaves }) =>
    leaves
      .filter(({ path }) => path[0] !== 'Balances')
      .map(({ path, amount }) => {
        const leaf = path.at(-1) ?? '';
        const kind = kindOf(path[0] === 'Sales' && CHARGED_LEAVES.has(leaf), transactionType === 'Refund');
        const units = kind === 'sales' && leaf === 'Product Charges' ? quantity : 0;
        return { sku, orderId, kind, minor: parseMinor(amount), units };
      }),
  );
}

/** A deferred sale counts until its release does; a released one until its settlement does. */
function isOpen({ status, settlementId }: SimTransaction): boolean {
  return status === 'DEFERRED' || (status === 'RELEASED' && settlementId === undefined);
}

/** Each event once: from its settlement where that is closed, else from its transaction. */
function amountsOf(settlements: readonly SimSettlement[], transactions: readonly SimTransaction[]): Amount[] {
  return [
    ...settlements.flatMap(({ lines }) => lines.flatMap(ofLine)),
    ...transactions.filter(isOpen).flatMap(ofTransaction),
  ];
}

function total(list: readonly Amount[], currency: string): string {
  return formatMinor(
    list.reduce((sum, one) => sum + one.minor, 0),
    currency,
  );
}

/** What each order brought up to the same instant, and what names no order; amounts in the currency of the shop. */
export function truthOrders(
  settlements: readonly SimSettlement[],
  transactions: readonly SimTransaction[],
  currency: string,
): { byOrder: { orderId: string; units: number; sales: string; refunds: string; net: string }[]; rest: string } {
  const byOrder = Map.groupBy(amountsOf(settlements, transactions), (one) => one.orderId);
  return {
    byOrder: [...byOrder]
      .filter(([orderId]) => orderId !== '')
      .map(([orderId, list]) => ({
        orderId,
        units: list.reduce((sum, one) => sum + one.units, 0),
        sales: total(
          list.filter(({ kind }) => kind === 'sales'),
          currency,
        ),
        refunds: total(
          list.filter(({ kind }) => kind === 'refunds'),
          currency,
        ),
        net: total(list, currency),
      })),
    rest: total(byOrder.get('') ?? [], currency),
  };
}

/** Counts each event once: from its settlement where that is closed, else from its transaction. */
export function truthMoney(
  settlements: readonly SimSettlement[],
  transactions: readonly SimTransaction[],
  currency: string,
): TruthMoney {
  const amounts = amountsOf(settlements, transactions);
  const money = (list: readonly Amount[]) => total(list, currency);
  const bySku = [...Map.groupBy(amounts, (one) => one.sku)].filter(([sku]) => sku !== '');
  return {
    bySku: bySku
      .map(([sku, list]) => ({
        sku,
        units: list.reduce((sum, one) => sum + one.units, 0),
        sales: money(list.filter(({ kind }) => kind === 'sales')),
        refunds: money(list.filter(({ kind }) => kind === 'refunds')),
        net: money(list),
      }))
      .sort((a, b) => (a.sku < b.sku ? -1 : 1)),
    shop: money(amounts.filter(({ sku }) => sku === '')),
    net: money(amounts),
  };
}
