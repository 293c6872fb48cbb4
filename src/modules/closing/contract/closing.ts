import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { States } from '#kit/contract/field.ts';

export const VIEW = 'fin:closing:view';

export const LedgerState = States({
  OPEN: { title: '未关账', tone: 'waiting' },
  CLOSED: { title: '已关账', tone: 'done' },
  NONE: { title: '单据', tone: 'off' },
});

const Check = z.object({
  title: z.string(),
  tone: z.enum(['done', 'warn', 'block']),
  detail: z.string(),
  to: z.object({ path: z.string(), title: z.string(), query: z.record(z.string(), z.string()) }).optional(),
});
export type Check = z.infer<typeof Check>;

const Ledger = z.object({
  title: z.string(),
  state: LedgerState,
  screen: z.object({ path: z.string(), title: z.string() }),
  checks: z.array(Check),
});
export type Ledger = z.infer<typeof Ledger>;

/** How the ledgers that the caller may see stand in a month, in the order in which they are closed. */
export const readMonthEnd = endpoint({
  title: '月末检查',
  method: 'GET',
  path: '/erp/api/v1/finance/closing/month',
  permission: VIEW,
  query: z.object({
    month: z
      .string()
      .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '请输入月份，例如 2026-01')
      .meta({ title: '月份', kind: 'month' }),
  }),
  reply: z.array(Ledger),
});
