import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Instant, Money, Quantity, States } from '#kit/contract/field.ts';
import { base, EDIT_SUBJECTS, Month, VIEW } from './fields.ts';
import { CREATE } from './vouchers.ts';

const root = `${base}/rule`;

/** Name of a part of the business. */
const Source = z.string().meta({ title: '业务' });

export const Grouping = Choice(
  { DOCUMENT: '每张单据一张凭证', DAY: '每天一张凭证', MONTH: '每月一张凭证' },
  '合并方式',
);

/** How the events of a part of the business become vouchers. */
export const RuleRow = z.object({
  source: z.string(),
  title: z.string().meta({ title: '业务', width: 130, pinned: 'left' }),
  about: z.string().meta({ title: '生成什么分录', width: 380 }),
  state: States({ ON: { title: '启用', tone: 'done' }, OFF: { title: '停用', tone: 'off' } }).meta({ width: 90 }),
  by: Grouping.meta({ width: 150 }),
  own: Quantity.meta({ title: '自定科目', width: 100, tip: '与预设不同的科目数' }),
  version: z.int().meta({ title: '版本', kind: 'integer', width: 70, tip: '0 为预设' }),
  fromMonth: Month.nullable().meta({ title: '生效月份', width: 110 }),
  changedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  changedAt: Instant.nullable().meta({ title: '修改时间', width: 150 }),
});
export type RuleRow = z.infer<typeof RuleRow>;

export const listRules = endpoint({
  title: '凭证模板列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({}),
  reply: z.array(RuleRow),
});

/** Where something stands: `key` is "PART" or "PART:variant"; `preset` is the code of the source's own subject, '' that of the part. */
const Place = z.object({ key: z.string(), title: z.string(), preset: z.string(), isVariant: z.boolean() });
export type Place = z.infer<typeof Place>;

export const ruleData = endpoint({
  title: '凭证模板',
  method: 'POST',
  path: `${root}/data`,
  permission: VIEW,
  access: 'read',
  body: z.object({ source: Source }),
  reply: z.object({
    rule: RuleRow,
    places: z.array(Place),
    /** Codes by key, of what is not as preset. */
    subjects: z.record(z.string(), z.string()),
  }),
});

export const RuleInput = z.object({
  by: Grouping,
  active: z.boolean().meta({ title: '启用' }),
  /** Codes of subjects by the key of their place; what is left out stands as preset. */
  subjects: z
    .record(z.string().max(200), z.string().regex(/^\d{4}(\d\d){0,2}$/, '科目编码不正确'))
    .meta({ title: '科目' }),
});
export type RuleInput = z.output<typeof RuleInput>;

/** Keeps a rule as a new version: vouchers of months before it stay as they are. */
export const saveRule = endpoint({
  title: '凭证模板·保存',
  method: 'POST',
  path: `${root}/save`,
  permission: EDIT_SUBJECTS,
  body: RuleInput.extend({
    source: Source,
    /** The version that was looked at. */
    version: z.int().min(0).meta({ title: '版本' }),
    fromMonth: Month.meta({ title: '生效月份' }),
  }),
  reply: z.object({ version: z.int() }),
});

const Problem = z.object({ name: z.string(), why: z.string() });
const PreviewLine = z.object({
  subject: z.string().meta({ title: '科目', width: 240 }),
  summary: z.string().meta({ title: '摘要', width: 260 }),
  debit: Money.nullable().meta({ title: '借方金额', currency: 'CNY', width: 130 }),
  credit: Money.nullable().meta({ title: '贷方金额', currency: 'CNY', width: 130 }),
});
export const PreviewRow = PreviewLine.omit({ summary: true });

/** What a rule makes of a month, without making it. */
export const previewRule = endpoint({
  title: '凭证模板预览',
  method: 'POST',
  path: `${root}/preview`,
  permission: VIEW,
  access: 'read',
  body: z.object({ source: Source, month: Month.meta({ title: '业务月份' }), rule: RuleInput.meta({ title: '模板' }) }),
  reply: z.object({
    facts: z.int(),
    vouchers: z.int(),
    /** What all vouchers come to by subject. */
    totals: z.array(PreviewRow),
    problems: z.array(Problem),
    /** The first ones. */
    samples: z.array(z.object({ title: z.string(), day: z.string(), lines: z.array(PreviewLine) })),
  }),
});

export const MakeForm = z.object({
  month: Month.meta({ title: '业务月份', kind: 'month' }),
});

/** Makes the drafts of a month's events; what was made before and has not moved is not made again. */
export const makeVouchers = endpoint({
  title: '业务生成凭证',
  method: 'POST',
  path: `${base}/voucher/make`,
  permission: CREATE,
  body: MakeForm.extend({
    /** Of these sources only. */
    sources: z.array(z.string()).max(50).optional().meta({ title: '业务' }),
  }),
  reply: z.object({
    made: z.int(),
    /** Vouchers that stand as they were made. */
    existed: z.int(),
    /** Drafts written anew because what they were made from has moved. */
    changed: z.int(),
    /** Vouchers taken back because what they were made from has moved or is gone. */
    reversed: z.int(),
    /** Events and vouchers left alone, by number, and why. */
    skipped: z.array(Problem),
    /** Vouchers by source. */
    bySource: z.array(z.object({ title: z.string(), made: z.int(), existed: z.int() })),
  }),
});
