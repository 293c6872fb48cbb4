import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Money } from '#kit/contract/field.ts';
import { base } from './fields.ts';

/** What is to be paid to suppliers and partners by a day in one currency. */
export const DueDay = z.object({
  /** Null where nobody said a day. */
  day: Day.nullable(),
  currency: Currency,
  /** Debts that are due on the day, and how many. */
  open: Money,
  count: z.int(),
  /** Of that, what requests under way will pay. */
  asked: Money,
  /** `open` in CNY by the newest rate; null where that is not known. */
  worth: Money.nullable(),
});
export type DueDay = z.infer<typeof DueDay>;

/** All open debts by the day on which they are due, the earliest first; what has no day comes last. */
export const dueDays = endpoint({
  title: '付款计划',
  method: 'GET',
  path: `${base}/payable/due`,
  permission: 'fin:dealing:view',
  concurrent: true,
  reply: z.object({ today: Day, days: z.array(DueDay) }),
});

/** A line of the payment plan: a week in one currency. */
export const PlanRow = z.object({
  id: z.string().meta({ hidden: true }),
  week: z.string().meta({ title: '到期', width: 200 }),
  currency: Currency.meta({ title: '币种', width: 80 }),
  count: z.int().meta({ title: '笔数', kind: 'integer', width: 80 }),
  open: Money.meta({ title: '应付', currency: 'currency', width: 150 }),
  asked: Money.meta({ title: '已请款', currency: 'currency', width: 150 }),
  left: Money.meta({ title: '待请款', currency: 'currency', width: 150 }),
  worth: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 150 }),
});
export type PlanRow = z.infer<typeof PlanRow>;
