import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Decimal, Instant } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { base, Reason } from './fields.ts';

const VIEW = 'fin:fx:view';
const EDIT = 'fin:fx:edit';

/**
 * Rates by which reports guess until others are known: CNY for one unit. Round figures, only there so that a first look has
 * something to convert with; reports say where they use them, and no document is converted by them.
 */
export const PRESET_RATES: Readonly<Record<string, string>> = {
  CNY: '1',
  USD: '7.1000',
  EUR: '7.8000',
  GBP: '9.2000',
  JPY: '0.0480',
  CAD: '5.1000',
  MXN: '0.3800',
  AUD: '4.6000',
  SGD: '5.4000',
  SEK: '0.6900',
  PLN: '1.8000',
  AED: '1.9300',
  SAR: '1.8900',
};

const NAMES: Readonly<Record<string, string>> = {
  USD: '美元',
  EUR: '欧元',
  GBP: '英镑',
  JPY: '日元',
  CAD: '加元',
  MXN: '墨西哥比索',
  AUD: '澳元',
  SGD: '新加坡元',
  SEK: '瑞典克朗',
  PLN: '波兰兹罗提',
  AED: '阿联酋迪拉姆',
  SAR: '沙特里亚尔',
};

/** Chinese name of a currency; its code where there is none. */
export const currencyName = (code: string): string => NAMES[code] ?? code;

const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式应为 2026-01');
/** CNY for one unit. */
const Rate = z
  .string()
  .trim()
  .regex(/^\d{1,8}(\.\d{1,10})?$/, '汇率须为正数，最多10位小数')
  .refine((text) => /[1-9]/.test(text), '汇率须大于0')
  .meta({ title: '汇率（兑人民币）', kind: 'rate' });

/** One currency in one month. Rates are CNY for one unit. */
export const RateRow = z.object({
  id: z.string().meta({ hidden: true }),
  month: z.string().meta({ title: '月份', kind: 'code', width: 100, pinned: 'left' }),
  name: z.string().meta({ title: '货币', width: 120 }),
  currency: Currency.meta({ title: '代码' }),
  official: Decimal.nullable().meta({ title: '官方汇率', width: 130, tip: '当月每日汇率的平均值' }),
  days: z.int().meta({ title: '有汇率天数', kind: 'integer', width: 110 }),
  mine: Decimal.nullable().meta({ title: '我的汇率', width: 130 }),
  effective: Decimal.nullable().meta({
    title: '折算采用',
    width: 130,
    tip: '我的汇率优先，其次当月平均；都没有时报表按预设汇率估算，单据不能提交',
  }),
  source: z.string().meta({ title: '来源', width: 160 }),
  locked: z.boolean().meta({ title: '已锁定', kind: 'boolean', width: 90, tip: '已关账月份的汇率不能修改' }),
  by: z.string().nullable().meta({ title: '修改人', kind: 'person', width: 110 }),
  at: Instant.nullable().meta({ title: '修改时间', width: 140, optional: true }),
});
export type RateRow = z.infer<typeof RateRow>;

export const RateFilter = z.object({
  month: Month.meta({ title: '月份', kind: 'month' }),
  currency: z.string().trim().toUpperCase().max(3).meta({ title: '币种代码' }),
});
const Loose = RateFilter.partial();
export type RateFilter = z.infer<typeof Loose>;

/** The last 12 months, or one of them: one row per currency and month. */
export const listRates = endpoint({
  title: '汇率',
  method: 'POST',
  path: `${base}/exchangeRate/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RateFilter),
  reply: Page(RateRow),
});

export const MonthRateForm = z.object({
  currency: Currency,
  month: Month.meta({ title: '月份' }),
  rate: Rate,
});

export const saveMonthRate = endpoint({
  title: '保存我的汇率',
  method: 'POST',
  path: `${base}/exchangeRate/save`,
  permission: EDIT,
  body: MonthRateForm,
  reply: z.literal('success'),
});

export const dropMonthRate = endpoint({
  title: '取消我的汇率',
  method: 'POST',
  path: `${base}/exchangeRate/drop`,
  permission: EDIT,
  body: MonthRateForm.omit({ rate: true }),
  reply: z.literal('success'),
});

/** Takes the rates that held in the month before for the currencies that have none of their own in `month`. */
export const copyMonth = endpoint({
  title: '复制上月汇率',
  method: 'POST',
  path: `${base}/exchangeRate/copy`,
  permission: EDIT,
  body: z.object({ month: Month.meta({ title: '月份' }) }),
  reply: z.object({ copied: z.int() }),
});

export const DayRateForm = z.object({
  currency: Currency,
  day: Day.meta({ title: '日期' }),
  rate: Rate,
});

export const saveDayRate = endpoint({
  title: '保存每日汇率',
  method: 'POST',
  path: `${base}/exchangeRate/day`,
  permission: EDIT,
  body: DayRateForm,
  reply: z.literal('success'),
});

/** A currency day by day: official rates, and the rate by which documents of the day are converted. */
export const rateHistory = endpoint({
  title: '汇率历史',
  method: 'POST',
  path: `${base}/exchangeRate/history`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ currency: Currency, from: Day.meta({ title: '开始' }), to: Day.meta({ title: '结束' }) }),
  reply: z.array(
    z.object({ day: Day, official: Decimal.nullable(), source: z.string().nullable(), effective: Decimal.nullable() }),
  ),
});

/**
 * Sheet of daily rates: 日期, 币种, 汇率, 单位 (100 for quotes of 100 units). Read only, unless `write` says so; then all rows
 * are written or none.
 */
export const uploadRates = endpoint({
  title: '导入每日汇率',
  method: 'POST',
  path: `${base}/exchangeRate/upload`,
  permission: EDIT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    good: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const rateTemplate = endpoint({
  title: '每日汇率模板',
  method: 'GET',
  path: `${base}/exchangeRate/template`,
  permission: VIEW,
  file: true,
  reply: z.unknown(),
});

export const PeriodRow = z.object({
  month: z.string(),
  closed: z.boolean(),
  by: z.string().nullable(),
  at: Instant.nullable(),
  reason: z.string(),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

/** Months of the last year, the newest first: closed ones take no entries and keep their rates. */
export const listPeriods = endpoint({
  title: '会计期间',
  method: 'GET',
  path: `${base}/period/list`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(PeriodRow),
});

export const closePeriod = endpoint({
  title: '关账',
  method: 'POST',
  path: `${base}/period/close`,
  permission: 'fin:period:close',
  body: z.object({ month: Month.meta({ title: '月份' }) }),
  reply: z.literal('success'),
});

export const reopenPeriod = endpoint({
  title: '反关账',
  method: 'POST',
  path: `${base}/period/reopen`,
  permission: 'fin:period:reopen',
  body: z.object({ month: Month.meta({ title: '月份' }), reason: Reason }),
  reply: z.literal('success'),
});
