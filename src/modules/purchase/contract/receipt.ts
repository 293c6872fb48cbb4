import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, DayRange, EXPORT, MAX_LINES, Pieces, PRICE, RECEIVE, REVERSE, VIEW, Words } from './fields.ts';
import { OverTreatment } from './surplus.ts';

export const ReceiptState = States({
  inspecting: { title: '待质检', tone: 'waiting' },
  done: { title: '已入库', tone: 'done' },
  reversed: { title: '已撤销', tone: 'off' },
});
export type ReceiptState = z.infer<typeof ReceiptState>;

/** Goods that came with one truck for one order. */
export const ReceiptRow = z.object({
  id: Id,
  number: z.string().meta({ title: '到货单号', kind: 'code', width: 140, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 230 }),
  state: ReceiptState.meta({ width: 90 }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  orderId: Id,
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  qty: z.int().meta({ title: '到货', kind: 'integer', width: 80 }),
  inspecting: z.int().meta({ title: '待检', kind: 'integer', width: 80 }),
  passed: z.int().meta({ title: '合格', kind: 'integer', width: 80 }),
  special: z.int().meta({ title: '特采', kind: 'integer', width: 80 }),
  rejected: z.int().meta({ title: '不合格', kind: 'integer', width: 80 }),
  amount: Money.nullable().meta({ title: '金额', currency: 'currency', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 130 }),
  receivedOn: Day.meta({ title: '到货日期', width: 110 }),
  createdByName: z.string().meta({ title: '收货人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '登记时间', width: 130 }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  version: z.int(),
});
export type ReceiptRow = z.infer<typeof ReceiptRow>;

export const ReceiptFilter = z.object({
  state: ReceiptState,
  received: DayRange('到货日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  keyword: z.string().trim().max(100).meta({ title: '到货单、采购单、运单号' }),
});
const AnyFilter = ReceiptFilter.partial();
export type ReceiptFilter = z.infer<typeof AnyFilter>;

export const ReceiptLineRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  qty: z.int().meta({ title: '到货', kind: 'integer', width: 80 }),
  inspecting: z.int().meta({ title: '待检', kind: 'integer', width: 80 }),
  passed: z.int().meta({ title: '合格', kind: 'integer', width: 80 }),
  special: z.int().meta({ title: '特采', kind: 'integer', width: 80 }),
  rejected: z.int().meta({ title: '不合格', kind: 'integer', width: 80 }),
  free: z.boolean().meta({ title: '免费', kind: 'boolean', width: 60 }),
  amount: Money.nullable().meta({ title: '应付', currency: 'currency', width: 120, permission: PRICE }),
  cost: Money.nullable().meta({ title: '库存成本', currency: 'CNY', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
});
export type ReceiptLineRow = z.infer<typeof ReceiptLineRow>;

const at = <const S extends string>(part: S) => `${base}/purchaseReceipt/${part}` as const;

export const listReceipts = endpoint({
  title: '到货列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ReceiptFilter),
  sortable: ['number', 'receivedOn', 'createdAt'],
  reply: Page(ReceiptRow),
});

export const countReceipts = endpoint({
  title: '到货各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReceiptFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportReceipts = endpoint({
  title: '导出到货',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ReceiptFilter),
  reply: z.unknown(),
});

export const receiptLines = endpoint({
  title: '到货明细',
  method: 'GET',
  path: at('lines/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(ReceiptLineRow),
});

const Place = z.uuid().optional();

/** Registers what came; `inspect` lines wait in the inspection warehouse. A second one with the same `clientId` changes nothing. */
export const receiveGoods = endpoint({
  title: '登记到货',
  method: 'POST',
  path: at('save'),
  permission: RECEIVE,
  body: z.object({
    id: Id.meta({ title: '采购单' }),
    clientId: z.string().trim().min(1).max(100).optional().meta({ title: '到货标识' }),
    /** Where pieces wait; may be left out where the company has one inspection warehouse. */
    inspectAt: Place.meta({ title: '质检仓' }),
    trackingNo: Words(100, '运单号'),
    remark: Words(500, '备注'),
    lines: z
      .array(
        z.object({
          lineId: Id.meta({ title: '明细' }),
          qty: Pieces,
          inspect: z.boolean().default(false).meta({ title: '送检' }),
          /** What becomes of pieces beyond what may come; without it they are refused. */
          over: OverTreatment.optional(),
        }),
      )
      .min(1, '至少添加一行数据')
      .max(MAX_LINES)
      .meta({ title: '明细' }),
  }),
  /** No receipt where all that came is held. */
  reply: Outcome.extend({ receiptId: Id.nullable() }),
});

const Found = z.int().min(0).max(100_000_000).default(0);

/** What the inspection found: good and by agreement go to the order's warehouse, the rest to the defective one. */
export const inspectGoods = endpoint({
  title: '登记质检',
  method: 'POST',
  path: at('inspect'),
  permission: RECEIVE,
  body: Command.omit({ reason: true }).extend({
    defectiveAt: Place.meta({ title: '次品仓' }),
    lines: z
      .array(
        z.object({
          lineId: Id.meta({ title: '到货明细' }),
          passed: Found.meta({ title: '合格' }),
          special: Found.meta({ title: '特采' }),
          rejected: Found.meta({ title: '不合格' }),
          reason: Words(200, '原因'),
        }),
      )
      .min(1, '至少添加一行数据')
      .max(MAX_LINES)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

/** Takes a receipt back as a whole; only while nothing of it was inspected or used. */
export const reverseReceipt = endpoint({
  title: '撤销到货',
  method: 'POST',
  path: at('reverse'),
  permission: REVERSE,
  body: Command.extend({ reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }) }),
  reply: Outcome,
});
