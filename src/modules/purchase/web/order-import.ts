import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importOrders, orderTemplate } from '../contract/order-import.ts';

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importOrders, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return fileCheck(file, found, found.problems.length > 0 ? null : `${found.rows} 行合成 ${found.orders} 张采购单草稿`);
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(importOrders, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(orderTemplate, {});
