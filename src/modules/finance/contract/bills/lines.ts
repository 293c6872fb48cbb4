import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { RequestState } from '../requests.ts';
import { at, cny, UPLOAD, VIEW } from './bill.ts';

export const MatchedHow = Choice({ NONE: '未匹配', AUTO: '自动', HAND: '手工', OUT: '无需付款' }, '匹配');

export const BillOrderRow = z.object({
  id: Id,
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 200, pinned: 'left' }),
  matched: MatchedHow.meta({ width: 90 }),
  order: z.string().nullable().meta({ title: '匹配采购单', kind: 'code', width: 150 }),
  supplier: z.string().nullable().meta({ title: '供应商', width: 130 }),
  amount: cny('账单金额').meta({ tip: '确认收货金额 − 退款金额' }),
  orderAmount: cny('采购单金额').nullable(),
  difference: cny('差异').nullable().meta({ tip: '账单金额 − 采购单金额' }),
  request: z.string().nullable().meta({ title: '请款单', kind: 'code', width: 160 }),
  requestState: RequestState.nullable().meta({ title: '付款状态', width: 90 }),
  paidAt: Instant.nullable().meta({ title: '支付时间', width: 140 }),
  name: z.string().meta({ title: '名称', width: 200 }),
  paid: cny('支付金额').nullable(),
  confirmed: cny('确认收货金额').nullable(),
  confirmedAt: Instant.nullable().meta({ title: '确认收货时间', width: 140 }),
  term: z.string().meta({ title: '账期类型', width: 110 }),
  refunded: z.boolean().meta({ title: '是否退款', kind: 'boolean', width: 80 }),
  refund: cny('退款金额').nullable(),
  note: z.string().meta({ title: '说明', width: 160 }),
  bill: z.string().meta({ title: '账单编号', kind: 'code', width: 140, optional: true }),
  billId: Id,
  subjectId: z.string(),
  requestId: Id.nullable(),
});
export type BillOrderRow = z.infer<typeof BillOrderRow>;

/** One bill; the lists stand on its page. */
const OfBill = z.object({ bill: z.uuid().meta({ title: '账单', hidden: true }) });

export const BillOrderFilter = OfBill.extend({
  matched: z.array(MatchedHow).max(4).meta({ title: '匹配' }),
  differs: z.boolean().meta({ title: '有差异' }),
  asked: z.boolean().meta({ title: '已请款' }),
  keyword: z.string().trim().max(100).meta({ title: '订单号、名称、采购单' }),
});
const LooseOrder = BillOrderFilter.partial();
export type BillOrderFilter = z.infer<typeof LooseOrder>;

export const listBillOrders = endpoint({
  title: '平台账单明细',
  method: 'POST',
  path: at('orders'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(BillOrderFilter),
  sortable: ['orderId', 'amount', 'orderAmount', 'difference', 'paidAt', 'confirmedAt'],
  reply: Page(BillOrderRow),
});

export const exportBillOrders = endpoint({
  title: '导出平台账单明细',
  method: 'POST',
  path: at('orders/export'),
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(BillOrderFilter),
  reply: z.unknown(),
});

export const AssignForm = z.object({ order: Text(60, '采购单号') });

/** Says by hand to which purchase order lines belong. */
export const assignLines = endpoint({
  title: '平台账单·手工匹配',
  method: 'POST',
  path: at('assign'),
  permission: UPLOAD,
  body: AssignForm.extend({ ids: z.array(Id).min(1, '请选择订单').max(100).meta({ title: '账单明细' }) }),
  reply: z.object({ changed: z.int() }),
});

/** Takes lines from their purchase orders again, or says with a note that they are none. */
export const releaseLines = endpoint({
  title: '平台账单·取消匹配',
  method: 'POST',
  path: at('release'),
  permission: UPLOAD,
  body: z.object({
    ids: z.array(Id).min(1, '请选择订单').max(100).meta({ title: '账单明细' }),
    out: z.boolean().default(false).meta({ title: '无需付款' }),
    note: z.string().trim().max(200).default('').meta({ title: '说明' }),
  }),
  reply: z.object({ changed: z.int() }),
});

export const RepaymentRow = z.object({
  id: z.string().meta({ hidden: true }),
  at: Instant.meta({ title: '还款时间', width: 150 }),
  method: z.string().meta({ title: '还款方式', width: 150 }),
  kind: z.string().meta({ title: '还款类型', width: 150 }),
  amount: cny('还款金额', 130),
});
export type RepaymentRow = z.infer<typeof RepaymentRow>;

export const RefundRow = z.object({
  id: z.string().meta({ hidden: true }),
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 200 }),
  at: Instant.meta({ title: '退款时间', width: 150 }),
  name: z.string().meta({ title: '名称', width: 220 }),
  paid: cny('支付金额', 120).nullable(),
  amount: cny('退款金额', 120),
  kind: z.string().meta({ title: '退款类型', width: 130 }),
  destination: z.string().meta({ title: '退款去向', width: 130 }),
});
export type RefundRow = z.infer<typeof RefundRow>;

