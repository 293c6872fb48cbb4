import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, PRICE_EDIT, PRICE_VIEW, Version } from './fields.ts';
import { Tier } from './parts.ts';

const STATES = {
  open: { title: '询价中', tone: 'running' },
  awarded: { title: '已定价', tone: 'done' },
  closed: { title: '已关闭', tone: 'off' },
} as const;
export const InquiryState = States(STATES);
export type InquiryState = z.infer<typeof InquiryState>;

/** 询价单: prices of several suppliers for one product. */
export const inquiryDocument = documentType({
  name: 'product.inquiry',
  title: '询价单',
  number: 'XJ{yyMMdd}{seq:4}',
  detail: '/erp/baseinfo/quote/price',
  states: STATES,
  initial: 'open',
  transitions: {
    award: {
      title: '定价',
      from: ['open'],
      to: 'awarded',
      permission: PRICE_EDIT,
      primary: true,
      internal: true,
      consequence: '写入该供应商的档价，采购单按此取价',
    },
    close: { title: '关闭', from: ['open'], to: 'closed', permission: PRICE_EDIT, reason: true },
    reopen: {
      title: '重新询价',
      from: ['awarded', 'closed'],
      to: 'open',
      permission: PRICE_EDIT,
      consequence: '已写入的档价不受影响',
    },
  },
});

const Price = (title: string) => Money.nullable().meta({ title, currency: 'CNY' });

