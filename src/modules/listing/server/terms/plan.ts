import { sql } from 'kysely';
import type { FieldError } from '#kit/contract/envelope.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, refused } from '#kit/server/errors.ts';
import { planWrite, writeStates } from '#modules/marketplace/server/index.ts';
import {
  lowestOf,
  plainTerms,
  sameTerms,
  type Terms,
  type TermsClash,
  TermsKind,
  termsProblems,
  termsWords,
} from '../../contract/terms.ts';
import { type Known, listingsOf } from '../offers/adjust.ts';
import { callBack } from '../offers/call-back.ts';
import { type KnownTerms, partOf, siteToday, termsKnown } from './known.ts';

/** Name of these writes. */
export const TERMS_WRITE = 'listing.terms';

/** What a write of one part of an offer is made of. */
export interface TermsWrite {
  changeId: string;
  sellerId: string;
  sku: string;
  kind: TermsKind;
  currency: string;
  productType: string;
  seen: Terms | null;
  terms: Terms | null;
}

/** One part of one offer as somebody wishes it; `seen` is what he saw there. */
export interface TermsWish {
  id: string;
  seen: Terms | null;
  terms: Terms | null;
  /** The floor that an agreed request was held against. */
  agreedFloor?: string | undefined;
}

export const kindTitle = (kind: TermsKind): string => TermsKind.meta()?.states?.[kind]?.title ?? kind;

function problemOf(ctx: Ctx, kind: TermsKind, { terms }: TermsWish, listing: Known, known: KnownTerms) {
  if (listing.state === 'GONE') return [{ field: 'price', msg: '商品已移除' }];
  if (listing.frozen !== null) return [{ field: 'price', msg: `该商品调价已冻结至 ${listing.frozen}，请先解除冻结` }];
  const { price, currency, marketplace_id } = listing;
  return termsProblems(kind, terms, { price, b2b: known.b2b, currency, today: siteToday(ctx, marketplace_id) });
}

/** Wishes with the listings that they are about, their rows locked. */
export interface Checked {
  wish: TermsWish;
  listing: Known;
  known: KnownTerms;
}

/**
 * Holds wishes against their listings, which stay locked. @throws 404; AppError with one entry per field; 409 with `clashes`
 * where the marketplace has shown something else meanwhile; B0791 where nothing changes
 */
export async function checkedTerms(ctx: Ctx, kind: TermsKind, wishes: readonly TermsWish[]): Promise<Checked[]> {
  const ids = wishes.map(({ id }) => id);
  const listings = await listingsOf(ctx, ids);
  const terms = await termsKnown(ctx, ids);
  const checked = [...new Map(wishes.map((wish) => [wish.id, wish])).values()].flatMap((wish) => {
    const [listing, known] = [listings.get(wish.id), terms.get(wish.id)];
    return listing && known ? [{ wish: { ...wish, terms: plainTerms(wish.terms) }, listing, known }] : [];
  });
  const problems = checked.flatMap(({ wish, listing, known }, index): FieldError[] =>
    problemOf(ctx, kind, wish, listing, known).map(({ field, msg }) => ({
      field: `changes.${index}.terms.${field}`,
      title: kindTitle(kind),
      msg: `${listing.seller_sku} ${kindTitle(kind)}：${msg}`,
    })),
  );
  if (problems.length > 0) throw invalid(problems);
  const clashes = checked.flatMap(({ wish, listing, known }): TermsClash[] => {
    const now = partOf(known, kind);
    if (sameTerms(now, wish.seen) || sameTerms(now, wish.terms)) return [];
    const { seller_sku: sellerSku, currency } = listing;
    return [{ sellerSku, currency, seen: wish.seen, now, wished: wish.terms }];
  });
  const [first] = clashes;
  if (first) {
    const { sellerSku, now, seen, currency } = first;
    const words = `${sellerSku} 现为 ${termsWords(now, currency)}，您看到的是 ${termsWords(seen, currency)}`;
    throw conflict(`${kindTitle(kind)}已在卖家后台被修改，没有覆盖：${words}`, { clashes });
  }
  const changed = checked.filter(({ wish, known }) => !sameTerms(partOf(known, kind), wish.terms));
  if (changed.length === 0) throw refused('没有变化，无需提交', 'B0791');
  return changed;
}

/** Older wishes for the same part give way; one that is leaving goes first. */
async function supersede(ctx: Ctx, kind: TermsKind, listingIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ write_id: string }>`
    UPDATE listing.offer_change SET status = 'superseded', problem = '已有新的修改'
     WHERE company_id = ${ctx.companyId} AND listing_id = ANY (${[...listingIds]}::uuid[]) AND kind = ${kind}
       AND status IN ('queued', 'accepted') RETURNING write_id`.execute(ctx.db);
  const states = await writeStates(
    ctx,
    rows.map(({ write_id }) => write_id),
  );
  for (const [id, state] of states) if (state === 'planned') await callBack(ctx, id);
}

async function note(
  ctx: Ctx,
  kind: TermsKind,
  { wish, listing, known }: Checked,
  { reason, changeId, writeId }: { reason: string; changeId: string; writeId: string },
): Promise<void> {
  const seen = partOf(known, kind);
  const json = (terms: Terms | null) => (terms === null ? null : JSON.stringify(terms));
  await sql`
    INSERT INTO listing.offer_change
      (company_id, id, listing_id, account_id, marketplace_id, seller_sku, kind, old_value, new_value, old_terms, new_terms,
       currency, reason, source, write_id, agreed_floor, created_by, created_by_name)
    VALUES (${ctx.companyId}, ${changeId}, ${listing.id}, ${listing.account_id}, ${listing.marketplace_id},
            ${listing.seller_sku}, ${kind}, ${lowestOf(seen)}, ${lowestOf(wish.terms)}, ${json(seen)}::jsonb,
            ${json(wish.terms)}::jsonb, ${listing.currency}, ${reason}, 'person', ${writeId}, ${wish.agreedFloor ?? null},
            ${ctx.userId}, ${ctx.userName})`.execute(ctx.db);
}

/** Plans writes of parts of offers that were checked, each as a call of its own. Returns how many. */
export async function planTerms(
  ctx: Ctx,
  kind: TermsKind,
  checked: readonly Checked[],
  reason: string,
): Promise<number> {
  await supersede(
    ctx,
    kind,
    checked.map(({ listing }) => listing.id),
  );
  for (const one of checked) {
    const { wish, listing, known } = one;
    const { rows } = await sql<{ id: string }>`SELECT uuidv7() AS id`.execute(ctx.db);
    const changeId = rows[0]?.id ?? '';
    const seen = partOf(known, kind);
    const request: TermsWrite = {
      changeId,
      sellerId: known.sellingPartnerId,
      sku: listing.seller_sku,
      kind,
      currency: listing.currency,
      productType: listing.product_type ?? 'PRODUCT',
      seen,
      terms: wish.terms,
    };
    const writeId = await planWrite(ctx, {
      kind: TERMS_WRITE,
      accountId: listing.account_id,
      marketplaceId: listing.marketplace_id,
      subject: listing.seller_sku,
      key: changeId,
      summary:
        `${kindTitle(kind)}：${termsWords(seen, listing.currency)} → ${termsWords(wish.terms, listing.currency)}`.slice(
          0,
          200,
        ),
      request,
    });
    await note(ctx, kind, one, { reason, changeId, writeId });
  }
  return checked.length;
}
