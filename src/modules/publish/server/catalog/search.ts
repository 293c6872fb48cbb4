import type { z } from 'zod';
import { invalid } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import type { CatalogItem, checkRestrictions, searchCatalog, searchTypes } from '../../contract/catalog.ts';
import { asked, siteOf, siteParts } from '../site.ts';
import { type ApiCatalogItem, itemOf } from './item.ts';

/** Amazon takes no more of either. */
const MOST_WORDS = 20;
const PAGE_SIZE = 20;
const DATA = ['summaries', 'images', 'dimensions', 'salesRanks', 'identifiers', 'productTypes', 'classifications'];

type Wish = z.output<typeof searchCatalog.body>;
type Found = z.output<typeof searchCatalog.reply>;

interface Searched {
  numberOfResults: number;
  pagination?: { nextToken?: string; previousToken?: string };
  refinements?: {
    brands?: readonly { brandName: string; numberOfResults: number }[];
    classifications?: readonly { classificationId: string; displayName: string; numberOfResults: number }[];
  };
  items: readonly ApiCatalogItem[];
}

/** Words of a search: parted by semicolons of either script. */
export function wordsOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/[;；]/).map((word) => word.trim()))].filter((word) => word !== '');
}

const refuse = (field: string, title: string, msg: string) => invalid([{ field, title, msg }]);

/** What is searched by: words or numbers, and not both. @throws 400 in Chinese */
function searchedBy({ keywords, ids = [], idType }: Wish): Record<string, readonly string[] | string> {
  const words = wordsOf(keywords);
  if (words.length > 0 && ids.length > 0) throw refuse('keywords', '搜索关键词', '关键词与编码只能填写一种');
  if (ids.length > 0) return { identifiers: ids, identifiersType: idType };
  if (words.length === 0) throw refuse('keywords', '搜索关键词', '请输入搜索关键词');
  if (words.length > MOST_WORDS) throw refuse('keywords', '搜索关键词', `关键词最多 ${MOST_WORDS} 个`);
  return { keywords: words };
}

/** One page of Amazon's catalogue. @throws 404 for a site of others; 400; AppError where Amazon cannot be asked */
export async function search(open: OpenCtx, wish: Wish): Promise<Found> {
  const by = searchedBy(wish);
  const site = await siteOf(open, siteParts(wish.site));
  const { account, marketplaceId, api } = site;
  const byWords = 'keywords' in by;
  const { body } = await asked(() =>
    api.call<Searched>({
      operation: 'searchCatalogItems',
      method: 'GET',
      path: '/catalog/2022-04-01/items',
      query: {
        marketplaceIds: [marketplaceId],
        includedData: DATA,
        pageSize: PAGE_SIZE,
        ...by,
        ...(by.identifiersType === 'SKU' ? { sellerId: account.sellingPartnerId } : {}),
        ...(byWords && wish.brand ? { brandNames: [wish.brand] } : {}),
        ...(byWords && wish.classificationId ? { classificationIds: [wish.classificationId] } : {}),
        pageToken: wish.pageToken,
      },
    }),
  );
  return {
    total: body.numberOfResults,
    items: body.items.map((item): CatalogItem => itemOf(item, marketplaceId)),
    brands: (body.refinements?.brands ?? []).map(({ brandName, numberOfResults: count }) => ({
      value: brandName,
      label: brandName,
      count,
    })),
    classes: (body.refinements?.classifications ?? []).map(({ classificationId, displayName, numberOfResults }) => ({
      value: classificationId,
      label: displayName,
      count: numberOfResults,
    })),
    next: body.pagination?.nextToken ?? null,
    previous: body.pagination?.previousToken ?? null,
  };
}

interface Restricted {
  restrictions: readonly {
    marketplaceId: string;
    reasons?: readonly { message: string; reasonCode?: string; links?: readonly { resource: string }[] }[];
  }[];
}

const KINDS = ['APPROVAL_REQUIRED', 'ASIN_NOT_FOUND', 'NOT_ELIGIBLE'] as const;

/** What stands between a store and selling a product as new. @throws 404 for a site of others */
export async function restrictions(
  open: OpenCtx,
  wish: z.output<typeof checkRestrictions.body>,
): Promise<z.output<typeof checkRestrictions.reply>> {
  const { account, marketplaceId, api } = await siteOf(open, siteParts(wish.site));
  const { body } = await asked(() =>
    api.call<Restricted>({
      operation: 'getListingsRestrictions',
      method: 'GET',
      path: '/listings/2021-08-01/restrictions',
      query: {
        asin: wish.asin,
        conditionType: 'new_new',
        sellerId: account.sellingPartnerId,
        marketplaceIds: [marketplaceId],
        reasonLocale: 'zh_CN',
      },
    }),
  );
  const here = body.restrictions.filter((one) => one.marketplaceId === marketplaceId);
  const reasons = here.flatMap((one) => one.reasons ?? []);
  return {
    allowed: here.length === 0,
    reasons: reasons.map(({ message, reasonCode, links }) => ({
      kind: KINDS.find((kind) => kind === reasonCode) ?? 'NOT_ELIGIBLE',
      message,
      link: links?.[0]?.resource ?? null,
    })),
  };
}

interface Types {
  productTypes: readonly { name: string; displayName: string }[];
}

/** Product types that a word names, or all. @throws 404 for a site of others */
export async function types(
  open: OpenCtx,
  { site, keyword }: z.output<typeof searchTypes.body>,
): Promise<z.output<typeof searchTypes.reply>> {
  const { marketplaceId, api } = await siteOf(open, siteParts(site));
  const { body } = await asked(() =>
    api.call<Types>({
      operation: 'searchDefinitionsProductTypes',
      method: 'GET',
      path: '/definitions/2020-09-01/productTypes',
      query: {
        marketplaceIds: [marketplaceId],
        locale: 'zh_CN',
        searchLocale: 'zh_CN',
        ...(keyword ? { keywords: [keyword] } : {}),
      },
    }),
  );
  return body.productTypes.map(({ name, displayName }) => ({ value: name, label: `${displayName}（${name}）` }));
}
