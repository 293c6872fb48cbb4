import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { itemFeeTemplate, uploadItemFees } from '../contract/item-import.ts';

/** What the dialog works with, and the file that is sent again to be written. */
export interface Checked extends ImportCheck {
  file: File;
}

/** Has every row of the file tried; nothing is kept. */
export async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  const found = await upload(uploadItemFees, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return {
    file,
    fileName: file.name,
    total: found.rows,
    ok: found.good,
    problems: found.problems.map(({ line, column, value, reason }) => ({
      line,
      level: 'error' as const,
      message: reason,
      column,
      value,
    })),
    summary: found.summary,
  };
}

/** Books all rows of the checked file. */
export const commit = ({ file }: Checked): Promise<unknown> =>
  upload(uploadItemFees, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(itemFeeTemplate, {});
