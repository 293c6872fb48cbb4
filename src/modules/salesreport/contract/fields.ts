import { z } from 'zod';
import { Comparison } from '#kit/contract/compare.ts';
import { Choice, Day, Id, OptionalText } from '#kit/contract/field.ts';
import { Site } from '#modules/listing/contract.ts';

export const VIEW = 'amz:sales:view';
export const EXPORT = 'amz:sales:export';

/** What sales can be split by. Every row of the rollups belongs to exactly one key of each. */
export const DIMENSIONS = {
  msku: 'MSKU',
  asin: 'ASIN',
  parent: '父ASIN',
  local: '本地SKU',
  brand: '品牌',
  category: '品类',
  owner: '负责人',
  store: '店铺',
  site: '站点',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

export const Grain = Choice({ day: '日', week: '周', month: '月' }, '周期');
export type Grain = z.infer<typeof Grain>;

export const Measure = Choice(
  {
    units: '销量',
    orders: '订单数',
    productSales: '商品销售额',
    netSales: '净销售额',
    discount: '折扣',
    cancelledUnits: '取消件',
    returnedUnits: '退货量',
  },
  '指标',
);
export type Measure = z.infer<typeof Measure>;
export const MEASURE_TITLES = Object.fromEntries(
  Object.entries(Measure.meta()?.states ?? {}).map(([key, { title }]) => [key, title]),
) as Record<Measure, string>;

/** Measures that are amounts: they need the right to see amounts, and one currency. */
export const AMOUNT_MEASURES: readonly Measure[] = ['productSales', 'netSales', 'discount'];

/** 原币 where there is one currency; several are converted into CNY unless another target is chosen. */
export const Target = Choice({ auto: '原币', CNY: 'CNY', USD: 'USD', EUR: 'EUR' }, '币种');

const Days = z
  .object({ from: Day.optional(), to: Day.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '结束日期不能早于开始日期');

const Channel = Choice({ AMAZON: 'FBA', MERCHANT: 'FBM' }, '配送方式');
const Buyer = Choice({ business: '企业', person: '个人' }, '客户类型');

/** Whose sales on which days: what all three screens filter by. Days are those of each marketplace. */
export const SalesFilter = z.object({
  grain: Grain,
  dates: Days.meta({ title: '日期', kind: 'date' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  fulfilledBy: Channel.meta({ optional: true }),
  buyer: Buyer.meta({ optional: true }),
  keyword: OptionalText(100, '标题/MSKU/ASIN'),
  currency: Target,
});

/** Further filters of goods. */
export const GOODS = {
  owners: z.array(Id).max(100).meta({ title: '负责人', optional: true }),
  brands: z.array(Id).max(200).meta({ title: '品牌', optional: true }),
  categories: z.array(Id).max(200).meta({ title: '品类', optional: true }),
  parents: z.array(z.string().trim().max(20)).max(200).meta({ title: '父ASIN', kind: 'code', optional: true }),
};
const AnyFilter = SalesFilter.extend({ ...GOODS, compare: Comparison }).partial();
/** What the engine takes: a screen that lacks one of the filters leaves it out. */
export type SalesFilter = z.infer<typeof AnyFilter>;

/** Periods of one answer, and days of one reading, at most. */
export const MOST_PERIODS = 366;
/** Distinct orders are counted from the lines of so many days at most. */
export const LINE_DAYS = 92;
