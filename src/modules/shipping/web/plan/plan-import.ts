import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importPlan, planSheet } from '../../contract/plan-sheet.ts';

/** The calls of the import dialog for the plan. */
export const planImport = {
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
    const found = await upload(importPlan, { body: { write: 'no' } }, file, { quiet: true, onProgress });
    const replaced = found.replaced > 0 ? `，其中 ${found.replaced} 项已在计划中，数量以表为准` : '';
    return fileCheck(
      file,
      found,
      found.problems.length === 0 ? `共 ${found.rows} 项 ${found.pieces} 件${replaced}` : null,
    );
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: FileCheck): Promise<unknown> =>
    upload(importPlan, { body: { write: 'yes' } }, file, { quiet: true }),
  /** What is planned, as a file to fill in. */
  template: (): Promise<unknown> => download(planSheet, {}),
};
