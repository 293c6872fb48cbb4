import { z } from 'zod';
import { Command, OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { FeeType, ShareBody, shareCost } from '#modules/costshare/contract/calls.ts';
import { Method } from '#modules/finance/contract/accounts.ts';
import { ById } from '#modules/finance/contract/fields.ts';
import {
  APPLY,
  CostMade,
  ExpenseFilter,
  ExpenseInput,
  ExpenseRow,
  ExpenseState,
  expenseDocument,
  LineRow,
  MonthRow,
  PAY,
  ShareRow,
  VIEW,
} from './document.ts';

const root = '/erp/api/v1/finance/expense';

export const listExpenses = endpoint({
  title: '费用单列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ExpenseFilter),
  sortable: ['number', 'spentOn', 'amount', 'amountCny', 'months', 'createdAt'],
  reply: Page(ExpenseRow),
});

export const countExpenses = endpoint({
  title: '费用单各状态数量',
  method: 'POST',
  path: `${root}/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ExpenseFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportExpenses = endpoint({
  title: '导出费用单',
  method: 'POST',
  path: `${root}/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(ExpenseFilter),
  reply: z.unknown(),
});

export const expenseData = endpoint({
  title: '费用单详情',
  method: 'GET',
  path: `${root}/getData/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: ExpenseRow,
    lines: z.array(LineRow),
    shares: z.array(ShareRow),
    /** What each month bears: as it was posted, or as it will be. */
    schedule: z.array(MonthRow),
    costs: z.array(CostMade),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** What people write about an expense, and its receipts. */
export const expenseNotes = noteCalls({ def: expenseDocument, base: root, view: VIEW, attach: APPLY });

export const printExpense = endpoint({
  title: '打印费用单',
  method: 'GET',
  path: `${root}/print/:id`,
  permission: VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

export const Outcome = z.object({
  id: Id,
  number: z.string(),
  state: ExpenseState,
  version: z.int(),
  message: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

export const saveExpense = endpoint({
  title: '保存费用单',
  method: 'POST',
  path: `${root}/saveData`,
  permission: APPLY,
  body: ExpenseInput,
  reply: Outcome,
});

const step = (name: keyof typeof expenseDocument.transitions) => {
  const { title, permission } = expenseDocument.transitions[name];
  return endpoint({
    title: `费用单·${title}`,
    method: 'POST',
    path: `${root}/${name}`,
    permission,
    body: Command,
    reply: Outcome,
  });
};

/** Steps that are one transition each. */
export const expenseSteps = {
  submit: step('submit'),
  withdraw: step('withdraw'),
  approve: step('approve'),
  return: step('return'),
  reverse: step('reverse'),
  void: step('void'),
};
export type ExpenseStep = keyof typeof expenseSteps;

export const PayForm = z.object({
  method: Method.default('BANK'),
  cashAccountId: z.uuid().nullish().meta({ title: '付款账户' }),
  dueOn: Day.nullish().meta({ title: '预计付款日' }),
});

/** Makes the payment request of an approved expense and hands it in; finance pays it. */
export const requestExpense = endpoint({
  title: '费用单·申请付款',
  method: 'POST',
  path: `${root}/requestPayment`,
  permission: PAY,
  body: PayForm.extend({
    id: Id.meta({ title: '费用单' }),
    version: z.int().optional().meta({ title: '版本' }),
  }),
  reply: Outcome,
});

export const expenseTypes = endpoint({
  title: '费用单可选类型',
  method: 'GET',
  path: `${root}/feeTypes`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(FeeType),
});

/** Rows that share an amount by what SKUs sold, to the last cent; nothing is written. */
export const shareExpense = endpoint({
  title: '费用单·按规则分摊',
  method: 'POST',
  path: `${root}/share`,
  permission: APPLY,
  access: 'read',
  body: ShareBody,
  reply: shareCost.reply,
});
