import ExcelJS from '@protobi/exceljs';
import { type Cell, sheetValue } from './write.ts';

/** A reason beside a row; `row` as the spreadsheet counts it. */
export interface RowNote {
  sheet: string;
  row: number;
  text: string;
}

const RED = { argb: 'FFC4281C' };

/** A small workbook of several sheets; cells that are given as text stay text. */
export async function writeWorkbook(
  sheets: readonly { title: string; rows: readonly (readonly Cell[])[] }[],
): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  for (const { title, rows } of sheets) {
    const sheet = workbook.addWorksheet(title);
    for (const row of rows) sheet.addRow(row.map((text) => sheetValue(text, 'text')));
    sheet.columns.forEach((column) => {
      column.width = 22;
    });
  }
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** The workbook with reasons in the first column that none of a sheet's rows uses; row 0 goes to the first row. */
export async function annotateWorkbook(file: Buffer, notes: readonly RowNote[]): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(file as never);
  const free = new Map<string, number>();
  for (const { sheet: title, row, text } of notes) {
    const sheet = workbook.getWorksheet(title);
    if (!sheet) continue;
    const place = free.get(title) ?? sheet.columnCount + 1;
    free.set(title, place);
    const cell = sheet.getRow(Math.max(row, 1)).getCell(place);
    cell.value = cell.value ? `${String(cell.value)}；${text}` : text;
    cell.font = { color: RED };
  }
  return Buffer.from(await workbook.xlsx.writeBuffer());
}
