import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { accountOf, type NoticeReader } from '#modules/marketplace/server/index.ts';
import { bookOfNotice } from './book.ts';
import { landBooks } from './land.ts';

async function read(ctx: Ctx, { accountId, payload }: { accountId: string; payload: unknown }) {
  const account = await accountOf(ctx.db, ctx.companyId, accountId);
  if (!account) return undefined;
  const book = bookOfNotice(payload, {
    currency: (id) => marketplaceOf(id)?.currency ?? '',
    seller: account.sellingPartnerId,
  });
  if (!book || book.currency === '') return undefined;
  const changed = await landBooks(ctx, accountId, 'notice', [book]);
  return changed > 0 ? '更新竞争报价' : '报价没有变化或已有更新的报价';
}

/** Changes of offers, as the marketplace tells them: the payload holds them all. */
export const offerNotices: NoticeReader = { type: 'ANY_OFFER_CHANGED', read };
