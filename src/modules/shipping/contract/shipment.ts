import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Product, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ADD, ById, EXPORT, VIEW } from './fields.ts';

const base = '/amazon/api/v2/shipInboundPlan/shipment';

/** Amazon's own states of a shipment, in the order in which one goes through them. */
export const FBA_STATES = {
  WORKING: { title: '处理中', tone: 'waiting' },
  READY_TO_SHIP: { title: '准备发货', tone: 'waiting' },
  SHIPPED: { title: '已发货', tone: 'running' },
  IN_TRANSIT: { title: '运输中', tone: 'running' },
  DELIVERED: { title: '已送达', tone: 'running' },
  CHECKED_IN: { title: '已登记', tone: 'running' },
  RECEIVING: { title: '接收中', tone: 'running' },
  CLOSED: { title: '已关闭', tone: 'done' },
  CANCELLED: { title: '已取消', tone: 'off' },
  DELETED: { title: '已删除', tone: 'off' },
  ERROR: { title: '异常', tone: 'trouble' },
} as const;
export const FbaState = States(FBA_STATES, '货件状态');
export type FbaState = z.infer<typeof FbaState>;

export const FbaShipmentRow = z.object({
  id: Id,
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 150, pinned: 'left' }),
  status: FbaState.meta({ width: 100 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  name: z.string().meta({ title: '货件名称', width: 200 }),
  center: z.string().meta({ title: '配送中心', kind: 'code', width: 100 }),
  skus: z.int().meta({ title: 'SKU数', kind: 'integer', width: 80 }),
  shipped: z.int().meta({ title: '申报数量', kind: 'integer', width: 90 }),
  received: z.int().meta({ title: '已接收', kind: 'integer', width: 90 }),
  missing: z.int().meta({ title: '差异', kind: 'integer', width: 80, tip: '申报数量减已接收；为负时亚马逊多收' }),
  order: z.string().nullable().meta({ title: '发货单', kind: 'code', width: 150 }),
  orderId: Id.nullable(),
  claims: z.int().meta({ title: '差异单', kind: 'integer', width: 80 }),
  deadline: Day.nullable().meta({ title: '索赔截止', width: 110, tip: '尚未提交的差异中最早的截止日' }),
  arriveBy: Day.nullable().meta({
    title: '到仓期限',
    width: 110,
    tip: '美国站货件须在创建后 45 天（境外发出 75 天）内、且在同一计划首个货件到仓后 30 天内到仓，否则按弃货处理；创建日以首次同步为准，天数在「差异与索赔」的「期限设置」中修改',
  }),
  ignored: z.boolean().meta({ title: '已忽略', kind: 'boolean', width: 80, optional: true }),
  changedAt: Instant.meta({ title: '最近变化', width: 130 }),
  readAt: Instant.meta({ title: '同步时间', width: 130, optional: true }),
  accountId: Id,
  marketplaceId: z.string().meta({ title: '站点', hidden: true }),
});
export type FbaShipmentRow = z.infer<typeof FbaShipmentRow>;

export const FbaShipmentFilter = z.object({
  status: FbaState,
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  orphan: z.boolean().meta({ title: '未关联发货单' }),
  differs: z.boolean().meta({ title: '有差异' }),
  keyword: z.string().trim().max(100).meta({ title: '货件编号、名称、平台SKU' }),
});
const AnyFilter = FbaShipmentFilter.partial();
export type FbaShipmentFilter = z.infer<typeof AnyFilter>;

export const FbaItemRow = z.object({
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 150 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 120 }),
  shipped: z.int().meta({ title: '申报数量', kind: 'integer', width: 90 }),
  received: z.int().meta({ title: '已接收', kind: 'integer', width: 90 }),
  missing: z.int().meta({ title: '差异', kind: 'integer', width: 80 }),
});
export type FbaItemRow = z.infer<typeof FbaItemRow>;

const at = <const S extends string>(part: S) => `${base}/${part}` as const;

export const listFbaShipments = endpoint({
  title: '货件列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(FbaShipmentFilter),
  sortable: ['shipmentNo', 'shipped', 'received', 'changedAt'],
  reply: Page(FbaShipmentRow),
});

export const countFbaShipments = endpoint({
  title: '货件各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: FbaShipmentFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportFbaShipments = endpoint({
  title: '导出货件',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(FbaShipmentFilter),
  reply: z.unknown(),
});

export const fbaShipmentDetail = endpoint({
  title: '货件详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({ shipment: FbaShipmentRow, items: z.array(FbaItemRow) }),
});

/** Shipments that are no concern of ours, e.g. of the time before; they leave the lists of what is to be done. */
export const ignoreFbaShipments = endpoint({
  title: '忽略货件',
  method: 'POST',
  path: at('ignore'),
  permission: ADD,
  body: z.object({
    ids: z.array(Id).min(1).max(500).meta({ title: '货件' }),
    ignored: z.boolean().default(true).meta({ title: '忽略' }),
  }),
  reply: z.object({ changed: z.int() }),
});
