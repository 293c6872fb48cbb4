import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { CardImport } from '../../../contract/transport/calls.ts';
import type { CardInput } from '../../../contract/transport/price.ts';
import { addCard } from './add.ts';
import { cardsOf, requireChannel } from './cards.ts';
import { cardRows, readCard } from './sheet.ts';

/**
 * Reads an uploaded sheet with the card of a channel; where asked to, and with every line good, adds it whole.
 * @throws refused B0022 and B0933 for no sheet, notFound for an unknown channel
 */
export async function importCardFile(
  open: OpenCtx,
  { channelId, write }: { channelId: string; write: 'no' | 'yes' },
): Promise<CardImport> {
  const { bytes } = await uploadedBytes(open);
  const table = await readOrRefuse(readSheet(bytes));
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const channel = await requireChannel(ctx, channelId);
      const { rows, problems, card } = readCard(table);
      const added = write === 'yes' && card !== null && (await addCard(ctx, channelId, card, 'import')).added;
      if (!added) {
        await audit(ctx, {
          action: '检查价卡文件',
          resource: 'shipping.price',
          resourceId: channelId,
          after: { channel: channel.name, rows, problems: problems.length },
        });
      }
      return { rows, problems: problems.slice(0, 500), card, added };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

/** What a first card may look like. */
const exampleOn = (day: string): CardInput => ({
  validFrom: day,
  validTo: null,
  currency: 'CNY',
  fuel: '0',
  minCharge: '0',
  remark: '',
  tiers: [
    { from: '21', to: '50', price: '9.5' },
    { from: '51', to: '100', price: '8.8' },
    { from: '101', to: null, price: '8.2' },
  ],
  fees: [{ name: '报关费', amount: '100', per: 'SHIPMENT' }],
});

/** A card of a channel, its newest where none is named, as a workbook that the import takes; an example without any. @throws notFound */
export async function cardFile(ctx: Ctx, channelId: string, version: string | undefined): Promise<FileReply> {
  const channel = await requireChannel(ctx, channelId);
  const cards = await cardsOf(ctx, [channelId]);
  const found = version === undefined ? cards[0] : cards.find((card) => card.id === version);
  if (version !== undefined && !found) throw notFound('价卡不存在');
  const card = found ? { ...found, validTo: found.endsOn } : exampleOn(ctx.clock.today());
  const bytes = await writeWorkbook([{ title: '价卡', rows: cardRows(card) }]);
  return new FileReply(`价卡-${channel.name}.xlsx`, MEDIA_TYPES.xlsx, bytes);
}
