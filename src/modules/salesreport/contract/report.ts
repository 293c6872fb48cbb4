import { z } from 'zod';
import { Comparison } from '#kit/contract/compare.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Quantity, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { EXPORT, SalesFilter, VIEW } from './fields.ts';
import { Fullness, SalesChart, Sold } from './summary.ts';

const base = '/amazon/api/v1/sales/report';

export const ReportFilter = z.object({
  ...SalesFilter.shape,
  compare: Comparison,
  fulfilledBy: SalesFilter.shape.fulfilledBy.meta({ optional: false }),
  buyer: SalesFilter.shape.buyer.meta({ optional: false }),
});
const AnyReportFilter = ReportFilter.partial();
export type ReportFilter = z.infer<typeof AnyReportFilter>;

const { orders, orderItems, units, cancelledUnits, productSales, discount, netSales, asp, aov } = Sold;
const Change = Rate.nullable().meta({ width: 88, good: 'up' });

export const ReportRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  from: Day.meta({ title: '开始', hidden: true }),
  to: Day.meta({ title: '结束', hidden: true }),
  period: z.string().meta({ title: '周期', kind: 'text', width: 140, pinned: 'left' }),
  fullness: Fullness.meta({ title: '完整性', width: 84 }),
  units,
  unitsBefore: Quantity.nullable().meta({ title: '对比期销量', width: 100 }),
  unitsChange: Change.meta({ title: '销量变化', tip: '（本期 − 对比期）÷ 对比期；未结束的日子两边都不计' }),
  orders: orders.meta({ tip: '去重；按商品筛选超过92天时不计' }),
  ordersBefore: Quantity.nullable().meta({ title: '对比期订单数', width: 108 }),
  ordersChange: Change.meta({ title: '订单变化', tip: '（本期 − 对比期）÷ 对比期；未结束的日子两边都不计' }),
  orderItems,
  cancelledUnits,
  productSales,
  discount,
  netSales,
  asp,
  aov,
  currency: z.string().meta({ title: '币种', hidden: true }),
});
export type ReportRow = z.infer<typeof ReportRow>;

export const listReport = endpoint({
  title: '销售报表',
  method: 'POST',
  path: base,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ReportFilter),
  sortable: ['units', 'orders', 'productSales', 'netSales'],
  reply: Page(ReportRow),
});

export const exportReport = endpoint({
  title: '导出销售报表',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(ReportFilter),
  reply: z.unknown(),
});

export const chartReport = endpoint({
  title: '销售报表走势',
  method: 'POST',
  path: `${base}/chart`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReportFilter.partial().prefault({}) }),
  reply: SalesChart,
});
