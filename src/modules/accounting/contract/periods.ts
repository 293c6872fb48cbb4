import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Instant, Quantity, States, Text } from '#kit/contract/field.ts';
import { base, Month, VIEW } from './fields.ts';

export const CLOSE = 'gl:period:close';
export const REOPEN = 'gl:period:reopen';

export const PeriodRow = z.object({
  month: Month.meta({ title: '月份', width: 110 }),
  state: States({ OPEN: { title: '未结账', tone: 'running' }, CLOSED: { title: '已结账', tone: 'done' } }).meta({
    width: 100,
  }),
  vouchers: Quantity.meta({ title: '凭证数', width: 90 }),
  waiting: Quantity.meta({ title: '未过账', width: 90, tip: '草稿、待审核和已审核的凭证' }),
  changedBy: z.string().meta({ title: '操作人', kind: 'person', width: 120 }),
  changedAt: Instant.nullable().meta({ title: '操作时间', width: 150 }),
  reason: z.string().meta({ title: '反结账原因', width: 240 }),
  /** What can be done next: the first open month is closed, the last closed one opened again. */
  step: Choice({ close: '结账', reopen: '反结账', none: '' }, '操作').meta({ width: 100 }),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

export const listPeriods = endpoint({
  title: '期间列表',
  method: 'POST',
  path: `${base}/period/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({}),
  reply: z.array(PeriodRow),
});

const Named = z.object({ month: Month.meta({ title: '月份' }) });

/** One thing that has to be in order before a month is closed; `detail` says what is not. */
const Check = z.object({ title: z.string(), ok: z.boolean(), detail: z.string() });
export type Check = z.infer<typeof Check>;

export const checkPeriod = endpoint({
  title: '结账检查',
  method: 'POST',
  path: `${base}/period/check`,
  permission: VIEW,
  access: 'read',
  body: Named,
  reply: z.array(Check),
});

/**
 * Closes the first open month: values money, debts and claims in other currencies at the rate of its last day, carries its profit and loss to 本年利润 by a posted voucher, in December 本年利润 to 利润分配 by
 * another one, and locks it.
 */
export const closePeriod = endpoint({
  title: '结账',
  method: 'POST',
  path: `${base}/period/close`,
  permission: CLOSE,
  body: Named,
  /** Numbers of the vouchers that were made; null where there was nothing. */
  reply: z.object({
    revaluation: z.string().nullable(),
    number: z.string().nullable(),
    yearEnd: z.string().nullable(),
  }),
});

/** Opens the last closed month again, and takes back in red what closing it carried. */
export const reopenPeriod = endpoint({
  title: '反结账',
  method: 'POST',
  path: `${base}/period/reopen`,
  permission: REOPEN,
  body: Named.extend({ reason: Text(200, '原因') }),
  reply: z.object({ number: z.string().nullable() }),
});
