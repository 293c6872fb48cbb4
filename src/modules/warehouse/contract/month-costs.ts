import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Decimal, Id, Money, OptionalText, Product, Quantity } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/inventory/periods/costs';
const cny = (title: string, tip?: string) =>
  Money.meta({ title, width: 120, currency: 'CNY', ...(tip ? { tip } : {}) });
const pieces = (title: string) => Quantity.meta({ title, width: 92 });

/** What a product in a warehouse was worth in a month, and what its issues took of it: see `month_price` of the ledger. */
export const MonthCostRow = z.object({
  id: z.string(),
  /** yyyy-MM */
  month: z.string().meta({ title: '账期', kind: 'code', width: 90, pinned: 'left' }),
  product: Product.meta({ title: '产品', kind: 'product', width: 260, pinned: 'left' }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 120 }),
  qty: pieces('期初+入库'),
  amount: cny('期初+入库金额'),
  unitCost: Decimal.meta({ title: '月末加权单价', width: 120, tip: '（期初金额 + 入库金额）÷（期初数量 + 入库数量）' }),
  issuedQty: pieces('出库'),
  provisional: cny('暂估出库成本', '关账前按先进先出暂估的成本'),
  issuedAmount: cny('出库成本', '出库数量 × 月末加权单价，尾差留给库存'),
  difference: cny('调整金额', '出库成本 − 暂估出库成本'),
  closingQty: pieces('期末'),
  closingAmount: cny('期末金额'),
  productId: Id,
  warehouseId: Id,
});
export type MonthCostRow = z.infer<typeof MonthCostRow>;

export const MonthCostFilter = z.object({
  month: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '请输入月份，例如 2026-01')
    .meta({ title: '账期', kind: 'text' }),
  warehouses: z.array(z.uuid()).max(100).meta({ title: '仓库' }),
  keyword: OptionalText(100, 'SKU/名称'),
});
export type MonthCostFilter = Loose<z.infer<typeof MonthCostFilter>>;

export const listMonthCosts = endpoint({
  title: '月末加权结转',
  method: 'POST',
  path: `${base}/list`,
  permission: 'erp:inv:cost',
  access: 'read',
  body: PageQuery(MonthCostFilter),
  sortable: ['month', 'product', 'warehouse', 'issuedAmount', 'difference'],
  reply: Page(MonthCostRow),
});

export const exportMonthCosts = endpoint({
  title: '导出月末加权结转',
  method: 'POST',
  path: `${base}/export`,
  permission: 'erp:inv:export',
  file: true,
  body: ExportQuery(MonthCostFilter),
  reply: z.unknown(),
});
