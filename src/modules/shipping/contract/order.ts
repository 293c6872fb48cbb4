import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Day, Id, Instant, Product, States, Store } from '#kit/contract/field.ts';
import {
  ADD,
  AUDIT,
  BOX,
  CLOSE,
  DayRange,
  InboundState,
  MAX_LINES,
  Owner,
  PackType,
  PICK,
  Pieces,
  SHIP,
  StockMode,
  Transport,
  Words,
} from './fields.ts';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  rejected: { title: '已驳回', tone: 'trouble' },
  held: { title: '已保持', tone: 'waiting' },
  picking: { title: '待配货', tone: 'running' },
  packing: { title: '待装箱', tone: 'running' },
  ready: { title: '待出库', tone: 'running' },
  shipped: { title: '已发货', tone: 'running' },
  receiving: { title: '接收中', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已取消', tone: 'off' },
} as const;
export const ShipState = States(STATES);
export type ShipState = z.infer<typeof ShipState>;

const OPEN = ['draft', 'pending', 'rejected', 'held', 'picking', 'packing', 'ready'] as const;

/** 发货单: pieces of one warehouse that go to Amazon for one store and site. */
export const shipOrder = documentType({
  name: 'shipping.order',
  title: '发货单',
  number: 'FH{yyMMdd}{seq:4}',
  detail: '/shipmentdetails',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft', 'rejected'],
      to: 'pending',
      permission: ADD,
      primary: true,
      consequence: '提交后由审核人审核，审核前不能修改',
    },
    approve: {
      title: '通过',
      from: ['pending'],
      to: 'picking',
      permission: AUDIT,
      primary: true,
      consequence: '通过后占用发货仓库存，开始配货',
    },
    hold: {
      title: '通过并保持',
      from: ['pending'],
      to: 'held',
      permission: AUDIT,
      consequence: '占用发货仓库存，解除保持前不配货',
    },
    unhold: { title: '解除保持', from: ['held'], to: 'picking', permission: AUDIT, primary: true },
    reject: { title: '驳回', from: ['pending'], to: 'rejected', permission: AUDIT, reason: true },
    withdraw: { title: '撤回', from: ['pending'], to: 'draft', permission: ADD },
    picked: {
      title: '完成配货',
      from: ['picking'],
      to: 'packing',
      permission: PICK,
      primary: true,
      consequence: '未配齐的数量退回可用库存，发货数量以配货为准',
    },
    unpick: { title: '退回配货', from: ['packing'], to: 'picking', permission: PICK },
    packed: {
      title: '完成装箱',
      from: ['packing'],
      to: 'ready',
      permission: BOX,
      primary: true,
      consequence: '每个平台SKU的装箱数须与配货数一致',
    },
    unpack: { title: '退回装箱', from: ['ready'], to: 'packing', permission: BOX },
    ship: {
      title: '发货出库',
      from: ['ready'],
      to: 'shipped',
      permission: SHIP,
      primary: true,
      consequence: '出库后转为FBA在途，成本随货转移',
    },
    // What turns up late opens an order again that people had ended.
    receive: {
      title: '接收',
      from: ['shipped', 'receiving', 'done'],
      to: 'receiving',
      permission: SHIP,
      internal: true,
    },
    receiveAll: {
      title: '接收完成',
      from: ['shipped', 'receiving', 'done'],
      to: 'done',
      permission: SHIP,
      internal: true,
    },
    // The marketplace has closed all shipments of the order.
    shut: { title: '平台关闭', from: ['shipped', 'receiving', 'done'], to: 'done', permission: SHIP, internal: true },
    close: {
      title: '本地完成',
      from: ['shipped', 'receiving'],
      to: 'done',
      permission: CLOSE,
      reason: true,
      consequence: '未接收的数量仍为在途，平台关闭货件后转为丢失',
    },
    writeOff: {
      title: '核销在途',
      from: ['done'],
      to: 'done',
      permission: CLOSE,
      reason: true,
      consequence: '仍在途的数量记为丢失，成本一并转出，并生成货件差异',
    },
    cancel: {
      title: '取消',
      from: OPEN,
      to: 'cancelled',
      permission: ADD,
      reason: true,
      consequence: '取消后释放占用的库存',
    },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'withdraw', cancel: ['cancel'] },
});

