import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Decimal, Id, Instant, Money, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { EXPORT, Transport, VIEW } from '../fields.ts';
import { COST } from '../freight/fields.ts';
import { ShipState } from '../order.ts';
import { OrdersFilter, reportBase } from './fields.ts';

const FEE = { currency: 'CNY', permission: COST } as const;
const at = (title: string) => Instant.nullable().meta({ title, width: 130 });
const days = (title: string, tip: string) =>
  Decimal.nullable().meta({ title, tip, kind: 'rate', width: 100, good: 'down' });

/** One ship order: where it went, when each step was taken, what came of it and what it cost. kg, m³, CNY. */
export const ShipOrderReportRow = z.object({
  id: Id,
  number: z.string().meta({ title: '发货单', kind: 'code', width: 150, pinned: 'left' }),
  state: ShipState.meta({ width: 100 }),
  shipmentNos: z.string().meta({ title: '货件编号', kind: 'code', width: 160 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 140 }),
  warehouse: z.string().meta({ title: '发货仓', width: 120 }),
  centers: z.string().meta({ title: '配送中心', kind: 'code', width: 110 }),
  carrier: z.string().meta({ title: '物流商/渠道', width: 160 }),
  transport: Transport.meta({ width: 90 }),
  skus: Quantity.meta({ title: 'SKU数', width: 76 }),
  planned: Quantity.meta({ title: '计划', width: 80 }),
  shipped: Quantity.meta({ title: '发货', width: 80 }),
  received: Quantity.meta({ title: '接收', width: 80 }),
  boxes: Quantity.meta({ title: '箱数', width: 70 }),
  weight: Decimal.nullable().meta({ title: '装箱重(kg)', kind: 'rate', width: 100 }),
  volume: Decimal.nullable().meta({ title: '体积(m³)', kind: 'rate', width: 96 }),
  billable: Decimal.nullable().meta({ title: '计费量', kind: 'rate', width: 90 }),
  fee: Money.nullable().meta({ title: '总费用', ...FEE, width: 110, tip: '运费与关税；已结为账单，其余为暂估' }),
  createdAt: at('创建'),
  approvedAt: at('审核'),
  pickedAt: at('配货'),
  packedAt: at('装箱'),
  shippedAt: at('出库'),
  receivingAt: at('开始接收'),
  doneAt: at('完成'),
  shipDays: days('发货时效(天)', '创建到出库'),
  receiveDays: days('收货时效(天)', '出库到开始接收'),
  totalDays: days('总时效(天)', '创建到完成'),
});
export type ShipOrderReportRow = z.infer<typeof ShipOrderReportRow>;

const SORTABLE = [
  'number',
  'planned',
  'shipped',
  'received',
  'fee',
  'createdAt',
  'shippedAt',
  'shipDays',
  'receiveDays',
  'totalDays',
];

export const listShipOrderReport = endpoint({
  title: '发货详情与时效',
  method: 'POST',
  path: `${reportBase}/detail`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(OrdersFilter),
  sortable: SORTABLE,
  reply: Page(ShipOrderReportRow),
});

export const exportShipOrderReport = endpoint({
  title: '导出发货详情与时效',
  method: 'POST',
  path: `${reportBase}/detail/export`,
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(OrdersFilter),
  reply: z.unknown(),
});
