import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { boxSheet, importBoxes } from '../../contract/box/sheet.ts';

/** The calls of the import dialog for the boxes of an order, as its `version` was seen. */
export const boxImport = (id: string, version: number) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
    const body = { id, version, write: 'no' as const };
    const found = await upload(importBoxes, { body }, file, { quiet: true, onProgress });
    const summary = found.boxes > 0 ? `共 ${found.boxes} 箱 ${found.pieces} 件，写入后替换原有装箱` : null;
    return fileCheck(file, found, summary);
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: FileCheck): Promise<unknown> =>
    upload(importBoxes, { body: { id, version, write: 'yes' } }, file, { quiet: true }),
  /** The boxes as they are, or the SKUs to be packed, as a file to fill in. */
  template: (): Promise<unknown> => download(boxSheet, { params: { id } }),
});
