import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Decimal, Money, Quantity } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { EXPORT, VIEW } from '../fields.ts';
import { COST } from '../freight/fields.ts';
import { OrdersFilter, ReportBy, reportBase } from './fields.ts';

const FEE = { currency: 'CNY', permission: COST } as const;
const pieces = (title: string, meta: object = {}) => Quantity.meta({ title, width: 92, ...meta });

/**
 * What was planned, sent and received of the ship orders that share something. Boxes, weights and volume are those of whole
 * orders, so by SKU they are not told. kg, m³, CNY.
 */
export const ShipSumRow = z.object({
  id: z.string(),
  name: z.string().meta({ title: '统计项', width: 220, pinned: 'left' }),
  orders: pieces('票数', { tip: '计划发货的发货单数' }),
  abnormal: pieces('异常票数', { tip: '已完成而接收与发货不一致的发货单数', good: 'down' }),
  planned: pieces('计划发货'),
  shipped: pieces('实际发货', { tip: '已出库发货单的发货数量' }),
  received: pieces('实际接收'),
  diff: Quantity.nullable().meta({ title: '接收差异', width: 92, tip: '接收减发货，只算已完成的发货单；负数为少收' }),
  toShip: pieces('待发货', { tip: '未出库发货单的计划数量' }),
  toReceive: pieces('待接收', { tip: '已出库、未完成的发货单：发货 − 接收 − 丢失' }),
  boxes: Quantity.nullable().meta({ title: '箱数', width: 80, tip: '按SKU统计时一箱可有多个SKU，不显示' }),
  weight: Decimal.nullable().meta({ title: '装箱重(kg)', kind: 'rate', width: 100 }),
  volume: Decimal.nullable().meta({ title: '体积(m³)', kind: 'rate', width: 100 }),
  billable: Decimal.nullable().meta({
    title: '计费量',
    kind: 'rate',
    width: 100,
    tip: '渠道或账单计费的 kg；按体积计费的渠道为 m³',
  }),
  freight: Money.nullable().meta({ title: '运费', ...FEE, width: 110, tip: '已结为账单，其余为暂估' }),
  duty: Money.nullable().meta({ title: '关税', ...FEE, width: 110 }),
  value: Money.nullable().meta({
    title: '货值',
    ...FEE,
    width: 120,
    tip: '已出库货物的库存成本，不含本次头程；按出库时的成本批次，月结后按月结成本',
  }),
  days: Decimal.nullable().meta({
    title: '平均时效(天)',
    kind: 'rate',
    width: 110,
    tip: '出库到开始接收，只算两个时间都有的发货单',
    good: 'down',
  }),
});
export type ShipSumRow = z.infer<typeof ShipSumRow>;

/** What rows stand for comes first: it is the question. */
export const ShipSumFilter = z.object({ by: ReportBy, ...OrdersFilter.shape });
const AnySum = ShipSumFilter.partial();
export type ShipSumFilter = z.infer<typeof AnySum>;

const SORTABLE = [
  'orders',
  'abnormal',
  'planned',
  'shipped',
  'received',
  'diff',
  'toReceive',
  'boxes',
  'billable',
  'freight',
  'value',
  'days',
];

export const listShipSums = endpoint({
  title: '发货统计',
  method: 'POST',
  path: `${reportBase}/summary`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ShipSumFilter),
  sortable: SORTABLE,
  reply: Page(ShipSumRow),
});

export const exportShipSums = endpoint({
  title: '导出发货统计',
  method: 'POST',
  path: `${reportBase}/summary/export`,
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ShipSumFilter),
  reply: z.unknown(),
});
