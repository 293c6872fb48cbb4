import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { paymentTemplate, uploadPayments } from '../contract/payment-import.ts';

/** Has every row of the file tried; nothing is kept. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(uploadPayments, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return fileCheck(file, found, found.summary);
}

/** Asks to be paid for all rows of the checked file. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(uploadPayments, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(paymentTemplate, {});
