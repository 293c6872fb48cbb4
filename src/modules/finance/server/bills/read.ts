import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Sheet, SheetCell } from '#kit/server/excel/read.ts';
import type { BillProblem } from '../../contract/bills/bill.ts';
import type { Bill, BillOrder } from './bill.ts';
import { dayOf, instantOf, moneyOf, orderIdOf, type Read, textOf, yesOf } from './cells.ts';
import { HEAD, type HeadName } from './layout.ts';
import { type RowReader, type Table, tableOf } from './sheet.ts';

type Head = Pick<Bill, HeadName>;

/** What is billed for an order: confirmed less refund, CNY. */
export function billedOf({ confirmed, refund }: Pick<BillOrder, 'confirmed' | 'refund'>): string {
  return new Decimal(confirmed ?? 0).minus(refund ?? 0).toFixed();
}

const needed =
  <T>(read: (cell: SheetCell | undefined) => Read<T | null>) =>
  (cell: SheetCell | undefined): Read<T> => {
    const found = read(cell);
    if ('reason' in found) return found;
    return found.value === null ? { reason: '不能为空' } : { value: found.value };
  };
const words =
  (max: number) =>
  (cell: SheetCell | undefined): Read<string> => ({ value: textOf(cell).slice(0, max) });
const countOf = (cell: SheetCell | undefined): Read<number | null> => {
  const text = textOf(cell).replace(/[,笔\s]/g, '');
  if (text === '') return { value: null };
  return /^\d{1,7}$/.test(text) ? { value: Number(text) } : { reason: '不是笔数' };
};
const accountOf = (cell: SheetCell | undefined): Read<string | null> => ({
  value: textOf(cell).slice(0, 100) || null,
});

/** The values beside the labels in column A, wherever they stand above the table. */
function headOf(sheets: readonly Sheet[], table: Table, problems: BillProblem[]): Head | undefined {
  const rows = sheets.find(({ title }) => title === table.title)?.rows.slice(0, table.at) ?? [];
  const take = <T>(name: HeadName, read: (cell: SheetCell | undefined) => Read<T>): T | undefined => {
    const known: readonly string[] = HEAD[name];
    const at = rows.findIndex((row) => known.includes(textOf(row[0]).replace(/[:：\s]/g, '')));
    const cell = rows[at]?.[1];
    const found = read(cell);
    if ('value' in found) return found.value;
    problems.push({
      sheet: table.title,
      line: at + 1,
      column: HEAD[name][0],
      value: textOf(cell),
      reason: at < 0 ? `A列没有【${HEAD[name][0]}】` : `【${HEAD[name][0]}】${found.reason}`,
    });
    return undefined;
  };
  const buyerAccount = take('buyerAccount', needed(accountOf));
  const amount = take('amount', needed(moneyOf));
  const orderCount = take('orderCount', needed(countOf));
  const statementDate = take('statementDate', needed(dayOf));
  const dueOn = take('dueOn', needed(dayOf));
  const exportedAt = take('exportedAt', instantOf) ?? null;
  if (!buyerAccount || !amount || orderCount === undefined || !statementDate || !dueOn) return undefined;
  return { buyerAccount, amount, orderCount, statementDate, dueOn, exportedAt };
}

const sized = (amount: string | null | undefined) => (amount ? new Decimal(amount).abs().toFixed() : (amount ?? null));

function orderOf(row: RowReader, seen: Map<string, number>): BillOrder | undefined {
  const orderId = row.take('orderId', orderIdOf);
  const confirmed = row.take('confirmed', moneyOf);
  const refund = row.take('refund', moneyOf);
  const paid = row.take('paid', moneyOf);
  const paidAt = row.take('paidAt', instantOf);
  const confirmedAt = row.take('confirmedAt', instantOf);
  if (confirmed === null && refund === null) row.refuse('confirmed', '确认收货金额和退款金额不能都为空');
  if (orderId === undefined) return undefined;
  const before = seen.get(orderId);
  if (before !== undefined) row.refuse('orderId', `订单号与第${before}行重复`);
  else seen.set(orderId, row.line);
  return {
    orderId,
    paidAt: paidAt ?? null,
    name: row.take('name', words(200)) ?? '',
    paid: paid ?? null,
    confirmed: confirmed ?? null,
    confirmedAt: confirmedAt ?? null,
    term: row.take('term', words(50)) ?? '',
    refunded: yesOf(row.cell('refunded')),
    refund: sized(refund),
  };
}

