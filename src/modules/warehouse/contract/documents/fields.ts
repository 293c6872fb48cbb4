import { z } from 'zod';
import { Choice, Day, Id, Instant, Money, Product } from '#kit/contract/field.ts';
import { Quality, WarehouseKind } from '../stock.ts';

/** Root of the calls. */
export const base = '/erp/api/v1/inventory';
export const VIEW = 'erp:inv:view';
export const COST = 'erp:inv:cost';
export const EXPORT = 'erp:inv:export';

export const FeeSplit = Choice(
  { NONE: '不分摊', QTY: '按数量', WEIGHT: '按重量', VOLUME: '按体积', MANUAL: '手工分摊' },
  '费用分摊',
);
export type FeeSplit = z.infer<typeof FeeSplit>;

/** How a count deals with what moves meanwhile: nothing may, or each piece is compared with the book of its moment. */
export const StocktakeMode = Choice({ FREEZE: '冻结盘点', LIVE: '动态盘点' }, '盘点模式');

/** CNY, not negative, up to four decimals. */
export const Amount = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, `${title}须为不小于0的数字，最多4位小数`)
    .meta({ title, kind: 'money', currency: 'CNY' });

export const Pieces = z.int().min(1, '数量必须为正整数').max(100_000_000).meta({ title: '数量', kind: 'integer' });
export const Counted = z.int().min(0, '数量不能小于0').max(100_000_000).meta({ title: '盘点数', kind: 'integer' });
export const Words = (max: number, title: string) => z.string().trim().max(max).default('').meta({ title });

/** One line as every kind of document shows it; each kind picks its columns. */
export const LineRow = z.object({
  id: Id,
  lineNo: z.int().meta({ title: '行', kind: 'integer', width: 48 }),
  productId: Id,
  product: Product.meta({ title: '产品', kind: 'product', width: 240 }),
  toProductId: Id.nullable(),
  toProduct: Product.nullable().meta({ title: '调入产品', kind: 'product', width: 240 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 90 }),
  doneQty: z.int().meta({ title: '已执行', kind: 'integer', width: 90 }),
  pickedQty: z.int().meta({ title: '已拣', kind: 'integer', width: 80 }),
  shortQty: z.int().meta({ title: '差异', kind: 'integer', width: 80 }),
  lotNo: z.string().meta({ title: '批次', kind: 'code', width: 120 }),
  expiresAt: Day.nullable().meta({ title: '效期', width: 110 }),
  locationId: Id.nullable(),
  location: z.string().nullable().meta({ title: '库位', kind: 'code', width: 110 }),
  qtyPer: z.string().nullable().meta({ title: '单套用量', kind: 'rate', width: 90 }),
  unitCost: Money.nullable().meta({ title: '单价', currency: 'CNY', width: 110, permission: COST }),
  fee: Money.nullable().meta({ title: '分摊费用', currency: 'CNY', width: 110, permission: COST }),
  amount: Money.nullable().meta({ title: '金额', currency: 'CNY', width: 120, permission: COST }),
  bookQty: z.int().nullable().meta({ title: '账面', kind: 'integer', width: 80 }),
  countedQty: z.int().nullable().meta({ title: '盘点', kind: 'integer', width: 80 }),
  recountQty: z.int().nullable().meta({ title: '复盘', kind: 'integer', width: 80 }),
  diff: z.int().nullable().meta({ title: '差异', kind: 'integer', width: 80 }),
  skipped: z.boolean().meta({ title: '未盘', kind: 'boolean', width: 70 }),
  countedByName: z.string().meta({ title: '盘点人', kind: 'person', width: 100 }),
  reason: z.string().meta({ title: '备注', width: 160 }),
  /** Stock of the product at the document's warehouse now. */
  available: z.int().meta({ title: '现有可用', kind: 'integer', width: 90 }),
  /** Stock of what it becomes, at the same place. */
  toAvailable: z.int().nullable().meta({ title: '调入现有', kind: 'integer', width: 90 }),
});
export type LineRow = z.infer<typeof LineRow>;