export const ShipRow = z.object({
  id: Id,
  number: z.string().meta({ title: '发货单号', kind: 'code', width: 150, pinned: 'left' }),
  state: ShipState.meta({ width: 100 }),
  /** Null for an order that the product does not bring to Amazon. */
  inbound: InboundState.nullable().meta({ width: 100, tip: '库存模式为「常规」的发货单在亚马逊的处理进度' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  warehouse: z.string().meta({ title: '发货仓', width: 130 }),
  skus: z.int().meta({ title: 'SKU数', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '计划数量', kind: 'integer', width: 90 }),
  pickedQty: z.int().meta({ title: '已配', kind: 'integer', width: 80 }),
  shippedQty: z.int().meta({ title: '已发', kind: 'integer', width: 80 }),
  receivedQty: z.int().meta({ title: '已接收', kind: 'integer', width: 80 }),
  claims: z.int().meta({ title: '差异单', kind: 'integer', width: 80, optional: true }),
  boxes: z.int().meta({ title: '箱数', kind: 'integer', width: 70 }),
  packType: PackType.meta({ width: 80 }),
  transport: Transport.meta({ width: 90 }),
  stockMode: StockMode.meta({ width: 90, optional: true }),
  shipmentNos: z.string().meta({ title: '货件编号', kind: 'code', width: 150, tip: '平台货件编号，如 FBA15ABCDEF1' }),
  /** The one that somebody wrote down. */
  shipmentNo: z.string().meta({ title: '货件编号', hidden: true }),
  carrier: z.string().meta({ title: '物流商', width: 110, optional: true }),
  channelId: z.uuid().nullable().meta({ title: '渠道', hidden: true }),
  trackingNo: z.string().meta({ title: '追踪号', kind: 'code', width: 140, optional: true }),
  plannedOn: Day.nullable().meta({ title: '计划发货', width: 110 }),
  shippedAt: Instant.nullable().meta({ title: '出库时间', width: 130 }),
  overdue: z.boolean().meta({ title: '超期', kind: 'boolean', width: 70, tip: '计划发货日已过仍未出库' }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  approvedByName: z.string().nullable().meta({ title: '审核人', kind: 'person', width: 100, optional: true }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 130, optional: true }),
  version: z.int(),
});
export type ShipRow = z.infer<typeof ShipRow>;

export const ShipFilter = z.object({
  state: ShipState,
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  warehouse: z.array(Id).max(200).meta({ title: '发货仓' }),
  transport: z.array(Transport).max(10).meta({ title: '运输方式' }),
  created: DayRange('创建日期'),
  planned: DayRange('计划发货日期').meta({ optional: true }),
  keyword: z.string().trim().max(100).meta({ title: '单号、货件编号、平台SKU' }),
});
const AnyFilter = ShipFilter.partial();
export type ShipFilter = z.infer<typeof AnyFilter>;

export const ShipLineRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 150 }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 120 }),
  local: z.string().meta({ title: '本地SKU', width: 150, tip: '组合销售时按每套用量列出全部本地SKU' }),
  qty: z.int().meta({ title: '计划数量', kind: 'integer', width: 90 }),
  available: z.int().meta({ title: '可用', kind: 'integer', width: 80, tip: '发货仓按本地SKU可凑成的数量' }),
  pickedQty: z.int().meta({ title: '已配', kind: 'integer', width: 80 }),
  boxedQty: z.int().meta({ title: '已装箱', kind: 'integer', width: 80 }),
  shippedQty: z.int().meta({ title: '已发', kind: 'integer', width: 80 }),
  receivedQty: z.int().meta({ title: '已接收', kind: 'integer', width: 80 }),
  lostQty: z.int().meta({ title: '丢失', kind: 'integer', width: 80, tip: '平台关闭货件或核销在途时仍未接收的数量' }),
  boxQty: z.int().nullable().meta({ title: '每箱数', kind: 'integer', width: 80 }),
  labelOwner: Owner.meta({ title: '贴标方', width: 80 }),
  prepOwner: Owner.meta({ title: '预处理方', width: 90 }),
  expiresOn: Day.nullable().meta({ title: '效期', width: 110 }),
});
export type ShipLineRow = z.infer<typeof ShipLineRow>;

export const ShipLineInput = z.object({
  msku: z.string().trim().min(1, '请填写平台SKU').max(100).meta({ title: '平台SKU' }),
  qty: Pieces.meta({ title: '数量' }),
  boxQty: Pieces.nullable().default(null).meta({ title: '每箱数' }),
  labelOwner: Owner.default('SELLER').meta({ title: '贴标方' }),
  prepOwner: Owner.default('SELLER').meta({ title: '预处理方' }),
  expiresOn: Day.nullable().default(null).meta({ title: '效期' }),
});
export type ShipLineInput = z.infer<typeof ShipLineInput>;

export const ShipInput = z.object({
  id: z.uuid().optional().meta({ title: '发货单' }),
  version: z.int().optional().meta({ title: '版本' }),
  authid: z.uuid('请选择店铺').meta({ title: '店铺' }),
  marketplaceId: z.string().trim().min(1, '请选择站点').max(20).meta({ title: '站点' }),
  warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
  addressId: z.uuid().nullable().default(null).meta({ title: '发货地址' }),
  packType: PackType.default('MIXED'),
  transport: Transport.default('SEA'),
  stockMode: StockMode.default('LOCAL'),
  plannedOn: Day.nullable().default(null).meta({ title: '计划发货' }),
  shipmentNo: z
    .string()
    .trim()
    .max(30)
    .regex(/^[A-Za-z0-9]*$/, '货件编号只含字母和数字')
    .default('')
    .meta({ title: '货件编号' }),
  remark: Words(500, '备注'),
  lines: z.array(ShipLineInput).min(1, '至少添加一行数据').max(MAX_LINES).meta({ title: '明细' }),
});
export type ShipInput = z.infer<typeof ShipInput>;
