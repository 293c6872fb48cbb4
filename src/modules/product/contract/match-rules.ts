import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Text } from '#kit/contract/field.ts';
import { ById, base, EDIT, Success, Version, VIEW } from './fields.ts';
import { Site } from './match.ts';

const Found = z.object({ msku: z.string(), store: z.string(), country: z.string(), sku: z.string(), rule: z.string() });

const AutoMatch = z.object({ sites: z.array(Site).max(200).optional().meta({ title: '店铺/站点' }) });
/** How many listings each rule pairs, and some of them. */
const AutoMatched = z.object({
  matched: z.int(),
  rules: z.array(z.object({ id: Id, name: z.string(), matched: z.int() })),
  sample: z.array(Found),
});

/** Lets the rules, in their order, match what is not matched yet: a task, whose result says how many there were. */
export const autoMatch = endpoint({
  title: '自动配对',
  method: 'POST',
  path: `${base}/skuMatch/autoMatch`,
  permission: EDIT,
  body: AutoMatch,
  reply: z.object({ taskId: Id }),
});

/** What the rules would match now; nothing is written. */
export const previewMatch = endpoint({
  title: '自动配对预览',
  method: 'POST',
  path: `${base}/skuMatch/autoMatchPreview`,
  permission: EDIT,
  access: 'read',
  body: AutoMatch,
  reply: AutoMatched,
});

const RuleWay = Choice(
  {
    exact: '同名',
    affix: '去前后缀',
    country: '去国家后缀',
    head: '取分隔符之前',
    wildcard: '通配符',
    regex: '正则',
  },
  '方式',
);

const RuleFields = z.object({
  name: Text(50, '规则名称'),
  way: RuleWay,
  prefix: z.string().max(50).default('').meta({ title: '前缀' }),
  suffix: z.string().max(50).default('').meta({ title: '后缀' }),
  /** A regular expression, a text with {SKU}, * and ?, or the separator before which the SKU ends, by `way`. */
  pattern: z.string().max(100, '格式不能超过100个字符').default('').meta({ title: '格式' }),
  replacement: z.string().max(100).default('').meta({ title: '替换为', tip: '$1 代表第一个括号的内容' }),
  qty: z
    .int('数量必须为正整数')
    .min(1, '数量必须为正整数')
    .max(10_000)
    .default(1)
    .meta({ title: '每件数量', kind: 'integer' }),
  enabled: z.boolean().default(true).meta({ title: '启用' }),
  sort: z.int().min(0).max(999).default(0).meta({ title: '优先级', kind: 'integer', tip: '小的先套用' }),
});
export const RuleForm = RuleFields;
export type RuleForm = z.infer<typeof RuleFields>;

export const listRules = endpoint({
  title: '配对规则列表',
  method: 'POST',
  path: `${base}/skuMatchRule/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({}).default({}),
  reply: z.array(RuleFields.extend({ id: Id, version: z.int() })),
});

export const saveRule = endpoint({
  title: '保存配对规则',
  method: 'POST',
  path: `${base}/skuMatchRule/save`,
  permission: EDIT,
  body: RuleFields.extend({ id: Id.optional(), version: Version.optional() }),
  reply: Id,
});

export const deleteRule = endpoint({
  title: '删除配对规则',
  method: 'POST',
  path: `${base}/skuMatchRule/delete`,
  permission: EDIT,
  body: ById,
  reply: Success,
});
