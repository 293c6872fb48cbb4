import { z } from 'zod';
import { Money, Product, Rate, States, Store } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { AMOUNTS, goodsFilter, pieces } from '#modules/inventory/contract/facts.ts';
import { base, Days, OWN } from './fields.ts';
import { ReturnView } from './returns.ts';

/** Buyers send back for so many days after they bought: before, a rate of a cohort still grows. */
export const MATURE_DAYS = 60;
/** Days of the report unless somebody asks otherwise, today the last of them. */
export const USUAL_DAYS = 30;

export const SkuReturnRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  units: pieces('销量', 80).meta({ tip: '期间内下单的件数，按站点日' }),
  returned: pieces('退货量', 80).meta({ tip: '期间内退回的件数' }),
  periodRate: Rate.nullable().meta({
    title: '期间退货率',
    width: 100,
    good: 'down',
    tip: '期间退货量 ÷ 期间销量，可能超过 100%',
  }),
  cohort: pieces('同批退货', 90).meta({ tip: '期间内下单的商品至今退回的件数' }),
  cohortRate: Rate.nullable().meta({
    title: '同批退货率',
    width: 100,
    good: 'down',
    tip: '期间内下单、至今退回的件数 ÷ 期间发货件数',
  }),
  maturity: States(
    { ripe: { title: '已成熟', tone: 'done' }, young: { title: '未成熟', tone: 'waiting' } },
    '成熟度',
  ).meta({ width: 84, tip: `期间结束未满 ${MATURE_DAYS} 天，同批退货率还会上升` }),
  refund: Money.nullable().meta({
    title: '退款额',
    currency: 'currency',
    permission: AMOUNTS,
    width: 110,
    tip: '期间内记账的商品与运费退款，不含税；同一商品有多个币种时为空',
  }),
  currency: z.string().nullable().meta({ title: '币种', hidden: true }),
  sellable: pieces('可售', 76).meta({ group: '退回状况' }),
  defective: pieces('有瑕疵', 76).meta({ group: '退回状况' }),
  damaged: pieces('不可售', 76).meta({ group: '退回状况', tip: '买家、仓库、承运人损坏或已过期' }),
  unknown: pieces('未知', 70).meta({ group: '退回状况', tip: '自发货退货没有商品状况' }),
});
export type SkuReturnRow = z.infer<typeof SkuReturnRow>;

export const SkuReturnFilter = z.object({
  view: ReturnView,
  dates: Days.meta({ title: '期间', kind: 'date' }),
  sites: goodsFilter.sites,
  keyword: goodsFilter.keyword,
  skus: goodsFilter.skus,
});
const AnySkuReturnFilter = SkuReturnFilter.partial();
export type SkuReturnFilter = z.infer<typeof AnySkuReturnFilter>;

export const skuReturns = listCalls({
  title: '退货率',
  path: `${base}/sku`,
  row: SkuReturnRow,
  filter: SkuReturnFilter,
  sortable: ['product', 'units', 'returned', 'periodRate', 'cohort', 'cohortRate', 'refund'],
  may: OWN,
});
