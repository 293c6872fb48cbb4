import { z } from 'zod';
import { Command, OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import {
  Amount,
  CostDetailRow,
  CostFilter,
  CostInput,
  CostLineRow,
  CostRow,
  CostRowInput,
  CostState,
  costDocument,
  EDIT,
  MOST_ROWS,
  ShareBase,
  StoreKey,
  VIEW,
} from './document.ts';

const root = '/amazon/api/v1/fin/costShare';

export const listCosts = endpoint({
  title: '费用分摊列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(CostFilter),
  sortable: ['number', 'amount', 'amountCny', 'from', 'createdAt'],
  reply: Page(CostRow),
});

export const countCosts = endpoint({
  title: '费用分摊各状态数量',
  method: 'POST',
  path: `${root}/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: CostFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const CostLineFilter = z.object({
  ...CostFilter.omit({ state: true }).shape,
  view: Choice({ day: '每天详细', month: '按月汇总' }, '视图'),
});

/** What posted documents put on each day, or month; documents that were taken back are left out. */
export const listCostLines = endpoint({
  title: '费用分摊明细',
  method: 'POST',
  path: `${root}/lines`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(CostLineFilter),
  sortable: ['day', 'amountCny'],
  reply: Page(CostLineRow),
});

export const costData = endpoint({
  title: '费用分摊单详情',
  method: 'GET',
  path: `${root}/getData/:id`,
  permission: VIEW,
  concurrent: true,
  params: z.object({ id: Id }),
  reply: z.object({
    document: CostRow,
    rows: z.array(CostDetailRow),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** What people write about a document and put to it. */
export const costNotes = noteCalls({ def: costDocument, base: root, view: VIEW, attach: EDIT });

const Outcome = z.object({ id: Id, number: z.string(), state: CostState, version: z.int(), message: z.string() });
export type CostOutcome = z.infer<typeof Outcome>;

/** Writes a draft; a document that is posted is taken back and posted anew in the same transaction. */
export const saveCostShare = endpoint({
  title: '费用分摊单·保存',
  method: 'POST',
  path: `${root}/saveData`,
  permission: EDIT,
  body: CostInput,
  reply: Outcome,
});

const step = (name: keyof typeof costDocument.transitions) => {
  const { title, permission } = costDocument.transitions[name];
  return endpoint({
    title: `费用分摊单·${title}`,
    method: 'POST',
    path: `${root}/${name}`,
    permission,
    body: Command,
    reply: Outcome,
  });
};

/** Steps that are one transition each. */
export const costSteps = { post: step('post'), unpost: step('unpost'), void: step('void') };
export type CostStep = keyof typeof costSteps;

export const ShareBody = z.object({
  stores: z.array(StoreKey).min(1, '请选择店铺').max(200).meta({ title: '店铺' }),
  skus: z.array(z.string().trim().min(1).max(100)).max(MOST_ROWS).default([]).meta({ title: 'SKU' }),
  base: ShareBase,
  amount: Amount('金额'),
  currency: Currency,
  from: Day.meta({ title: '分摊开始' }),
  to: Day.meta({ title: '分摊结束' }),
});

/** Rows that share an amount to the last cent; nothing is written. */
export const shareCost = endpoint({
  title: '按规则分摊',
  method: 'POST',
  path: `${root}/share`,
  permission: EDIT,
  access: 'read',
  body: ShareBody,
  reply: z.object({
    rows: z.array(CostRowInput),
    /** What it was shared by in the end: EQUAL where nothing had the base that was asked for. */
    base: ShareBase,
  }),
});

export const FeeType = z.object({
  name: z.string().trim().min(1, '请填写名称').max(40).meta({ title: '费用类型' }),
  active: z.boolean().meta({ title: '启用' }),
});
export type FeeType = z.infer<typeof FeeType>;

export const listFeeTypes = endpoint({
  title: '费用类型',
  method: 'GET',
  path: '/amazon/api/v1/fin/feeType/list',
  permission: VIEW,
  concurrent: true,
  reply: z.array(FeeType),
});

/** Adds a type, stops one or takes it up again; those that were used stay. */
export const saveFeeType = endpoint({
  title: '保存费用类型',
  method: 'POST',
  path: '/amazon/api/v1/fin/feeType/save',
  permission: EDIT,
  body: FeeType,
  reply: FeeType,
});
