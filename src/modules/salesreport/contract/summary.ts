import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Money, Quantity, Rate, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { EXPORT, GOODS, SalesFilter, VIEW } from './fields.ts';

const base = '/amazon/api/v1/orders/summary';

export const SummaryGroup = Choice(
  { all: '总计', store: '店铺', site: '站点', owner: '负责人', category: '品类', parent: '父ASIN' },
  '分组',
);
export type SummaryGroup = z.infer<typeof SummaryGroup>;

const { grain: _, ...shared } = SalesFilter.shape;
export const SummaryFilter = z.object({
  group: SummaryGroup,
  grain: Choice({ week: '周', month: '月' }, '周期'),
  ...shared,
  ...GOODS,
});
const AnySummaryFilter = SummaryFilter.partial();
export type SummaryFilter = z.infer<typeof AnySummaryFilter>;

/** A period that the days asked for do not fill, or that is not over. */
export const Fullness = States(
  { full: { title: '完整', tone: 'off' }, partial: { title: '未满', tone: 'waiting' } },
  '周期',
);

const Amount = Money.nullable().meta({ currency: 'currency', permission: AMOUNTS, width: 116 });
const change = (title: string, group: string, tip: string, more: object = {}) =>
  Rate.nullable().meta({ title, group, tip, width: 88, good: 'up', ...more });
const PREVIOUS = '与上一周、上一月比；未满的周期只比相同天数';
const YEAR = '与去年同月、52周前的同一周比；未满的周期只比相同天数';

/** Figures of a period; null is what is not known, or a division by zero. */
export const Sold = {
  orders: Quantity.nullable().meta({
    title: '订单数',
    width: 80,
    good: 'up',
    tip: '去重；负责人、品类、父ASIN或商品筛选超过92天时不计',
  }),
  orderItems: Quantity.meta({ title: '订单行', width: 80, optional: true }),
  units: Quantity.meta({ title: '销量', width: 80, good: 'up' }),
  cancelledUnits: Quantity.meta({ title: '取消件', width: 76, good: 'down', tip: '下单件数 − 销量' }),
  returnedUnits: Quantity.meta({ title: '退货量', width: 76, good: 'down', tip: 'FBA退货，按退货日' }),
  productSales: Amount.meta({ title: '商品销售额', tip: '未减折扣；未付款订单按当时报价估计' }),
  discount: Amount.meta({ title: '折扣' }),
  netSales: Amount.meta({ title: '净销售额', tip: '商品销售额 − 折扣' }),
  asp: Amount.meta({ title: '件均价', tip: '商品销售额 ÷ 销量', width: 96 }),
  aov: Amount.meta({ title: '客单价', tip: '净销售额 ÷ 订单数', width: 96 }),
  returnRate: Rate.nullable().meta({
    title: '退货率',
    width: 84,
    good: 'down',
    tip: '期间退货量 ÷ 期间销量，可能超过100%',
  }),
};

export const SummaryRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  key: z.string().meta({ title: '分组', hidden: true }),
  from: Day.meta({ title: '开始', hidden: true }),
  to: Day.meta({ title: '结束', hidden: true }),
  period: z.string().meta({ title: '周期', kind: 'text', width: 130, pinned: 'left' }),
  fullness: Fullness.meta({ title: '完整性', width: 84 }),
  name: z.string().meta({ title: '分组', kind: 'text', width: 150 }),
  ...Sold,
  adSpend: Amount.meta({ title: '广告费', tip: '含品牌推广；按配送方式或客户类型筛选时不计' }),
  acoas: Rate.nullable().meta({
    title: 'ACoAS',
    width: 84,
    good: 'down',
    tip: '广告费 ÷ 商品销售额',
    permission: AMOUNTS,
  }),
  unitsPrevious: change('环比', '销量变化', PREVIOUS),
  unitsYear: change('同比', '销量变化', YEAR),
  salesPrevious: change('环比', '净销售额变化', PREVIOUS, { permission: AMOUNTS }),
  salesYear: change('同比', '净销售额变化', YEAR, { permission: AMOUNTS }),
  currency: z.string().meta({ title: '币种', hidden: true }),
});
export type SummaryRow = z.infer<typeof SummaryRow>;

export const listSummary = endpoint({
  title: '周/月汇总',
  method: 'POST',
  path: `${base}/periods`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SummaryFilter),
  sortable: ['orders', 'units', 'productSales', 'netSales', 'returnedUnits', 'adSpend'],
  reply: Page(SummaryRow),
});

export const exportSummary = endpoint({
  title: '导出周/月汇总',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(SummaryFilter),
  reply: z.unknown(),
});

const Span = z.object({ from: Day, to: Day });
/** What stands over the rows of a report: its periods, the oldest first, and how its amounts came into one currency. */
export const SalesChart = z.object({
  period: Span,
  before: Span.nullable(),
  /** The first day of which sales are known; null before the first order. Earlier days are held against nothing. */
  since: Day.nullable(),
  currency: z.string(),
  converted: z.boolean(),
  missingRates: z.array(z.string()),
  points: z.array(
    z.object({
      title: z.string(),
      from: Day,
      to: Day,
      partial: z.boolean(),
      /** Null before anything is known. */
      units: z.int().nullable(),
      orders: z.int().nullable(),
      netSales: Money.nullable(),
      /** Of the period that this one is held against; null where it is not over. */
      unitsBefore: z.int().nullable(),
      ordersBefore: z.int().nullable(),
    }),
  ),
  /** Mean of the periods that are full, two decimals; null without one. */
  meanUnits: z.string().nullable(),
  meanOrders: z.string().nullable(),
});
export type SalesChart = z.infer<typeof SalesChart>;

export const chartSummary = endpoint({
  title: '周/月汇总走势',
  method: 'POST',
  path: `${base}/chart`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: SummaryFilter.partial().prefault({}) }),
  reply: SalesChart,
});
