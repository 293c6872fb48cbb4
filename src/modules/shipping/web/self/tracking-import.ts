import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { importSelfTracking, selfTrackingTemplate } from '../../contract/self/work.ts';

/** What the dialog works with, and the file that is sent again to be written. */
export interface Checked extends ImportCheck {
  file: File;
}

/** Has every row of the file checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  const found = await upload(importSelfTracking, { body: { write: 'no' } }, file, { quiet: true, onProgress });
  return {
    file,
    fileName: file.name,
    total: found.rows,
    ok: found.rows - new Set(found.problems.map((problem) => problem.line)).size,
    problems: found.problems.map(({ reason, ...problem }) => ({
      ...problem,
      level: 'error' as const,
      message: reason,
    })),
    summary: found.problems.length > 0 ? null : `${found.rows} 张自发货单的运单号`,
  };
}

/** Writes the checked file, all of it. */
export const commit = ({ file }: Checked): Promise<unknown> =>
  upload(importSelfTracking, { body: { write: 'yes' } }, file, { quiet: true });

export const template = (): Promise<unknown> => download(selfTrackingTemplate, {});
