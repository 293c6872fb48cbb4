import { download, upload } from '#kit/web/api/index.ts';
import { type FileCheck, fileCheck } from '#kit/web/import/index.ts';
import { cardSheet, importCard } from '../../contract/transport/calls.ts';

/** The calls of the import dialog for the price card of one channel. */
export const cardImport = (channelId: string) => ({
  /** Has every line of a file checked; nothing is written. */
  async check(file: File, onProgress: (share: number) => void): Promise<FileCheck> {
    const found = await upload(importCard, { body: { channelId, write: 'no' } }, file, { quiet: true, onProgress });
    const summary = found.card && `新价卡 ${found.card.validFrom} 起生效，共 ${found.card.tiers.length} 档`;
    return fileCheck(file, found, summary);
  },
  /** Writes the checked file, all of it. */
  commit: ({ file }: FileCheck): Promise<unknown> =>
    upload(importCard, { body: { channelId, write: 'yes' } }, file, { quiet: true }),
  /** The channel's newest card as a file to write over. */
  template: (): Promise<unknown> => download(cardSheet, { params: { id: channelId }, query: {} }),
});
