import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { importPlan, planSheet } from '../../contract/plan-sheet.ts';

/** What the import dialog works with, and the file that is sent again to be written. */
export interface PlanCheck extends ImportCheck {
  file: File;
}

/** The calls of the import dialog for the plan. */
export const planImport = {
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<PlanCheck> {
    const found = await upload(importPlan, { body: { write: 'no' } }, file, { quiet: true, onProgress });
    const bad = new Set(found.problems.map((problem) => problem.line)).size;
    const replaced = found.replaced > 0 ? `，其中 ${found.replaced} 项已在计划中，数量以表为准` : '';
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
      summary: found.problems.length === 0 ? `共 ${found.rows} 项 ${found.pieces} 件${replaced}` : null,
    };
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: PlanCheck): Promise<unknown> =>
    upload(importPlan, { body: { write: 'yes' } }, file, { quiet: true }),
  /** What is planned, as a file to fill in. */
  template: (): Promise<unknown> => download(planSheet, {}),
};
