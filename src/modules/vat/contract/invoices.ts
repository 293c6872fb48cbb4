import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Currency,
  Day,
  Id,
  Instant,
  Money,
  OptionalText,
  Product,
  Quantity,
  Store,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, EXPORT, InvoiceState, InvoiceType, ISSUE, Treatment, VIEW } from './fields.ts';

const amount = (title: string) => Money.meta({ title, currency: 'currency', width: 100 });
/** Percent as text, e.g. "19". */
const Percent = z.string().meta({ title: '税率%', kind: 'rate' });

/** One document, or a shipment that waits for one. Amounts in the currency of the order; a credit note's are below zero. */
export const InvoiceRow = z.object({
  id: Id,
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 180, pinned: 'left' }),
  shippingId: z.string().meta({ title: '发货号', kind: 'code', width: 130 }),
  type: InvoiceType.meta({ width: 72 }),
  state: InvoiceState.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  orderedAt: Instant.nullable().meta({ title: '购买时间', width: 130 }),
  shippedAt: Instant.meta({ title: '发货时间', width: 130, tip: '红字为退款时间' }),
  taxCountry: z.string().nullable().meta({ title: '计税国', width: 80 }),
  business: z.boolean().meta({ title: 'B2B', kind: 'boolean', width: 64 }),
  net: amount('净额').nullable(),
  rate: Percent.nullable().meta({ title: '税率%', width: 80, tip: '多个税率时为空，见明细' }),
  tax: amount('税额').nullable(),
  gross: amount('总额'),
  currency: Currency.meta({ hidden: true }),
  number: z.string().nullable().meta({ title: '发票号', kind: 'code', width: 160 }),
  original: z.string().nullable().meta({ title: '原发票号', kind: 'code', width: 160 }),
  treatment: Treatment.nullable().meta({ width: 110, optional: true }),
  issuedOn: Day.nullable().meta({ title: '开票日', width: 100, optional: true }),
  problem: z.string().meta({ title: '失败原因', width: 260 }),
  uploadedAt: Instant.nullable().meta({ title: '上传时间', width: 130, optional: true }),
  acceptedAt: Instant.nullable().meta({ title: '接受时间', width: 130, optional: true }),
  sending: z.boolean().meta({ hidden: true }),
  version: z.int().meta({ hidden: true }),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

export const InvoiceFilter = z.object({
  state: InvoiceState,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  type: InvoiceType,
  customer: Choice({ B2B: 'B2B', B2C: 'B2C' }, '客户'),
  shipped: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '发货日期', kind: 'date' }),
  keyword: OptionalText(100, '订单号/发货号/发票号'),
});
const AnyFilter = InvoiceFilter.partial();
export type InvoiceFilter = z.infer<typeof AnyFilter>;

export const listInvoices = endpoint({
  title: 'VAT发票列表',
  method: 'POST',
  path: `${base}/page`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(InvoiceFilter),
  sortable: ['orderedAt', 'shippedAt', 'gross', 'number'],
  reply: Page(InvoiceRow),
});

export const countInvoices = endpoint({
  title: 'VAT发票各状态数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportInvoices = endpoint({
  title: '导出VAT发票',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(InvoiceFilter),
  reply: z.unknown(),
});

export const InvoiceLine = z.object({
  id: z.string().meta({ hidden: true }),
  lineNo: z.int().meta({ title: '行', width: 48 }),
  kind: Choice({ ITEM: '商品', SHIPPING: '运费', GIFT: '礼品包装' }, '项目').meta({ width: 80 }),
  sku: z.string().meta({ title: 'MSKU', kind: 'code', width: 140 }),
  title: z.string().meta({ title: '名称', width: 220 }),
  quantity: Quantity.meta({ title: '数量', width: 64 }),
  net: amount('净额').nullable(),
  rate: Percent.nullable().meta({ title: '税率%', width: 76 }),
  tax: amount('税额').nullable(),
  gross: amount('总额'),
  currency: Currency.meta({ hidden: true }),
  /** Of an invoice: what credit notes have not taken back. */
  left: amount('可红冲').nullable(),
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

/** Who bought; null once the time for it is over. */
export const Buyer = z.object({
  name: z.string(),
  address: z.array(z.string()),
  country: z.string(),
  vatNumber: z.string(),
});
export type Buyer = z.infer<typeof Buyer>;

/** One document with its lines; what waits is shown as it would be issued now. */
export const invoiceDetail = endpoint({
  title: 'VAT发票详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: VIEW,
  concurrent: true,
  params: z.object({ id: Id }),
  reply: z.object({
    invoice: InvoiceRow,
    lines: z.array(InvoiceLine),
    buyer: Buyer.nullable(),
    seller: z.object({ name: z.string(), vatNumber: z.string() }).nullable(),
    notes: z.array(z.string()),
    /** Credit notes of an invoice. */
    credits: z.array(z.object({ id: Id, number: z.string().nullable(), state: InvoiceState, gross: z.string() })),
  }),
});

const Ids = z.object({ ids: z.array(Id).min(1, '请选择发票').max(100, '一次最多100张').meta({ title: '发票' }) });
const Outcomes = z.object({
  done: z.int(),
  failed: z.array(z.object({ orderId: z.string(), reason: z.string() })),
});
export type Outcomes = z.infer<typeof Outcomes>;

/** Issues documents: takes their numbers and stores them. A rejected one is made anew under its number. */
export const generateInvoices = endpoint({
  title: '生成VAT发票',
  method: 'POST',
  path: `${base}/generate`,
  permission: ISSUE,
  body: Ids,
  reply: Outcomes,
});

/** Sends documents to Amazon, rejected ones once more. */
export const uploadInvoices = endpoint({
  title: '上传VAT发票',
  method: 'POST',
  path: `${base}/upload`,
  permission: ISSUE,
  body: Ids,
  reply: Outcomes,
});

/** Takes an accepted invoice back by lines, as a document of its own. An empty list takes back what is left of all. */
export const creditInvoice = endpoint({
  title: '开红字VAT发票',
  method: 'POST',
  path: `${base}/credit`,
  permission: ISSUE,
  body: z.object({
    id: Id,
    version: z.int().meta({ title: '版本', hidden: true }),
    lines: z
      .array(
        z.object({
          lineNo: z.int().min(1).meta({ title: '行' }),
          gross: z
            .string()
            .regex(/^\d{1,12}(\.\d{1,2})?$/, '请输入正确的红字金额')
            .meta({ title: '红字金额' }),
        }),
      )
      .max(200)
      .default([])
      .meta({ title: '红字明细' }),
  }),
  reply: z.object({ id: Id, number: z.string() }),
});

/** There is no such thing once Amazon has a document: it answers what to do instead. */
export const voidInvoice = endpoint({
  title: '作废VAT发票',
  method: 'POST',
  path: `${base}/void`,
  permission: ISSUE,
  body: z.object({ id: Id, version: z.int().meta({ title: '版本', hidden: true }) }),
  reply: z.literal('success'),
});

export const invoicePdf = endpoint({
  title: '下载VAT发票',
  method: 'GET',
  path: `${base}/download/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  file: true,
  reply: z.unknown(),
});
