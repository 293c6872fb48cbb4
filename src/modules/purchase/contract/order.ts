import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Currency, Day, Decimal, Id, Instant, Money, Product, Rate, States } from '#kit/contract/field.ts';
import { ClausesOfOrder, OrderClauses } from './clause.ts';
import {
  Amount,
  APPROVE,
  CLOSE,
  DayRange,
  EDIT,
  FeeSplit,
  InvoiceType,
  MAX_LINES,
  OrderType,
  OVERSEA,
  Pieces,
  PLACE,
  PRICE,
  Share,
  Stage,
  SUBMIT,
  UnitPrice,
  VOID,
  Words,
} from './fields.ts';
import { ImportTaxes, Incoterm, OverseaTerms } from './oversea.ts';

const STATES = {
  draft: { title: '待提交', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  approved: { title: '待下单', tone: 'waiting' },
  ordered: { title: '待到货', tone: 'running' },
  closed: { title: '已完成', tone: 'done' },
  void: { title: '已作废', tone: 'off' },
} as const;

/** The states, and what a placed order waits for. */
export const OrderStage = States({
  draft: STATES.draft,
  pending: STATES.pending,
  approved: STATES.approved,
  ordered: STATES.ordered,
  inspecting: { title: '待质检', tone: 'waiting' },
  replacing: { title: '换货中', tone: 'side' },
  unpaid: { title: '待付款', tone: 'waiting' },
  closed: STATES.closed,
  void: STATES.void,
});
export type OrderStage = z.infer<typeof OrderStage>;

/** 采购单: goods that are ordered from one supplier for one warehouse. */
export const purchaseOrder = documentType({
  name: 'purchase.order',
  title: '采购单',
  number: 'PO{yyMMdd}{seq:4}',
  detail: '/purchaseOrders/details',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft'],
      to: 'pending',
      permission: SUBMIT,
      primary: true,
      consequence: '提交后由审核人审核，审核前不能修改',
    },
    recall: { title: '撤回', from: ['pending'], to: 'draft', permission: SUBMIT },
    approve: {
      title: '通过',
      from: ['pending'],
      to: 'approved',
      permission: APPROVE,
      primary: true,
      consequence: '通过后由采购员向供应商下单',
    },
    reject: { title: '驳回', from: ['pending'], to: 'draft', permission: APPROVE, reason: true },
    reapprove: { title: '重新审批', from: ['approved'], to: 'pending', permission: EDIT, internal: true },
    place: {
      title: '下单',
      from: ['approved'],
      to: 'ordered',
      permission: PLACE,
      primary: true,
      consequence: '下单后计入待入库，价格和条款不再随报价变化',
    },
    complete: {
      title: '完成',
      from: ['ordered'],
      to: 'closed',
      permission: CLOSE,
      consequence: '货已到齐或不再等待，单据结束',
    },
    reopen: { title: '重新打开', from: ['closed'], to: 'ordered', permission: CLOSE, reason: true },
    discard: {
      title: '作废',
      from: ['draft', 'pending', 'approved'],
      to: 'void',
      permission: VOID,
      reason: true,
      consequence: '作废后单据保留，采购规划重新打开',
    },
    cancel: {
      title: '取消订单',
      from: ['ordered'],
      to: 'void',
      permission: VOID,
      reason: true,
      consequence: '待入库全部释放；已收货的订单请用「结束收货」',
    },
  },
  approval: {
    submit: ['submit'],
    approve: 'approve',
    reject: 'reject',
    withdraw: 'recall',
    cancel: ['discard'],
    reopen: 'reapprove',
  },
});

const money = (title: string, width = 120) =>
  Money.nullable().meta({ title, currency: 'currency', width, permission: PRICE });

