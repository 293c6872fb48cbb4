import { z } from 'zod';

/** How a field is compared. The list is closed: conditions are data, never a script. */
export const OPERATORS = {
  eq: '等于',
  ne: '不等于',
  gt: '大于',
  gte: '大于等于',
  lt: '小于',
  lte: '小于等于',
  in: '属于',
  notIn: '不属于',
  contains: '包含',
  isEmpty: '为空',
} as const;
export type Operator = keyof typeof OPERATORS;
const operators = Object.keys(OPERATORS) as [Operator, ...Operator[]];

/** Kinds of fields, and the comparisons that make sense for each. */
export const OPERATORS_OF: Record<'money' | 'number' | 'text' | 'choice' | 'boolean', readonly Operator[]> = {
  money: ['gte', 'gt', 'lte', 'lt', 'eq', 'ne', 'isEmpty'],
  number: ['gte', 'gt', 'lte', 'lt', 'eq', 'ne', 'isEmpty'],
  text: ['contains', 'eq', 'ne', 'isEmpty'],
  choice: ['in', 'notIn', 'isEmpty'],
  boolean: ['eq'],
};

/** One comparison: numbers as decimal text, choices as a list of values. */
export const Comparison = z.object({
  field: z.string().min(1).max(60).meta({ title: '字段' }),
  op: z.enum(operators).meta({ title: '比较' }),
  value: z
    .union([z.string().max(200), z.boolean(), z.array(z.string().max(200)).max(200)])
    .default('')
    .meta({ title: '值' }),
});
export type Comparison = z.infer<typeof Comparison>;

/** Comparisons joined by all or by any; without one it always holds. */
export const Condition = z.object({
  join: z.enum(['all', 'any']).default('all').meta({ title: '满足' }),
  rules: z.array(Comparison).max(20).default([]).meta({ title: '条件' }),
});
export type Condition = z.infer<typeof Condition>;
