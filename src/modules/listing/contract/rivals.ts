import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Quantity } from '#kit/contract/field.ts';

export const BookSource = Choice({ notice: '报价变化通知', poll: '定时读取' }, '来源');
export type BookSource = z.infer<typeof BookSource>;

/** One seller's new offer of a product. Money in the currency of the book; landed = price + shipping − points. */
export const MarketOffer = z.object({
  sellerId: z.string().meta({ title: '店铺', kind: 'code', width: 170 }),
  fba: z.boolean().meta({ title: 'FBA', kind: 'boolean', width: 70 }),
  landed: Money.meta({ title: '到手价', width: 110 }),
  price: Money.meta({ title: '售价', width: 100 }),
  shipping: Money.meta({ title: '运费', width: 90 }),
  /** Percent of the last year's ratings that are positive, e.g. "97"; null where Amazon says none. */
  positive: z.string().nullable().meta({ title: '好评率%', kind: 'rate', width: 90 }),
  ratings: Quantity.nullable().meta({ title: '评价数', width: 90 }),
  featured: z.boolean().meta({ title: '购物车', kind: 'boolean', width: 80 }),
  /** Of the account whose listing it is. */
  own: z.boolean().meta({ title: '本店', hidden: true }),
});
export type MarketOffer = z.infer<typeof MarketOffer>;

/** What a book of offers came down to at a moment; landed prices, null where there is none. */
export const BookPoint = z.object({
  asOf: Instant.meta({ title: '时间', width: 130 }),
  ownPrice: Money.nullable().meta({ title: '本店售价', currency: 'currency', width: 100 }),
  featuredPrice: Money.nullable().meta({ title: '购物车价', currency: 'currency', width: 100 }),
  featuredSeller: z.string().nullable().meta({ title: '购物车店铺', kind: 'code', width: 160 }),
  ownFeatured: z.boolean().meta({ title: '本店购物车', kind: 'boolean', width: 100 }),
  lowestPrice: Money.nullable().meta({ title: '最低价', currency: 'currency', width: 100 }),
  offerCount: Quantity.meta({ title: '报价数', width: 80 }),
  source: BookSource.meta({ width: 120 }),
  currency: Currency.meta({ hidden: true }),
});
export type BookPoint = z.infer<typeof BookPoint>;

/** The offers of a listing's product: the newest known, and how they changed, oldest first (the last 500 changes). */
export const listingOffers = endpoint({
  title: '竞争报价',
  method: 'GET',
  path: '/amazon/api/v1/listing/products/offers/:id',
  permission: 'amz:listing:view',
  params: z.object({ id: Id }),
  query: z.object({ days: z.enum(['7', '30', '90']).default('30').meta({ title: '天数' }) }),
  reply: z.object({
    /** Null: nothing has been read of this product yet. */
    asOf: Instant.nullable(),
    source: BookSource.nullable(),
    currency: Currency,
    offers: z.array(MarketOffer),
    offerCount: Quantity,
    past: z.array(BookPoint),
  }),
});
