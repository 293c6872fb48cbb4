import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, DayRange, PRICE, VIEW } from './fields.ts';
import { PLAN_SUBMIT } from './plan.ts';

const STATES = {
  draft: { title: '待提交', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  converted: { title: '已转单', tone: 'done' },
  void: { title: '已退回规划', tone: 'off' },
} as const;
export const RequisitionState = States(STATES);
export type RequisitionState = z.infer<typeof RequisitionState>;

/** 采购计划: needs that are handed in together; orders come of it when it is approved, at once where no flow decides. */
export const requisition = documentType({
  name: 'purchase.requisition',
  title: '采购计划',
  number: 'GH{yyMMdd}{seq:3}',
  detail: '/e/p/p/r',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft'],
      to: 'pending',
      permission: PLAN_SUBMIT,
      primary: true,
      consequence: '通过后生成采购单和加工单',
    },
    recall: { title: '撤回', from: ['pending'], to: 'draft', permission: PLAN_SUBMIT },
    approve: { title: '通过', from: ['pending'], to: 'converted', permission: PLAN_SUBMIT, internal: true },
    reject: { title: '驳回', from: ['pending'], to: 'draft', permission: PLAN_SUBMIT, reason: true, internal: true },
    discard: {
      title: '退回规划',
      from: ['draft', 'pending'],
      to: 'void',
      permission: PLAN_SUBMIT,
      consequence: '需求回到采购规划，可以修改后再提交',
    },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'recall', cancel: ['discard'] },
});

/** BUY: ordered from a supplier. MAKE: put together of its parts. */
export const PlanWay = Choice({ BUY: '采购', MAKE: '组装' }, '方式');
export type PlanWay = z.infer<typeof PlanWay>;

export const RequisitionRow = z.object({
  id: Id,
  number: z.string().meta({ title: '计划单号', kind: 'code', width: 150, pinned: 'left' }),
  state: RequisitionState.meta({ width: 100 }),
  products: z.int().meta({ title: 'SKU数', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '采购数量', kind: 'integer', width: 90 }),
  made: z.int().meta({ title: '组装数量', kind: 'integer', width: 90 }),
  amount: Money.nullable().meta({
    title: '预估金额',
    currency: 'CNY',
    width: 130,
    permission: PRICE,
    tip: '按今天的汇率折成人民币；缺少汇率时不显示',
  }),
  createdByName: z.string().meta({ title: '提交人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '提交时间', width: 130 }),
  version: z.int(),
});
export type RequisitionRow = z.infer<typeof RequisitionRow>;

export const RequisitionLineRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  way: PlanWay.meta({ width: 70 }),
  supplier: z.string().nullable().meta({ title: '供应商', width: 140 }),
  warehouse: z.string().meta({ title: '入库仓', width: 120 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  unitPrice: Money.nullable().meta({ title: '单价', currency: 'currency', width: 110, permission: PRICE }),
  amount: Money.nullable().meta({ title: '预估金额', currency: 'currency', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  needBy: Day.nullable().meta({ title: '需求日期', width: 110 }),
  usedFor: z.string().meta({ title: '用于组装', width: 160, tip: '组合产品的SKU，其子件库存不足的部分由本行采购' }),
  result: z.string().nullable().meta({ title: '生成单据', kind: 'code', width: 150 }),
  orderId: Id.nullable(),
  processId: Id.nullable(),
});
export type RequisitionLineRow = z.infer<typeof RequisitionLineRow>;

export const RequisitionFilter = z.object({
  state: RequisitionState,
  created: DayRange('提交日期'),
  keyword: z.string().trim().max(100).meta({ title: '单号、SKU' }),
});
const AnyFilter = RequisitionFilter.partial();
export type RequisitionFilter = z.infer<typeof AnyFilter>;

const at = <const S extends string>(part: S) => `${base}/purchasePlan/${part}` as const;

export const listRequisitions = endpoint({
  title: '采购计划列表',
  method: 'POST',
  path: at('submitted/list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(RequisitionFilter),
  sortable: ['number', 'createdAt'],
  reply: Page(RequisitionRow),
});

export const countRequisitions = endpoint({
  title: '采购计划各状态数量',
  method: 'POST',
  path: at('submitted/counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: RequisitionFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const requisitionDetail = endpoint({
  title: '采购计划详情',
  method: 'GET',
  path: at('submitted/detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    plan: RequisitionRow,
    lines: z.array(RequisitionLineRow),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

const step = (name: keyof typeof requisition.transitions) => {
  const rule = requisition.transitions[name];
  return endpoint({
    title: `采购计划·${rule.title}`,
    method: 'POST',
    path: at(`submitted/${name}`),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
};

export const requisitionSteps = { submit: step('submit'), recall: step('recall'), discard: step('discard') };
export type RequisitionStep = keyof typeof requisitionSteps;
