import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { bankTemplate, uploadBank } from '../contract/bank.ts';

/** Whose statement it is, and what it begins and ends with where the file does not say. */
export interface Statement {
  cashAccountId: string;
  opening?: string | undefined;
  closing?: string | undefined;
}

/** What the dialog works with, and the file that is sent again to be written. */
export interface Checked extends ImportCheck {
  file: File;
}

/** Has every row of the file checked; nothing is written. */
export const checker =
  (statement: Statement) =>
  async (file: File, onProgress: (share: number) => void): Promise<Checked> => {
    const found = await upload(uploadBank, { body: { ...statement, write: 'no' } }, file, { quiet: true, onProgress });
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
  };

/** Writes the checked file, all of it that is new. */
export const writer =
  (statement: Statement) =>
  ({ file }: Checked): Promise<unknown> =>
    upload(uploadBank, { body: { ...statement, write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(bankTemplate, {});
