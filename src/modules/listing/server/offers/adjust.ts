import { sql } from 'kysely';
import type { z } from 'zod';
import { currencyScale, Decimal, ratio } from '#kit/contract/decimal.ts';
import type { FieldError } from '#kit/contract/envelope.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import { dropMessages, planFeed } from '#modules/marketplace/server/index.ts';
import { type adjustOffers, BIG_CHANGE, PRICE_LIMIT } from '../../contract/offers.ts';
import { type AskedPrice, askBelowFloor } from '../requests/ask.ts';
import { frozenUntil } from './frozen.ts';
import { bodyOf, type FeedKind, type Offer, valueWords } from './message.ts';

type Wish = z.output<typeof adjustOffers.body>['changes'][number];

/** A listing as the queue sees it, its row locked. */
export interface Known {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  product_type: string | null;
  price: string | null;
  currency: string;
  quantity: number | null;
  fulfilled_by: string;
  state: string;
  asin: string | null;
  /** Words until when the price is frozen; null where it is not. */
  frozen: string | null;
}

interface Change extends Offer {
  listingId: string;
  accountId: string;
}

/** Who hears of the results of these feeds. */
export const ORIGIN = 'listing.offers';
const TITLES: Readonly<Record<FeedKind, string>> = { price: '批量调价', quantity: '批量改库存' };

