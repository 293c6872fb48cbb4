import { writtenDay } from '#kit/contract/day.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { PLATFORMS, type Platform } from '../../contract/fields.ts';
import { type Cells, type Key, type SheetRow, titleOf } from './columns.ts';

/** A cell that stops the file, and why, in Chinese. */
export interface Problem {
  line: number;
  /** What tells the row from others: its order number. */
  key: string;
  column: string;
  value: string;
  reason: string;
}

/** A line of an order as a sheet tells it; amounts are exact decimal text in its currency. */
export interface OrderLine {
  line: number;
  platform: Platform;
  shop: string;
  orderNo: string;
  lineNo: number;
  day: string;
  country: string;
  sku: string;
  qty: number;
  sales: string;
  shipFee: string;
  commission: string;
  currency: string;
  warehouse: string;
}

const plain = (text: string) => text.toLowerCase().replace(/\s/g, '');
const NAMES = new Map<string, Platform>(
  (Object.keys(PLATFORMS) as Platform[]).flatMap((code) => [
    [plain(code), code] as const,
    [plain(PLATFORMS[code]), code] as const,
  ]),
);
const COUNTRIES = new Map(MARKETPLACES.map(({ country, name }) => [name, country]));

type Refusal = { reason: string };
const refusal = (reason: string): Refusal => ({ reason });
const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'reason' in value;

function text(cell: string, most: number): string | Refusal {
  if (cell === '') return refusal('不能为空');
  return cell.length > most ? refusal(`不能超过${most}个字符`) : cell;
}

function platformOf(cell: string): Platform | Refusal {
  const found = NAMES.get(plain(cell));
  if (found === 'AMAZON') return refusal('亚马逊订单由店铺授权自动同步，不能导入');
  return found ?? refusal(`平台不存在，可填：${Object.values(PLATFORMS).slice(1).join('、')}`);
}

function countryOf(cell: string): string | Refusal {
  const code = COUNTRIES.get(cell) ?? cell.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) return refusal('国家须为两位字母代码，例如 US');
  // The United Kingdom is called as stores are.
  return code === 'GB' ? 'UK' : code;
}

/** 1,234.50 and ¥1234.5 are how people write amounts; a cell left empty is `empty`. */
function amountOf(cell: string, empty?: string): string | Refusal {
  const bare = cell.replace(/^[¥￥$€£]|,(?=\d{3})/g, '').trim();
  if (bare === '') return empty ?? refusal('不能为空');
  return /^\d{1,12}(\.\d{1,4})?$/.test(bare) ? bare : refusal('须为不小于 0 的金额，最多 4 位小数');
}

const READERS = {
  platform: platformOf,
  shop: (cell: string) => text(cell, 60),
  orderNo: (cell: string) => text(cell, 80),
  lineNo: (cell: string) => {
    if (cell === '') return 0;
    return /^[1-9]\d{0,4}$/.test(cell) ? Number(cell) : refusal('行号须为正整数');
  },
  day: (cell: string) => writtenDay(cell) ?? refusal('请输入日期，例如 2026-01-31'),
  country: countryOf,
  sku: (cell: string) => text(cell, 100),
  qty: (cell: string) => (/^\d{1,7}$/.test(cell) ? Number(cell) : refusal('数量须为非负整数')),
  sales: (cell: string) => amountOf(cell),
  shipFee: (cell: string) => amountOf(cell, '0'),
  commission: (cell: string) => amountOf(cell, '0'),
  currency: (cell: string) =>
    /^[A-Z]{3}$/.test(cell.toUpperCase()) ? cell.toUpperCase() : refusal('请输入三位币种代码，例如 USD'),
  warehouse: (cell: string) => (cell.length > 60 ? refusal('不能超过60个字符') : cell),
} satisfies Record<Key, (cell: string) => unknown>;
const KEYS = Object.keys(READERS) as Key[];

function problem(row: SheetRow, key: Key, reason: string): Problem {
  const value = row.cells[key].slice(0, 100);
  return { line: row.line, key: row.cells.orderNo.slice(0, 80), column: titleOf(key), value, reason };
}

/** One row cell by cell; `lineNo` 0 where the sheet does not say. */
function lineOf(row: SheetRow): OrderLine | Problem[] {
  const { cells } = row;
  const read = {
    platform: READERS.platform(cells.platform),
    shop: READERS.shop(cells.shop),
    orderNo: READERS.orderNo(cells.orderNo),
    lineNo: READERS.lineNo(cells.lineNo),
    day: READERS.day(cells.day),
    country: READERS.country(cells.country),
    sku: READERS.sku(cells.sku),
    qty: READERS.qty(cells.qty),
    sales: READERS.sales(cells.sales),
    shipFee: READERS.shipFee(cells.shipFee),
    commission: READERS.commission(cells.commission),
    currency: READERS.currency(cells.currency),
    warehouse: READERS.warehouse(cells.warehouse),
  };
  const bad = KEYS.flatMap((key) => {
    const value = read[key];
    return isRefusal(value) ? [problem(row, key, value.reason)] : [];
  });
  return bad.length > 0 ? bad : { line: row.line, ...(read as Omit<OrderLine, 'line'>) };
}

const SAME = ['day', 'country', 'warehouse'] as const satisfies (keyof Cells & keyof OrderLine)[];

/**
 * Reads rows of a sheet. Lines of an order without numbers are counted in the order of the sheet. What one row says must agree with
 * the others of its order: day, country, warehouse; and a line comes once.
 */
export function readLines(rows: readonly SheetRow[]): { lines: OrderLine[]; problems: Problem[] } {
  const lines: OrderLine[] = [];
  const problems: Problem[] = [];
  const orders = new Map<string, { first: OrderLine; numbers: Map<number, number> }>();
  for (const row of rows) {
    const read = lineOf(row);
    if (Array.isArray(read)) {
      problems.push(...read);
      continue;
    }
    const name = JSON.stringify([read.platform, read.shop, read.orderNo]);
    const order = orders.get(name) ?? { first: read, numbers: new Map<number, number>() };
    orders.set(name, order);
    const line = read.lineNo === 0 ? { ...read, lineNo: order.numbers.size + 1 } : read;
    const other = SAME.find((key) => line[key] !== order.first[key]);
    const before = order.numbers.get(line.lineNo);
    if (other) problems.push(problem(row, other, `与第${order.first.line}行同一订单的不一致`));
    else if (before !== undefined)
      problems.push(problem(row, 'lineNo', `与第${before}行重复：同一订单的第${line.lineNo}行`));
    else {
      order.numbers.set(line.lineNo, line.line);
      lines.push(line);
    }
  }
  return { lines, problems };
}
