import type { Ctx } from '#kit/server/context.ts';
import type { Content } from '../contract/content.ts';
import { fromAmazon, type KnownPicture } from './payload.ts';
import type { Document } from './row.ts';

/** Pictures of ours by what they are called at Amazon's for an account. */
async function knownPictures(ctx: Ctx, accountId: string): Promise<KnownPicture> {
  const rows = await ctx.db
    .selectFrom('aplus.picture')
    .select(['destination', 'id', 'width', 'height'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('destination', 'is not', null)
    .execute();
  const known = new Map(rows.map(({ destination, ...picture }) => [destination, picture]));
  return (destination) => known.get(destination);
}

/** What Amazon has of a document, as it is edited here; null where that cannot be known or edited. */
export async function liveContent(ctx: Ctx, { content, account_id }: Document): Promise<Content | null> {
  if (!content) return null;
  return fromAmazon(content, await knownPictures(ctx, account_id)) ?? null;
}

/** The draft of a document, or what Amazon has where there is none. */
export async function contentOf(ctx: Ctx, document: Document): Promise<Content | null> {
  return document.draft ?? (await liveContent(ctx, document));
}
