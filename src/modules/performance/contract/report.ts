import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Money, Quantity, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

export const VIEW = 'fin:performance:view';
/** Without it a member sees his own row only. */
export const ALL = 'fin:performance:all:view';
export const EDIT = 'fin:performance:edit';
export const EXPORT = 'fin:performance:export';
/** What tells costs: the profit, and whatever it can be reckoned from. */
const COST = 'fin:cost:view';

/** Months of one report, at most. */
export const MOST_MONTHS = 12;
export const root = '/erp/api/v1/finance/performance';

/** A month "yyyy-MM". */
export const Month = (title: string) =>
  z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '月份格式为 2026-01')
    .meta({ title, kind: 'month' });

const money = (title: string, extra: object = {}) =>
  Money.nullable().meta({ title, currency: 'CNY', width: 130, ...extra });
const share = (title: string, extra: object = {}) => Rate.nullable().meta({ title, width: 96, ...extra });

const FIGURES = {
  netSales: money('净销售额', { good: 'up', tip: '销售额 + 促销 + 退款，不含税；按利润报表的月汇率折算' }),
  units: Quantity.meta({ title: '销量', width: 90, good: 'up' }),
  refundUnits: Quantity.meta({ title: '退款数量', width: 96, optional: true }),
  refundRate: share('退款率', { good: 'down', tip: '退款数量 ÷ 销量' }),
  ads: money('广告费'),
  profit: money('毛利润', { good: 'up', permission: COST, tip: '与利润报表的负责人维度一致，按入账口径' }),
  margin: share('毛利率', { good: 'up', permission: COST, tip: '毛利润 ÷ 净销售额' }),
  target: money('目标', { tip: '毛利润目标' }),
  achieved: share('达成率', { good: 'up', permission: COST, tip: '有目标的月份的毛利润 ÷ 目标' }),
  commission: money('提成', {
    permission: COST,
    tip: '逐人逐月：毛利润 × 达成率所在档的比例，四舍五入到分；亏损为 0，没有目标按第一档',
  }),
};

/** What the listings of one person earned in some months, in CNY. */
export const PerformanceRow = z.object({
  /** Id of the member; "none" is what nobody answers for. */
  id: z.string().meta({ title: '行', hidden: true }),
  name: z
    .string()
    .meta({ title: '负责人', width: 160, pinned: 'left', tip: '按当日负责人：改派后，改派之前的业绩仍归原负责人' }),
  department: z.string().nullable().meta({ title: '部门', width: 140 }),
  ...FIGURES,
});
export type PerformanceRow = z.infer<typeof PerformanceRow>;

/** The same of one month. */
export const PerformanceMonth = z.object({
  month: z.string().meta({ title: '月份', kind: 'code', width: 90, pinned: 'left' }),
  ...FIGURES,
});
export type PerformanceMonth = z.infer<typeof PerformanceMonth>;

const { netSales, units, refundRate, ads, profit, margin, target, achieved, commission } = FIGURES;
export const SORTABLE = [
  'name',
  ...Object.keys({ netSales, units, refundRate, ads, profit, margin, target, achieved, commission }),
];

/** This month where no month is named. */
export const PerformanceFilter = z.object({
  from: Month('起始月份'),
  to: Month('截止月份'),
  members: z.array(Id).max(200).meta({ title: '负责人' }),
});
const Loose = PerformanceFilter.partial();
export type PerformanceFilter = z.infer<typeof Loose>;

export const listPerformance = endpoint({
  title: '业绩报告列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(PerformanceFilter),
  sortable: SORTABLE,
  reply: Page(PerformanceRow),
});

export const exportPerformance = endpoint({
  title: '导出业绩报告',
  method: 'POST',
  path: `${root}/export`,
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(PerformanceFilter),
  reply: z.unknown(),
});

export const performanceMonths = endpoint({
  title: '月度业绩',
  method: 'POST',
  path: `${root}/months`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    /** As `id` of a row. */
    person: z.union([z.uuid(), z.literal('none')]).meta({ title: '负责人' }),
    from: Month('起始月份'),
    to: Month('截止月份'),
  }),
  reply: z.object({ row: PerformanceRow, months: z.array(PerformanceMonth) }),
});

/** People whose figures the caller may see, who may work now. */
export const performancePeople = endpoint({
  title: '业绩人员',
  method: 'GET',
  path: `${root}/people`,
  permission: VIEW,
  access: 'read',
  reply: z.array(z.object({ id: z.uuid(), name: z.string() })),
});
