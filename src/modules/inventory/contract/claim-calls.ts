import { z } from 'zod';
import { Command, OfferedAction, Outcome, Reasoned, TimelineEntry } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { CLAIM_EDIT, ClaimEvidence, ClaimFilter, ClaimPolicy, ClaimReason, ClaimRow } from './claims.ts';

const base = '/amazon/api/v1/claim';
const at = <const S extends string>(part: S) => `${base}/${part}` as const;
const VIEW = 'amz:inventory:view';

export const listClaims = endpoint({
  title: '索赔发现列表',
  method: 'POST',
  path: at('page'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ClaimFilter),
  sortable: ['number', 'day', 'qty', 'value', 'deadline', 'product'],
  reply: Page(ClaimRow),
});

export const countClaims = endpoint({
  title: '索赔各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ClaimFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportClaims = endpoint({
  title: '导出索赔',
  method: 'POST',
  path: at('export'),
  permission: 'amz:inventory:export',
  file: true,
  body: ExportQuery(ClaimFilter),
  reply: z.unknown(),
});

/** What a claim of its type needs before it is handed in. */
export const ChecklistItem = z.object({ title: z.string(), done: z.boolean() });
export type ChecklistItem = z.infer<typeof ChecklistItem>;

export const claimDetail = endpoint({
  title: '索赔详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: z.object({ id: Id }),
  reply: z.object({
    claim: ClaimRow,
    evidence: z.array(ClaimEvidence),
    checklist: z.array(ChecklistItem),
    /** The case in English, to be pasted into Seller Central. */
    text: z.string(),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

const OneClaim = Command.pick({ id: true, version: true });

/** Handing in happens in Seller Central, by a person: only its number is noted. A second time is the one appeal. */
export const fileClaim = endpoint({
  title: '索赔·提交',
  method: 'POST',
  path: at('file'),
  permission: CLAIM_EDIT,
  body: OneClaim.extend({
    caseNo: z
      .string()
      .trim()
      .min(1, '请填写 Case 编号')
      .max(30, 'Case 编号最多30个字符')
      .regex(/^[A-Za-z0-9-]+$/, 'Case 编号只含字母、数字和短横')
      .meta({ title: 'Case 编号' }),
    filedOn: Day.nullable().default(null).meta({ title: '提交日' }),
  }),
  reply: Outcome,
});

export const answerClaim = endpoint({
  title: '索赔·登记结果',
  method: 'POST',
  path: at('result'),
  permission: CLAIM_EDIT,
  body: OneClaim.extend({
    result: Choice({ APPROVED: '批准', PARTIAL: '部分批准', DENIED: '拒绝' }, '结果'),
    granted: z.int().min(1, '批准数量至少1件').nullable().default(null).meta({ title: '批准数量' }),
    remark: z.string().trim().max(200).default('').meta({ title: '说明' }),
  }),
  reply: Outcome,
});

export const dismissClaim = endpoint({
  title: '索赔·忽略',
  method: 'POST',
  path: at('dismiss'),
  permission: CLAIM_EDIT,
  body: Reasoned,
  reply: Outcome,
});

/** Looks through the reports of all stores now instead of tonight. */
export const buildClaims = endpoint({
  title: '索赔·重新查找',
  method: 'POST',
  path: at('build'),
  permission: CLAIM_EDIT,
  body: z.object({}),
  reply: z.object({ message: z.string() }),
});

export const readClaimRules = endpoint({
  title: '索赔规则',
  method: 'GET',
  path: at('rules'),
  permission: VIEW,
  concurrent: true,
  reply: z.object({ policies: z.array(ClaimPolicy), reasons: z.array(ClaimReason) }),
});

/** Adds windows, which count from a day on, and says what codes mean. */
export const saveClaimRules = endpoint({
  title: '修改索赔规则',
  method: 'POST',
  path: at('rules/save'),
  permission: CLAIM_EDIT,
  body: z.object({
    policies: z.array(ClaimPolicy).max(50).default([]).meta({ title: '索赔期限' }),
    reasons: z.array(ClaimReason).max(100).default([]).meta({ title: '原因代码' }),
  }),
  reply: readClaimRules.reply,
});
