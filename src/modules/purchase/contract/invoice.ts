import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, Product, Rate, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, DayRange, EXPORT, MAX_LINES, Pieces, PRICE, Share, UnitPrice, VIEW, Words } from './fields.ts';

export const INVOICE = 'erp:purchase:invoice:edit';
export const ACCEPT_INVOICE = 'erp:purchase:invoice:approve';

/** How far an invoice may be from the order without anybody looking: a share of the price, and CNY of the whole. */
export const PRICE_TOLERANCE = '0.01';
export const AMOUNT_TOLERANCE = '50';

export const InvoiceState = States({
  pending: { title: '待核对', tone: 'waiting' },
  matched: { title: '已匹配', tone: 'done' },
  accepted: { title: '已核对', tone: 'done' },
  void: { title: '已作废', tone: 'off' },
});
export type InvoiceState = z.infer<typeof InvoiceState>;

export const InvoiceKind = Choice({ normal: '普通发票', special: '专用发票' }, '发票类型');
export type InvoiceKind = z.infer<typeof InvoiceKind>;

const money = (title: string, width = 120) =>
  Money.nullable().meta({ title, currency: 'currency', width, permission: PRICE });

/** 采购发票: a bill of a supplier for pieces of an order. */
export const InvoiceRow = z.object({
  id: Id,
  number: z.string().meta({ title: '发票号码', kind: 'code', width: 180, pinned: 'left' }),
  state: InvoiceState.meta({ width: 90 }),
  finding: z.string().meta({ title: '差异', width: 260, permission: PRICE }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  orderId: Id,
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  kind: InvoiceKind.meta({ width: 100 }),
  issuedOn: Day.meta({ title: '开票日期', width: 110 }),
  amount: money('价税合计', 130),
  tax: money('其中税额'),
  currency: Currency.meta({ hidden: true }),
  reason: z.string().meta({ title: '核对说明', width: 180 }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '登记人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '登记时间', width: 130 }),
  decidedByName: z.string().nullable().meta({ title: '核对人', kind: 'person', width: 100 }),
  decidedAt: Instant.nullable().meta({ title: '核对时间', width: 130 }),
  version: z.int(),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

export const InvoiceFilter = z.object({
  state: InvoiceState,
  issued: DayRange('开票日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  keyword: z.string().trim().max(100).meta({ title: '发票号码、采购单' }),
});
const AnyFilter = InvoiceFilter.partial();
export type InvoiceFilter = z.infer<typeof AnyFilter>;

/** A line of an invoice beside what was agreed and what was accepted. */
export const InvoiceLineRow = z.object({
  id: Id,
  lineId: Id,
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 220 }),
  qty: z.int().meta({ title: '开票数量', kind: 'integer', width: 90 }),
  accepted: z.int().meta({ title: '累计验收', kind: 'integer', width: 90, tip: '已收减已退' }),
  invoiced: z.int().meta({ title: '累计开票', kind: 'integer', width: 90, tip: '到本张发票为止' }),
  unitPrice: money('开票单价', 110),
  agreed: money('订单单价', 110),
  taxRate: Rate.meta({ title: '税率', width: 70 }),
  amount: money('金额'),
  currency: Currency.meta({ hidden: true }),
});
export type InvoiceLineRow = z.infer<typeof InvoiceLineRow>;

const at = <const S extends string>(part: S) => `${base}/purchaseInvoice/${part}` as const;

export const listInvoices = endpoint({
  title: '采购发票列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(InvoiceFilter),
  sortable: ['number', 'issuedOn', 'amount', 'createdAt'],
  reply: Page(InvoiceRow),
});

export const countInvoices = endpoint({
  title: '采购发票各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: InvoiceFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportInvoices = endpoint({
  title: '导出采购发票',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(InvoiceFilter),
  reply: z.unknown(),
});

export const orderInvoices = endpoint({
  title: '采购单的发票',
  method: 'GET',
  path: at('order/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(InvoiceRow.extend({ lines: z.array(InvoiceLineRow) })),
});

/** Writes an invoice down and holds it against the order and what was accepted. */
export const saveInvoice = endpoint({
  title: '登记采购发票',
  method: 'POST',
  path: at('save'),
  permission: INVOICE,
  body: z.object({
    orderId: Id.meta({ title: '采购单' }),
    number: z.string().trim().min(1, '请填写发票号码').max(40).meta({ title: '发票号码' }),
    kind: InvoiceKind.default('special'),
    issuedOn: Day.meta({ title: '开票日期' }),
    remark: Words(200, '备注'),
    lines: z
      .array(
        z.object({
          lineId: Id.meta({ title: '采购单明细' }),
          qty: Pieces,
          unitPrice: UnitPrice,
          taxRate: Share('税率').default('0'),
        }),
      )
      .min(1, '至少填写一行开票数量')
      .max(MAX_LINES)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

const Reasoned = Command.extend({
  reason: z.string().trim().min(1, '请填写说明').max(200).meta({ title: '说明' }),
});

/** Takes an invoice that differs as it is. */
export const acceptInvoice = endpoint({
  title: '核对采购发票',
  method: 'POST',
  path: at('approve'),
  permission: ACCEPT_INVOICE,
  body: Reasoned,
  reply: Outcome,
});

/** Written down by mistake, or taken back by the supplier. */
export const voidInvoice = endpoint({
  title: '作废采购发票',
  method: 'POST',
  path: at('void'),
  permission: INVOICE,
  body: Reasoned,
  reply: Outcome,
});
