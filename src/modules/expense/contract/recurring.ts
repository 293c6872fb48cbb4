import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Quantity, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { APPLY, VIEW } from './document.ts';

const root = '/erp/api/v1/finance/expense/recurring';

export const RecurringState = States({
  active: { title: '启用', tone: 'running' },
  paused: { title: '已暂停', tone: 'waiting' },
  stopped: { title: '已停止', tone: 'off' },
});
export type RecurringState = z.infer<typeof RecurringState>;

/** An expense of which a draft is made every month. */
export const RecurringRow = z.object({
  id: Id,
  name: z.string().meta({ title: '名称', width: 180, pinned: 'left' }),
  state: RecurringState.meta({ width: 92 }),
  day: Quantity.meta({ title: '每月几号', width: 90, tip: '没有这一天的月份在最后一天' }),
  payee: z.string().meta({ title: '收款方', width: 150 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  nextOn: Day.nullable().meta({ title: '下次生成', width: 110 }),
  lastNumber: z.string().meta({ title: '上次费用单', kind: 'code', width: 170 }),
  problem: z.string().meta({ title: '未生成的原因', width: 220 }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '创建时间', width: 140 }),
  currency: Currency.meta({ title: '货币', optional: true }),
  lastId: Id.nullable(),
});
export type RecurringRow = z.infer<typeof RecurringRow>;

export const RecurringFilter = z.object({
  state: RecurringState,
  keyword: z.string().trim().max(100).meta({ title: '名称、收款方' }),
});
const Loose = RecurringFilter.partial();
export type RecurringFilter = z.infer<typeof Loose>;

export const listRecurring = endpoint({
  title: '周期费用列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RecurringFilter),
  sortable: ['name', 'amount', 'nextOn'],
  reply: Page(RecurringRow),
});

export const RecurringForm = z.object({
  name: Text(60, '名称'),
  day: z
    .int('请输入 1 到 31')
    .min(1, '请输入 1 到 31')
    .max(31, '请输入 1 到 31')
    .meta({ title: '每月几号', kind: 'integer' }),
});

/** Makes an expense come again every month, with all that it says; its day is the next one after today. */
export const addRecurring = endpoint({
  title: '设为周期费用',
  method: 'POST',
  path: `${root}/add`,
  permission: APPLY,
  body: RecurringForm.extend({ expenseId: Id.meta({ title: '费用单' }) }),
  reply: z.object({ id: Id, nextOn: Day }),
});

/** Pauses one, takes it up again from the next day that is due, or stops it for good. */
export const setRecurring = endpoint({
  title: '周期费用·改变状态',
  method: 'POST',
  path: `${root}/state`,
  permission: APPLY,
  body: z.object({ id: Id.meta({ title: '周期费用' }), state: RecurringState }),
  reply: z.object({ id: Id, state: RecurringState }),
});
