import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { APPROVE, base, DayRange, EXPORT, MAX_LINES, Pieces, PRICE, RETURN, VIEW, Words } from './fields.ts';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  approved: { title: '待发出', tone: 'running' },
  shipped: { title: '已退回', tone: 'done' },
  cancelled: { title: '已撤销', tone: 'off' },
} as const;
export const ReturnState = States(STATES);
export type ReturnState = z.infer<typeof ReturnState>;

export const ReturnWay = Choice({ CREDIT: '退货抵扣', REPLACE: '退货补发' }, '处理方式');
export type ReturnWay = z.infer<typeof ReturnWay>;

/** 采购退货单: goods of an order that go back to the supplier. */
export const purchaseReturn = documentType({
  name: 'purchase.return',
  title: '采购退货单',
  number: 'CT{yyMMdd}{seq:4}',
  detail: '/erp/purchase/return',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: { title: '提交', from: ['draft'], to: 'pending', permission: RETURN, primary: true },
    approve: { title: '通过', from: ['pending'], to: 'approved', permission: APPROVE, primary: true },
    reject: { title: '驳回', from: ['pending'], to: 'draft', permission: APPROVE, reason: true },
    ship: {
      title: '退货出库',
      from: ['approved'],
      to: 'shipped',
      permission: RETURN,
      primary: true,
      consequence: '货物离开仓库，应付随之减少；补发的重新计入待入库',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'approved'],
      to: 'cancelled',
      permission: RETURN,
      reason: true,
    },
  },
});

export const ReturnRow = z.object({
  id: Id,
  number: z.string().meta({ title: '退货单号', kind: 'code', width: 140, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 230 }),
  state: ReturnState.meta({ width: 90 }),
  way: ReturnWay.meta({ width: 100 }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  orderId: Id,
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  warehouse: z.string().meta({ title: '退货仓', width: 120 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  credit: Money.nullable().meta({ title: '应付减少', currency: 'currency', width: 120, permission: PRICE }),
  cost: Money.nullable().meta({ title: '库存成本', currency: 'CNY', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  reason: z.string().meta({ title: '原因', width: 180 }),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 130, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  shippedAt: Instant.nullable().meta({ title: '退回时间', width: 130 }),
  version: z.int(),
});
export type ReturnRow = z.infer<typeof ReturnRow>;

export const ReturnFilter = z.object({
  state: ReturnState,
  created: DayRange('创建日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  keyword: z.string().trim().max(100).meta({ title: '退货单、采购单、运单号' }),
});
const AnyFilter = ReturnFilter.partial();
export type ReturnFilter = z.infer<typeof AnyFilter>;

const at = <const S extends string>(part: S) => `${base}/purchaseReturn/${part}` as const;

export const listReturns = endpoint({
  title: '采购退货列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ReturnFilter),
  sortable: ['number', 'createdAt'],
  reply: Page(ReturnRow),
});

export const countReturns = endpoint({
  title: '采购退货各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReturnFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportReturns = endpoint({
  title: '导出采购退货',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ReturnFilter),
  reply: z.unknown(),
});

export const createReturn = endpoint({
  title: '新建采购退货',
  method: 'POST',
  path: at('save'),
  permission: RETURN,
  body: z.object({
    orderId: Id.meta({ title: '采购单' }),
    warehouseId: z.uuid('请选择退货仓').meta({ title: '退货仓' }),
    way: ReturnWay.default('CREDIT'),
    reason: z.string().trim().min(1, '请填写原因').max(500).meta({ title: '原因' }),
    trackingNo: Words(100, '运单号'),
    lines: z
      .array(z.object({ lineId: Id.meta({ title: '明细' }), qty: Pieces }))
      .min(1, '至少添加一行数据')
      .max(MAX_LINES)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

const step = (name: keyof typeof purchaseReturn.transitions) => {
  const rule = purchaseReturn.transitions[name];
  return endpoint({
    title: `采购退货·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
};

export const returnSteps = {
  submit: step('submit'),
  approve: step('approve'),
  reject: step('reject'),
  ship: step('ship'),
  cancel: step('cancel'),
};
export type ReturnStep = keyof typeof returnSteps;
