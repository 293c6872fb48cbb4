import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Platform } from '#modules/channel/contract/fields.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, EXPORT, McfState, McfTab, PackageState, Policy, Speed, VIEW } from './states.ts';

/** One order of a buyer from elsewhere. Of the buyer only the region shows. */
export const McfRow = z.object({
  id: Id,
  number: z.string().meta({ title: '履约单号', kind: 'code', width: 190, pinned: 'left' }),
  state: McfState.meta({ width: 100 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  units: Quantity.meta({ title: '件数', width: 70 }),
  platform: Platform.meta({ width: 90 }),
  orderNo: z.string().meta({ title: '平台订单号', kind: 'code', width: 170 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 140 }),
  speed: Speed.meta({ width: 84 }),
  country: z.string().meta({ title: '收件国家', kind: 'code', width: 84 }),
  region: z.string().meta({ title: '州/省', width: 90 }),
  postal: z.string().meta({ title: '邮编', kind: 'code', width: 84, tip: '只显示前三位' }),
  arrivalAt: Instant.nullable().meta({ title: '预计送达', width: 130 }),
  packages: Quantity.meta({ title: '包裹', width: 64 }),
  tracking: z.string().nullable().meta({ title: '追踪号', kind: 'code', width: 180, tip: '多个包裹时为第一个' }),
  deliveredAt: Instant.nullable().meta({ title: '送达时间', width: 130 }),
  fee: Money.nullable().meta({
    title: '预估配送费',
    currency: 'currency',
    width: 110,
    tip: '提交前亚马逊的报价；实际费用以结算为准',
  }),
  currency: Currency.nullable().meta({ title: '币种', kind: 'code', optional: true }),
  cancelledUnits: Quantity.meta({ title: '取消件数', width: 84, optional: true }),
  unfulfillableUnits: Quantity.meta({ title: '无法配送件数', width: 106, good: 'down' }),
  problem: z.string().nullable().meta({ title: '原因', width: 240 }),
  orderedAt: Instant.meta({ title: '下单时间', width: 130 }),
  createdBy: z.string().meta({ title: '创建人', kind: 'person', width: 100, optional: true }),
});
export type McfRow = z.infer<typeof McfRow>;

export const McfFilter = z.object({
  tab: McfTab,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  numbers: z
    .array(z.string().trim().max(40))
    .max(200, '一次最多查询 200 个单号')
    .meta({ title: '履约单号/订单号', kind: 'code' }),
  skus: z.array(z.string().trim().max(60)).max(200, '一次最多查询 200 个 SKU').meta({ title: 'MSKU', kind: 'code' }),
  state: z.array(McfState).max(14).meta({ title: '状态', optional: true }),
  speed: z.array(Speed).max(3).meta({ title: '配送速度' }),
  platforms: z.array(Platform).max(20).meta({ title: '平台', optional: true }),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '下单日期', kind: 'date' }),
});
const AnyMcf = McfFilter.partial();
export type McfFilter = z.infer<typeof AnyMcf>;

export const listMcf = endpoint({
  title: '多渠道订单列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(McfFilter),
  sortable: ['orderedAt', 'arrivalAt', 'deliveredAt', 'units', 'fee'],
  reply: Page(McfRow),
});

export const countMcf = endpoint({
  title: '多渠道订单数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyMcf.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportMcf = endpoint({
  title: '导出多渠道订单',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(McfFilter),
  reply: z.unknown(),
});

export const McfLine = z.object({
  id: z.string(),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  quantity: Quantity.meta({ title: '数量', width: 64 }),
  cancelled: Quantity.meta({ title: '取消', width: 64 }),
  unfulfillable: Quantity.meta({ title: '无法配送', width: 84 }),
});

export const McfEvent = z.object({
  id: z.string(),
  at: Instant.meta({ title: '时间', width: 130 }),
  words: z.string().meta({ title: '事件', width: 220 }),
});

export const McfPackage = z.object({
  id: z.string(),
  carrier: z.string().meta({ title: '承运商', width: 100 }),
  tracking: z.string().nullable().meta({ title: '追踪号', kind: 'code', width: 180 }),
  status: PackageState.meta({ width: 90 }),
  units: Quantity.meta({ title: '件数', width: 64 }),
  shippedAt: Instant.nullable().meta({ title: '发货时间', width: 130 }),
  arrivalAt: Instant.nullable().meta({ title: '预计送达', width: 130 }),
  deliveredAt: Instant.nullable().meta({ title: '送达时间', width: 130 }),
  events: z.array(McfEvent).meta({ hidden: true }),
});
export type McfPackage = z.infer<typeof McfPackage>;

export const McfDetail = McfRow.extend({
  policy: Policy,
  hold: z.boolean().meta({ title: '暂存' }),
  blankBox: z.boolean().meta({ title: '无标纸箱' }),
  comment: z.string().meta({ title: '装箱单留言' }),
  fromErp: z.boolean().meta({ title: '本系统创建' }),
  readAt: Instant.nullable().meta({ title: '同步时间' }),
  lines: z.array(McfLine),
  parcels: z.array(McfPackage),
});
export type McfDetail = z.infer<typeof McfDetail>;

export const mcfDetail = endpoint({
  title: '多渠道订单详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: McfDetail,
});
