import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Instant, Money, Quantity, Rate, States, Text } from '#kit/contract/field.ts';
import { COST, VIEW } from './report.ts';

export const CLOSE = 'fin:profit:close';
export const REOPEN = 'fin:profit:reopen';
const base = '/amazon/api/v1/profit/period';

export const Month = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '请输入月份，例如 2026-01')
  .meta({ title: '月份', kind: 'month', width: 90 });

export const PeriodState = States({
  OPEN: { title: '未关账', tone: 'waiting' },
  CLOSED: { title: '已关账', tone: 'done' },
});

/** A month of the company's profit, in CNY as it is booked; what came after it was closed stands in a later month. */
export const PeriodRow = z.object({
  month: Month,
  state: PeriodState.meta({ width: 90 }),
  profit: Money.nullable().meta({ title: '毛利润', currency: 'currency', width: 120, permission: COST, good: 'up' }),
  late: Money.nullable().meta({
    title: '关账后发生',
    currency: 'currency',
    width: 120,
    tip: '属于本月、关账后才到的收支，已入账到其后的月份',
  }),
  settledShare: Rate.nullable().meta({ title: '已结算', width: 84 }),
  missingCosts: Quantity.meta({ title: '缺成本SKU', width: 96, good: 'down' }),
  unmapped: Money.nullable().meta({ title: '待归类', currency: 'currency', width: 110 }),
  missingRates: z.string().meta({ title: '缺汇率', width: 120 }),
  waiting: Quantity.meta({ title: '待计算', width: 80, tip: '已到账、还没有计入利润的店铺日', good: 'down' }),
  changedBy: z.string().meta({ title: '操作人', kind: 'person', width: 110 }),
  changedAt: Instant.nullable().meta({ title: '操作时间', width: 140 }),
  reason: z.string().meta({ title: '反关账原因', width: 160 }),
  version: z.int().meta({ title: '版本', hidden: true }),
  currency: Currency.meta({ hidden: true }),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

/** The last 13 months, the newest first. */
export const listProfitMonths = endpoint({
  title: '利润关账',
  method: 'GET',
  path: `${base}/list`,
  permission: VIEW,
  reply: z.array(PeriodRow),
});

const Version = z.int().min(0).meta({ title: '版本', hidden: true });
const Changed = z.object({ month: Month, state: PeriodState });

/** Closes a month that is over, and all open ones before it. */
export const closeProfitMonth = endpoint({
  title: '利润关账',
  method: 'POST',
  path: `${base}/close`,
  permission: CLOSE,
  body: z.object({ month: Month, version: Version }),
  reply: Changed,
});

/** Opens the last closed month again. */
export const reopenProfitMonth = endpoint({
  title: '利润反关账',
  method: 'POST',
  path: `${base}/reopen`,
  permission: REOPEN,
  body: z.object({ month: Month, version: Version, reason: Text(200, '原因') }),
  reply: Changed,
});
