import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Instant, Money, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { COST, EXPORT, ProfitFilter, ProfitRow, SORTABLE, VIEW } from './report.ts';

const base = '/amazon/api/v1/profit/group';
/** Months of one statement, at most. */
export const MOST_MONTHS = 24;

const { stores, date, currency, basis } = ProfitFilter.shape;

export const GroupFilter = z.object({
  view: Choice({ store: '店铺利润', monthly: '月度结算' }, '视图'),
  stores,
  date,
  currency,
  basis,
});
const AnyGroupFilter = GroupFilter.partial();
export type GroupFilter = z.infer<typeof AnyGroupFilter>;

const share = (title: string, tip: string, extra: object = {}) =>
  Rate.nullable().meta({ title, width: 92, tip, ...extra });
const PLAIN = { group: undefined };
/** Held to be opened, and shown where asked for. */
const MORE = { group: undefined, optional: true };
const HELD = { hidden: true };
const { cogs, fees, profit, margin, roi, ...report } = ProfitRow.shape;

/** A store with the figures of the profit report, and its part of all stores of the filter. */
export const GroupRow = z.object({
  id: report.id,
  sku: report.sku,
  storeKey: report.storeKey,
  goods: report.goods,
  fxMissing: report.fxMissing,
  store: report.store,
  currency: report.currency,
  product: report.product.meta(HELD),
  name: report.name.meta(HELD),
  day: report.day.meta(HELD),
  month: report.month.meta(HELD),
  units: report.units.meta(PLAIN),
  sales: report.sales.meta(PLAIN),
  salesShare: share('销售占比', '占筛选结果销售额的比例'),
  commission: report.commission.meta(PLAIN),
  fba: report.fba.meta(PLAIN),
  refund: report.refund.meta(PLAIN),
  storageShare: report.storageShare.meta({
    ...PLAIN,
    title: '仓储费',
    tip: '没有 SKU 的仓储费；有 SKU 的在 FBA 费用中',
  }),
  ads: report.ads.meta(PLAIN),
  promotion: report.promotion.meta(PLAIN),
  other: Money.nullable().meta({
    title: '其它',
    currency: 'currency',
    width: 116,
    tip: '退款费用、其它费用、其它店铺收支、赔偿、代收税与待归类',
  }),
  orders: report.orders.meta(MORE),
  refundUnits: report.refundUnits.meta(MORE),
  refundRate: report.refundRate.meta(MORE),
  netSales: report.netSales.meta(MORE),
  refundFee: report.refundFee.meta(MORE),
  otherFee: report.otherFee.meta(MORE),
  otherShare: report.otherShare.meta(MORE),
  reimbursement: report.reimbursement.meta(MORE),
  tax: report.tax.meta(MORE),
  unmapped: report.unmapped.meta(MORE),
  platformNet: report.platformNet.meta({ ...PLAIN, title: '结算收入', tip: 'SKU结算：平台上的全部收支' }),
  cogs: cogs.meta(PLAIN),
  fees: fees.meta(PLAIN),
  costMissing: report.costMissing.meta(MORE),
  settledShare: report.settledShare.meta(MORE),
  profit: profit.meta({ ...PLAIN, title: '利润' }),
  profitShare: share('利润占比', '占筛选结果利润的比例；合计不大于 0 时为空', { permission: COST, pinned: 'right' }),
  margin: margin.meta({ ...PLAIN, title: '利润率', tip: '利润 ÷ 净销售额' }),
  roi: roi.meta({ ...MORE, pinned: undefined }),
});
export type GroupRow = z.infer<typeof GroupRow>;

/** Stores, best sellers first. */
export const listGroup = endpoint({
  title: '店铺利润列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(GroupFilter),
  sortable: SORTABLE,
  reply: Page(GroupRow),
});

/** The months of a filter, oldest first, and all of them together, in one currency; months without money have no row. */
export const monthlyGroup = endpoint({
  title: '月度结算',
  method: 'POST',
  path: `${base}/monthly`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnyGroupFilter.prefault({}) }),
  reply: z.object({
    currency: Currency,
    /** Amounts of several currencies were converted. */
    converted: z.boolean(),
    /** "yyyy-MM", from the first one with money on. */
    months: z.array(z.string()),
    /** The last month is not over. */
    partial: z.boolean(),
    rows: z.array(ProfitRow),
    whole: ProfitRow.nullable(),
    missingRates: z.array(z.string()),
    asOf: Instant.nullable(),
  }),
});

export const exportGroup = endpoint({
  title: '导出店铺利润',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(GroupFilter),
  file: true,
  reply: z.unknown(),
});
