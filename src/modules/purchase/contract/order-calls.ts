import { z } from 'zod';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Money, Product } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, ById, base, CLOSE, EDIT, EXPORT, Pieces, PRICE, VIEW, Words } from './fields.ts';
import {
  OrderCheck,
  OrderFilter,
  OrderHead,
  OrderInput,
  OrderLineRow,
  OrderMoney,
  OrderPaymentRow,
  OrderReceiptRow,
  OrderRow,
  purchaseOrder,
} from './order.ts';
import { OrderLink } from './parts.ts';

const at = <const S extends string>(part: S) => `${base}/purchaseOrder/${part}` as const;

export const listOrders = endpoint({
  title: '采购单列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(OrderFilter),
  sortable: ['number', 'supplier', 'qty', 'amount', 'expectedOn', 'createdAt'],
  reply: Page(OrderRow),
});

export const countOrders = endpoint({
  title: '采购单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: OrderFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportOrders = endpoint({
  title: '导出采购单',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(OrderFilter),
  reply: z.unknown(),
});

export const orderDetail = endpoint({
  title: '采购单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    order: OrderHead,
    lines: z.array(OrderLineRow),
    receipts: z.array(OrderReceiptRow),
    payments: z.array(OrderPaymentRow),
    money: OrderMoney,
    /** Orders that it was split or merged with. */
    links: z.array(OrderLink),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

export const saveOrder = endpoint({
  title: '保存采购单',
  method: 'POST',
  path: at('save'),
  permission: EDIT,
  body: OrderInput,
  reply: Outcome,
});

/** Totals and findings of an order that is being written; writes nothing. */
export const checkOrder = endpoint({
  title: '检查采购单',
  method: 'POST',
  path: at('check'),
  permission: EDIT,
  access: 'read',
  concurrent: true,
  body: OrderInput,
  reply: OrderCheck,
});

/**
 * Lines are waited for no longer: so many pieces of each of `lines`, else all that is open of `lineIds`, else of every line.
 */
export const closeLines = endpoint({
  title: '采购单·结束收货',
  method: 'POST',
  path: at('closeLine'),
  permission: CLOSE,
  body: Command.extend({
    lineIds: z.array(Id).max(500).optional().meta({ title: '明细' }),
    lines: z
      .array(z.object({ lineId: Id.meta({ title: '明细' }), qty: Pieces }))
      .min(1, '请填写不再等待的数量')
      .max(500)
      .optional()
      .meta({ title: '不再到货' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: Outcome,
});

/** Products of a supplier by SKU, barcode or name, with the price that counts for a quantity. */
export const findGoods = endpoint({
  title: '采购可选商品',
  method: 'POST',
  path: at('goods'),
  permission: EDIT,
  access: 'read',
  concurrent: true,
  body: z.object({
    text: z.string().trim().max(100).default('').meta({ title: '搜索内容' }),
    supplierId: z.string().max(60).default('').meta({ title: '供应商' }),
    type: z.enum(['GOODS', 'CONSUMABLE', 'SAMPLE']).default('GOODS').meta({ title: '采购类型' }),
  }),
  reply: z.array(
    z.object({
      id: Id,
      product: Product,
      /** Of the supplier's list, for its smallest quantity; null: he has quoted none. */
      unitPrice: Money.nullable().meta({ title: '报价', currency: 'currency', permission: PRICE }),
      currency: z.string().nullable(),
      moq: z.int().nullable(),
      leadDays: z.int().nullable(),
    }),
  ),
});

/** Price of quantities from the supplier's tiers of today; null where he has quoted none. */
export const priceGoods = endpoint({
  title: '采购档价',
  method: 'POST',
  path: at('prices'),
  permission: EDIT,
  access: 'read',
  concurrent: true,
  body: z.object({
    supplierId: Id.meta({ title: '供应商' }),
    lines: z
      .array(z.object({ productId: Id.meta({ title: '商品' }), qty: z.int().min(1).max(100_000_000) }))
      .max(500)
      .meta({ title: '明细' }),
  }),
  reply: z.array(
    z.object({
      productId: Id,
      unitPrice: Money.nullable().meta({ title: '单价', currency: 'currency', permission: PRICE }),
      currency: z.string().nullable(),
    }),
  ),
});

const step = (name: keyof typeof purchaseOrder.transitions) => {
  const rule = purchaseOrder.transitions[name];
  return endpoint({
    title: `采购单·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
};

/** What people write about an order and put to it. */
export const orderNotes = noteCalls({ def: purchaseOrder, base: `${base}/purchaseOrder`, view: VIEW, attach: EDIT });

/** Commands that are one transition each. */
export const orderSteps = {
  submit: step('submit'),
  recall: step('recall'),
  approve: step('approve'),
  reject: step('reject'),
  place: step('place'),
  complete: step('complete'),
  reopen: step('reopen'),
  discard: step('discard'),
  cancel: step('cancel'),
};
export type OrderStep = keyof typeof orderSteps;

/** What forms and filters of purchasing offer. */
export const purchaseChoices = endpoint({
  title: '采购可选项',
  method: 'GET',
  path: at('choices'),
  permission: VIEW,
  concurrent: true,
  reply: z.object({
    warehouses: z.array(
      z.object({ id: Id, name: z.string(), quality: z.enum(['GOOD', 'QC', 'DEFECTIVE']), overseas: z.boolean() }),
    ),
    suppliers: z.array(
      z.object({
        id: Id,
        name: z.string(),
        code: z.string(),
        grade: z.string(),
        currency: z.string(),
        invoiceType: z.string(),
        taxRate: z.string(),
        terms: z.string(),
        orderable: z.boolean(),
      }),
    ),
  }),
});

/** Asks finance to pay for an order and hands the request in. */
export const requestOrderPayment = endpoint({
  title: '采购单·请款',
  method: 'POST',
  path: at('requestPayment'),
  permission: 'fin:payreq:apply',
  body: z.object({
    id: Id.meta({ title: '采购单' }),
    kind: Choice({ DEPOSIT: '定金', BALANCE: '货款' }, '请款类型').default('BALANCE'),
    amount: Amount('请款金额').refine((value) => /[1-9]/.test(value), '请款金额必须大于0'),
    dueOn: Day.nullable().default(null).meta({ title: '预计付款日' }),
    remark: Words(200, '备注'),
  }),
  reply: Outcome,
});

/** An order on paper: the contract for both sides, or the sheet for the keeper, which has no prices. */
export const printOrder = endpoint({
  title: '打印采购单',
  method: 'GET',
  path: at('print/:id'),
  permission: VIEW,
  params: ById,
  query: z.object({ paper: z.enum(['contract', 'sheet']).default('sheet').meta({ title: '纸张' }) }),
  file: true,
  reply: z.unknown(),
});
