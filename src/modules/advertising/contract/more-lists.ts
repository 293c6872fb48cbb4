import { z } from 'zod';
import { Choice, Instant, OptionalText, Rate } from '#kit/contract/field.ts';
import { choice, listOf, word } from '#modules/inventory/contract/facts.ts';
import { filters, inCampaign, metrics, PLACEMENTS, place } from './metrics.ts';

const MAY = { view: 'adv:manager:view', export: 'adv:manager:export' };
const BASE = '/amazonadv/api/v1';

export const PlacementRow = z.object({
  ...place,
  placement: word('广告位', PLACEMENTS, 150).meta({ pinned: 'left' }),
  campaign: inCampaign.campaign,
  percent: Rate.nullable().meta({ title: '加价', width: 76, tip: '该广告位的竞价加价；仅商品推广有' }),
  ...metrics,
});
export type PlacementRow = z.infer<typeof PlacementRow>;

export const PlacementFilter = z.object({ ...filters, keyword: OptionalText(128, '广告活动') });
const AnyPlacementFilter = PlacementFilter.partial();
export type PlacementFilter = z.infer<typeof AnyPlacementFilter>;

export const placements = listOf({
  title: '广告位',
  path: `${BASE}/advPlacement`,
  row: PlacementRow,
  filter: PlacementFilter,
  sortable: ['placement', 'campaign', ...Object.keys(metrics).filter((key) => key !== 'currency')],
  may: MAY,
});

/** What can be changed, in Amazon's words; one that is not known is shown as it is written. */
export const CHANGED_FIELDS = {
  BUDGET_AMOUNT: choice('预算'),
  BID_AMOUNT: choice('竞价'),
  DEFAULT_BID_AMOUNT: choice('默认竞价'),
  STATUS: choice('状态'),
  NAME: choice('名称'),
  START_DATE: choice('开始日期'),
  END_DATE: choice('结束日期'),
  PLACEMENT_GROUP: choice('广告位加价'),
  SMART_BIDDING_STRATEGY: choice('竞价策略'),
  CREATED: choice('新建'),
};
const ChangedField = Choice(
  Object.fromEntries(Object.entries(CHANGED_FIELDS).map(([key, { title }]) => [key, title])),
  '字段',
);
export const CHANGED_KINDS = {
  CAMPAIGN: choice('广告活动'),
  AD_GROUP: choice('广告组'),
  AD: choice('广告'),
  KEYWORD: choice('关键词'),
  NEGATIVE_KEYWORD: choice('否定关键词'),
  PRODUCT_TARGETING: choice('商品投放'),
  THEME: choice('投放主题'),
};
const SOURCES = { AMAZON: choice('亚马逊') };

export const ChangeRow = z.object({
  id: place.id,
  at: Instant.meta({ title: '操作时间', width: 150, pinned: 'left' }),
  store: place.store,
  adProduct: place.adProduct,
  campaign: inCampaign.campaign,
  kind: word('对象类型', CHANGED_KINDS, 92),
  name: z.string().meta({ title: '对象', width: 210 }),
  field: word('字段', CHANGED_FIELDS, 92),
  before: z.string().meta({ title: '变更前', width: 120 }),
  after: z.string().meta({ title: '变更后', width: 120 }),
  source: word('来源', SOURCES, 92).meta({ tip: '亚马逊不提供操作人：在广告后台或其他工具中修改' }),
});
export type ChangeRow = z.infer<typeof ChangeRow>;

export const ChangeFilter = z.object({
  dates: filters.dates,
  sites: filters.sites,
  products: filters.products,
  campaign: filters.campaign,
  fields: z.array(ChangedField).max(10).meta({ title: '字段' }),
  keyword: OptionalText(128, '对象/广告活动'),
});
const AnyChangeFilter = ChangeFilter.partial();
export type ChangeFilter = z.infer<typeof AnyChangeFilter>;

export const changes = listOf({
  title: '广告操作记录',
  path: `${BASE}/advOperateLog`,
  row: ChangeRow,
  filter: ChangeFilter,
  sortable: ['at'],
  may: MAY,
});