export const InquiryRow = z.object({
  id: Id,
  number: z.string().meta({ title: '询价单号', kind: 'code', width: 130, pinned: 'left' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 230 }),
  state: InquiryState.meta({ width: 90 }),
  qty: Quantity.meta({ title: '数量', width: 90 }),
  offers: Quantity.meta({ title: '报价家数', width: 90 }),
  bestSupplier: z.string().nullable().meta({ title: '最低报价', width: 130, tip: '买够数量时含税总额最低的有效报价' }),
  bestUnit: Price('含税单价').meta({ width: 110 }),
  bestAmount: Price('含税金额').meta({ width: 110 }),
  awarded: z.string().nullable().meta({ title: '定价供应商', width: 130 }),
  dueOn: Day.nullable().meta({ title: '截止日期', width: 100 }),
  remark: z.string().nullable().meta({ title: '备注', width: 180, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 118 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  version: z.int(),
});
export type InquiryRow = z.infer<typeof InquiryRow>;

export const InquiryFilter = z.object({
  state: InquiryState,
  supplierId: z.array(Id).max(50).meta({ title: '供应商', kind: 'choice', hidden: false }),
  keyword: z.string().trim().max(100).meta({ title: '单号/SKU/名称' }),
});
const AnyFilter = InquiryFilter.partial();
export type InquiryFilter = z.infer<typeof AnyFilter>;

export const listInquiries = endpoint({
  title: '询价单列表',
  method: 'POST',
  path: `${base}/rfq/list`,
  permission: PRICE_VIEW,
  access: 'read',
  body: PageQuery(InquiryFilter),
  sortable: ['number', 'dueOn', 'createdAt'],
  reply: Page(InquiryRow),
});

export const countInquiries = endpoint({
  title: '询价单数量',
  method: 'POST',
  path: `${base}/rfq/statusCounts`,
  permission: PRICE_VIEW,
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportInquiries = endpoint({
  title: '导出询价单',
  method: 'POST',
  path: `${base}/rfq/export`,
  permission: PRICE_VIEW,
  access: 'read',
  body: ExportQuery(InquiryFilter),
  file: true,
  reply: z.unknown(),
});

const Pieces = z.int('数量必须为正整数').min(1, '数量必须为正整数').max(100_000_000).meta({
  title: '数量',
  kind: 'integer',
});

/** Without `id` a new one. The product of an inquiry does not change. */
export const saveInquiry = endpoint({
  title: '保存询价单',
  method: 'POST',
  path: `${base}/rfq/save`,
  permission: PRICE_EDIT,
  body: z.object({
    id: Id.optional(),
    version: Version.optional(),
    productId: z.uuid('请选择产品').meta({ title: '产品', hidden: true }),
    qty: Pieces,
    dueOn: Day.nullable().optional().meta({ title: '截止日期' }),
    remark: OptionalText(500, '备注'),
  }),
  reply: ById,
});

/** Puts a supplier's offer; one that he made before is replaced. */
export const putOffer = endpoint({
  title: '登记报价',
  method: 'POST',
  path: `${base}/rfq/quote`,
  permission: PRICE_EDIT,
  body: ById.extend({
    supplierId: z.uuid('请选择供应商').meta({ title: '供应商', hidden: true }),
    currency: Currency.default('CNY'),
    taxIncluded: z.boolean().default(false).meta({ title: '含税' }),
    tiers: z.array(Tier).min(1, '请填写档价').max(20).meta({ title: '档价' }),
    moq: Pieces.default(1).meta({ title: '起订量', kind: 'integer' }),
    orderMultiple: Pieces.default(1).meta({ title: '订货倍数', kind: 'integer' }),
    leadDays: z.int().min(0).max(730).default(0).meta({ title: '供货周期(天)', kind: 'integer' }),
    validFrom: Day.optional().meta({ title: '生效日期' }),
    validTo: Day.nullable().optional().meta({ title: '失效日期' }),
    remark: OptionalText(500, '备注'),
    /** A tier dearer than the one before has been seen and is meant. */
    confirmed: z.boolean().default(false).meta({ title: '已确认' }),
  }),
  reply: ById,
});

const OfOffer = ById.extend({ supplierId: Id.meta({ title: '供应商', hidden: true }) });

export const dropOffer = endpoint({
  title: '删除报价',
  method: 'POST',
  path: `${base}/rfq/drop`,
  permission: PRICE_EDIT,
  body: OfOffer,
  reply: z.literal('success'),
});

export const Offer = z.object({
  supplierId: Id,
  supplier: z.string(),
  supplierCode: z.string(),
  /** He may be ordered from. */
  orderable: z.boolean(),
  currency: Currency,
  taxIncluded: z.boolean(),
  tiers: z.array(Tier),
  moq: Quantity,
  orderMultiple: Quantity,
  leadDays: Quantity,
  validFrom: Day,
  validTo: Day.nullable(),
  /** Today is within his validity. */
  valid: z.boolean(),
  remark: z.string().nullable(),
  by: z.string(),
  at: Instant,
  /** Pieces that must be bought to have enough: minimum and multiple kept. */
  buyQty: Quantity,
  /** As he states it, at the tier of `buyQty`. */
  unitPrice: z.string(),
  /** With the tax of his invoices, in his currency. */
  amount: Money,
  /** The same in CNY, by today's rate; null where there is no rate. */
  baseUnit: Money.nullable(),
  baseAmount: Money.nullable(),
  /** Cheapest of the valid ones to have enough pieces. */
  best: z.boolean(),
});
export type Offer = z.infer<typeof Offer>;

/** Offers side by side for the inquiry's pieces, or for others. */
export const compareOffers = endpoint({
  title: '比较报价',
  method: 'POST',
  path: `${base}/rfq/compare`,
  permission: PRICE_VIEW,
  access: 'read',
  body: ById.extend({ qty: Pieces.optional() }),
  reply: z.object({
    id: Id,
    number: z.string(),
    state: InquiryState,
    version: z.int(),
    productId: Id,
    product: Product,
    qty: Quantity,
    dueOn: Day.nullable(),
    remark: z.string().nullable(),
    awardedSupplierId: Id.nullable(),
    createdByName: z.string(),
    createdAt: Instant,
    offers: z.array(Offer),
  }),
});
export type Comparison = z.infer<typeof compareOffers.reply>;

/** Makes the offer the supplier's price list; the product gains the supplier where it had not. */
export const awardOffer = endpoint({
  title: '采用报价',
  method: 'POST',
  path: `${base}/rfq/award`,
  permission: PRICE_EDIT,
  body: OfOffer.extend({
    version: Version.optional(),
    asDefault: z.boolean().default(false).meta({ title: '设为默认供应商' }),
  }),
  reply: z.object({ state: InquiryState, priceListId: Id }),
});

export const moveInquiry = endpoint({
  title: '关闭或重开询价单',
  method: 'POST',
  path: `${base}/rfq/status`,
  permission: PRICE_EDIT,
  body: ById.extend({
    action: z.enum(['close', 'reopen']).meta({ title: '操作' }),
    reason: OptionalText(200, '原因'),
    version: Version.optional(),
  }),
  reply: z.object({ state: InquiryState }),
});
