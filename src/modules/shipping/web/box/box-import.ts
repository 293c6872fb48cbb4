import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { boxSheet, importBoxes } from '../../contract/box/sheet.ts';

/** What the import dialog works with, and the file that is sent again to be written. */
export interface BoxCheck extends ImportCheck {
  file: File;
}

/** The calls of the import dialog for the boxes of an order, as its `version` was seen. */
export const boxImport = (id: string, version: number) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<BoxCheck> {
    const body = { id, version, write: 'no' as const };
    const found = await upload(importBoxes, { body }, file, { quiet: true, onProgress });
    const bad = new Set(found.problems.map((problem) => problem.line)).size;
    return {
      file,
      fileName: file.name,
      total: found.rows,
      ok: Math.max(0, found.rows - bad),
      problems: found.problems.map(({ reason, ...problem }) => ({
        ...problem,
        level: 'error' as const,
        message: reason,
      })),
      summary: found.boxes > 0 ? `共 ${found.boxes} 箱 ${found.pieces} 件，写入后替换原有装箱` : null,
    };
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: BoxCheck): Promise<unknown> =>
    upload(importBoxes, { body: { id, version, write: 'yes' } }, file, { quiet: true }),
  /** The boxes as they are, or the SKUs to be packed, as a file to fill in. */
  template: (): Promise<unknown> => download(boxSheet, { params: { id } }),
});
