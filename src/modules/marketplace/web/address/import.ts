import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { type AddressImport, addressTemplate, importAddresses } from '../../contract/addresses.ts';

/** What the import dialog works with, and the file that is sent again to be written. */
export interface AddressCheck extends ImportCheck {
  file: File;
}

const TITLES = ['行号', '将', '名称', '国家', '城市', '详细地址', '邮政编码', '电话'];

function checkOf(file: File, found: AddressImport): AddressCheck {
  const bad = new Set(found.problems.map((problem) => problem.line)).size;
  return {
    file,
    fileName: file.name,
    total: found.rows,
    ok: Math.max(0, found.rows - bad),
    preview: { titles: TITLES, rows: found.preview },
    problems: found.problems.map((problem) => ({
      line: problem.line,
      level: 'error' as const,
      message: problem.reason,
      key: problem.key,
      column: problem.column,
      value: problem.value,
    })),
    summary: found.problems.length === 0 ? `新增 ${found.added} 个，修改 ${found.changed} 个发货地址` : null,
  };
}

/** Has every row of a file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<AddressCheck> {
  const found = await upload(importAddresses, { body: { commit: 'false' } }, file, { quiet: true, onProgress });
  return checkOf(file, found);
}

/** Writes the checked file, all of it. */
export async function commit(checked: AddressCheck): Promise<unknown> {
  return upload(importAddresses, { body: { commit: 'true' } }, checked.file, { quiet: true });
}

export const template = (): Promise<unknown> => download(addressTemplate, {});
