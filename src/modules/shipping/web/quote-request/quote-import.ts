import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importQuotes, quoteTemplate } from '../../contract/quote-request/calls.ts';

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importQuotes, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  const words = `${found.rows} 行，${found.answers} 条报价，${found.unchanged} 条与当前相同`;
  return fileCheck(file, found, found.problems.length > 0 ? null : words);
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(importQuotes, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(quoteTemplate, {});
