import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { COLUMNS, HEAD, SHEETS, type SheetName } from './layout.ts';

/** An empty workbook of the four sheets, with labels and titles. */
export async function billTemplate(): Promise<FileReply> {
  const labels = Object.values(HEAD).map(([label]) => [label, '']);
  const sheets = (Object.keys(SHEETS) as SheetName[]).map((name) => ({
    title: SHEETS[name],
    rows: [...(name === 'orders' ? labels : []), Object.values(COLUMNS[name]).map(([title]) => title)],
  }));
  return new FileReply('1688账单模板.xlsx', MEDIA_TYPES.xlsx, await writeWorkbook(sheets));
}
