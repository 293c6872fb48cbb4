import { Decimal } from 'decimal.js';
import readXlsx from 'read-excel-file/node';
import { FileRefused } from './refusal.ts';
import type { TableRow } from './table.ts';
import { checkZip } from './zip-check.ts';

/** Packed size above which a workbook is refused; a million rows of orders fit in less as CSV, in constant memory. */
const MAX_BYTES = 50 * 1024 * 1024;

/** Marks a number while the library hands it on as text, so that it never becomes a float. */
class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * First sheet of an XLSX file. Numbers come as canonical decimals (rounded to the 15 digits a spreadsheet shows), dates
 * as `yyyy-MM-dd HH:mm:ss` without a zone, booleans as TRUE/FALSE.
 * @throws FileRefused
 */
export async function readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ headers: string[]; rows: TableRow[]; warnings: string[] }> {
  const file = await collect(bytes);
  checkZip(file);
  const sheets = await parse(file);
  const sheet = sheets[0];
  const at = sheet?.data.findIndex((row) => row.some((cell) => cell !== null)) ?? -1;
  if (!sheet || at < 0) throw new FileRefused('EMPTY', '文件为空');
  const headers = (sheet.data[at] ?? []).map((cell) => textOf(cell).trim());
  while (headers.at(-1) === '') headers.pop();
  const rows: TableRow[] = [];
  for (let index = at + 1; index < sheet.data.length; index++) {
    const row = rowOf(sheet.data[index] ?? [], index + 1);
    if (row) rows.push(row);
  }
  const warnings = sheets.length > 1 ? [`文件有 ${sheets.length} 个工作表，只读取第一个（${sheet.sheet}）`] : [];
  return { headers, rows, warnings };
}

type Cell = unknown;

async function parse(file: Buffer): Promise<{ sheet: string; data: Cell[][] }[]> {
  try {
    return await readXlsx<ExactNumber>(file, { trim: false, parseNumber: (text: string) => new ExactNumber(text) });
  } catch {
    throw new FileRefused('DAMAGED', '不是有效的 Excel（.xlsx）文件，或内容已损坏');
  }
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > MAX_BYTES) throw new FileRefused('BOMB', '文件过大：Excel 文件不能超过 50 MB，请另存为 CSV');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function rowOf(cells: Cell[], lineNo: number): TableRow | undefined {
  const values = cells.map(textOf);
  if (values.every((value) => value.trim() === '')) return undefined;
  const exact = new Set<number>();
  for (const [index, cell] of cells.entries()) if (cell instanceof ExactNumber) exact.add(index);
  return exact.size > 0 ? { lineNo, values, exact } : { lineNo, values };
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (cell instanceof ExactNumber) return new Decimal(cell.text).toSignificantDigits(15).toFixed();
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ');
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return String(cell);
}
