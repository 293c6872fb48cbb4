import { z } from 'zod';
import { Command, OfferedAction, Outcome, Reasoned, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Money } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ADD, ById, EXPORT, VIEW, Words } from '../fields.ts';
import { Cause, ClaimFilter, ClaimPayment, ClaimRow, ClaimWindow, claimCase } from './claim.ts';

const base = '/amazon/api/v2/shipInboundPlan/shipment/discrepancy';
const at = <const S extends string>(part: S) => `${base}/${part}` as const;

export const listClaims = endpoint({
  title: '货件差异列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ClaimFilter),
  sortable: ['number', 'qty', 'value', 'deadline', 'createdAt'],
  reply: Page(ClaimRow),
});

export const countClaims = endpoint({
  title: '货件差异各阶段数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ClaimFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportClaims = endpoint({
  title: '导出货件差异',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ClaimFilter),
  reply: z.unknown(),
});

export const claimDetail = endpoint({
  title: '货件差异详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    claim: ClaimRow,
    payments: z.array(ClaimPayment),
    /** The case in English, to be pasted into the marketplace's form. */
    text: z.string(),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** Whose doing it was. What we did not send is not claimed: the case is closed. */
export const checkClaim = endpoint({
  title: '货件差异·核查',
  method: 'POST',
  path: at('check'),
  permission: ADD,
  body: Command.pick({ id: true, version: true }).extend({ cause: Cause, remark: Words(500, '核查说明') }),
  reply: Outcome,
});

const CaseNo = z
  .string()
  .trim()
  .min(1, '请填写案件号')
  .max(30)
  .regex(/^[A-Za-z0-9-]+$/, '案件号只含字母、数字和短横')
  .meta({ title: '案件号' });

export const fileClaim = endpoint({
  title: '货件差异·提交索赔',
  method: 'POST',
  path: at('file'),
  permission: ADD,
  body: Command.pick({ id: true, version: true }).extend({
    caseNo: CaseNo,
    filedOn: Day.nullable().default(null).meta({ title: '提交日' }),
  }),
  reply: Outcome,
});

/** Money that the marketplace's report does not tell of yet; its own row takes the place of this one. */
export const payClaim = endpoint({
  title: '货件差异·登记赔付',
  method: 'POST',
  path: at('paid'),
  permission: ADD,
  body: Command.pick({ id: true, version: true }).extend({
    reimbursementId: z.string().trim().min(1, '请填写赔偿编号').max(60).meta({ title: '赔偿编号' }),
    qty: z.int().min(1, '数量必须为正整数').max(1_000_000).meta({ title: '赔付数量' }),
    amount: Money.refine((amount) => !amount.startsWith('-'), '金额不能为负').meta({ title: '赔付金额' }),
    currency: Currency,
    paidOn: Day.nullable().default(null).meta({ title: '赔付日' }),
  }),
  reply: Outcome,
});

const STEPS = ['refuse', 'close', 'reopen'] as const;
export type ClaimStep = (typeof STEPS)[number];

const step = (name: ClaimStep) =>
  endpoint({
    title: `货件差异·${claimCase.transitions[name].title}`,
    method: 'POST',
    path: at(name),
    permission: claimCase.transitions[name].permission,
    body: Reasoned,
    reply: Outcome,
  });
export const claimSteps = Object.fromEntries(STEPS.map((name) => [name, step(name)])) as Record<
  ClaimStep,
  ReturnType<typeof step>
>;

/** 证据包: a zip of the packing list, the papers that are known of the goods, and the text of the case. */
export const claimPack = endpoint({
  title: '下载索赔证据包',
  method: 'GET',
  path: at('pack/:id'),
  permission: VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

export const readClaimWindows = endpoint({
  title: '索赔期限',
  method: 'GET',
  path: at('windows'),
  permission: VIEW,
  concurrent: true,
  reply: z.array(ClaimWindow),
});

export const saveClaimWindows = endpoint({
  title: '修改索赔期限',
  method: 'POST',
  path: at('windows/save'),
  permission: ADD,
  body: z.object({ windows: z.array(ClaimWindow).min(1).max(50).meta({ title: '索赔期限' }) }),
  reply: z.array(ClaimWindow),
});

export const claimNotes = noteCalls({ def: claimCase, base, view: VIEW, attach: ADD });
