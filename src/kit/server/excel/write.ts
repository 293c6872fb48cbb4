import { once } from 'node:events';
import type { Writable } from 'node:stream';
import ExcelJS from '@protobi/exceljs';
import type { FieldKind } from '#kit/contract/field.ts';

export type Cell = string | number | boolean | Date | null;

export interface SheetColumn {
  title: string;
  kind: FieldKind;
  value: (row: Record<string, unknown>) => Cell;
  width?: number | undefined;
}

export interface SheetSpec {
  format: 'xlsx' | 'csv';
  sheet: string;
  columns: readonly SheetColumn[];
}

/** Rows of one worksheet; more go on in the next, because the format ends there. */
const MAX_ROWS = 1_000_000;
/** Digits that a spreadsheet number keeps; longer decimals are written as text so that no cent changes. */
const SAFE_DIGITS = 15;
const FORMULA_START = /^[=+\-@\t\r]/;
const NUMERIC_KINDS: readonly FieldKind[] = ['integer', 'money', 'rate', 'percent'];

function isSafeNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && text.replace(/[-.]/g, '').replace(/^0+/, '').length <= SAFE_DIGITS;
}

/** Value as a spreadsheet holds it: exact numbers as numbers, text that looks like a formula kept as text. */
export function sheetValue(value: Cell, kind: FieldKind): Cell {
  if (typeof value !== 'string') return value;
  if (NUMERIC_KINDS.includes(kind) && isSafeNumber(value)) return Number(value);
  return FORMULA_START.test(value) && !isSafeNumber(value) ? `'${value}` : value;
}

function csvField(value: Cell, kind: FieldKind): string {
  const safe = typeof value === 'string' ? (NUMERIC_KINDS.includes(kind) ? value : sheetValue(value, kind)) : value;
  if (safe === null) return '';
  const text = safe instanceof Date ? safe.toISOString() : String(safe);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function writeCsv(out: Writable, spec: SheetSpec, rows: AsyncIterable<Record<string, unknown>>): Promise<void> {
  // The byte order mark makes spreadsheet programs read the file as UTF-8.
  let chunk = `\uFEFF${spec.columns.map((column) => csvField(column.title, 'text')).join(',')}\r\n`;
  for await (const row of rows) {
    chunk += `${spec.columns.map((column) => csvField(column.value(row), column.kind)).join(',')}\r\n`;
    if (chunk.length > 64 * 1024) {
      if (!out.write(chunk)) await once(out, 'drain');
      chunk = '';
    }
  }
  out.write(chunk);
}

const FORMATS: Partial<Record<FieldKind, string>> = {
  money: '#,##0.00##',
  percent: '0.00%',
  instant: 'yyyy-mm-dd hh:mm:ss',
};

async function writeXlsx(out: Writable, spec: SheetSpec, rows: AsyncIterable<Record<string, unknown>>): Promise<void> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false });
  const open = (index: number) => {
    const sheet = workbook.addWorksheet(
      index === 1 ? spec.sheet.slice(0, 28) : `${spec.sheet.slice(0, 24)} (${index})`,
      {
        views: [{ state: 'frozen', ySplit: 1 }],
      },
    );
    sheet.columns = spec.columns.map((column) => {
      const numFmt = FORMATS[column.kind];
      return { header: column.title, width: column.width ?? 16, style: numFmt ? { numFmt } : {} };
    });
    return sheet;
  };
  let index = 1;
  let count = 0;
  let sheet = open(index);
  for await (const row of rows) {
    if (count > 0 && count % MAX_ROWS === 0) {
      sheet.commit();
      index += 1;
      sheet = open(index);
    }
    sheet.addRow(spec.columns.map((column) => sheetValue(column.value(row), column.kind))).commit();
    count += 1;
    // The writer buffers without a limit; give the stream its turn.
    if (count % 1000 === 0) await waitForRoom(out);
  }
  sheet.commit();
  await workbook.commit();
}

async function waitForRoom(out: Writable): Promise<void> {
  if (out.writableNeedDrain) await once(out, 'drain');
  else await new Promise((resolve) => setImmediate(resolve));
}

/** Writes one table as XLSX or CSV to a stream, row by row. Does not end a CSV stream. */
export async function writeSheet(
  out: Writable,
  spec: SheetSpec,
  rows: AsyncIterable<Record<string, unknown>>,
): Promise<void> {
  if (spec.format === 'csv') await writeCsv(out, spec, rows);
  else await writeXlsx(out, spec, rows);
}
