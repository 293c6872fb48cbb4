import { createHash } from 'node:crypto';
import { Decimal } from '#kit/contract/decimal.ts';
import type { SheetCell } from '#kit/server/excel/read.ts';
import { dayOf, moneyOf, type Read, textOf } from '../bills/cells.ts';

/** Titles by which banks name what is read, the template's first. */
export const COLUMNS = {
  day: ['交易日期', '日期', '记账日期', '交易时间', '入账日期'],
  amount: ['金额', '交易金额', '发生额'],
  income: ['收入', '收入金额', '贷方金额', '贷方发生额', '存入'],
  outgo: ['支出', '支出金额', '借方金额', '借方发生额', '支取'],
  counterparty: ['对方户名', '对方名称', '收/付款人名称', '交易对手'],
  counterpartyAccount: ['对方账号', '对方账户', '收/付款人账号'],
  summary: ['摘要', '用途', '附言', '交易摘要'],
  serial: ['流水号', '交易流水号', '业务流水号', '凭证号'],
  balance: ['余额', '账户余额', '本次余额'],
} as const;
type Column = keyof typeof COLUMNS;

export interface BankProblem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

/** A line as the file says it. */
export interface FileLine {
  /** As the spreadsheet counts it. */
  line: number;
  /** yyyy-MM-dd */
  day: string;
  /** + came in, − went out. */
  amount: string;
  balance: string | null;
  counterparty: string;
  counterpartyAccount: string;
  summary: string;
  serial: string;
  identity: string;
}

export interface BankRead {
  rows: number;
  /** The oldest first. */
  lines: FileLine[];
  problems: BankProblem[];
}

type Places = ReadonlyMap<Column, number>;
const plain = (cell: SheetCell | undefined) =>
  textOf(cell)
    .replace(/[:：*\s]/g, '')
    .replace(/[（(].*[)）]$/, '');

function placesOf(row: readonly SheetCell[]): Places {
  const titles = row.map(plain);
  const places = new Map<Column, number>();
  for (const [key, known] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    const place = known.map((title) => titles.indexOf(title)).find((index) => index >= 0);
    if (place !== undefined) places.set(key, place);
  }
  return places;
}

/** One amount with its sign, from 金额 or from 收入 and 支出. */
function amountOf(places: Places, cell: (column: Column) => SheetCell | undefined): Read<string> & { column?: string } {
  if (places.has('amount')) {
    const read = moneyOf(cell('amount'));
    if ('reason' in read) return { ...read, column: '金额' };
    const { value } = read;
    if (value === null || new Decimal(value).isZero()) return { reason: '金额不能为空或 0', column: '金额' };
    return { value };
  }
  const [income, outgo] = [moneyOf(cell('income')), moneyOf(cell('outgo'))];
  if ('reason' in income) return { ...income, column: '收入' };
  if ('reason' in outgo) return { ...outgo, column: '支出' };
  const [came, went] = [new Decimal(income.value ?? 0), new Decimal(outgo.value ?? 0).abs()];
  if (came.isZero() === went.isZero()) return { reason: '收入与支出须填写其中一项', column: '收入' };
  return { value: came.minus(went).toFixed() };
}

const digest = (parts: readonly (string | null)[]) =>
  createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);

/** The same line of another file has the same identity; lines without a serial number that say the same are counted. */
function identityOf(line: Omit<FileLine, 'identity'>, seen: Map<string, number>): string {
  if (line.serial !== '') return `s:${line.serial}`;
  const amount = new Decimal(line.amount).toFixed(2);
  const balance = line.balance === null ? '' : new Decimal(line.balance).toFixed(2);
  const key = digest([line.day, amount, balance, line.counterparty, line.counterpartyAccount, line.summary]);
  const nth = (seen.get(key) ?? 0) + 1;
  seen.set(key, nth);
  return `c:${key}#${nth}`;
}

