import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DemandClass, EXPORT, ForecastFilter, Model, share, VIEW } from './fields.ts';

export const AccuracyFilter = ForecastFilter.pick({
  sites: true,
  keyword: true,
  skus: true,
  class: true,
  model: true,
}).extend({
  origins: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '预测日', kind: 'date' }),
});
const AnyAccuracyFilter = AccuracyFilter.partial();
export type AccuracyFilter = z.infer<typeof AnyAccuracyFilter>;

const Measures = {
  actual: Quantity.meta({ title: '实际销量', width: 92 }),
  wape: share('WAPE', 'Σ|实际−预测| ÷ Σ实际，按天', { good: 'down' }),
  bias: share('偏差', 'Σ(预测−实际) ÷ Σ实际'),
  naive: share('昨日持平', '同期昨日持平法的WAPE', { group: '对照WAPE' }),
  seasonal: share('上周同日', '同期上周同日法的WAPE', { group: '对照WAPE' }),
  lastYear: share('去年同期', '同期去年同日法的WAPE，仅计有去年数据的商品', { group: '对照WAPE' }),
  better: share('相对朴素提升', '1 − WAPE ÷ 昨日持平法的WAPE', { good: 'up' }),
  added: share('干预增值', '模型WAPE − 发布WAPE，大于0说明干预有益', { good: 'up' }),
  coverage80: share('P80覆盖率', '实际不超过P80的比例，应接近80%'),
  coverage90: share('P90覆盖率', '实际不超过P90的比例，应接近90%'),
  pinball: share('分位损失', 'P50/P80/P90/P95的平均弹球损失 ÷ 实际', { good: 'down' }),
};

export const AccuracyRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 140 }),
  class: DemandClass.meta({ width: 100 }),
  model: Model.meta({ width: 150 }),
  origins: Quantity.meta({ title: '期数', width: 72 }),
  simulated: Quantity.meta({ title: '回测期数', width: 84, tip: '事后按当时已知数据模拟，不是当时发布的预测' }),
  ...Measures,
});
export type AccuracyRow = z.infer<typeof AccuracyRow>;

export const listAccuracy = endpoint({
  title: '预测准确率',
  method: 'POST',
  path: `${base}/accuracy`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(AccuracyFilter),
  sortable: ['actual', 'wape', 'bias', 'better', 'added'],
  reply: Page(AccuracyRow),
});

export const exportAccuracy = endpoint({
  title: '导出预测准确率',
  method: 'POST',
  path: `${base}/accuracyExport`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(AccuracyFilter),
  reply: z.unknown(),
});

export const AccuracyBy = Choice({ class: '需求类型', model: '模型', origin: '预测日' }, '分组');

/** All items together, and by class, model or origin: errors of all days divided by all sales, never a mean of ratios. */
export const accuracySummary = endpoint({
  title: '预测准确率汇总',
  method: 'POST',
  path: `${base}/accuracySummary`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ by: AccuracyBy.default('class'), filter: AccuracyFilter.partial().default({}) }),
  reply: z.object({
    all: z.object({ items: z.int(), ...Measures }),
    parts: z.array(z.object({ key: z.string(), name: z.string(), items: z.int(), ...Measures })),
  }),
});
