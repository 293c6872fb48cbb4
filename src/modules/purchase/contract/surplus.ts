import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DayRange, EXPORT, OVER_RECEIVE, PRICE, VIEW, Words } from './fields.ts';

/** What becomes of pieces beyond the ordered ones and the tolerance. */
export const TREATMENTS = { payable: '按单价应付', free: '免费接收', hold: '暂存待定' } as const;
export const OverTreatment = Choice(TREATMENTS, '超收处理');
export type OverTreatment = z.infer<typeof OverTreatment>;

export const SurplusState = States({
  held: { title: '待处理', tone: 'waiting' },
  payable: { title: '按单价应付', tone: 'done' },
  free: { title: '免费接收', tone: 'done' },
  returned: { title: '已退供应商', tone: 'done' },
  reversed: { title: '已撤销', tone: 'off' },
});
export type SurplusState = z.infer<typeof SurplusState>;

/** 超收单: pieces of a line that came beyond what may come. */
export const SurplusRow = z.object({
  id: Id,
  number: z.string().meta({ title: '超收单号', kind: 'code', width: 140, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 230 }),
  state: SurplusState.meta({ width: 100 }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  orderId: Id,
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  qty: z.int().meta({ title: '超收数量', kind: 'integer', width: 90 }),
  orderedQty: z.int().meta({ title: '订购', kind: 'integer', width: 80 }),
  limitQty: z.int().meta({ title: '允收', kind: 'integer', width: 80, tip: '订购数量加容差' }),
  unitPrice: Money.nullable().meta({ title: '含税单价', currency: 'currency', width: 110, permission: PRICE }),
  worth: Money.nullable().meta({
    title: '按单价金额',
    currency: 'currency',
    width: 120,
    permission: PRICE,
    tip: '超收数量乘订单单价；按单价应付时应付的增加',
  }),
  currency: Currency.meta({ hidden: true }),
  receipt: z.string().nullable().meta({ title: '入库到货单', kind: 'code', width: 140 }),
  reason: z.string().meta({ title: '处理说明', width: 180 }),
  trackingNo: z.string().meta({ title: '退回运单号', kind: 'code', width: 130, optional: true }),
  createdByName: z.string().meta({ title: '收货人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '到货时间', width: 130 }),
  decidedByName: z.string().nullable().meta({ title: '处理人', kind: 'person', width: 100 }),
  decidedAt: Instant.nullable().meta({ title: '处理时间', width: 130 }),
  version: z.int(),
});
export type SurplusRow = z.infer<typeof SurplusRow>;

export const SurplusFilter = z.object({
  state: SurplusState,
  created: DayRange('到货日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  keyword: z.string().trim().max(100).meta({ title: '超收单、采购单' }),
});
const AnyFilter = SurplusFilter.partial();
export type SurplusFilter = z.infer<typeof AnyFilter>;

const at = <const S extends string>(part: S) => `${base}/purchaseSurplus/${part}` as const;

export const listSurplus = endpoint({
  title: '超收列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(SurplusFilter),
  sortable: ['number', 'createdAt'],
  reply: Page(SurplusRow),
});

export const countSurplus = endpoint({
  title: '超收各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: SurplusFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportSurplus = endpoint({
  title: '导出超收',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(SurplusFilter),
  reply: z.unknown(),
});

export const DECISIONS = { payable: '按单价应付', free: '免费接收', return: '退回供应商' } as const;
export const SurplusDecision = Choice(DECISIONS, '处理方式');
export type SurplusDecision = z.infer<typeof SurplusDecision>;

/** Decides about held pieces: they come into stock with a receipt of their own, or go back. */
export const decideSurplus = endpoint({
  title: '处理超收',
  method: 'POST',
  path: at('decide'),
  permission: OVER_RECEIVE,
  body: Command.omit({ reason: true }).extend({
    decision: SurplusDecision,
    inspect: z.boolean().default(false).meta({ title: '送检' }),
    /** May be left out where the company has one inspection warehouse. */
    inspectAt: z.uuid().optional().meta({ title: '质检仓' }),
    trackingNo: Words(100, '退回运单号'),
    reason: z.string().trim().min(1, '请填写处理说明').max(200).meta({ title: '处理说明' }),
  }),
  reply: Outcome,
});