/** Each balance follows from the one before it; the first that does not is named. Lines are the oldest first. */
function checkBalances(lines: readonly FileLine[], problems: BankProblem[]): void {
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (!before || before.balance === null || line.balance === null) continue;
    const due = new Decimal(before.balance).plus(line.amount);
    if (due.eq(line.balance)) continue;
    const reason = `余额与上一笔不连续：${new Decimal(before.balance).toFixed(2)} 加本笔应为 ${due.toFixed(2)}`;
    problems.push({ line: line.line, column: '余额', value: line.balance, reason });
    return;
  }
}

/** Statements come with the newest line first as often as last; days say which, else balances. */
function oldestFirst(lines: readonly FileLine[]): FileLine[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return [];
  if (first.day !== last.day) return first.day > last.day ? [...lines].reverse() : [...lines];
  const [one, two] = lines;
  if (!one?.balance || !two?.balance) return [...lines];
  const onward = new Decimal(one.balance).plus(two.amount).eq(two.balance);
  return onward || !new Decimal(two.balance).plus(one.amount).eq(one.balance) ? [...lines] : [...lines].reverse();
}

/** Reads a statement whole: every row is good, or a problem names its line and column. */
export function readBank(rows: readonly (readonly SheetCell[])[], scale: number): BankRead {
  const found: BankRead = { rows: 0, lines: [], problems: [] };
  const head = rows.findIndex((row) => placesOf(row).size >= 3);
  const places = placesOf(rows[head] ?? []);
  const missing = (column: string) =>
    found.problems.push({ line: Math.max(head + 1, 1), column, value: '', reason: `缺少列【${column}】` });
  if (!places.has('day')) missing('交易日期');
  if (!places.has('amount') && !(places.has('income') && places.has('outgo'))) missing('金额');
  if (found.problems.length > 0) return found;
  const serials = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const [index, row] of rows.slice(head + 1).entries()) {
    if (row.every((cell) => textOf(cell) === '') || /^(合计|总计|小计)/.test(plain(row[0]))) continue;
    found.rows += 1;
    const line = head + 2 + index;
    const cell = (column: Column) => row[places.get(column) ?? -1];
    const say = (column: string, value: SheetCell | undefined, reason: string) =>
      found.problems.push({ line, column, value: textOf(value), reason });
    const text = (column: Column, most: number) => textOf(cell(column)).slice(0, most);
    const day = dayOf(cell('day'));
    const amount = amountOf(places, cell);
    const balance = moneyOf(cell('balance'));
    const serial = text('serial', 100);
    const before = serial === '' ? undefined : serials.get(serial);
    if ('reason' in day || day.value === null) say('交易日期', cell('day'), '不是日期，例如 2026-10-31');
    if ('reason' in amount)
      say(amount.column ?? '金额', cell(places.has('amount') ? 'amount' : 'income'), amount.reason);
    else if (new Decimal(amount.value).decimalPlaces() > scale)
      say('金额', cell('amount'), `该币种没有 ${scale} 位以上小数`);
    if ('reason' in balance) say('余额', cell('balance'), balance.reason);
    if (cell('serial')?.numeric && serial.length > 15)
      say('流水号', cell('serial'), '流水号是数字格式，末几位已丢失，请改为文本格式');
    if (before !== undefined) say('流水号', cell('serial'), `与第 ${before} 行的流水号相同`);
    if (serial !== '') serials.set(serial, line);
    if ('reason' in day || day.value === null || 'reason' in amount || 'reason' in balance) continue;
    found.lines.push({
      line,
      day: day.value,
      amount: amount.value,
      balance: balance.value,
      counterparty: text('counterparty', 200),
      counterpartyAccount: text('counterpartyAccount', 60),
      summary: text('summary', 300),
      serial,
      identity: '',
    });
  }
  found.lines = oldestFirst(found.lines).map((line) => ({ ...line, identity: identityOf(line, seen) }));
  if (found.problems.length === 0) checkBalances(found.lines, found.problems);
  return found;
}