export const OrderRow = z.object({
  id: Id,
  number: z.string().meta({ title: '采购单号', kind: 'code', width: 150, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 240, pinned: 'left' }),
  stage: OrderStage.meta({ width: 96 }),
  type: OrderType.meta({ width: 96, optional: true }),
  supplier: z.string().meta({ title: '供应商', width: 150 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 90 }),
  amount: money('采购总额', 130),
  receivedQty: z.int().meta({ title: '已收', kind: 'integer', width: 80, optional: true }),
  returnedQty: z.int().meta({ title: '已退', kind: 'integer', width: 80, optional: true }),
  openQty: z.int().meta({ title: '待到货', kind: 'integer', width: 80 }),
  receivedShare: Rate.meta({ title: '入库进度', width: 110 }),
  dueAmount: money('应付').meta({ optional: true }),
  paidAmount: money('已付').meta({ optional: true }),
  paidShare: Rate.nullable().meta({ title: '付款进度', width: 110, permission: PRICE }),
  currency: Currency.meta({ optional: true }),
  expectedOn: Day.nullable().meta({ title: '预计到货', width: 110 }),
  late: z.boolean().meta({ title: '逾期', kind: 'boolean', width: 70, optional: true }),
  overseas: z.boolean().meta({ title: '海外采购', kind: 'boolean', width: 80, optional: true }),
  incoterm: z.string().nullable().meta({ title: '贸易术语', width: 140, optional: true, permission: OVERSEA }),
  createdByName: z.string().meta({ title: '采购员', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  approvedByName: z.string().nullable().meta({ title: '审核人', kind: 'person', width: 100, optional: true }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 130, optional: true }),
  placedAt: Instant.nullable().meta({ title: '下单时间', width: 130, optional: true }),
  closedAt: Instant.nullable().meta({ title: '完成时间', width: 130, optional: true }),
  remark: z.string().meta({ title: '备注', width: 180, optional: true }),
  skuCount: z.int().meta({ title: 'SKU数', kind: 'integer', width: 70, optional: true }),
  state: z.string().meta({ hidden: true }),
  supplierId: Id,
  warehouseId: Id,
  version: z.int(),
});
export type OrderRow = z.infer<typeof OrderRow>;

export const OrderFilter = z.object({
  stage: z.array(OrderStage).max(20).meta({ title: '状态' }),
  created: DayRange('创建日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  buyer: z.string().trim().max(50).meta({ title: '采购员' }),
  keyword: z.array(z.string().max(100)).max(200).meta({ title: '单号、SKU', kind: 'code' }),
  expected: DayRange('预计到货').meta({ optional: true }),
  late: z.boolean().meta({ title: '逾期未到', optional: true }),
  type: OrderType.meta({ optional: true }),
});
const AnyFilter = OrderFilter.partial();
export type OrderFilter = z.infer<typeof AnyFilter>;

export const OrderLineRow = z.object({
  id: Id,
  lineNo: z.int().meta({ title: '行', kind: 'integer', width: 48 }),
  productId: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  gift: z.boolean().meta({ title: '赠品', kind: 'boolean', width: 60 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  unitPrice: Money.nullable().meta({ title: '含税单价', currency: 'currency', width: 110, permission: PRICE }),
  /** Mean of the last three orders of the product at this supplier, in the same currency. */
  lastPrice: Money.nullable().meta({ title: '近3次均价', currency: 'currency', width: 110, permission: PRICE }),
  taxRate: Rate.meta({ title: '税率', width: 80 }),
  rebateRate: Rate.meta({ title: '退税率', width: 80, optional: true }),
  receiveTolerance: Rate.nullable().meta({
    title: '超收容差',
    width: 90,
    optional: true,
    tip: '空：按供应商，再按采购设置',
  }),
  amount: Money.nullable().meta({ title: '金额', currency: 'currency', width: 120, permission: PRICE }),
  charge: Money.nullable().meta({ title: '分摊费用', currency: 'currency', width: 100, permission: PRICE }),
  dutyRate: Rate.nullable().meta({ title: '关税率', width: 80, optional: true, permission: OVERSEA }),
  /** Expected; null for who may not buy overseas. */
  duty: money('预计关税', 110).meta({ optional: true }),
  importVatRate: Rate.nullable().meta({ title: '进口VAT率', width: 90, optional: true, permission: OVERSEA }),
  importVat: money('预计进口VAT', 110).meta({ optional: true, tip: '可抵扣，不计入库存成本' }),
  /** Amounts that were given instead of shares. */
  dutyAmount: money('关税金额').meta({ hidden: true }),
  importVatAmount: money('进口VAT金额').meta({ hidden: true }),
  currency: Currency.meta({ hidden: true }),
  received: z.int().meta({ title: '已收', kind: 'integer', width: 70 }),
  inspecting: z.int().meta({ title: '待检', kind: 'integer', width: 70 }),
  rejected: z.int().meta({ title: '次品', kind: 'integer', width: 70 }),
  returned: z.int().meta({ title: '已退', kind: 'integer', width: 70 }),
  replaced: z.int().meta({ title: '换货', kind: 'integer', width: 70, optional: true }),
  exchanging: z.int().meta({ title: '换货中', kind: 'integer', width: 70, optional: true }),
  cancelled: z.int().meta({ title: '不再到货', kind: 'integer', width: 80 }),
  freeQty: z.int().meta({ title: '免费超收', kind: 'integer', width: 80, optional: true }),
  openQty: z.int().meta({ title: '待到货', kind: 'integer', width: 80 }),
  /** How many more may come, tolerance included. */
  mostQty: z.int().meta({ title: '最多可收', kind: 'integer', width: 80, optional: true }),
  expectedOn: Day.nullable().meta({ title: '要求到货', width: 110 }),
  remark: z.string().meta({ title: '备注', width: 150 }),
  qcLevel: z.string().meta({ hidden: true }),
});
export type OrderLineRow = z.infer<typeof OrderLineRow>;

export const OrderHead = OrderRow.extend({
  type: OrderType,
  supplierCode: z.string(),
  supplierGrade: z.string(),
  terms: z.array(Stage),
  termsText: z.string(),
  invoiceType: InvoiceType,
  freight: money('运费'),
  otherFee: money('其他费用'),
  discount: money('优惠'),
  feeSplit: FeeSplit,
  goodsAmount: money('货款'),
  taxAmount: money('其中税额'),
  rate: Decimal.nullable().meta({ title: '下单汇率' }),
  clauses: ClausesOfOrder.meta({ hidden: true }),
  incotermRule: Incoterm.nullable().meta({ hidden: true, permission: OVERSEA }),
  incotermPlace: z.string().nullable().meta({ title: '指定地点', hidden: true, permission: OVERSEA }),
  /** Expected from customs, all lines; null for who may not buy overseas. */
  duty: money('预计关税'),
  importVat: money('预计进口VAT'),
  revision: z.int().meta({ title: '版本', kind: 'integer' }),
  placedByName: z.string().nullable().meta({ title: '下单人', kind: 'person' }),
});
export type OrderHead = z.infer<typeof OrderHead>;

export const OrderLineInput = z.object({
  productId: Id.meta({ title: '商品' }),
  qty: Pieces,
  gift: z.boolean().default(false).meta({ title: '赠品' }),
  unitPrice: UnitPrice,
  taxRate: Share('税率').default('0'),
  rebateRate: Share('退税率').default('0'),
  expectedOn: Day.nullable().default(null).meta({ title: '要求到货' }),
  /** Share by which more may come; null: as the supplier, else the company, has it. */
  receiveTolerance: Share('超收容差').nullable().default(null),
  ...ImportTaxes,
  remark: Words(200, '备注'),
});
export type OrderLineInput = z.infer<typeof OrderLineInput>;

export const OrderInput = z.object({
  /** Left out for a new order. */
  id: Id.optional(),
  version: z.int().optional().meta({ title: '版本' }),
  type: OrderType.default('GOODS'),
  supplierId: z.uuid('请选择供应商').meta({ title: '供应商' }),
  warehouseId: z.uuid('请选择入库仓').meta({ title: '入库仓' }),
  currency: Currency.default('CNY'),
  invoiceType: InvoiceType.default('none'),
  expectedOn: Day.nullable().default(null).meta({ title: '要求到货' }),
  freight: Amount('运费').default('0'),
  otherFee: Amount('其他费用').default('0'),
  discount: Amount('优惠').default('0'),
  feeSplit: FeeSplit.default('AMOUNT'),
  remark: Words(500, '备注'),
  ...OverseaTerms,
  /** Left out: as the template of the type has them; of an order that is there already, as they are. */
  clauses: OrderClauses.optional(),
  lines: z.array(OrderLineInput).min(1, '至少添加一行数据').max(MAX_LINES).meta({ title: '明细' }),
});
export type OrderInput = z.infer<typeof OrderInput>;

/** What stands in the way of a submission, or should be looked at before. */
export const Finding = z.object({
  level: z.enum(['error', 'warning', 'hint']),
  /** Number of the line it is about, from 1; absent: the whole order. */
  line: z.int().optional(),
  text: z.string(),
  /** Quantity that would put it right. */
  fix: z.int().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** Totals and findings of an order while it is written. */
export const OrderCheck = z.object({
  goods: money('货款'),
  tax: money('其中税额'),
  total: money('应付合计'),
  /** Expected from customs; null where nothing is. */
  duty: money('预计关税'),
  importVat: money('预计进口VAT'),
  currency: Currency,
  stages: z.array(z.object({ title: z.string(), amount: money('金额') })),
  findings: z.array(Finding),
});
export type OrderCheck = z.infer<typeof OrderCheck>;

/** A request to pay for an order. */
export const OrderPaymentRow = z.object({
  id: Id,
  number: z.string().meta({ title: '请款单号', kind: 'code', width: 160 }),
  kind: z.string().meta({ title: '类型', width: 90 }),
  state: z.string().meta({ title: '状态', width: 90 }),
  amount: Money.nullable().meta({ title: '申请金额', currency: 'currency', width: 130, permission: PRICE }),
  paid: Money.nullable().meta({ title: '已付', currency: 'currency', width: 130, permission: PRICE }),
  open: Money.nullable().meta({ title: '待付', currency: 'currency', width: 130, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
});
export type OrderPaymentRow = z.infer<typeof OrderPaymentRow>;

/** Money of an order in its currency, as the money ledger has it. */
export const OrderMoney = z.object({
  raised: money('应付'),
  open: money('应付未付'),
  prepaid: money('预付余额'),
  paid: money('已付'),
  requested: money('请款中'),
  /** What may still be asked for. */
  left: money('剩余可请'),
  currency: Currency,
});
export type OrderMoney = z.infer<typeof OrderMoney>;

/** Something that happened to the stock of an order. */
export const OrderReceiptRow = z.object({
  id: Id,
  number: z.string().meta({ title: '单号', kind: 'code', width: 140 }),
  kind: Choice({ receipt: '到货', return: '退货', exchange: '换货' }, '类型').meta({ width: 70 }),
  state: z.string().meta({ title: '状态', width: 90 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 220 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80, good: 'up' }),
  passed: z.int().nullable().meta({ title: '合格', kind: 'integer', width: 70 }),
  special: z.int().nullable().meta({ title: '特采', kind: 'integer', width: 70 }),
  rejected: z.int().nullable().meta({ title: '不合格', kind: 'integer', width: 80 }),
  amount: Money.nullable().meta({ title: '应付变动', currency: 'currency', width: 120, permission: PRICE }),
  cost: Money.nullable().meta({ title: '库存成本', currency: 'CNY', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  day: Day.meta({ title: '日期', width: 110 }),
  by: z.string().meta({ title: '操作人', kind: 'person', width: 100 }),
  documentId: Id,
});
export type OrderReceiptRow = z.infer<typeof OrderReceiptRow>;
