import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importMcf, mcfTemplate } from '../contract/import.ts';

const TITLES = ['行号', '平台订单号', '商品', '国家', '配送速度'];

/** Has every row of a file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importMcf, { body: { commit: 'false' } }, file, { quiet: true, onProgress });
  const summary = found.problems.length === 0 ? `${found.rows} 行合成 ${found.orders} 个草稿订单` : null;
  return { ...fileCheck(file, found, summary), preview: { titles: TITLES, rows: found.preview } };
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: FileCheck): Promise<unknown> =>
  upload(importMcf, { body: { commit: 'true' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(mcfTemplate, {});
