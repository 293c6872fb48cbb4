import { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Instant, Rate } from '#kit/contract/field.ts';
import { EDIT, Month, root, VIEW } from './report.ts';

export const MOST_STEPS = 5;

/** One step of a rule; both are parts of 1. */
export const Step = z.object({
  /** Reached part of the target up to which it holds, itself among it; null: without end. */
  upTo: Rate.nullable().meta({ title: '达成率至' }),
  rate: Rate.meta({ title: '提成比例' }),
});
export type Step = z.infer<typeof Step>;
const Steps = z.array(Step).min(1).max(MOST_STEPS).meta({ title: '提成档' });

/** The step of a month: the first one that is not exceeded. Without a target it is the first of all. */
export function stepOf(steps: readonly Step[], profit: string, target: string | null): Step | undefined {
  if (target === null) return steps[0];
  return steps.find(({ upTo }) => upTo === null || new Decimal(profit).lte(new Decimal(upTo).times(target)));
}

/**
 * Commission of one person and month in CNY, half up to the cent: the whole gross profit times the rate of its step. A loss gives 0.
 */
export function commissionOf(steps: readonly Step[], profit: string, target: string | null): string {
  const step = stepOf(steps, profit, target);
  return round(Decimal.max(profit, 0).times(step?.rate ?? 0), 2);
}

/** What is wrong with steps, in Chinese; undefined where nothing is. */
export function faultOf(steps: readonly Step[]): string | undefined {
  for (const [index, { upTo, rate }] of steps.entries()) {
    const last = index === steps.length - 1;
    if (last !== (upTo === null)) return '最后一档不设达成率上限，其余各档必须设';
    if (new Decimal(rate).lt(0) || new Decimal(rate).gt(1)) return `第${index + 1}档提成比例须在 0% 至 100% 之间`;
    if (upTo !== null && new Decimal(upTo).lte(steps[index - 1]?.upTo ?? 0)) {
      return index === 0 ? '第1档达成率须大于 0%' : `第${index + 1}档达成率须大于上一档`;
    }
  }
  return undefined;
}

export const Rule = z.object({
  /** "yyyy-MM": it holds from this month until the next rule. */
  from: z.string().meta({ title: '生效月份', kind: 'code' }),
  steps: Steps,
  createdByName: z.string().meta({ title: '设置人' }),
  createdAt: Instant.meta({ title: '设置时间' }),
});
export type Rule = z.infer<typeof Rule>;

/** All rules, the newest first. */
export const listRules = endpoint({
  title: '提成规则',
  method: 'GET',
  path: `${root}/rule/list`,
  permission: VIEW,
  access: 'read',
  reply: z.array(Rule),
});

export const saveRule = endpoint({
  title: '保存提成规则',
  method: 'POST',
  path: `${root}/rule/save`,
  permission: EDIT,
  access: 'write',
  body: z.object({ from: Month('生效月份'), steps: Steps }),
  reply: z.object({ from: z.string() }),
});