export const TopupRow = z.object({
  id: z.string().meta({ hidden: true }),
  at: Instant.meta({ title: '充退时间', width: 150 }),
  kind: z.string().meta({ title: '充退类型', width: 150 }),
  reference: z.string().meta({ title: '流水号', kind: 'code', width: 200 }),
  amount: cny('充退金额', 130),
});
export type TopupRow = z.infer<typeof TopupRow>;

export const SheetFilter = OfBill.extend({
  at: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '关键字' }),
});
const LooseSheet = SheetFilter.partial();
export type SheetFilter = z.infer<typeof LooseSheet>;

/** The list and the file of a sheet that is shown as it is. */
const sheetCalls = <R extends z.ZodObject>(name: string, title: string, row: R) => ({
  list: endpoint({
    title: `平台账单${title}`,
    method: 'POST',
    path: at(name),
    permission: VIEW,
    access: 'read',
    body: PageQuery(SheetFilter),
    sortable: ['at', 'amount'],
    reply: Page(row),
  }),
  file: endpoint({
    title: `导出平台账单${title}`,
    method: 'POST',
    path: at(`${name}/export`),
    permission: VIEW,
    access: 'read',
    file: true,
    body: ExportQuery(SheetFilter),
    reply: z.unknown(),
  }),
});
export const repayments = sheetCalls('repayments', '还款记录', RepaymentRow);
export const refunds = sheetCalls('refunds', '退款记录', RefundRow);
export const topups = sheetCalls('topups', '充退记录', TopupRow);

export const BillPaymentRow = z.object({
  id: z.string().meta({ hidden: true }),
  request: z.string().meta({ title: '请款单', kind: 'code', width: 160, pinned: 'left' }),
  state: RequestState.meta({ title: '状态', width: 90 }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 200 }),
  amount: cny('付款金额', 120),
  counts: z.boolean().meta({ title: '有效', kind: 'boolean', width: 70, tip: '作废或冲销的请款不再占用账单明细' }),
  requestedBy: z.string().meta({ title: '申请人', kind: 'person', width: 110 }),
  requestedAt: Instant.meta({ title: '申请时间', width: 140 }),
  requestId: Id,
  subjectId: z.string(),
});
export type BillPaymentRow = z.infer<typeof BillPaymentRow>;

export const BillPaymentFilter = OfBill.extend({
  state: z.array(RequestState).max(8).meta({ title: '状态' }),
  keyword: z.string().trim().max(100).meta({ title: '请款单、采购单、订单号' }),
});
const LoosePayment = BillPaymentFilter.partial();
export type BillPaymentFilter = z.infer<typeof LoosePayment>;

export const listBillPayments = endpoint({
  title: '平台账单付款明细',
  method: 'POST',
  path: at('payments'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(BillPaymentFilter),
  sortable: ['amount', 'requestedAt'],
  reply: Page(BillPaymentRow),
});

export const exportBillPayments = endpoint({
  title: '导出平台账单付款明细',
  method: 'POST',
  path: at('payments/export'),
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(BillPaymentFilter),
  reply: z.unknown(),
});
