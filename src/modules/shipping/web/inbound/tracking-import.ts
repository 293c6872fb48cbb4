import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { importTracking, trackingSheet } from '../../contract/tracking-sheet.ts';

/** What the import dialog works with, and the file that is sent again to be written. */
export interface TrackingCheck extends ImportCheck {
  file: File;
}

/** The calls of the import dialog for the tracking numbers of an order. */
export const trackingImport = (id: string) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<TrackingCheck> {
    const found = await upload(importTracking, { body: { id, write: 'no' } }, file, { quiet: true, onProgress });
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
      summary: found.open > 0 ? `写入后还有 ${found.open} 箱没有追踪号` : null,
    };
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: TrackingCheck): Promise<unknown> =>
    upload(importTracking, { body: { id, write: 'yes' } }, file, { quiet: true }),
  /** The boxes with their numbers so far, as a file to fill in. */
  template: (): Promise<unknown> => download(trackingSheet, { params: { id } }),
});