/** Head of a document; each kind puts its own type and states in. */
export const HeadRow = z.object({
  id: Id,
  number: z.string().meta({ title: '单号', kind: 'code', width: 140, pinned: 'left' }),
  warehouse: z.string().meta({ title: '仓库', width: 140 }),
  toWarehouse: z.string().nullable().meta({ title: '调入仓库', width: 140 }),
  warehouseId: Id,
  toWarehouseId: Id.nullable(),
  partner: z.string().meta({ title: '往来单位', width: 140 }),
  skuCount: z.int().meta({ title: 'SKU数', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 90 }),
  doneQty: z.int().meta({ title: '已执行', kind: 'integer', width: 90 }),
  amount: Money.nullable().meta({ title: '金额', currency: 'CNY', width: 120, permission: COST }),
  product: Product.nullable().meta({ title: '主产品', kind: 'product', width: 220 }),
  productId: Id.nullable(),
  freight: Money.meta({ title: '运费', currency: 'CNY', width: 100, permission: COST }),
  otherFee: Money.meta({ title: '其他费用', currency: 'CNY', width: 100, permission: COST }),
  feeSplit: FeeSplit.meta({ width: 90, optional: true }),
  carrier: z.string().meta({ title: '快递/物流', width: 110 }),
  trackingNo: z.string().meta({ title: '物流单号', kind: 'code', width: 140 }),
  plannedOn: Day.nullable().meta({ title: '预计日期', width: 110 }),
  /** ISO code of the country of the other end. */
  country: z.string().meta({ title: '国家', kind: 'code', width: 70 }),
  boxes: z.int().meta({ title: '箱数', kind: 'integer', width: 70 }),
  channel: z.string().meta({ title: '渠道', width: 110 }),
  departedOn: Day.nullable().meta({ title: '出港日期', width: 110 }),
  landedOn: Day.nullable().meta({ title: '到港日期', width: 110 }),
  mode: StocktakeMode.nullable().meta({ width: 90 }),
  blind: z.boolean().meta({ title: '盲盘', kind: 'boolean', width: 70 }),
  gainAmount: Money.nullable().meta({ title: '盘盈金额', currency: 'CNY', width: 110, permission: COST }),
  lossAmount: Money.nullable().meta({ title: '盘亏金额', currency: 'CNY', width: 110, permission: COST }),
  remark: z.string().meta({ title: '备注', width: 180 }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 118 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  updatedByName: z.string().meta({ title: '修改人', kind: 'person', width: 100, optional: true }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130, optional: true }),
  version: z.int(),
});

export const LineInput = z.object({
  productId: Id.meta({ title: '产品' }),
  qty: Pieces,
  toProductId: Id.optional().meta({ title: '调入产品' }),
  lotNo: Words(60, '批次'),
  expiresAt: Day.nullable().default(null).meta({ title: '效期' }),
  locationId: Id.nullable().default(null).meta({ title: '库位' }),
  unitCost: Amount('单价').nullable().optional().meta({ title: '单价', permission: COST }),
  fee: Amount('分摊费用').nullable().optional().meta({ title: '分摊费用', permission: COST }),
  qtyPer: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,4})?$/, '用量须为正数，最多4位小数')
    .nullable()
    .optional()
    .meta({ title: '单套用量' }),
  reason: Words(200, '备注'),
});
export type LineInput = z.infer<typeof LineInput>;

export const MAX_LINES = 2000;

/** Head fields that a person writes; each kind picks its own. */
export const HeadInput = z.object({
  /** Left out for a new document. */
  id: Id.optional(),
  version: z.int().optional().meta({ title: '版本' }),
  warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
  toWarehouseId: z.uuid('请选择调入仓库').meta({ title: '调入仓库' }),
  partner: Words(100, '往来单位'),
  carrier: Words(100, '快递/物流'),
  trackingNo: Words(100, '物流单号'),
  plannedOn: Day.nullable().default(null).meta({ title: '预计日期' }),
  remark: Words(500, '备注'),
  freight: Amount('运费').optional().meta({ title: '运费', permission: COST }),
  otherFee: Amount('其他费用').optional().meta({ title: '其他费用', permission: COST }),
  feeSplit: FeeSplit.default('NONE'),
});

/** An entry of the ledger that the document made. */
export const EntryRow = z.object({
  id: z.string().meta({ hidden: true }),
  at: Instant.meta({ title: '时间', width: 140 }),
  event: z.string().meta({ title: '动作', width: 90 }),
  productId: Id,
  product: Product.meta({ title: '产品', kind: 'product', width: 220 }),
  warehouse: z.string().meta({ title: '仓库', width: 120 }),
  location: z.string().meta({ title: '库位', kind: 'code', width: 90 }),
  lotNo: z.string().meta({ title: '批次', kind: 'code', width: 90 }),
  status: z.string().meta({ title: '状态', width: 80 }),
  qty: z.int().meta({ title: '变动', kind: 'integer', width: 80, good: 'up' }),
  after: z.int().meta({ title: '结余', kind: 'integer', width: 80 }),
  amount: Money.nullable().meta({ title: '金额', currency: 'CNY', width: 110, permission: COST }),
  by: z.string().meta({ title: '操作人', kind: 'person', width: 90 }),
});
export type EntryRow = z.infer<typeof EntryRow>;

export const WarehouseChoice = z.object({
  id: Id,
  name: z.string(),
  kind: WarehouseKind,
  quality: Quality,
  country: z.string(),
  /** Whether the caller may move stock there. */
  mine: z.boolean(),
});
export type WarehouseChoice = z.infer<typeof WarehouseChoice>;

export const StockChoice = z.object({
  id: Id,
  product: Product,
  available: z.int().meta({ title: '可用', kind: 'integer' }),
  total: z.int().meta({ title: '合计', kind: 'integer' }),
  /** What a piece of the newest layer cost. */
  lastCost: Money.nullable().meta({ title: '最近成本', currency: 'CNY', permission: COST }),
});
export type StockChoice = z.infer<typeof StockChoice>;
