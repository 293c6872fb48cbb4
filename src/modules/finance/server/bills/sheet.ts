import type { Sheet, SheetCell } from '#kit/server/excel/read.ts';
import type { BillProblem } from '../../contract/bills/bill.ts';
import type { Read } from './cells.ts';
import { textOf } from './cells.ts';
import { COLUMNS, NEEDED, SHEETS, type SheetName } from './layout.ts';

/** Takes cells of one row; what cannot be read goes to the problems and is undefined. */
export interface RowReader {
  /** As the spreadsheet counts it. */
  line: number;
  cell(column: string): SheetCell | undefined;
  take<T>(column: string, read: (cell: SheetCell | undefined) => Read<T>): T | undefined;
  refuse(column: string, reason: string): void;
}

export interface Table {
  title: string;
  /** Index of the row of titles. */
  at: number;
  rows: RowReader[];
}

const plain = (cell: SheetCell | undefined) => textOf(cell).replace(/[:：*\s]/g, '');

function placesOf(row: readonly SheetCell[], name: SheetName): Map<string, number> {
  const titles = row.map(plain);
  const places = new Map<string, number>();
  for (const [key, known] of Object.entries(COLUMNS[name])) {
    const place = titles.findIndex((title) => (known as readonly string[]).includes(title));
    if (place >= 0) places.set(key, place);
  }
  return places;
}

function readerOf(
  row: readonly SheetCell[],
  line: number,
  places: ReadonlyMap<string, number>,
  say: (column: string, value: string, reason: string) => void,
): RowReader {
  const cell = (column: string) => row[places.get(column) ?? -1];
  return {
    line,
    cell,
    take(column, read) {
      const found = read(cell(column));
      if ('value' in found) return found.value;
      say(column, textOf(cell(column)), found.reason);
      return undefined;
    },
    refuse: (column, reason) => say(column, textOf(cell(column)), reason),
  };
}

/**
 * The table of a sheet: its rows behind the row of titles, without empty ones and sums. Undefined where the workbook has
 * no such sheet or the sheet no such titles; `problems` says so then. A sheet with nothing in it is an empty table.
 */
export function tableOf(sheets: readonly Sheet[], name: SheetName, problems: BillProblem[]): Table | undefined {
  const wanted = SHEETS[name];
  const sheet = sheets.find(({ title }) => title.includes(wanted));
  const whole = (title: string, reason: string) =>
    problems.push({ sheet: title, line: 0, column: '', value: '', reason });
  if (!sheet) {
    whole(wanted, `缺少工作表【${wanted}】`);
    return undefined;
  }
  const { title, rows } = sheet;
  const titles: Readonly<Record<string, readonly string[]>> = COLUMNS[name];
  const known = rows.map((row) => placesOf(row, name));
  // A row of the head may have a word of the table, never two of them.
  const at = known.findIndex((places) => places.size >= 2);
  const places = known[at];
  if (!places) {
    if (rows.every((row) => row.every((cell) => textOf(cell) === ''))) return { title, at: 0, rows: [] };
    whole(title, `没有找到表头，应有列【${titles[NEEDED[name][0] ?? '']?.[0]}】`);
    return undefined;
  }
  for (const column of NEEDED[name]) {
    if (!places.has(column)) whole(title, `缺少列【${titles[column]?.[0]}】`);
  }
  const filled = rows.slice(at + 1).flatMap((row, index) => {
    const line = at + 2 + index;
    const none = row.every((cell) => textOf(cell) === '') || /^(合计|总计|小计)/.test(plain(row[0]));
    if (none) return [];
    const say = (column: string, value: string, reason: string) =>
      problems.push({ sheet: title, line, column: titles[column]?.[0] ?? column, value, reason });
    return [readerOf(row, line, places, say)];
  });
  return { title, at, rows: filled };
}
