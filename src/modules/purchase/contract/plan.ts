import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { base, Pieces, PRICE, VIEW, Words } from './fields.ts';

export const PLAN_EDIT = 'erp:plan:edit';
export const PLAN_SUBMIT = 'erp:plan:submit';

export const PlanState = States({
  open: { title: '待采购', tone: 'waiting' },
  submitted: { title: '已提交', tone: 'running' },
  converted: { title: '已转单', tone: 'done' },
});
export type PlanState = z.infer<typeof PlanState>;

/** Something that is to be bought for a warehouse. */
export const PlanRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 260, pinned: 'left' }),
  productId: Id,
  state: PlanState.meta({ width: 90 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  warehouseId: Id,
  available: z.int().meta({ title: '现有可用', kind: 'integer', width: 90, tip: '入库仓的可用数量' }),
  awaited: z.int().meta({ title: '待入库', kind: 'integer', width: 90, tip: '已下单、未到的数量' }),
  qty: z.int().meta({ title: '计划采购', kind: 'integer', width: 90 }),
  needBy: Day.nullable().meta({ title: '需求日期', width: 110 }),
  supplier: z.string().nullable().meta({ title: '供应商', width: 140 }),
  supplierId: Id.nullable(),
  remark: z.string().meta({ title: '备注', width: 160 }),
  order: z.string().nullable().meta({ title: '采购单或加工单', kind: 'code', width: 150 }),
  orderId: Id.nullable(),
  processId: Id.nullable(),
  requisition: z.string().nullable().meta({ title: '采购计划', kind: 'code', width: 140 }),
  requisitionId: Id.nullable(),
  createdByName: z.string().meta({ title: '计划员', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '加入时间', width: 130 }),
  version: z.int(),
});
export type PlanRow = z.infer<typeof PlanRow>;

export const PlanFilter = z.object({
  state: PlanState,
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  sku: z.array(z.string().max(100)).max(200).meta({ title: 'SKU', kind: 'code' }),
});
const AnyFilter = PlanFilter.partial();
export type PlanFilter = z.infer<typeof AnyFilter>;

const at = <const S extends string>(part: S) => `${base}/purchasePlan/${part}` as const;

export const listPlan = endpoint({
  title: '采购规划列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(PlanFilter),
  sortable: ['qty', 'needBy', 'createdAt'],
  reply: Page(PlanRow),
});

export const countPlan = endpoint({
  title: '采购规划各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: PlanFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const PlanLineInput = z.object({
  productId: Id.meta({ title: '商品' }),
  warehouseId: z.uuid('请选择入库仓').meta({ title: '入库仓' }),
  qty: Pieces,
  needBy: Day.nullable().default(null).meta({ title: '需求日期' }),
  remark: Words(200, '备注'),
});

/** Adds to the plan; what is planned already for the same warehouse gets the pieces on top. */
export const addPlanLines = endpoint({
  title: '加入采购规划',
  method: 'POST',
  path: at('addLines'),
  permission: PLAN_EDIT,
  body: z.object({ lines: z.array(PlanLineInput).min(1, '至少添加一行数据').max(2000).meta({ title: '明细' }) }),
  reply: z.object({ added: z.int(), raised: z.int() }),
});

export const savePlanLine = endpoint({
  title: '修改采购规划',
  method: 'POST',
  path: at('save'),
  permission: PLAN_EDIT,
  body: z.object({
    id: Id.meta({ title: '规划' }),
    version: z.int().optional().meta({ title: '版本' }),
    qty: Pieces,
    needBy: Day.nullable().default(null).meta({ title: '需求日期' }),
    supplierId: z.uuid().nullable().default(null).meta({ title: '供应商' }),
    remark: Words(200, '备注'),
  }),
  reply: z.literal('success'),
});

export const removePlanLines = endpoint({
  title: '移出采购规划',
  method: 'POST',
  path: at('removeLines'),
  permission: PLAN_EDIT,
  body: z.object({ ids: z.array(Id).min(1).max(2000).meta({ title: '规划' }) }),
  reply: z.object({ removed: z.int() }),
});

/** A line as it would stand on an order. */
export const PlannedLine = z.object({
  id: Id,
  /** The line of the plan that it comes of; null for a part that nobody planned for itself. */
  planLineId: Id.nullable(),
  productId: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  qty: z.int().meta({ title: '计划采购', kind: 'integer', width: 90 }),
  /** Quantity that keeps the supplier's minimum and multiple. */
  roundedQty: z.int().meta({ title: '建议数量', kind: 'integer', width: 90 }),
  unitPrice: Money.nullable().meta({ title: '单价', currency: 'currency', width: 110, permission: PRICE }),
  amount: Money.nullable().meta({ title: '预估金额', currency: 'currency', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  needBy: Day.nullable().meta({ title: '需求日期', width: 110 }),
  usedFor: z.string().meta({ title: '用于组装', width: 160, tip: '组合产品的SKU：子件现有可用和待入库不够的部分' }),
  warnings: z.string().meta({ title: '提醒', width: 220 }),
});
export type PlannedLine = z.infer<typeof PlannedLine>;

export const PlannedOrder = z.object({
  /** BUY: a purchase order. MAKE: an order for putting bundles together of their parts. */
  way: z.enum(['BUY', 'MAKE']),
  supplierId: Id.nullable(),
  supplier: z.string(),
  warehouseId: Id,
  warehouse: z.string(),
  currency: Currency,
  qty: z.int(),
  amount: Money.nullable().meta({ title: '预估金额', currency: 'currency', permission: PRICE }),
  /** Why no order can be made of it. */
  blocked: z.string().optional(),
  lines: z.array(PlannedLine),
});
export type PlannedOrder = z.infer<typeof PlannedOrder>;

const Chosen = z.object({
  /** Left out: all that is open. */
  ids: z.array(Id).max(2000).optional().meta({ title: '规划' }),
  /** Keep the suppliers' minimums and multiples. */
  rounded: z.boolean().default(false).meta({ title: '按起订量和倍数取整' }),
});

/** The orders that would come of the plan: one for each supplier and warehouse. */
export const previewPlan = endpoint({
  title: '采购计划预览',
  method: 'POST',
  path: at('submitPreview'),
  permission: PLAN_SUBMIT,
  access: 'read',
  concurrent: true,
  body: Chosen,
  reply: z.array(PlannedOrder),
});

/** Hands needs in together: orders come of them when the plan is approved, at once where no flow decides. All or none. */
export const submitPlan = endpoint({
  title: '提交采购计划',
  method: 'POST',
  path: at('submit'),
  permission: PLAN_SUBMIT,
  body: Chosen.extend({ review: z.boolean().default(false).meta({ title: '同时提交审核' }) }),
  reply: z.object({
    id: Id,
    /** Number of the plan. */
    batch: z.string(),
    state: z.string(),
    orders: z.array(z.object({ id: Id, number: z.string() })),
    processes: z.array(z.object({ id: Id, number: z.string() })),
  }),
});
