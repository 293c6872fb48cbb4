import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { rateTemplate, uploadRates } from '../contract/rates.ts';

/** What the dialog works with, and the file that is sent again to be written. */
export interface Checked extends ImportCheck {
  file: File;
}

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  const found = await upload(uploadRates, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return {
    file,
    fileName: file.name,
    total: found.rows,
    ok: found.rows - new Set(found.problems.map((problem) => problem.line)).size,
    problems: found.problems.map((problem) => ({
      line: problem.line,
      level: 'error' as const,
      message: problem.reason,
      column: problem.column,
      value: problem.value,
    })),
    summary: found.problems.length > 0 ? null : `将写入 ${found.good} 条每日汇率`,
  };
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: Checked): Promise<unknown> =>
  upload(uploadRates, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(rateTemplate, {});
