import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Decimal, Id, Money, Product, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DayRange, PRICE } from './fields.ts';

const REPORT = 'erp:report:purchase:view';

export const Dimension = Choice(
  { SUPPLIER: '按供应商', PRODUCT: '按商品', BUYER: '按采购员', MONTH: '按月份' },
  '统计维度',
);
export type Dimension = z.infer<typeof Dimension>;

const cny = (title: string, tip?: string) =>
  Money.nullable().meta({ title, currency: 'CNY', width: 130, permission: PRICE, ...(tip ? { tip } : {}) });
const pieces = (title: string, width = 90) => z.int().meta({ title, kind: 'integer', width });

/** Purchases of one supplier, product, buyer or month: orders that were placed in the period, in CNY. */
export const SummaryRow = z.object({
  id: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '名称', width: 240, pinned: 'left' }),
  orders: pieces('采购单数'),
  qty: pieces('采购数量'),
  amount: cny('采购金额', '含分摊的运费和费用，外币按下单汇率'),
  averagePrice: cny('采购均价', '采购金额 ÷ 采购数量'),
  received: pieces('入库数量'),
  returned: pieces('退货数量'),
  net: pieces('入库净额'),
  open: pieces('待入库'),
  due: cny('应付金额'),
  actualPrice: cny('实际单价', '应付金额 ÷ 入库净额'),
  defectShare: Rate.nullable().meta({ title: '次品率', width: 90, good: 'down' }),
});
export type SummaryRow = z.infer<typeof SummaryRow>;

export const SummaryFilter = z.object({
  dimension: Dimension,
  placed: DayRange('下单日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
});
const AnySummary = SummaryFilter.partial();
export type SummaryFilter = z.infer<typeof AnySummary>;

/** One line of an order that was placed: what came of it, and how long it took. */
export const DetailRow = z.object({
  id: Id,
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150, pinned: 'left' }),
  orderId: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 140, optional: true }),
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  qty: pieces('采购数量'),
  unitPrice: Money.nullable().meta({ title: '单价', currency: 'currency', width: 100, permission: PRICE }),
  amount: Money.nullable().meta({ title: '金额', currency: 'currency', width: 120, permission: PRICE }),
  currency: Currency.meta({ optional: true }),
  received: pieces('入库'),
  rejected: pieces('次品', 70),
  returned: pieces('退货', 70),
  cancelled: pieces('不再到货', 80),
  open: pieces('待入库'),
  due: Money.nullable().meta({ title: '应付', currency: 'currency', width: 120, permission: PRICE }),
  placedOn: Day.meta({ title: '下单日期', width: 110 }),
  promisedOn: Day.nullable().meta({ title: '首次承诺', width: 110 }),
  firstOn: Day.nullable().meta({ title: '首次到货', width: 110 }),
  lastOn: Day.nullable().meta({ title: '末次到货', width: 110 }),
  leadDays: Decimal.nullable().meta({ title: '交货天数', width: 90, tip: '下单到到货的天数，按到货数量加权' }),
  lateDays: z.int().nullable().meta({ title: '逾期天数', kind: 'integer', width: 90, good: 'down' }),
  buyer: z.string().meta({ title: '采购员', kind: 'person', width: 100 }),
});
export type DetailRow = z.infer<typeof DetailRow>;

export const DetailFilter = z.object({
  placed: DayRange('下单日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  sku: z.array(z.string().max(100)).max(200).meta({ title: 'SKU', kind: 'code' }),
  open: z.boolean().meta({ title: '还有未到', optional: true }),
});
const AnyDetail = DetailFilter.partial();
export type DetailFilter = z.infer<typeof AnyDetail>;

const at = <const S extends string>(part: S) => `${base}/purchaseReport/${part}` as const;
const listOf = <F extends z.ZodObject, R extends z.ZodType>(
  title: string,
  part: string,
  filter: F,
  row: R,
  sortable: readonly string[],
) =>
  endpoint({
    title,
    method: 'POST',
    path: at(part),
    permission: REPORT,
    access: 'read',
    body: PageQuery(filter),
    sortable,
    reply: Page(row),
  });
const fileOf = <F extends z.ZodObject>(title: string, part: string, filter: F) =>
  endpoint({
    title,
    method: 'POST',
    path: at(part),
    permission: REPORT,
    access: 'read',
    file: true,
    body: ExportQuery(filter),
    reply: z.unknown(),
  });

export const purchaseSummary = listOf('采购统计', 'summary', SummaryFilter, SummaryRow, [
  'name',
  'orders',
  'qty',
  'amount',
  'received',
  'returned',
  'net',
  'open',
  'due',
]);
export const exportSummary = fileOf('导出采购统计', 'summary/export', SummaryFilter);
export const purchaseDetail = listOf('采购明细', 'detail', DetailFilter, DetailRow, [
  'order',
  'qty',
  'amount',
  'placedOn',
  'promisedOn',
]);
export const exportDetail = fileOf('导出采购明细', 'detail/export', DetailFilter);
