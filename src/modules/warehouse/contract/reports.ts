import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Money, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/inventory/report';
const SEE = 'erp:inv:view';
const COST = { currency: 'CNY', permission: 'erp:inv:cost' } as const;
const pieces = (title: string, width = 84) => Quantity.meta({ title, width });
const Goods = Product.meta({ title: '产品', kind: 'product', width: 260, pinned: 'left' });
const Warehouses = z.array(z.uuid()).max(100).meta({ title: '仓库' });

/** How much of a product came, went and was there over a range of days: pieces that are in a warehouse, not on the way. */
export const TurnoverRow = z.object({
  id: Id,
  product: Goods,
  opening: pieces('期初'),
  received: pieces('收货').meta({ tip: '采购和其他供方来货，已减退供方' }),
  sold: pieces('出库').meta({ tip: '发给客户和报废的数量，已减退货' }),
  dispatched: pieces('发货').meta({ tip: '发往海外仓和FBA' }),
  moved: pieces('调库').meta({ tip: '所选仓库之外的仓库之间进出' }),
  assembled: pieces('组装').meta({ tip: '组装入库为正，领用为负' }),
  counted: pieces('盘点'),
  other: pieces('其它').meta({ tip: '期初导入、换货、丢失' }),
  closing: pieces('期末'),
  difference: pieces('差异', 70).meta({ tip: '期初 + 各项变动 − 期末，恒为 0', good: 'down' }),
  average: Decimal.meta({ title: '平均库存', width: 90, tip: '每日期末数量的平均' }),
  turns: Decimal.nullable().meta({ title: '周转次数', width: 90, tip: '（出库 + 发货 + 组装领用）÷ 平均库存' }),
  days: Decimal.nullable().meta({ title: '周转天数', width: 90, tip: '天数 ÷ 周转次数' }),
});
export type TurnoverRow = z.infer<typeof TurnoverRow>;

export const TurnoverFilter = z.object({
  /** Both ends are included; the last 30 days where left out. Days of the company. */
  period: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '业务日期', kind: 'date' }),
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
});
export type TurnoverFilter = Loose<z.infer<typeof TurnoverFilter>>;

export const listTurnover = endpoint({
  title: '周转报告',
  method: 'POST',
  path: `${base}/turns`,
  permission: SEE,
  access: 'read',
  body: PageQuery(TurnoverFilter),
  sortable: ['product'],
  reply: Page(TurnoverRow),
});

export const exportTurnover = endpoint({
  title: '导出周转报告',
  method: 'POST',
  path: `${base}/turns/export`,
  permission: 'erp:inv:export',
  access: 'read',
  file: true,
  body: ExportQuery(TurnoverFilter),
  reply: z.unknown(),
});

/** All products of a filter together, and their course by day. */
export const turnoverSummary = endpoint({
  title: '周转汇总',
  method: 'POST',
  path: `${base}/turns/summary`,
  permission: SEE,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: TurnoverFilter.partial().prefault({}) }),
  reply: z.object({
    average: Decimal,
    turns: Decimal.nullable(),
    days: Decimal.nullable(),
    course: z.array(z.object({ day: Day, closing: z.int(), out: z.int() })),
  }),
});

export const Advice = States(
  {
    DEAD: { title: '无动销，建议清仓', tone: 'trouble' },
    SLOW: { title: '冗余，建议促销', tone: 'waiting' },
    FINE: { title: '正常', tone: 'done' },
  },
  '建议',
);

/** What of a product is more than will be sold in the days that it should last. */
export const UnsalableRow = z.object({
  id: Id,
  product: Goods,
  qty: pieces('当前库存'),
  d30: pieces('0-30天').meta({ group: '库龄' }),
  d60: pieces('31-60天').meta({ group: '库龄' }),
  d90: pieces('61-90天').meta({ group: '库龄' }),
  d180: pieces('91-180天').meta({ group: '库龄' }),
  d365: pieces('181-365天', 96).meta({ group: '库龄' }),
  over: pieces('365天以上').meta({ group: '库龄' }),
  out30: pieces('近30天').meta({ group: '出库' }),
  out60: pieces('近60天').meta({ group: '出库' }),
  out90: pieces('近90天').meta({ group: '出库' }),
  daysLeft: Decimal.nullable().meta({ title: '可售天数', width: 90, tip: '当前库存 ÷ 近90天日均出库' }),
  surplus: pieces('冗余库存').meta({ tip: '当前库存 − 近90天日均出库 × 目标天数', good: 'down' }),
  surplusValue: Money.nullable().meta({ title: '冗余货值', width: 110, ...COST }),
  advice: Advice.meta({ width: 140 }),
});
export type UnsalableRow = z.infer<typeof UnsalableRow>;

export const UnsalableFilter = z.object({
  advice: Advice,
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
  /** Days that stock should last; 90 where left out. */
  targetDays: z.int().min(1).max(365).meta({ title: '目标天数', kind: 'integer', optional: true }),
});
export type UnsalableFilter = Loose<z.infer<typeof UnsalableFilter>>;

export const listUnsalable = endpoint({
  title: '本地滞销',
  method: 'POST',
  path: `${base}/unsalable`,
  permission: SEE,
  access: 'read',
  body: PageQuery(UnsalableFilter),
  sortable: ['product', 'qty', 'over', 'out90', 'surplus'],
  reply: Page(UnsalableRow),
});

export const exportUnsalable = endpoint({
  title: '导出本地滞销',
  method: 'POST',
  path: `${base}/unsalable/export`,
  permission: 'erp:inv:export',
  access: 'read',
  file: true,
  body: ExportQuery(UnsalableFilter),
  reply: z.unknown(),
});
