import type { SheetCell } from '#kit/server/excel/read.ts';
import { moneyOf, textOf } from '../bills/cells.ts';

export const COLUMNS = ['采购单号', 'SKU', '费用类型', '账户', '金额', '备注'] as const;
type Column = (typeof COLUMNS)[number];
const KINDS: Readonly<Record<string, 'DEPOSIT' | 'BALANCE'>> = { 定金: 'DEPOSIT', 货款: 'BALANCE', 尾款: 'BALANCE' };

export interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

/** A row as the file says it. */
export interface PaymentLine {
  /** As the spreadsheet counts it. */
  line: number;
  order: string;
  /** '' for the order as a whole. */
  sku: string;
  kind: 'DEPOSIT' | 'BALANCE';
  account: string;
  amount: string;
  remark: string;
}

export interface PaymentRead {
  rows: number;
  lines: PaymentLine[];
  problems: Problem[];
}

/** Reads a sheet whole: every row is good, or a problem names its line and column. */
export function readPayments(table: readonly (readonly SheetCell[])[]): PaymentRead {
  const titles = (table[0] ?? []).map((cell) => textOf(cell).replace(/[*\s]/g, ''));
  const found: PaymentRead = { rows: 0, lines: [], problems: [] };
  for (const column of ['采购单号', '费用类型', '账户', '金额'] as const) {
    if (!titles.includes(column)) found.problems.push({ line: 1, column, value: '', reason: `缺少列【${column}】` });
  }
  if (found.problems.length > 0) return found;
  for (const [index, row] of table.slice(1).entries()) {
    if (row.every((cell) => textOf(cell) === '')) continue;
    found.rows += 1;
    const line = index + 2;
    const text = (column: Column) => textOf(row[titles.indexOf(column)]);
    const before = found.problems.length;
    const say = (column: Column, reason: string) => found.problems.push({ line, column, value: text(column), reason });
    const kind = KINDS[text('费用类型')];
    const money = moneyOf(row[titles.indexOf('金额')]);
    const amount = 'reason' in money ? undefined : (money.value ?? undefined);
    if (text('采购单号') === '') say('采购单号', '采购单号不能为空');
    if (!kind) say('费用类型', '费用类型请填写定金、货款或尾款；其他费用请新增请款单');
    if (text('账户') === '') say('账户', '账户不能为空');
    if (amount === undefined || !/^\d*[.\d]*$/.test(amount) || !/[1-9]/.test(amount))
      say('金额', '请输入大于 0 的金额，最多两位小数');
    if (text('备注').length > 200) say('备注', '备注不能超过200个字符');
    if (found.problems.length > before || !kind || !amount) continue;
    const [order, sku, account, remark] = [text('采购单号'), text('SKU'), text('账户'), text('备注')];
    found.lines.push({ line, order, sku, kind, account, amount, remark });
  }
  return found;
}
