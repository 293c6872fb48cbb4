import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Currency,
  Day,
  Decimal,
  Id,
  Instant,
  OptionalText,
  Product,
  Rate,
  States,
  Store,
} from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '../contract.ts';
import { Terms } from './terms.ts';

export const OfferKind = Choice(
  { price: '售价', quantity: '自发货库存', sale: '促销价', b2b: 'B2B价', tiers: 'B2B数量折扣' },
  '修改内容',
);
export type OfferKind = z.infer<typeof OfferKind>;

export const OfferStatus = States(
  {
    queued: { title: '已排队', tone: 'running' },
    accepted: { title: '待确认', tone: 'running' },
    confirmed: { title: '已生效', tone: 'done' },
    refused: { title: '被拒绝', tone: 'trouble' },
    unconfirmed: { title: '未生效', tone: 'trouble' },
    superseded: { title: '已被取代', tone: 'off' },
    cancelled: { title: '已撤销', tone: 'off' },
  },
  '修改状态',
);
export type OfferStatus = z.infer<typeof OfferStatus>;

/** One change of a price (in the marketplace's currency) or of a merchant-fulfilled quantity, as people wished it. */
export const OfferChange = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 300, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  kind: OfferKind.meta({ width: 100 }),
  oldValue: Decimal.nullable().meta({ title: '调整前', width: 130 }),
  newValue: Decimal.nullable().meta({ title: '调整后', width: 130 }),
  change: Rate.nullable().meta({ title: '幅度', kind: 'percent', width: 90 }),
  status: OfferStatus.meta({ width: 100 }),
  problem: z.string().nullable().meta({ title: '原因', width: 260 }),
  reason: z.string().meta({ title: '说明', width: 160 }),
  createdBy: z.string().meta({ title: '操作人', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  acceptedAt: Instant.nullable().meta({ title: '受理时间', width: 130 }),
  confirmedAt: Instant.nullable().meta({ title: '生效时间', width: 130 }),
  currency: Currency.meta({ hidden: true }),
  /** Of a sale and of prices for businesses, whose values are the lowest price; null where there are none. */
  oldTerms: Terms.nullable().meta({ title: '调整前内容', hidden: true }),
  newTerms: Terms.nullable().meta({ title: '调整后内容', hidden: true }),
  listingId: Id,
  /** Null for what went as a write of its own. */
  feedId: Id.nullable(),
});
export type OfferChange = z.infer<typeof OfferChange>;

export const OfferFilter = z.object({
  status: z.array(OfferStatus).meta({ title: '修改状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  kind: OfferKind,
  keyword: OptionalText(100, 'MSKU'),
  listingId: Id.optional(),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建日期', kind: 'date' }),
});
const AnyOffer = OfferFilter.partial();
export type OfferFilter = z.infer<typeof AnyOffer>;

/** A change of more than this share of the price has to be meant. */
export const PRICE_LIMIT = '0.2';
/** The refusal that asks whether it is. */
export const BIG_CHANGE = 'B0790';

const Wish = z
  .object({
    id: Id,
    price: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,4})?$/, '请输入正确的价格')
      .optional()
      .meta({ title: '新售价' }),
    quantity: z
      .int()
      .min(0, '库存不能小于 0')
      .max(1_000_000, '库存不能超过 1,000,000')
      .optional()
      .meta({ title: '新库存' }),
  })
  .refine((wish) => wish.price !== undefined || wish.quantity !== undefined, '请填写新售价或新库存');

const base = '/amazon/api/v1/product/price';
const Done = z.object({
  changes: z.int(),
  feeds: z.int(),
  /** Prices below the floor, which wait for approval. */
  requests: z.int(),
});

/** Changes prices and merchant-fulfilled quantities of many listings: all of them, or none where one is wrong. */
export const adjustOffers = endpoint({
  title: '批量调价与改库存',
  method: 'POST',
  path: `${base}/batch`,
  permission: 'amz:price:edit',
  body: z.object({
    changes: z.array(Wish).min(1, '请选择商品').max(1000, '一次最多修改 1,000 个商品').meta({ title: '修改' }),
    reason: OptionalText(200, '说明'),
    /** Prices that move by more than the limit are meant so. */
    confirmed: z.boolean().default(false).meta({ title: '确认大幅调价' }),
  }),
  reply: Done,
});

export const listOfferChanges = endpoint({
  title: '调价队列',
  method: 'POST',
  path: `${base}/page`,
  permission: 'amz:price:view',
  access: 'read',
  body: PageQuery(OfferFilter),
  sortable: ['createdAt', 'status', 'newValue'],
  reply: Page(OfferChange),
});

export const countOfferChanges = endpoint({
  title: '调价队列数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: 'amz:price:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyOffer.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Calls back changes that have not been sent yet. */
export const cancelOffers = endpoint({
  title: '撤销调价',
  method: 'POST',
  path: `${base}/cancel`,
  permission: 'amz:price:edit',
  body: z.object({ ids: z.array(Id).min(1, '请选择修改').max(1000).meta({ title: '修改' }) }),
  reply: z.object({ count: z.int() }),
});

/** Sets what was before a change again: a change of its own. */
export const revertOffers = endpoint({
  title: '恢复原价',
  method: 'POST',
  path: `${base}/revert`,
  permission: 'amz:price:edit',
  body: z.object({ ids: z.array(Id).min(1, '请选择修改').max(1000).meta({ title: '修改' }) }),
  reply: Done,
});
