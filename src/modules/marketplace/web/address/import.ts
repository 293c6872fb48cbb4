import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { type AddressImport, addressTemplate, importAddresses } from '../../contract/addresses.ts';

const TITLES = ['行号', '将', '名称', '国家', '城市', '详细地址', '邮政编码', '电话'];

function checkOf(file: File, found: AddressImport): FileCheck {
  const summary = found.problems.length === 0 ? `新增 ${found.added} 个，修改 ${found.changed} 个发货地址` : null;
  return { ...fileCheck(file, found, summary), preview: { titles: TITLES, rows: found.preview } };
}

/** Has every row of a file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
  const found = await upload(importAddresses, { body: { commit: 'false' } }, file, { quiet: true, onProgress });
  return checkOf(file, found);
}

/** Writes the checked file, all of it. */
export async function commit(checked: FileCheck): Promise<unknown> {
  return upload(importAddresses, { body: { commit: 'true' } }, checked.file, { quiet: true });
}

export const template = (): Promise<unknown> => download(addressTemplate, {});
