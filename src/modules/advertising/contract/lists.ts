import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, OptionalText, Product, Rate } from '#kit/contract/field.ts';
import { code, listOf, word } from '#modules/inventory/contract/facts.ts';
import {
  Bid,
  COST_TYPES,
  filters,
  inCampaign,
  Matching,
  metrics,
  place,
  State,
  states,
  TARGETINGS,
} from './metrics.ts';

const MAY = { view: 'adv:manager:view', export: 'adv:manager:export' };
const BASE = '/amazonadv/api/v1';
const bid = Bid;
/** The figures of a row; each list can be ordered by any of them. */
const MEASURED = Object.keys(metrics).filter((key) => key !== 'currency');
const { campaign: _campaign, ...ownFilters } = filters;

export const CampaignRow = z.object({
  ...place,
  name: z.string().meta({ title: '广告活动', width: 210, pinned: 'left' }),
  store: place.store,
  adProduct: place.adProduct,
  state: State,
  costType: word('付费方式', COST_TYPES, 92).meta({ optional: true }),
  targeting: word('投放方式', TARGETINGS, 84),
  budget: Bid.meta({ title: '每日预算', width: 92 }),
  startDate: Day.nullable().meta({ title: '开始日期', width: 100, optional: true }),
  topPercent: Rate.meta({ title: '首页加价', width: 84, optional: true, tip: '搜索结果顶部的竞价加价' }),
  ...metrics,
});
export type CampaignRow = z.infer<typeof CampaignRow>;

export const CampaignFilter = z.object({ ...ownFilters, states, keyword: OptionalText(128, '广告活动名称') });
const AnyCampaignFilter = CampaignFilter.partial();
export type CampaignFilter = z.infer<typeof AnyCampaignFilter>;

export const campaigns = listOf({
  title: '广告活动',
  path: `${BASE}/advCampaign`,
  row: CampaignRow,
  filter: CampaignFilter,
  sortable: ['name', 'state', 'budget', 'startDate', ...MEASURED],
  may: MAY,
});

export const AdGroupRow = z.object({
  ...place,
  name: z.string().meta({ title: '广告组', width: 210, pinned: 'left' }),
  campaign: inCampaign.campaign,
  state: State,
  bid: bid.meta({ title: '默认竞价' }),
  ...metrics,
});
export type AdGroupRow = z.infer<typeof AdGroupRow>;

export const PartFilter = z.object({ ...filters, states, keyword: OptionalText(128, '名称/SKU/投放') });
const AnyPartFilter = PartFilter.partial();
export type PartFilter = z.infer<typeof AnyPartFilter>;

export const adGroups = listOf({
  title: '广告组',
  path: `${BASE}/advAdGroup`,
  row: AdGroupRow,
  filter: PartFilter,
  sortable: ['name', 'campaign', 'state', 'bid', ...MEASURED],
  may: MAY,
});

export const ProductAdRow = z.object({
  ...place,
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  ...inCampaign,
  state: State,
  ...metrics,
});
export type ProductAdRow = z.infer<typeof ProductAdRow>;

export const productAds = listOf({
  title: '推广商品',
  path: `${BASE}/advAd`,
  row: ProductAdRow,
  filter: PartFilter,
  sortable: ['product', 'campaign', 'state', ...MEASURED],
  may: MAY,
});

export const TargetRow = z.object({
  ...place,
  name: z.string().meta({ title: '投放', width: 210, pinned: 'left' }),
  matching: Matching,
  ...inCampaign,
  state: State,
  bid,
  ...metrics,
});
export type TargetRow = z.infer<typeof TargetRow>;

export const targets = listOf({
  title: '投放',
  path: `${BASE}/advTarget`,
  row: TargetRow,
  filter: PartFilter,
  sortable: ['name', 'matching', 'campaign', 'state', 'bid', ...MEASURED],
  may: MAY,
});

/** Whether a term is already bid on, or kept out. */
export const TermUse = Choice({ NONE: '未投放', TARGETED: '已投放', NEGATED: '已否定' }, '处理情况');

export const TermRow = z.object({
  ...place,
  name: z.string().meta({ title: '用户搜索词', width: 210, pinned: 'left' }),
  use: TermUse.meta({ width: 88 }),
  source: z.string().meta({ title: '来源投放', width: 150 }),
  matching: Matching,
  ...inCampaign,
  ...metrics,
});
export type TermRow = z.infer<typeof TermRow>;

export const TermFilter = z.object({
  ...filters,
  uses: z.array(TermUse).max(3).meta({ title: '处理情况' }),
  keyword: OptionalText(128, '搜索词/投放'),
});
const AnyTermFilter = TermFilter.partial();
export type TermFilter = z.infer<typeof AnyTermFilter>;

export const terms = listOf({
  title: '用户搜索词',
  path: `${BASE}/advSearchTerm`,
  row: TermRow,
  filter: TermFilter,
  sortable: ['name', 'use', 'matching', 'campaign', ...MEASURED],
  may: MAY,
});

export const NegativeLevel = Choice({ CAMPAIGN: '广告活动', AD_GROUP: '广告组' }, '层级');

export const NegativeRow = z.object({
  ...place,
  name: code('否定内容', 260).meta({ pinned: 'left' }),
  matching: Matching,
  level: NegativeLevel.meta({ width: 88 }),
  ...inCampaign,
  state: State,
});
export type NegativeRow = z.infer<typeof NegativeRow>;

export const NegativeFilter = z.object({
  sites: filters.sites,
  products: filters.products,
  campaign: filters.campaign,
  keyword: OptionalText(128, '否定内容'),
});
const AnyNegativeFilter = NegativeFilter.partial();
export type NegativeFilter = z.infer<typeof AnyNegativeFilter>;

export const negatives = listOf({
  title: '否定投放',
  path: `${BASE}/advNegative`,
  row: NegativeRow,
  filter: NegativeFilter,
  sortable: ['name', 'matching', 'campaign'],
  may: MAY,
});

/** Campaigns to choose from, by name; at most 1,000. */
export const campaignChoices = endpoint({
  title: '广告活动选项',
  method: 'GET',
  path: `${BASE}/advCampaign/choices`,
  permission: MAY.view,
  concurrent: true,
  reply: z.array(z.object({ value: z.uuid(), label: z.string() })),
});
