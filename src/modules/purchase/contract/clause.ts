import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Rate, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { APPROVE, ById, base, OrderType, VIEW } from './fields.ts';

/** What a clause may ask an order for, written as 「{供应商}」, and what stands there on paper. */
export const PLACEHOLDERS = {
  采购方: '公司名称',
  供应商: '供应商全称，没有时用简称',
  采购单号: '采购单号',
  签订日期: '下单日期，下单前为创建日期',
  交期: '要求到货日期，没有时为「以明细为准」',
  交货地点: '入库仓',
  付款条件: '采购单的付款条款',
  币种: '采购单的币种代码',
  贸易术语: '海外采购的贸易术语与指定地点',
  合同总额: '含税总额，连同费用与优惠',
  大写金额: '人民币总额的大写',
  发票: '发票类型',
  采购员: '采购单的制单人',
  违约金比例: '模板或采购单上填写的违约金比例',
} as const;
export type Placeholder = keyof typeof PLACEHOLDERS;

const MARK = /\{([^{}]*)\}/g;

/** Names in braces that no order can fill, each once, in the order of the text. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(MARK)].map(([, name = '']) => name);
  return [...new Set(names.filter((name) => !Object.hasOwn(PLACEHOLDERS, name)))];
}

/** Whether the text asks for that value. */
export const asksFor = (text: string, name: Placeholder): boolean => text.includes(`{${name}}`);

/** The text with every placeholder replaced by its value. */
export function filled(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replace(MARK, (mark, name: string) => values[name as Placeholder] ?? mark);
}

/** What is wrong with the placeholders of a text, naming them; or nothing. */
function wrongMarks(text: string): string | undefined {
  const [unknown] = unknownPlaceholders(text);
  if (unknown !== undefined) return `未知的占位符「${unknown}」，可用：${Object.keys(PLACEHOLDERS).join('、')}`;
  return /[{}]/.test(text.replace(MARK, '')) ? '占位符的花括号不成对' : undefined;
}

const withMarks = (schema: z.ZodString) =>
  schema.superRefine((text, context) => {
    const message = wrongMarks(text);
    if (message) context.addIssue({ code: 'custom', message });
  });

/** Most clauses of a contract. */
export const MAX_CLAUSES = 40;

/** One clause, placeholders and all. */
export const ClauseText = withMarks(z.string().trim().min(1, '条款不能为空').max(1000, '一条条款不能超过1000个字符'));

/** Share of the goods' worth, from 0 to 1, e.g. for each day of delay: what the clause says it is for. */
export const Penalty = z
  .string()
  .trim()
  .regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/, '违约金比例须在0到100%之间')
  .nullable()
  .default(null)
  .meta({ title: '违约金比例', kind: 'percent' });

/** Clauses of a text in which each stands in a paragraph of its own. */
export const clausesIn = (body: string): string[] =>
  body
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const ClauseRow = z.object({
  id: Id,
  name: z.string().meta({ title: '模板名称', width: 220, pinned: 'left' }),
  defaults: z.string().meta({ title: '默认用于', width: 200 }),
  clauses: z.int().meta({ title: '条款数', kind: 'integer', width: 80 }),
  penalty: Rate.nullable().meta({ title: '违约金比例', width: 110 }),
  body: z.string().meta({ title: '条款', width: 360 }),
  updatedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  defaultFor: z.array(OrderType),
  version: z.int(),
});
export type ClauseRow = z.infer<typeof ClauseRow>;

export const ClauseFilter = z.object({ name: z.string().trim().max(50).meta({ title: '模板名称' }) });

export const ClauseForm = z.object({
  name: Text(50, '模板名称'),
  /** Types of orders that begin with it; another template that did so does no longer. */
  defaultFor: z.array(OrderType).max(OrderType.options.length).default([]).meta({ title: '默认用于' }),
  penalty: Penalty,
  /** A paragraph is a clause. */
  body: withMarks(z.string().trim().min(1, '条款不能为空').max(20_000, '条款不能超过20000个字符')).meta({
    title: '条款',
  }),
});
export type ClauseForm = z.infer<typeof ClauseForm>;

/** Clauses of an order as they are written into it. */
export const OrderClauses = z.object({
  /** Whose text it was; null: nobody's, or of a template that is gone. */
  templateId: z.uuid().nullable().default(null).meta({ title: '合同条款模板' }),
  /** Left out: as the template has them. */
  lines: z
    .array(ClauseText)
    .max(MAX_CLAUSES, `合同条款不能超过${MAX_CLAUSES}条`)
    .optional()
    .meta({ title: '合同条款' }),
  penalty: Penalty.optional(),
});
export type OrderClauses = z.infer<typeof OrderClauses>;

/** What an order says of its clauses. */
export const ClausesOfOrder = z.object({
  templateId: Id.nullable(),
  /** The template as it was called then; empty: none. */
  template: z.string().meta({ title: '合同条款模板' }),
  penalty: Rate.nullable().meta({ title: '违约金比例' }),
  lines: z.array(z.string()),
  /** The same with the values of the order. */
  filled: z.array(z.string()),
});
export type ClausesOfOrder = z.infer<typeof ClausesOfOrder>;

const at = <const S extends string>(part: S) => `${base}/purchaseClause/${part}` as const;

export const listClauses = endpoint({
  title: '合同条款模板列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ClauseFilter),
  sortable: ['name', 'updatedAt'],
  reply: Page(ClauseRow),
});

/** All templates with their clauses, for the form of an order. */
export const clauseChoices = endpoint({
  title: '合同条款模板选项',
  method: 'GET',
  path: at('choices'),
  permission: VIEW,
  concurrent: true,
  reply: z.array(
    z.object({
      id: Id,
      name: z.string(),
      penalty: Rate.nullable(),
      lines: z.array(z.string()),
      defaultFor: z.array(OrderType),
    }),
  ),
});

export const saveClauses = endpoint({
  title: '保存合同条款模板',
  method: 'POST',
  path: at('save'),
  permission: APPROVE,
  body: ClauseForm.extend({ id: Id.optional(), version: z.int().optional().meta({ title: '版本', hidden: true }) }),
  reply: z.object({ id: Id }),
});

/** Orders keep what they took from it. */
export const removeClauses = endpoint({
  title: '删除合同条款模板',
  method: 'POST',
  path: at('delete'),
  permission: APPROVE,
  body: ById,
  reply: z.literal('success'),
});
