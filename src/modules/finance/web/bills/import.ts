import { download, keep, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { billTemplate, uploadBill } from '../../contract/bills/bill.ts';

/** What the dialog works with, and the file that is sent again to be written. */
export interface Checked extends ImportCheck {
  file: File;
  /** The workbook with reasons beside its rows, base64. */
  annotated: string | null;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Has every row of the workbook checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  const found = await upload(uploadBill, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return {
    file,
    annotated: found.annotated,
    fileName: file.name,
    total: found.rows,
    ok: found.good,
    problems: found.problems.map(({ sheet, line, column, value, reason }) => ({
      line,
      key: sheet,
      level: 'error' as const,
      message: reason,
      column,
      value,
    })),
    summary: found.summary,
  };
}

/** Writes the checked workbook, all of it. */
export const commit = ({ file }: Checked) => upload(uploadBill, { body: { write: 'yes' } }, file, { quiet: true });

/** The workbook with the reasons beside its rows. */
export async function annotate({ annotated, fileName }: Checked): Promise<void> {
  if (annotated === null) return;
  const bytes = Uint8Array.from(atob(annotated), (one) => one.charCodeAt(0));
  keep(new Blob([bytes], { type: XLSX }), `${fileName.replace(/\.[^.]*$/, '')}-错误说明.xlsx`);
}

export const template = (): Promise<unknown> => download(billTemplate, {});
