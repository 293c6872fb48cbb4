import { inflateRawSync } from 'node:zlib';
import readXlsx from 'read-excel-file/node';
import { Decimal } from '#kit/contract/decimal.ts';

/** A sheet that cannot be taken; the message is for the person who sent it. */
export class SheetRefused extends Error {}

/** Unpacked size above which a small sheet is refused: it is held in memory while it is read. */
const MAX_UNPACKED = 40 * 1024 * 1024;

const damaged = () => new SheetRefused('不是有效的 Excel（.xlsx）文件，或内容已损坏');

function directoryOf(file: Buffer): { offset: number; count: number } {
  for (let at = file.length - 22; at >= Math.max(0, file.length - 22 - 0xffff); at -= 1) {
    if (file.readUInt32LE(at) === 0x06054b50) {
      return { count: file.readUInt16LE(at + 10), offset: file.readUInt32LE(at + 16) };
    }
  }
  throw damaged();
}

/** Unpacks every entry once, so that a file whose directory lies about its size is noticed before it fills the memory. */
function refuseBomb(file: Buffer): void {
  const { offset, count } = directoryOf(file);
  let left = MAX_UNPACKED;
  for (let entry = 0, at = offset; entry < count; entry += 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw damaged();
    const packed = file.readUInt32LE(at + 20);
    const header = file.readUInt32LE(at + 42);
    if (header + 30 > file.length) throw damaged();
    const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    left -= file.readUInt16LE(at + 10) === 0 ? packed : unpackedSize(file.subarray(start, start + packed), left);
    if (left <= 0) throw new SheetRefused('文件异常：解压后过大');
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

function unpackedSize(content: Buffer, limit: number): number {
  try {
    return inflateRawSync(content, { maxOutputLength: limit }).length;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new SheetRefused('文件异常：解压后过大');
    throw damaged();
  }
}

/** Cells of the first sheet of a small XLSX file as text; days as yyyy-MM-dd. @throws SheetRefused */
export async function readSheet(file: Buffer): Promise<string[][]> {
  if (file.length < 22) throw damaged();
  refuseBomb(file);
  try {
    const [first] = await readXlsx(file);
    return (first?.data ?? []).map((row) => row.map(textOf));
  } catch {
    throw damaged();
  }
}

/** A cell as text. Of a number a spreadsheet keeps 15 digits only: a code in such a cell may have lost its end. */
export interface SheetCell {
  text: string;
  numeric: boolean;
}

export interface Sheet {
  title: string;
  rows: SheetCell[][];
}

/** Marks a number while the library hands it on as text, so that it never becomes a float. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function cellOf(cell: unknown): SheetCell {
  if (cell instanceof Digits) return { text: new Decimal(cell.text).toSignificantDigits(15).toFixed(), numeric: true };
  if (cell instanceof Date) return { text: cell.toISOString().slice(0, 19).replace('T', ' '), numeric: false };
  return { text: cell === null || cell === undefined ? '' : String(cell), numeric: false };
}

/** All sheets of a small XLSX file; numbers exact, instants as "yyyy-MM-dd HH:mm:ss" without a zone. @throws SheetRefused */
export async function readSheets(file: Buffer): Promise<Sheet[]> {
  if (file.length < 22) throw damaged();
  refuseBomb(file);
  try {
    const sheets = await readXlsx<Digits>(file, { trim: true, parseNumber: (text: string) => new Digits(text) });
    return sheets.map(({ sheet, data }) => ({ title: sheet, rows: data.map((row) => row.map(cellOf)) }));
  } catch {
    throw damaged();
  }
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}
