import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importOverrides, overrideTemplate } from '../contract/overrides.ts';

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importOverrides, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return fileCheck(file, found, found.problems.length > 0 ? null : `${found.fresh} 项新的干预`);
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(importOverrides, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(overrideTemplate, {});
