import type { SheetCell } from '#kit/server/excel/read.ts';
import { SheetRefused } from '#kit/server/excel/read.ts';

/** Text of a CSV file: UTF-8, or GB 18030 as banks in China write it. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** Cells of a CSV file (RFC 4180); every cell is a text. @throws SheetRefused where a quote is not closed */
export function readCsv(bytes: Buffer): SheetCell[][] {
  const text = decoded(bytes);
  const rows: SheetCell[][] = [];
  let row: SheetCell[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    // A tab before a number keeps spreadsheets from rounding it.
    row.push({ text: cell.trim(), numeric: false });
    cell = '';
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quoted && char === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') quoted = !quoted;
    else if (quoted) cell += char;
    else if (char === ',') endCell();
    else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  if (quoted) throw new SheetRefused('文件异常：引号没有闭合');
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
