import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Product, Quantity, Rate, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DemandClass, EXPORT, ForecastFilter, Model, RUN, share, units, VIEW } from './fields.ts';
import { OverrideRow } from './overrides.ts';

const daily = { group: '日均销量' };
const next = { group: '未来30天' };
const months = { group: '按月预测' };

export const ForecastRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 250, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 120 }),
  pool: z.string().meta({ title: '库存池', kind: 'text', width: 96, tip: '共用库存的站点合并预测' }),
  class: DemandClass.meta({ width: 90 }),
  model: Model.meta({ width: 100 }),
  daily7: units('7日', daily),
  daily15: units('15日', daily),
  daily30: units('30日', daily),
  pace: units('加权', { ...daily, tip: '按7/15/30日权重平均，断货日不计' }),
  outDays: Quantity.meta({ title: '断货天数', width: 80, good: 'down', tip: '近30天' }),
  sold30: Quantity.meta({ title: '近30天销量', width: 88 }),
  next30: units('预测', { ...next, tip: '含人工干预' }),
  p80: units('P80', { ...next, tip: '80%的可能不超过' }),
  p90: units('P90', { ...next, tip: '90%的可能不超过' }),
  change: share('变动', '未来30天 ÷ 近30天 − 1', next),
  month1: units('次月', months),
  month2: units('第2个月', months),
  month3: units('第3个月', months),
  wape: share('近一期WAPE', 'Σ|实际−预测| ÷ Σ实际，最近一个已结束的28天', { good: 'down' }),
  overridden: z.boolean().meta({ title: '干预', width: 72 }),
  locked: z.boolean().meta({ title: '锁定模型', width: 84, optional: true }),
  cutoff: Day.meta({ title: '数据截至', width: 110, optional: true }),
});
export type ForecastRow = z.infer<typeof ForecastRow>;

export const listForecasts = endpoint({
  title: '销售预测',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ForecastFilter),
  sortable: ['pace', 'outDays', 'sold30', 'next30', 'p90', 'change', 'month1', 'month2', 'month3'],
  reply: Page(ForecastRow),
});

export const countForecasts = endpoint({
  title: '销售预测数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ForecastFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportForecasts = endpoint({
  title: '导出销售预测',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(ForecastFilter),
  reply: z.unknown(),
});

/** An item day by day: two years of what was sold, and what is expected. Units as text, days of its marketplace. */
export const forecastSeries = endpoint({
  title: '预测明细',
  method: 'GET',
  path: `${base}/series/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: z.object({
    row: ForecastRow,
    history: z.array(z.object({ day: Day, units: z.int(), out: z.boolean() })),
    /** By weeks of seven days from the day after the cut-off on. */
    weeks: z.array(
      z.object({
        from: Day,
        to: Day,
        model: units('模型'),
        published: units('预测'),
        p80: units('P80'),
        p90: units('P90'),
      }),
    ),
    months: z.array(
      z.object({
        /** "yyyy-MM"; the present month is what is left of it. */
        month: z.string().meta({ title: '月份', kind: 'text', width: 110 }),
        model: units('模型'),
        published: units('预测'),
        lastYear: units('去年同期').nullable(),
      }),
    ),
    overrides: z.array(OverrideRow),
    references: z.array(z.string()),
    lockedModel: Model.nullable(),
    accuracy: z.array(
      z.object({
        origin: Day,
        simulated: z.boolean(),
        wape: Rate.nullable(),
        naive: Rate.nullable(),
        actual: Quantity.meta({ title: '实际销量' }),
      }),
    ),
  }),
});

/** When forecasts were made last, and whether a run is under way. */
export const forecastState = endpoint({
  title: '预测运行情况',
  method: 'GET',
  path: `${base}/state`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({ asOf: Instant.nullable(), running: z.boolean(), items: z.int() }),
});

export const runForecast = endpoint({
  title: '重新计算预测',
  method: 'POST',
  path: `${base}/run`,
  permission: RUN,
  body: z.object({}),
  reply: z.object({ accounts: z.int() }),
});
