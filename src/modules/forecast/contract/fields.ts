import { z } from 'zod';
import { Choice, Decimal, OptionalText, Rate } from '#kit/contract/field.ts';
import { Site } from '#modules/listing/contract.ts';

export const VIEW = 'amz:forecast:view';
export const EDIT = 'amz:forecast:edit';
export const EXPORT = 'amz:forecast:export';
export const RUN = 'amz:forecast:run';

export const base = '/amazon/api/v1/sales/forecast';

export const DemandClass = Choice(
  { smooth: '平稳', erratic: '波动', intermittent: '间断', lumpy: '间断且波动', new: '新品', ending: '清仓' },
  '需求类型',
);
export type DemandClass = z.infer<typeof DemandClass>;

/** What can be chosen for an item, as people call it. */
export const Model = Choice(
  {
    ensemble: '组合最优',
    naive: '昨日持平',
    seasonalNaive: '上周同日',
    weightedAverage: '加权平均',
    ses: '指数平滑',
    week1: '按周缓变 1%',
    week3: '按周缓变 3%',
    week6: '按周缓变 6%',
    week12: '按周缓变 12%',
    week24: '按周缓变 24%',
    holtWinters: 'Holt-Winters',
    annual: '年度季节',
    sharedTrend: '同类趋势',
    croston: 'Croston',
    sba: 'SBA',
    tsb: 'TSB',
    tsbQuick: 'TSB（快）',
    reference: '参考品',
  },
  '模型',
);
export type Model = z.infer<typeof Model>;

/** Units of something that need not be whole, as text with two decimals. */
export const units = (title: string, meta: object = {}) => Decimal.meta({ title, width: 80, ...meta });
export const share = (title: string, tip: string, meta: object = {}) =>
  Rate.nullable().meta({ title, tip, width: 92, ...meta });

export const ForecastFilter = z.object({
  tab: Choice({ overridden: '有干预', new: '新品', out: '断货中', moved: '变动超过30%' }, '范围'),
  sites: z.array(Site).max(200).meta({ title: '店铺/主销站点' }),
  keyword: OptionalText(100, '标题/MSKU/ASIN'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个').meta({ title: 'MSKU' }),
  class: z.array(DemandClass).max(6).meta({ title: '需求类型' }),
  model: z.array(Model).max(20).meta({ title: '模型', optional: true }),
});
const AnyForecastFilter = ForecastFilter.partial();
export type ForecastFilter = z.infer<typeof AnyForecastFilter>;
