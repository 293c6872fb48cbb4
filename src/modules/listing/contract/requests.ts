import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, OptionalText, Product, States, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '../contract.ts';
import { OfferKind } from './offers.ts';
import { Terms } from './terms.ts';

export const PRICE_APPROVE = 'amz:price:approve';
const EDIT = 'amz:price:edit';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  waiting: { title: '待审批', tone: 'waiting' },
  approved: { title: '已通过', tone: 'done' },
  rejected: { title: '已驳回', tone: 'trouble' },
  withdrawn: { title: '已撤回', tone: 'off' },
} as const;
export const PriceRequestState = States(STATES, '申请状态');
export type PriceRequestState = z.infer<typeof PriceRequestState>;

/** 低价申请: a price below its floor, which is sent once somebody else has agreed to it. */
export const priceRequest = documentType({
  name: 'listing.priceRequest',
  title: '低价申请',
  number: 'PR{yyMMdd}{seq:4}',
  detail: '/amazon/sale/pricerequest',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: { title: '提交', from: ['draft'], to: 'waiting', permission: EDIT, internal: true },
    approve: { title: '通过', from: ['waiting'], to: 'approved', permission: PRICE_APPROVE, primary: true },
    reject: { title: '驳回', from: ['waiting'], to: 'rejected', permission: PRICE_APPROVE, reason: true },
    withdraw: { title: '撤回', from: ['waiting'], to: 'withdrawn', permission: EDIT },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'withdraw' },
});
export type PriceRequestStep = 'submit' | 'approve' | 'reject' | 'withdraw';

/** One request; prices in the currency of the site, `newValue` the lowest of what is asked for. */
export const PriceRequestRow = z.object({
  id: Id,
  number: z.string().meta({ title: '申请单号', kind: 'code', width: 140, pinned: 'left' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  kind: OfferKind.meta({ title: '价格类型', width: 110 }),
  oldValue: Money.nullable().meta({ title: '现价', currency: 'currency', width: 100 }),
  newValue: Money.meta({ title: '申请价', currency: 'currency', width: 100 }),
  floor: Money.meta({ title: '保本价', currency: 'currency', width: 100, tip: '申请时的保本价' }),
  state: PriceRequestState.meta({ width: 100 }),
  reason: z.string().meta({ title: '申请原因', width: 220 }),
  createdBy: z.string().meta({ title: '申请人', width: 100 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
  decidedBy: z.string().nullable().meta({ title: '审批人', width: 100 }),
  decidedAt: Instant.nullable().meta({ title: '审批时间', width: 130 }),
  currency: Currency.meta({ hidden: true }),
  terms: Terms.nullable().meta({ title: '申请内容', hidden: true }),
  listingId: Id,
  version: z.int(),
});
export type PriceRequestRow = z.infer<typeof PriceRequestRow>;

export const PriceRequestFilter = z.object({
  state: z.array(PriceRequestState).meta({ title: '申请状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, 'MSKU/单号'),
});
const AnyRequest = PriceRequestFilter.partial();
export type PriceRequestFilter = z.infer<typeof AnyRequest>;

const base = '/amazon/api/v1/product/price/request';

export const listPriceRequests = endpoint({
  title: '低价申请列表',
  method: 'POST',
  path: `${base}/page`,
  permission: 'amz:price:view',
  access: 'read',
  body: PageQuery(PriceRequestFilter),
  sortable: ['createdAt', 'number'],
  reply: Page(PriceRequestRow),
});

export const countPriceRequests = endpoint({
  title: '低价申请数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: 'amz:price:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyRequest.default({}) }),
  reply: z.record(z.string(), z.int()),
});

const step = (title: string, name: string, permission: string) =>
  endpoint({
    title,
    method: 'POST',
    path: `${base}/${name}`,
    permission,
    body: z.object({ id: Id, version: z.int().optional().meta({ title: '版本' }), reason: OptionalText(200, '原因') }),
    reply: z.object({ id: Id, state: PriceRequestState }),
  });

export const approvePrice = step('通过低价申请', 'approve', PRICE_APPROVE);
export const rejectPrice = step('驳回低价申请', 'reject', PRICE_APPROVE);
export const withdrawPrice = step('撤回低价申请', 'withdraw', EDIT);

export const BelowFloor = Choice({ approve: '提交审批', refuse: '直接拒绝' }, '低于保本价时');
export const PriceSetting = z.object({
  belowFloor: BelowFloor.meta({
    title: '手工价格低于保本价时',
    tip: '保本价按成本、配送费、佣金计算；成本未知的商品不检查',
  }),
});
export type PriceSetting = z.infer<typeof PriceSetting>;

export const priceSetting = endpoint({
  title: '低价设置',
  method: 'GET',
  path: `${base}/setting`,
  permission: 'amz:price:view',
  reply: PriceSetting,
});

export const savePriceSetting = endpoint({
  title: '修改低价设置',
  method: 'PUT',
  path: `${base}/setting`,
  permission: PRICE_APPROVE,
  body: PriceSetting,
  reply: PriceSetting,
});
