import type { Charset } from './charset.ts';
import type { ReadOptions } from './reader.ts';
import { checkedRows } from './report.ts';
import type { ByteSource } from './source.ts';
import { isZip, peek } from './source.ts';
import type { TextTable } from './text-table.ts';
import { openTextTable, withCharset } from './text-table.ts';
import { readWorkbook } from './workbook.ts';

/** One row of any table. */
export interface TableRow {
  lineNo: number;
  values: string[];
  /** Cells that a workbook stores as numbers: canonical decimals already, whatever the style of the text cells. */
  exact?: ReadonlySet<number>;
}

/** A table of unknown meaning: a CSV, a tab separated text or the first sheet of a workbook. */
export interface GenericTable {
  format: 'text' | 'xlsx';
  charset: Charset | undefined;
  headers: string[];
  warnings: string[];
  /** Can be called again: each call reads the file once. Throws FileRefused. */
  rows(): AsyncGenerator<TableRow[]>;
}

/**
 * Opens a table and reads it to the end once, so that a wrong charset, a cut end or a line too wide is refused before
 * the first row is handed out. Text is read in constant memory; a workbook is held in memory.
 * @throws FileRefused
 */
export async function readTable(source: ByteSource, options: ReadOptions = {}): Promise<GenericTable> {
  const { head, rest } = await peek(source(), 4);
  if (isZip(head)) return workbookTable(rest);
  await rest.return(undefined);
  return withCharset(source, options, (table) => textTable(source, table));
}

async function textTable(source: ByteSource, table: TextTable): Promise<GenericTable> {
  for await (const _ of checkedRows(table, { minimumCells: 1 }));
  const { charset } = table.layout;
  return {
    format: 'text',
    charset,
    headers: table.headers.map((name) => name.trim()),
    warnings: table.unterminated() ? ['最后一行没有换行符，请确认文件完整'] : [],
    async *rows() {
      const again = await openTextTable(source, charset);
      for await (const batch of checkedRows(again, { minimumCells: 1 })) {
        yield batch.map(({ line, cells }) => ({ lineNo: line, values: cells }));
      }
    },
  };
}

async function workbookTable(bytes: AsyncIterable<Uint8Array>): Promise<GenericTable> {
  const { headers, rows, warnings } = await readWorkbook(bytes);
  return {
    format: 'xlsx',
    charset: undefined,
    headers,
    warnings,
    async *rows() {
      for (let from = 0; from < rows.length; from += 2000) yield rows.slice(from, from + 2000);
    },
  };
}