/** The listings wished for, locked in one order so that two who change the same ones queue up. @throws 404 */
export async function listingsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    SELECT id, account_id, marketplace_id, seller_sku, product_type, price, currency, quantity, fulfilled_by, state, asin,
           NULL AS frozen
      FROM listing.listing WHERE company_id = ${ctx.companyId} AND id = ANY (${[...new Set(ids)]}::uuid[])
     ORDER BY id FOR UPDATE`.execute(ctx.db);
  // Asked once the rows are locked: whoever freezes a price locks them, too.
  const frozen = await frozenUntil(
    ctx,
    rows.map((row) => row.id),
  );
  for (const row of rows) row.frozen = frozen.get(row.id) ?? null;
  const known = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !known.has(id))) throw notFound('商品不存在或已删除');
  return known;
}

function priceProblem(listing: Known, price: string): string | undefined {
  if (listing.state === 'GONE') return '商品已移除';
  if (listing.price === null) return '商品没有售价，不能调价';
  if (listing.frozen !== null) return `该商品调价已冻结至 ${listing.frozen}，请先解除冻结`;
  const scale = currencyScale(listing.currency);
  const value = new Decimal(price);
  return value.isZero() || value.decimalPlaces() > scale ? `请输入正确的价格（最多 ${scale} 位小数）` : undefined;
}

function quantityProblem(listing: Known): string | undefined {
  if (listing.state === 'GONE') return '商品已移除';
  return listing.fulfilled_by === 'MERCHANT' ? undefined : 'FBA 商品的库存由亚马逊管理，不能修改';
}

function problemsOf(wishes: readonly Wish[], known: ReadonlyMap<string, Known>): FieldError[] {
  return wishes.flatMap(({ id, price, quantity }, index) => {
    const listing = known.get(id);
    if (!listing) return [];
    const say = (field: string, title: string, why: string | undefined): FieldError[] =>
      why === undefined ? [] : [{ field: `changes.${index}.${field}`, title, msg: `${listing.seller_sku}：${why}` }];
    return [
      ...(price === undefined ? [] : say('price', '新售价', priceProblem(listing, price))),
      ...(quantity === undefined ? [] : say('quantity', '新库存', quantityProblem(listing))),
    ];
  });
}

/** By how much a value moves, as a ratio of the old one; null where there was none. */
export function moveOf(oldValue: string | null, newValue: string): string | null {
  const whole = oldValue === null ? null : ratio(newValue, oldValue);
  return whole === null ? null : new Decimal(whole).minus(1).toFixed(6);
}

/** Asks before prices that move further than somebody may have meant. @throws AppError B0790 */
function refuseBigMoves(changes: readonly Change[]): void {
  const big = changes.filter(
    ({ kind, oldValue, newValue }) =>
      kind === 'price' && new Decimal(moveOf(oldValue, newValue) ?? 0).abs().greaterThan(PRICE_LIMIT),
  );
  const [first] = big;
  if (!first) return;
  const percent = new Decimal(moveOf(first.oldValue, first.newValue) ?? 0).times(100).toFixed(1);
  throw refused(`${big.length} 个商品的调价幅度超过 20%（如 ${first.sellerSku} ${percent}%），请确认`, BIG_CHANGE, {
    count: big.length,
  });
}

function changesOf(wishes: readonly Wish[], known: ReadonlyMap<string, Known>): Change[] {
  return wishes.flatMap(({ id, price, quantity }) => {
    const listing = known.get(id);
    if (!listing) return [];
    const of = {
      listingId: id,
      accountId: listing.account_id,
      marketplaceId: listing.marketplace_id,
      sellerSku: listing.seller_sku,
      currency: listing.currency,
      productType: listing.product_type,
    };
    const now = listing.quantity === null ? null : String(listing.quantity);
    return [
      ...(price === undefined ? [] : [{ ...of, kind: 'price' as const, oldValue: listing.price, newValue: price }]),
      ...(quantity === undefined
        ? []
        : [{ ...of, kind: 'quantity' as const, oldValue: now, newValue: String(quantity) }]),
    ];
  });
}

/** Older wishes for the same offers give way; what of them has not been sent is not. */
async function supersede(ctx: Ctx, changes: readonly Change[]): Promise<Set<string>> {
  const { rows } = await sql<{ feed_id: string; message_id: number; key: string }>`
    UPDATE listing.offer_change AS c SET status = 'superseded', problem = '已有新的修改'
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS n("listingId" uuid, kind text)
     WHERE c.company_id = ${ctx.companyId} AND c.listing_id = n."listingId" AND c.kind = n.kind
       AND c.status IN ('queued', 'accepted')
    RETURNING c.feed_id, c.message_id, c.listing_id || c.kind AS key`.execute(ctx.db);
  await dropMessages(
    ctx,
    rows.map(({ feed_id, message_id }) => ({ feedId: feed_id, messageId: message_id })),
  );
  return new Set(rows.map(({ key }) => key));
}

async function note(
  ctx: Ctx,
  changes: readonly Change[],
  { feedId, first }: { feedId: string; first: number },
  { reason, source = 'person', agreedFloor }: Options,
): Promise<string[]> {
  const rows = changes.map((change, index) => ({ ...change, messageId: first + index }));
  const { rows: made } = await sql<{ id: string }>`
    INSERT INTO listing.offer_change
      (company_id, listing_id, account_id, marketplace_id, seller_sku, kind, old_value, new_value, currency, reason, source,
       agreed_floor, feed_id, message_id, created_by, created_by_name)
    SELECT ${ctx.companyId}, "listingId", "accountId", "marketplaceId", "sellerSku", kind, "oldValue", "newValue",
           currency, ${reason}, ${source}, ${agreedFloor ?? null}, ${feedId}, "messageId", ${ctx.userId}, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("listingId" uuid, "accountId" uuid,
           "marketplaceId" text, "sellerSku" text, kind text, "oldValue" numeric, "newValue" numeric, currency text,
           "messageId" int)
    RETURNING id`.execute(ctx.db);
  return made.map(({ id }) => id);
}

function grouped(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.accountId} ${change.marketplaceId}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  // Everybody takes sites in the same order, so that two who change several do not wait for each other.
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function titleOf(group: readonly Change[]): string {
  const kinds = new Set(group.map(({ kind }) => kind));
  return [...kinds]
    .sort()
    .map((kind) => TITLES[kind])
    .join('、');
}

/** What is sold out must not be sold for five minutes more. */
function stopsSelling({ kind, newValue }: Change): boolean {
  return kind === 'quantity' && new Decimal(newValue).isZero();
}

export type ChangeSource = 'person' | 'rule';

interface Options {
  reason: string;
  confirmed: boolean;
  urgent?: boolean;
  source?: ChangeSource;
  /** The floor that an agreed request was held against. */
  agreedFloor?: string;
}

/**
 * Plans changes of offers; those of a site go to the marketplace together. A value that is there already is no change, unless
 * another one is on its way. `urgent` ones do not wait for others; nor does what stops an offer from being sold. Returns the
 * changes' ids. @throws AppError with one entry per field; B0790 for prices that move by more than a fifth; B0791 for none
 */
export async function planChanges(
  ctx: Ctx,
  wishes: readonly Wish[],
  options: Options,
): Promise<{ ids: string[]; feeds: number }> {
  const known = await listingsOf(
    ctx,
    wishes.map(({ id }) => id),
  );
  const unique = [...new Map(wishes.map((wish) => [wish.id, wish])).values()];
  const problems = problemsOf(unique, known);
  if (problems.length > 0) throw invalid(problems);
  const all = changesOf(unique, known);
  if (!options.confirmed) refuseBigMoves(all);
  const replaced = await supersede(ctx, all);
  const changes = all.filter(
    ({ oldValue, newValue, listingId, kind }) =>
      oldValue === null || !new Decimal(oldValue).equals(newValue) || replaced.has(listingId + kind),
  );
  if (changes.length === 0) throw refused('没有变化，无需提交', 'B0791');
  const groups = grouped(changes);
  const ids: string[] = [];
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    const place = await planFeed(ctx, {
      accountId: first.accountId,
      marketplaceId: first.marketplaceId,
      feedType: 'JSON_LISTINGS_FEED',
      origin: ORIGIN,
      title: titleOf(group),
      urgent: options.urgent === true || group.some(stopsSelling),
      messages: group.map((change) => ({
        sku: change.sellerSku,
        body: bodyOf(change),
        before: valueWords(change, change.oldValue),
        after: valueWords(change, change.newValue),
      })),
    });
    ids.push(...(await note(ctx, group, place, options)));
  }
  return { ids, feeds: groups.length };
}

/** Prices of wishes as those who agree to low ones see them. */
function pricesOf(wishes: readonly Wish[], known: ReadonlyMap<string, Known>): AskedPrice[] {
  return wishes.flatMap(({ id, price }, index) => {
    const listing = known.get(id);
    if (!listing || price === undefined) return [];
    return [
      {
        listingId: id,
        accountId: listing.account_id,
        marketplaceId: listing.marketplace_id,
        sellerSku: listing.seller_sku,
        kind: 'price',
        currency: listing.currency,
        oldValue: listing.price,
        price,
        oldTerms: null,
        newTerms: null,
        field: `changes.${index}.price`,
        title: '新售价',
      },
    ];
  });
}

/** As planChanges, for people: prices below the floor are asked for, or refused, and the others planned. */
export async function adjust(
  ctx: Ctx,
  wishes: readonly Wish[],
  options: Options,
): Promise<{ changes: number; feeds: number; requests: number }> {
  const known = await listingsOf(
    ctx,
    wishes.map(({ id }) => id),
  );
  const unique = [...new Map(wishes.map((wish) => [wish.id, wish])).values()];
  const problems = problemsOf(unique, known);
  if (problems.length > 0) throw invalid(problems);
  if (!options.confirmed) refuseBigMoves(changesOf(unique, known));
  const asked = await askBelowFloor(ctx, pricesOf(unique, known), options.reason);
  const rest = unique.flatMap(({ price, ...wish }): Wish[] => {
    if (!asked.has(wish.id)) return [{ ...wish, price }];
    return wish.quantity === undefined ? [] : [wish];
  });
  if (rest.length === 0) return { changes: 0, feeds: 0, requests: asked.size };
  const { ids, feeds } = await planChanges(ctx, rest, { ...options, confirmed: true });
  return { changes: ids.length, feeds, requests: asked.size };
}
