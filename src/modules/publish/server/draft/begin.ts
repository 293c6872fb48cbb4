import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type DraftOrigin, OPEN_STATES } from '../../contract/draft.ts';
import type { Attributes } from '../../contract/form.ts';
import { definitionOf, formFor } from '../definition.ts';
import { type Live, liveOf } from '../live.ts';
import { type Asker, asked, type Site, siteOf, siteParts } from '../site.ts';
import { draftOf, json, RESOURCE } from './row.ts';

type Saved = { id: string; version: number };

/** What a draft begins with. */
interface Beginning {
  site: Site;
  sellerSku: string;
  isNew: boolean;
  listingId: string | null;
  origin: DraftOrigin;
  productType: string;
  requirements: string;
  live: Pick<Live, 'title' | 'image' | 'asin'>;
  base: Attributes;
  attributes: Attributes;
}

/** Writes a draft and its audit row. */
export async function insert(ctx: Ctx, of: Beginning): Promise<Saved> {
  const { site, sellerSku, live } = of;
  const row = await ctx.db
    .insertInto('publish.draft')
    .values({
      company_id: ctx.companyId,
      account_id: site.account.id,
      marketplace_id: site.marketplaceId,
      seller_sku: sellerSku,
      is_new: of.isNew,
      listing_id: of.listingId,
      origin: of.origin,
      product_type: of.productType,
      requirements: of.requirements,
      title: live.title ?? '',
      image: live.image,
      asin: live.asin,
      base: json(of.base),
      attributes: json(of.attributes),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '新建商品刊登草稿',
    resource: RESOURCE,
    resourceId: row.id,
    after: { sellerSku, origin: of.origin, productType: of.productType },
  });
  return row;
}

interface Known {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  state: string;
}

async function listingOf(ctx: Ctx, listingId: string): Promise<Known> {
  const row = await ctx.db
    .selectFrom('listing.product')
    .select(['account_id', 'marketplace_id', 'seller_sku', 'state'])
    .where('company_id', '=', ctx.companyId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst();
  if (!row) throw notFound('商品不存在或已删除');
  if (row.state === 'GONE') throw refused('商品已移除，不能编辑', 'B0765');
  return row as Known;
}

/** The draft of a listing that somebody has begun and not handed in. */
async function openDraft(ctx: Ctx, known: Known): Promise<Saved | undefined> {
  return ctx.db
    .selectFrom('publish.draft')
    .select(['id', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', known.account_id)
    .where('marketplace_id', '=', known.marketplace_id)
    .where('seller_sku', '=', known.seller_sku)
    .where('is_new', '=', false)
    .where('state', 'in', ['draft', 'valid', 'invalid'])
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** What Amazon shows of a listing that should be there. @throws AppError where it is not */
async function presentAt(site: Site, sku: string): Promise<Live & { productType: string }> {
  const live = await asked(() => liveOf(site, sku));
  if (!live) throw refused('亚马逊没有这个商品，可能刚被删除', 'B0766');
  if (live.productType === null) throw refused('亚马逊没有给出商品类型，不能编辑', 'B0766');
  return { ...live, productType: live.productType };
}

/**
 * Begins a draft on what a listing is at Amazon now, or takes up the one that is open. The calls outwards hold no
 * transaction open. @throws 404; AppError where Amazon has no such listing or cannot be asked
 */
export async function beginEdit(open: Asker, listingId: string): Promise<Saved> {
  const { known, draft } = await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const listing = await listingOf(ctx, listingId);
      return { known: listing, draft: await openDraft(ctx, listing) };
    },
    { readOnly: true },
  );
  if (draft) return draft;
  const site = await siteOf(open, { accountId: known.account_id, marketplaceId: known.marketplace_id });
  const live = await presentAt(site, known.seller_sku);
  await asked(() => definitionOf(open.runtime, site, { productType: live.productType, requirements: 'LISTING' }));
  return inTenant(open.runtime, open.principal, (ctx) =>
    insert(ctx, {
      site,
      sellerSku: known.seller_sku,
      isNew: false,
      listingId,
      origin: 'listing',
      productType: live.productType,
      requirements: 'LISTING',
      live,
      base: live.attributes,
      attributes: live.attributes,
    }),
  );
}

interface Wish {
  site: string;
  sellerSku: string;
  productType: string;
  asin?: string | undefined;
}

/** Values that a new listing of an ASIN begins with. */
function offerOf(wish: Wish, marketplaceId: string): Attributes {
  if (wish.asin === undefined) return {};
  return {
    merchant_suggested_asin: [{ value: wish.asin, marketplace_id: marketplaceId }],
    condition_type: [{ value: 'new_new', marketplace_id: marketplaceId }],
  };
}

/** Begins a listing that is not there yet. @throws 404; 400 for a SKU that is taken */
export async function beginNew(open: Asker, wish: Wish): Promise<Saved> {
  const site = await siteOf(open, siteParts(wish.site));
  const { sellerSku, productType, asin } = wish;
  const requirements = asin === undefined ? 'LISTING' : 'LISTING_OFFER_ONLY';
  if (await asked(() => liveOf(site, sellerSku))) {
    throw invalid([{ field: 'sellerSku', title: '平台SKU', msg: `平台SKU ${sellerSku} 在该站点已存在，请编辑原商品` }]);
  }
  const definition = await asked(() => definitionOf(open.runtime, site, { productType, requirements }));
  const attributes = offerOf(wish, site.marketplaceId);
  const known = new Set(formFor(definition, true).attributes.map(({ name }) => name));
  return inTenant(open.runtime, open.principal, (ctx) =>
    insert(ctx, {
      site,
      sellerSku,
      isNew: true,
      listingId: null,
      origin: asin === undefined ? 'new' : 'asin',
      productType,
      requirements,
      live: { title: null, image: null, asin: asin ?? null },
      base: {},
      attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => known.has(name))),
    }),
  );
}

/** A draft that makes a listing what it was in a version; the listing of a draft is meant. @throws 404 */
export async function beginRestore(open: Asker, { id, number }: { id: string; number: number }): Promise<Saved> {
  const { draft, attributes } = await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const found = await draftOf(ctx, id);
      const version = await ctx.db
        .selectFrom('publish.version')
        .select('attributes')
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', found.account_id)
        .where('marketplace_id', '=', found.marketplace_id)
        .where('seller_sku', '=', found.seller_sku)
        .where('number', '=', number)
        .executeTakeFirst();
      if (!version) throw notFound(`版本 ${number} 不存在`);
      return { draft: found, attributes: version.attributes as unknown as Attributes };
    },
    { readOnly: true },
  );
  if (OPEN_STATES.includes(draft.state)) throw refused('草稿还没有提交，请先提交或取消', 'B0767');
  const site = await siteOf(open, { accountId: draft.account_id, marketplaceId: draft.marketplace_id });
  const live = await presentAt(site, draft.seller_sku);
  await asked(() => definitionOf(open.runtime, site, { productType: live.productType, requirements: 'LISTING' }));
  return inTenant(open.runtime, open.principal, (ctx) =>
    insert(ctx, {
      site,
      sellerSku: draft.seller_sku,
      isNew: false,
      listingId: draft.listing_id,
      origin: 'restore',
      productType: live.productType,
      requirements: 'LISTING',
      live,
      base: live.attributes,
      attributes,
    }),
  );
}
