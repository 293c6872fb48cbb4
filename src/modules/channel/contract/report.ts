import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Decimal, Id, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, EXPORT, InCurrency, MONEY, MONEY_SORT, Period, Platform, SalesFilter, VIEW } from './fields.ts';

/** What a product sold at a shop in a country. Units are as sold: a bundle is one. */
export const ReportRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  product: Product.meta({ title: '本地SKU', kind: 'product', width: 260, pinned: 'left' }),
  platform: Platform.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  currency: Currency.meta({ optional: true }),
  units: Decimal.meta({ title: '销量', width: 80, group: '销售', good: 'up', tip: '按本地SKU折算，组合产品不拆' }),
  ...MONEY,
  uncosted: Decimal.meta({ title: '缺成本件数', group: '利润', width: 96, optional: true, good: 'down' }),
});
export type ReportRow = z.infer<typeof ReportRow>;

export const ReportFilter = SalesFilter.extend({ date: Period, currency: InCurrency });
const AnyReportFilter = ReportFilter.partial();
export type ReportFilter = z.infer<typeof AnyReportFilter>;

export const salesReport = endpoint({
  title: 'ERP销售报表',
  method: 'POST',
  path: `${base}/report`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ReportFilter),
  sortable: ['units', 'uncosted', ...MONEY_SORT],
  reply: Page(ReportRow),
});

export const exportReport = endpoint({
  title: '导出ERP销售报表',
  method: 'POST',
  path: `${base}/report/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(ReportFilter),
  reply: z.unknown(),
});

/** Which rates of a filter's days are missing, as "JPY 2026-07-15": what was sold in them has no amount and no part in sums. */
export const missingRates = endpoint({
  title: 'ERP销售报表缺少的汇率',
  method: 'POST',
  path: `${base}/report/missingRates`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReportFilter.partial().default({}) }),
  reply: z.object({ from: Day, to: Day, missing: z.array(z.string()), more: z.int() }),
});

/** A line of an order of another platform. */
export const OrderRow = z.object({
  id: Id,
  orderNo: z.string().meta({ title: '订单号', kind: 'code', width: 170, pinned: 'left' }),
  day: Day.meta({ title: '下单日期', width: 110 }),
  platform: Platform.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  product: Product.nullable().meta({ title: '本地SKU', kind: 'product', width: 240 }),
  platformSku: z.string().meta({ title: '平台SKU', kind: 'code', width: 140 }),
  warehouse: z.string().meta({ title: '发货仓库', kind: 'text', width: 110, optional: true }),
  tracking: z
    .string()
    .nullable()
    .meta({ title: '追踪号', kind: 'code', width: 170, optional: true, tip: '由多渠道订单回传' }),
  currency: Currency.meta({ optional: true }),
  qty: Quantity.meta({ title: '数量', width: 72, group: '销售', tip: '平台SKU的件数；0 为已取消' }),
  units: Quantity.nullable().meta({
    title: '销量',
    width: 72,
    group: '销售',
    tip: '折算为本地SKU的件数；未配对时留空',
  }),
  ...MONEY,
});
export type OrderRow = z.infer<typeof OrderRow>;

export const salesOrders = endpoint({
  title: 'ERP销售订单',
  method: 'POST',
  path: `${base}/orders`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ReportFilter),
  sortable: ['day', 'qty', 'units', ...MONEY_SORT],
  reply: Page(OrderRow),
});

export const exportOrders = endpoint({
  title: '导出ERP销售订单',
  method: 'POST',
  path: `${base}/orders/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(ReportFilter),
  reply: z.unknown(),
});
