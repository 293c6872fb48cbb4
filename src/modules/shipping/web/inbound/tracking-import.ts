import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { importTracking, trackingSheet } from '../../contract/tracking-sheet.ts';

/** The calls of the import dialog for the tracking numbers of an order. */
export const trackingImport = (id: string) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
    const found = await upload(importTracking, { body: { id, write: 'no' } }, file, { quiet: true, onProgress });
    return fileCheck(file, found, found.open > 0 ? `写入后还有 ${found.open} 箱没有追踪号` : null);
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: FileCheck): Promise<unknown> =>
    upload(importTracking, { body: { id, write: 'yes' } }, file, { quiet: true }),
  /** The boxes with their numbers so far, as a file to fill in. */
  template: (): Promise<unknown> => download(trackingSheet, { params: { id } }),
});
