import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importOrders, orderTemplate } from '../contract/bindings.ts';

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importOrders, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  const open = found.unbound > 0 ? `；${found.unbound} 个平台SKU待配对，配对后计入销量` : '';
  const words = `新增 ${found.added} 行，更新 ${found.changed} 行，${found.unchanged} 行没有变化${open}`;
  return fileCheck(file, found, found.problems.length > 0 ? null : words);
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(importOrders, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(orderTemplate, {});
