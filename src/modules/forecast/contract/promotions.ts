import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Quantity, Rate, States, Store, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, EDIT, VIEW } from './fields.ts';

export const PromotionKind = Choice(
  { deal: '秒杀', coupon: '优惠券', prime: '会员日', price: '降价', offsite: '站外' },
  '类型',
);
export type PromotionKind = z.infer<typeof PromotionKind>;

export const PromotionState = States(
  {
    planned: { title: '未开始', tone: 'waiting' },
    running: { title: '进行中', tone: 'running' },
    over: { title: '已结束', tone: 'off' },
  },
  '状态',
);
export type PromotionState = z.infer<typeof PromotionState>;

const MOST_SKUS = 500;
const expectedTip = '活动期间销量是平时的几倍；不填按历史同类活动';

export const PromotionRow = z.object({
  id: Id,
  name: z.string().meta({ title: '活动', width: 200, pinned: 'left' }),
  state: PromotionState.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  kind: PromotionKind.meta({ title: '类型', width: 90 }),
  from: Day.meta({ title: '开始', width: 110 }),
  to: Day.meta({ title: '结束', width: 110 }),
  products: Quantity.nullable().meta({ title: 'SKU数', width: 80, tip: '空为该站点全部商品' }),
  expected: Rate.nullable().meta({ title: '预期倍数', kind: 'rate', width: 90, tip: expectedTip }),
  actual: Rate.nullable().meta({
    title: '实际倍数',
    kind: 'rate',
    width: 90,
    tip: '活动期间日均销量 ÷ 之前 28 天的日均销量；进行中的算到最后一个完整的站点日',
  }),
  units: Quantity.nullable().meta({ title: '活动销量', width: 96, tip: '到最后一个完整的站点日' }),
  updatedBy: z.string().meta({ title: '操作人', width: 100 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  /** What the form begins with. */
  site: Site.meta({ hidden: true }),
  skus: z.array(z.string()).meta({ hidden: true }),
  version: z.int().meta({ hidden: true }),
});
export type PromotionRow = z.infer<typeof PromotionRow>;

export const PromotionFilter = z.object({
  state: z.array(PromotionState).max(3).meta({ title: '状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  kind: z.array(PromotionKind).max(5).meta({ title: '类型' }),
  keyword: OptionalText(100, '活动/MSKU'),
});
const AnyPromotionFilter = PromotionFilter.partial();
export type PromotionFilter = z.infer<typeof AnyPromotionFilter>;

export const listPromotionDays = endpoint({
  title: '促销日历列表',
  method: 'POST',
  path: '/amazon/api/v1/sales/promotions',
  permission: VIEW,
  access: 'read',
  body: PageQuery(PromotionFilter),
  sortable: ['from', 'to'],
  reply: Page(PromotionRow),
});

export const PromotionForm = z
  .object({
    name: Text(100, '活动'),
    kind: PromotionKind,
    site: Site.meta({ title: '店铺/站点', kind: 'choice' }),
    expected: z
      .string()
      .trim()
      .regex(/^\d{1,2}(\.\d{1,2})?$/, '请输入 0.1 到 50 的倍数，最多两位小数')
      .refine((value) => Number(value) >= 0.1 && Number(value) <= 50, '请输入 0.1 到 50 的倍数，最多两位小数')
      .optional()
      .meta({ title: '预期倍数', kind: 'rate', tip: expectedTip }),
    from: Day.meta({ title: '开始' }),
    to: Day.meta({ title: '结束' }),
    skus: z
      .array(z.string().trim().min(1).max(60))
      .max(MOST_SKUS, `一个活动最多 ${MOST_SKUS} 个 MSKU`)
      .default([])
      .meta({ title: '参加的MSKU' }),
  })
  .refine(({ from, to }) => from <= to, { message: '结束日期不能早于开始日期', path: ['to'] });

/** Puts a promotion into the calendar, or changes one; forecasts go by it from the next run on. */
export const savePromotion = endpoint({
  title: '保存促销活动',
  method: 'POST',
  path: `${base}/promotion/save`,
  permission: EDIT,
  body: z.object({ id: Id.optional(), version: z.int().optional(), promotion: PromotionForm }),
  reply: z.object({ id: Id }),
});

const Ids = z.array(Id).min(1, '请选择活动').max(200, '一次最多 200 个活动').meta({ title: '活动' });

/** Takes promotions out of the calendar. */
export const dropPromotions = endpoint({
  title: '删除促销活动',
  method: 'POST',
  path: `${base}/promotion/delete`,
  permission: EDIT,
  body: z.object({ ids: Ids }),
  reply: z.object({ count: z.int() }),
});

/** Plans promotions once more, 52 weeks later: on the same weekdays. One that is in the calendar already is left alone. */
export const copyPromotions = endpoint({
  title: '复制促销活动到下一年',
  method: 'POST',
  path: `${base}/promotion/copy`,
  permission: EDIT,
  body: z.object({ ids: Ids }),
  reply: z.object({ count: z.int() }),
});
