import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Currency,
  Day,
  Id,
  Instant,
  Money,
  OptionalText,
  Product,
  Quantity,
  States,
  Store,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { OpenIssue } from './contract/issues.ts';
import { Terms, TermsKind } from './contract/terms.ts';

export const ListingState = States(
  {
    ACTIVE: { title: '在售', tone: 'done' },
    INACTIVE: { title: '不可售', tone: 'waiting' },
    INCOMPLETE: { title: '信息不全', tone: 'trouble' },
    UNKNOWN: { title: '未知', tone: 'off' },
    GONE: { title: '已移除', tone: 'off' },
  },
  '商品状态',
);
export type ListingState = z.infer<typeof ListingState>;

export const FulfilledBy = Choice({ AMAZON: 'FBA', MERCHANT: 'FBM', UNKNOWN: '未知' }, '配送方式');
export type FulfilledBy = z.infer<typeof FulfilledBy>;

const condition = (title: string) => ({ title, tone: 'off' as const });

/** Conditions in the words of the Listings API; one that is not known is shown as it is written. */
export const CONDITIONS = {
  new_new: condition('全新'),
  new_open_box: condition('全新-开箱'),
  new_oem: condition('全新-OEM'),
  refurbished_refurbished: condition('翻新'),
  used_like_new: condition('二手-如新'),
  used_very_good: condition('二手-非常好'),
  used_good: condition('二手-良好'),
  used_acceptable: condition('二手-可接受'),
  collectible_like_new: condition('收藏品-如新'),
  collectible_very_good: condition('收藏品-非常好'),
  collectible_good: condition('收藏品-良好'),
  collectible_acceptable: condition('收藏品-可接受'),
};

/** One listing as the list shows it. The price is in the marketplace's currency. */
export const ListingRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 320, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  state: ListingState.meta({ width: 100 }),
  price: Money.nullable().meta({ title: '售价', kind: 'money', currency: 'currency', width: 110 }),
  currency: Currency.meta({ hidden: true }),
  /** What was sent and the marketplace has not confirmed yet. */
  pendingPrice: Money.nullable().meta({ title: '待确认售价', hidden: true }),
  pendingQuantity: Quantity.nullable().meta({ title: '待确认库存', hidden: true }),
  /** As the marketplace shows them; days are those of the site. */
  salePrice: Money.nullable().meta({
    title: '促销价',
    currency: 'currency',
    width: 150,
    tip: '来源：亚马逊接口同步；日期为站点时间',
  }),
  b2bPrice: Money.nullable().meta({ title: 'B2B价', currency: 'currency', width: 130, tip: '来源：亚马逊接口同步' }),
  sale: Terms.nullable().meta({ title: '促销', hidden: true }),
  b2b: Terms.nullable().meta({ title: 'B2B', hidden: true }),
  tiers: Terms.nullable().meta({ title: 'B2B数量折扣', hidden: true }),
  /** Of which of them something was sent that is not confirmed yet. */
  pendingTerms: z.array(TermsKind).meta({ title: '待确认价格', hidden: true }),
  fulfilledBy: FulfilledBy.meta({ width: 90 }),
  quantity: Quantity.nullable().meta({ title: '自发货库存', width: 110, tip: 'FBA 商品的库存见 FBA库存' }),
  issueCount: Quantity.meta({ title: '问题', width: 80, good: 'down' }),
  asin: z.string().nullable().meta({ title: 'ASIN', kind: 'code', width: 120, optional: true }),
  parentAsin: z.string().nullable().meta({ title: '父ASIN', kind: 'code', width: 120, optional: true }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 120, optional: true }),
  productType: z.string().nullable().meta({ title: '商品类型', width: 140, optional: true }),
  condition: z
    .string()
    .nullable()
    .meta({ title: '商品状况', kind: 'choice', states: CONDITIONS, width: 100, optional: true }),
  openedAt: Instant.nullable().meta({ title: '上架时间', width: 150 }),
  lastUpdatedAt: Instant.nullable().meta({ title: '更新时间', width: 130 }),
  accountId: Id,
  marketplaceId: z.string(),
  sellerSku: z.string(),
});
export type ListingRow = z.infer<typeof ListingRow>;

/** "marketplaceId-accountId", as the list of authorised sites spells it. */
export const Site = z.string().regex(/^[A-Z0-9]{5,20}-[0-9a-f-]{36}$/, '站点格式不正确');

export const ListingFilter = z.object({
  state: z.array(ListingState).max(5).meta({ title: '商品状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, '标题/SKU/ASIN'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个 SKU').meta({ title: 'MSKU' }),
  fulfilledBy: FulfilledBy,
  hasIssues: z.boolean().meta({ title: '有问题', optional: true }),
  /** Calendar days in UTC. */
  opened: z
    .object({ from: Day.optional(), to: Day.optional() })
    .meta({ title: '上架日期', kind: 'date', optional: true }),
});
export type ListingFilter = z.infer<typeof ListingFilter>;

/** One change of price; null where the listing had none. */
export const PriceChange = z.object({
  id: Id,
  seenAt: Instant.meta({ title: '发现时间' }),
  oldPrice: Money.nullable().meta({ title: '调整前' }),
  newPrice: Money.nullable().meta({ title: '调整后' }),
  currency: Currency,
});
export type PriceChange = z.infer<typeof PriceChange>;

export const ListingDetail = ListingRow.extend({
  title: z.string().nullable(),
  /** Those that stand, the worst first. */
  issues: z.array(OpenIssue),
  /** Newest first, at most 200. */
  prices: z.array(PriceChange),
  firstSeenAt: Instant,
  goneAt: Instant.nullable(),
  source: z.enum(['api', 'report']),
  asOf: Instant,
  /** Until when the price is frozen, in words; null where it is not. */
  frozenUntil: z.string().nullable(),
});
export type ListingDetail = z.infer<typeof ListingDetail>;

const base = '/amazon/api/v1/listing/products';

export const listListings = endpoint({
  title: '在线商品列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'amz:listing:view',
  access: 'read',
  body: PageQuery(ListingFilter),
  sortable: ['product', 'state', 'price', 'quantity', 'issueCount', 'openedAt', 'lastUpdatedAt'],
  reply: Page(ListingRow),
});

/** Listings by state, "all" for their sum; the state of the filter itself is left out. */
export const countListings = endpoint({
  title: '在线商品状态统计',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: 'amz:listing:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ListingFilter.partial().default({} as never) }),
  reply: z.record(z.string(), z.int()),
});

export const exportListings = endpoint({
  title: '导出在线商品',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:listing:export',
  file: true,
  body: ExportQuery(ListingFilter),
  reply: z.unknown(),
});

export const listingDetail = endpoint({
  title: '在线商品详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: 'amz:listing:view',
  params: z.object({ id: Id }),
  reply: ListingDetail,
});
