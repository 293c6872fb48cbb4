import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Money, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { COST } from './claim/claim.ts';
import { EXPORT, Transport, VIEW } from './fields.ts';
import { ShipState } from './order.ts';

const at = <const S extends string>(part: S) => `/erp/api/v1/ship/transit/${part}` as const;

/** WAY: not at Amazon's door yet. DOOR: there, and not all of it on the shelves. */
export const Stage = Choice({ WAY: '运输中', DOOR: '已到仓待上架' }, '位置');
export type Stage = z.infer<typeof Stage>;

/** Where the expected day comes from. */
export const Basis = Choice({ OWN: '自有时效', CHANNEL: '渠道时效', NONE: '未知' }, '预计依据');
export type Basis = z.infer<typeof Basis>;

const Cny = Money.nullable().meta({ currency: 'CNY', permission: COST, width: 110 });

export const TransitRow = z.object({
  id: Id,
  number: z.string().meta({ title: '发货单号', kind: 'code', width: 150, pinned: 'left' }),
  state: ShipState.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  warehouse: z.string().meta({ title: '发货仓', width: 120 }),
  shipmentNos: z.string().meta({ title: '货件编号', kind: 'code', width: 150 }),
  transport: Transport.meta({ width: 80 }),
  carrier: z.string().meta({ title: '物流商', width: 110 }),
  trackingNo: z.string().meta({ title: '追踪号', kind: 'code', width: 140, optional: true }),
  stage: Stage.meta({ width: 110 }),
  leftOn: Day.meta({ title: '出库日', width: 110 }),
  expectedOn: Day.nullable().meta({ title: '预计到仓', width: 110 }),
  latestOn: Day.nullable().meta({ title: '最晚到仓', width: 110, tip: '自有时效取 90 分位，渠道时效取最长天数' }),
  basis: Basis.meta({ width: 90 }),
  daysLate: z.int().nullable().meta({ title: '超期天数', kind: 'integer', width: 90, tip: '已过最晚到仓日的天数' }),
  deliveredOn: Day.nullable().meta({ title: '到仓日', width: 110 }),
  sent: z.int().meta({ title: '已发', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '在途数量', kind: 'integer', width: 90 }),
  value: Cny.meta({ title: '在途货值', tip: '按在途成本层的平均成本' }),
});
export type TransitRow = z.infer<typeof TransitRow>;

export const TransitFilter = z.object({
  stage: Stage,
  transport: z.array(Transport).max(10).meta({ title: '运输方式' }),
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  late: z.boolean().meta({ title: '已超期' }),
  expected: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '预计到仓', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、货件编号、追踪号、平台SKU' }),
});
const AnyFilter = TransitFilter.partial();
export type TransitFilter = z.infer<typeof AnyFilter>;

export const listTransit = endpoint({
  title: '在途列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(TransitFilter),
  sortable: ['number', 'leftOn', 'expectedOn', 'daysLate', 'qty'],
  reply: Page(TransitRow),
});

export const exportTransit = endpoint({
  title: '导出在途',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(TransitFilter),
  reply: z.unknown(),
});

/** Pieces that are expected on one day by one way; `late` where they should be there by now. */
const Arrival = z.object({
  day: Day,
  transport: Transport,
  late: z.boolean(),
  pieces: z.int(),
  value: Cny,
});
export type Arrival = z.infer<typeof Arrival>;

const Heap = z.object({ orders: z.int(), pieces: z.int(), value: Cny });

/** The picture over the list: what is on its way under the filter, and when it is expected. */
export const transitBoard = endpoint({
  title: '在途看板',
  method: 'POST',
  path: at('board'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: TransitFilter.partial().default({}) }),
  reply: z.object({
    all: Heap,
    late: Heap,
    door: Heap,
    /** Of which nobody can say when they come. */
    unknown: Heap,
    arrivals: z.array(Arrival),
  }),
});

const days = (title: string, group: string) => z.int().nullable().meta({ title, kind: 'integer', width: 76, group });

/** Days that shipments took of late; null where fewer than five were seen from end to end. */
export const SpeedRow = z.object({
  transport: Transport.meta({ width: 90 }),
  country: z.string().meta({ title: '站点', kind: 'code', width: 70 }),
  shipments: z.int().meta({ title: '货件数', kind: 'integer', width: 80 }),
  approved50: days('中位', '审核→出库（天）'),
  approved90: days('90分位', '审核→出库（天）'),
  delivered50: days('中位', '出库→签收（天）'),
  delivered90: days('90分位', '出库→签收（天）'),
  received50: days('中位', '签收→上架（天）'),
  received90: days('90分位', '签收→上架（天）'),
  closed50: days('中位', '出库→关闭（天）'),
  closed90: days('90分位', '出库→关闭（天）'),
});
export type SpeedRow = z.infer<typeof SpeedRow>;

export const transitSpeed = endpoint({
  title: '物流时效',
  method: 'GET',
  path: at('speed'),
  permission: VIEW,
  concurrent: true,
  reply: z.array(SpeedRow),
});
