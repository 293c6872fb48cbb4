import { download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { cardSheet, importCard } from '../../contract/transport/calls.ts';

/** What the import dialog works with, and the file that is sent again to be written. */
export interface CardCheck extends ImportCheck {
  file: File;
}

/** The calls of the import dialog for the price card of one channel. */
export const cardImport = (channelId: string) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<CardCheck> {
    const found = await upload(importCard, { body: { channelId, write: 'no' } }, file, { quiet: true, onProgress });
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
      summary: found.card && `新价卡 ${found.card.validFrom} 起生效，共 ${found.card.tiers.length} 档`,
    };
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: CardCheck): Promise<unknown> =>
    upload(importCard, { body: { channelId, write: 'yes' } }, file, { quiet: true }),
  /** The channel's newest card as a file to write over. */
  template: (): Promise<unknown> => download(cardSheet, { params: { id: channelId }, query: {} }),
});