const rowsOf = <T>(table: Table | undefined, read: (row: RowReader) => T | undefined): T[] =>
  (table?.rows ?? []).flatMap((row) => read(row) ?? []);

function refundOf(row: RowReader): Bill['refunds'][number] | undefined {
  const orderId = row.take('orderId', orderIdOf);
  const at = row.take('at', needed(instantOf));
  const amount = row.take('amount', needed(moneyOf));
  const paid = row.take('paid', moneyOf);
  if (!orderId || !at || !amount) return undefined;
  const texts = { name: row.take('name', words(200)) ?? '', kind: row.take('kind', words(50)) ?? '' };
  return { orderId, at, amount, paid: paid ?? null, ...texts, destination: row.take('destination', words(50)) ?? '' };
}

function repaymentOf(row: RowReader): Bill['repayments'][number] | undefined {
  const at = row.take('at', needed(instantOf));
  const amount = row.take('amount', needed(moneyOf));
  if (!at || !amount) return undefined;
  return { at, amount, method: row.take('method', words(50)) ?? '', kind: row.take('kind', words(50)) ?? '' };
}

function topupOf(row: RowReader): Bill['topups'][number] | undefined {
  const at = row.take('at', needed(instantOf));
  const amount = row.take('amount', needed(moneyOf));
  if (!at || !amount) return undefined;
  return { at, amount, kind: row.take('kind', words(50)) ?? '', reference: row.take('reference', words(100)) ?? '' };
}

/** What the head says and its lines do not: it names the difference. */
function disagreements({ amount, orderCount, orders }: Pick<Bill, 'amount' | 'orderCount' | 'orders'>) {
  const found: { column: string; value: string; reason: string }[] = [];
  const lines = sum(orders.map(billedOf));
  const difference = new Decimal(lines).minus(amount);
  if (!difference.isZero()) {
    const [a, b, c] = [lines, amount, difference].map((one) => new Decimal(one).toFixed(2));
    found.push({ column: '入账金额', value: amount, reason: `账单明细合计 ${a} 与入账金额 ${b} 不一致，差额 ${c}` });
  }
  if (orders.length !== orderCount) {
    const reason = `账单明细有 ${orders.length} 笔，与订单笔数 ${orderCount} 不一致`;
    found.push({ column: '订单笔数', value: String(orderCount), reason });
  }
  return found;
}

export interface BillRead {
  /** Rows of all sheets. */
  rows: number;
  /** Undefined while there is a problem. */
  bill: Bill | undefined;
  problems: BillProblem[];
}

/**
 * Reads the bill workbook of 1688 whole: it is good, or every problem names its sheet, line and column. The lines of a
 * good one add up to its 入账金额 to the cent.
 */
export function readBill(sheets: readonly Sheet[]): BillRead {
  const problems: BillProblem[] = [];
  const table = tableOf(sheets, 'orders', problems);
  const seen = new Map<string, number>();
  const orders = rowsOf(table, (row) => orderOf(row, seen));
  const tables = [table];
  const other = <T>(name: 'repayments' | 'refunds' | 'topups', read: (row: RowReader) => T | undefined): T[] => {
    const found = tableOf(sheets, name, problems);
    tables.push(found);
    return rowsOf(found, read);
  };
  const repayments = other('repayments', repaymentOf);
  const refunds = other('refunds', refundOf);
  const topups = other('topups', topupOf);
  const head = table && headOf(sheets, table, problems);
  const rows = tables.reduce((total, one) => total + (one?.rows.length ?? 0), 0);
  if (table && orders.length === 0 && problems.length === 0) {
    problems.push({ sheet: table.title, line: 0, column: '', value: '', reason: '账单明细没有订单' });
  }
  if (head && problems.length === 0) {
    const place = (column: string) => labelled(sheets, table.title, column);
    for (const one of disagreements({ ...head, orders })) {
      problems.push({ sheet: table.title, line: place(one.column), ...one });
    }
  }
  const good = head !== undefined && problems.length === 0;
  return { rows, problems, bill: good ? { ...head, orders, repayments, refunds, topups } : undefined };
}

/** Line of a label in column A. */
function labelled(sheets: readonly Sheet[], title: string, label: string): number {
  const rows = sheets.find((sheet) => sheet.title === title)?.rows ?? [];
  return rows.findIndex((row) => textOf(row[0]).startsWith(label)) + 1;
}
