import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, OptionalText, States } from '#kit/contract/field.ts';
import { base } from './shared.ts';

export const DayKind = States(
  {
    work: { title: '工作日', tone: 'off' },
    weekend: { title: '周末', tone: 'waiting' },
    holiday: { title: '节日', tone: 'trouble' },
    makeup: { title: '调休', tone: 'running' },
  },
  '日期类型',
);
export type DayKind = z.infer<typeof DayKind>;

const Year = z.coerce
  .number('请输入年份')
  .int()
  .min(2020, '年份须在2020至2040之间')
  .max(2040, '年份须在2020至2040之间')
  .meta({ title: '年份' });

export const CalendarDay = z.object({ day: Day, kind: DayKind, name: z.string(), byHand: z.boolean() });
export type CalendarDay = z.infer<typeof CalendarDay>;

/** Every day of a year as the company counts it. */
export const listHolidays = endpoint({
  title: '节假日',
  method: 'GET',
  path: `${base}/holiday/list`,
  permission: 'sys:holiday:view',
  query: z.object({ year: Year }),
  reply: z.object({
    year: z.int(),
    /** Days were written for this year; otherwise the legal calendar is shown. */
    generated: z.boolean(),
    /** The legal holidays of this year are announced; otherwise weekends only. */
    announced: z.boolean(),
    workdays: z.int(),
    days: z.array(CalendarDay),
  }),
});

/** Writes the legal calendar of a year; days that somebody set by hand stay unless `reset`. */
export const generateYear = endpoint({
  title: '生成年度日历',
  method: 'POST',
  path: `${base}/holiday/generateYear`,
  permission: 'sys:holiday:add',
  body: z.object({ year: Year, reset: z.boolean().default(false).meta({ title: '覆盖手工修改' }) }),
  reply: z.object({ days: z.int(), kept: z.int() }),
});

export const changeDayKind = endpoint({
  title: '修改日期类型',
  method: 'POST',
  path: `${base}/holiday/changeType`,
  permission: 'sys:holiday:edit',
  body: z.object({ day: Day.meta({ title: '日期' }), kind: DayKind, name: OptionalText(20, '名称') }),
  reply: z.literal('success'),
});
