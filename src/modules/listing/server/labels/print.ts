import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { MOST_LABELS, placesOf, type UnitLayout } from '#kit/contract/unit-layout.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import type { Label } from '#kit/server/pdf/label.ts';
import { fnskuLabel, tooNarrow, unitLabelsPdf } from '#kit/server/pdf/unit.ts';
import { MAKERS_CODE, type printLabels, type reprintLabels } from '../../contract/labels.ts';
import { type Good, goodsOf, hasMakersCode } from './goods.ts';

/** A listing with what stands on its labels, and how many there are. */
interface Piece extends Good {
  fnsku: string;
  copies: number;
  reprintOf: string | null;
}

interface Paper {
  layout: UnitLayout;
  used: number;
}

/** What Amazon asks to stand on the label of a piece, e.g. "Used - Very Good" for used_very_good. */
export function conditionWords(condition: string | null): string {
  const [group = 'new', ...rest] = (condition ?? 'new_new').split('_');
  const word = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const detail = rest.map(word).join(' ');
  return group === 'new' || detail === word(group) ? word(group) : `${word(group)} - ${detail}`;
}

/** @throws refused B0795 for too many labels, a sheet that is full, or bars that the paper has no room for */
function requireRoom(pieces: readonly Piece[], { layout, used }: Paper): void {
  const total = pieces.reduce((sum, { copies }) => sum + copies, 0);
  if (total > MOST_LABELS) throw refused(`一次最多打印 ${MOST_LABELS} 张标签，请分批选择`, 'B0795');
  if (used > 0 && used >= placesOf(layout)) throw refused('首页已用张数超过标签纸的张数', 'B0795');
  for (const { fnsku, sku } of pieces) {
    const least = tooNarrow(fnsku, layout);
    if (least) throw refused(`SKU:[${sku}] 标签宽度不足（至少 ${least} 毫米），条码可能无法扫描`, 'B0795');
  }
}

async function noted(ctx: Ctx, pieces: readonly Piece[], layout: UnitLayout, reason: string): Promise<void> {
  const job = randomUUID();
  await ctx.db
    .insertInto('listing.label_print')
    .values(
      pieces.map((piece) => ({
        company_id: ctx.companyId,
        job_id: job,
        listing_id: piece.id,
        account_id: piece.accountId,
        marketplace_id: piece.marketplaceId,
        seller_sku: piece.sku,
        fnsku: piece.fnsku,
        asin: piece.asin,
        title: piece.title,
        image: piece.image,
        condition: piece.condition,
        copies: piece.copies,
        layout,
        reprint_of: piece.reprintOf,
        reason,
        created_by: ctx.userId,
        created_by_name: ctx.userName,
      })),
    )
    .execute();
  const labels = pieces.reduce((sum, { copies }) => sum + copies, 0);
  await audit(ctx, {
    action: reason ? '重打FNSKU标签' : '打印FNSKU标签',
    resource: 'listing.labelPrint',
    resourceId: job,
    after: { listings: pieces.length, labels, layout, ...(reason ? { reason } : {}) },
  });
}

async function printed(ctx: Ctx, pieces: readonly Piece[], paper: Paper, reason: string): Promise<FileReply> {
  requireRoom(pieces, paper);
  await noted(ctx, pieces, paper.layout, reason);
  const labels = pieces.flatMap(({ fnsku, title, sku, condition, copies }) => {
    const label: Label = fnskuLabel(fnsku, title || sku, conditionWords(condition));
    return Array.from({ length: copies }, () => label);
  });
  const pdf = unitLabelsPdf(labels, paper.layout, paper.used);
  return new FileReply(`FNSKU标签-${ctx.clock.today()}.pdf`, 'application/pdf', pdf, true);
}

/**
 * FNSKU labels of listings, in the order in which they were named.
 * @throws notFound for a listing that is not there; refused B0795 without an FNSKU or where the paper does not suit, B0796
 * while nobody said that pieces with the maker's barcode are meant
 */
export async function print(ctx: Ctx, input: z.output<typeof printLabels.body>): Promise<FileReply> {
  const goods = new Map((await goodsOf(ctx, { ids: input.items.map(({ id }) => id) })).map((good) => [good.id, good]));
  const pieces = input.items.map(({ id, copies }): Piece => {
    const good = goods.get(id);
    if (!good) throw notFound('商品不存在或已删除');
    if (good.fnsku === null) throw refused(`SKU:[${good.sku}] 没有 FNSKU，无法打印`, 'B0795');
    return { ...good, fnsku: good.fnsku, copies, reprintOf: null };
  });
  if (new Set(input.items.map(({ id }) => id)).size < input.items.length)
    throw refused('商品重复，请合并数量', 'B0795');
  const makers = pieces.filter(hasMakersCode);
  if (makers.length > 0 && !input.confirmed) {
    const skus = makers.slice(0, 10).map(({ sku }) => sku);
    throw refused(`SKU:[${skus.join('、')}] 使用制造商条码，确认仍要打印？`, MAKERS_CODE);
  }
  return printed(ctx, pieces, input, '');
}

/** Prints again what stood on labels. @throws notFound; refused B0795 as print does */
export async function reprint(ctx: Ctx, input: z.output<typeof reprintLabels.body>): Promise<FileReply> {
  const rows = await ctx.db
    .selectFrom('listing.label_print')
    .select([
      'id as reprintOf',
      'listing_id as id',
      'account_id as accountId',
      'marketplace_id as marketplaceId',
      'seller_sku as sku',
      'fnsku',
      'asin',
      'title',
      'image',
      'condition',
      'copies',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', input.ids)
    .orderBy('id')
    .execute();
  if (rows.length < new Set(input.ids).size) throw notFound('打印记录不存在');
  return printed(ctx, rows, input, input.reason);
}
