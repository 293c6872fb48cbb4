import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, States } from '#kit/contract/field.ts';
import { AMEND, APPROVE, ById, base, MAX_LINES, Pieces, PRICE, UnitPrice, VIEW } from './fields.ts';

const STATES = {
  draft: { title: '待提交', tone: 'waiting' },
  pending: { title: '待审核', tone: 'waiting' },
  applied: { title: '已生效', tone: 'done' },
  rejected: { title: '已驳回', tone: 'trouble' },
  void: { title: '已撤回', tone: 'off' },
} as const;
export const AmendmentState = States(STATES);

/**
 * 采购变更单: a change of quantities, prices or days of an order that was placed, or the higher amount that a platform takes for
 * it. One that needs approval is handed in as it is written, and while it waits no money is asked for the order and nothing of
 * it given up.
 */
export const amendment = documentType({
  name: 'purchase.amendment',
  title: '采购变更单',
  number: 'BG{yyMMdd}{seq:4}',
  detail: '/purchaseOrders/amendment',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: { title: '提交', from: ['draft'], to: 'pending', permission: AMEND, internal: true },
    recall: { title: '撤回', from: ['pending'], to: 'void', permission: AMEND },
    approve: { title: '通过', from: ['pending'], to: 'applied', permission: APPROVE, primary: true },
    reject: { title: '驳回', from: ['pending'], to: 'rejected', permission: APPROVE, reason: true },
    drop: { title: '作废', from: ['pending'], to: 'void', permission: AMEND, internal: true },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'recall', cancel: ['drop'] },
});

const Terms = z.object({
  qty: z.int(),
  unitPrice: Money.nullable().meta({ permission: PRICE }),
  expectedOn: Day.nullable(),
});

export const AmendmentRow = z.object({
  id: Id,
  number: z.string().meta({ title: '变更单号', kind: 'code', width: 140 }),
  state: AmendmentState.meta({ width: 90 }),
  difference: Money.nullable().meta({ title: '总额变动', currency: 'currency', width: 120, permission: PRICE }),
  currency: Currency.meta({ hidden: true }),
  words: z.string().meta({ title: '变更内容', width: 360 }),
  reason: z.string().meta({ title: '原因', width: 160 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
  decidedByName: z.string().nullable().meta({ title: '审核人', kind: 'person', width: 100 }),
  /** A flow decides: nobody does so here. */
  byFlow: z.boolean().meta({ hidden: true }),
});
export type AmendmentRow = z.infer<typeof AmendmentRow>;
export type Terms = z.infer<typeof Terms>;

const at = <const S extends string>(part: S) => `${base}/purchaseOrder/amendment/${part}` as const;

export const orderAmendments = endpoint({
  title: '采购单变更记录',
  method: 'GET',
  path: at('list/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(AmendmentRow),
});

/** The order that a change is about. */
export const amendedOrder = endpoint({
  title: '变更单的采购单',
  method: 'GET',
  path: at('order/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({ orderId: Id, number: z.string() }),
});

/** Changes a placed order; it counts at once where the order does not get dearer than the tolerance allows. */
export const amendOrder = endpoint({
  title: '变更采购单',
  method: 'POST',
  path: at('save'),
  permission: AMEND,
  body: z.object({
    orderId: Id.meta({ title: '采购单' }),
    version: z.int().optional().meta({ title: '版本' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
    lines: z
      .array(
        z.object({
          lineId: Id.meta({ title: '明细' }),
          qty: Pieces,
          unitPrice: UnitPrice,
          expectedOn: Day.nullable().default(null).meta({ title: '要求到货' }),
        }),
      )
      .min(1, '至少添加一行数据')
      .max(MAX_LINES)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

/** Decisions about a change, and taking it back. */
export type AmendmentStep = 'approve' | 'reject' | 'recall';

const step = (name: AmendmentStep) =>
  endpoint({
    title: `采购变更·${amendment.transitions[name].title}`,
    method: 'POST',
    path: at(name),
    permission: amendment.transitions[name].permission,
    body: Command,
    reply: Outcome,
  });

export const amendmentSteps = { approve: step('approve'), reject: step('reject'), recall: step('recall') };
