import type { z } from 'zod';
import { writtenDay } from '#kit/contract/day.ts';
import type { SheetCell } from '#kit/server/excel/read.ts';
import { ItemForm } from '../contract/item.ts';

/** Columns of the sheet, and the field of a cost that each is. */
const FIELDS = {
  日期: 'day',
  店铺: 'store',
  国家: 'store',
  SKU: 'sku',
  费用名称: 'feeType',
  货币: 'currency',
  金额: 'amount',
  备注: 'remark',
} as const;
type Column = keyof typeof FIELDS;
export const COLUMNS = Object.keys(FIELDS) as Column[];
const NEEDED: readonly Column[] = ['日期', '店铺', '国家', 'SKU', '费用名称', '金额'];

export interface Problem {
  /** As the spreadsheet counts it. */
  line: number;
  column: string;
  value: string;
  reason: string;
}

export interface ItemLine {
  line: number;
  cost: z.output<typeof ItemForm>;
}

const columnOf = (field: string): Column => COLUMNS.find((column) => FIELDS[column] === field) ?? '金额';

/**
 * Reads a sheet whole: every row is a cost, or a problem names its line and column. `stores` has the key of each store by
 * its name and country, parted by a blank.
 */
export function readItems(
  table: readonly (readonly SheetCell[])[],
  stores: ReadonlyMap<string, string>,
): { rows: number; lines: ItemLine[]; problems: Problem[] } {
  const text = (cell: SheetCell | undefined) => cell?.text.trim() ?? '';
  const titles = (table[0] ?? []).map((cell) => text(cell).replace(/[*\s]/g, ''));
  const lacking = NEEDED.filter((column) => !titles.includes(column));
  const problems: Problem[] = lacking.map((column) => ({ line: 1, column, value: '', reason: `缺少列【${column}】` }));
  const lines: ItemLine[] = [];
  let rows = 0;
  if (problems.length > 0) return { rows, lines, problems };
  for (const [index, row] of table.slice(1).entries()) {
    if (row.every((cell) => text(cell) === '')) continue;
    rows += 1;
    const line = index + 2;
    const of = (column: Column) => text(row[titles.indexOf(column)]);
    const store = stores.get(`${of('店铺')} ${of('国家').toUpperCase()}`);
    const asked = ItemForm.safeParse({
      day: writtenDay(of('日期')) ?? '',
      store: store ?? '',
      sku: of('SKU'),
      feeType: of('费用名称'),
      currency: of('货币').toUpperCase() || undefined,
      amount: of('金额').replaceAll(/[,，\s]/g, ''),
      remark: of('备注'),
    });
    if (asked.success) lines.push({ line, cost: asked.data });
    for (const { path, message } of asked.error?.issues ?? []) {
      const column = columnOf(String(path[0]));
      const reason =
        column === '店铺'
          ? '店铺不存在，请按店铺名称和国家代码填写'
          : column === '日期'
            ? '不是日期，例如 2026-10-31'
            : message;
      problems.push({ line, column, value: of(column), reason });
    }
  }
  return { rows, lines, problems };
}
