import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Instant, States, Text } from '#kit/contract/field.ts';
import { base, CLOSE, cny, Disposition, EDIT, pieces, REOPEN, VIEW } from './fields.ts';

const Month = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '请输入月份，例如 2026-01')
  .meta({ title: '月份', kind: 'code', width: 90 });

export const MonthState = States({
  OPEN: { title: '未冻结', tone: 'waiting' },
  FROZEN: { title: '已冻结', tone: 'done' },
});

export const MonthRow = z.object({
  month: Month,
  state: MonthState.meta({ width: 90 }),
  day: Day.nullable().meta({ title: '月末快照', width: 110 }),
  gross: cny('合计'),
  reserve: cny('减值准备'),
  net: cny('净值'),
  uncosted: pieces('未核价数量', 100),
  late: cny('冻结后变动', '冻结后入账、属于该月末及以前的成本；计入下月并在差异中说明'),
  changedBy: z.string().meta({ title: '操作人', kind: 'person', width: 90 }),
  changedAt: Instant.nullable().meta({ title: '操作时间', width: 140 }),
  reason: z.string().meta({ title: '原因', width: 160 }),
  version: z.int(),
});
export type MonthRow = z.infer<typeof MonthRow>;

/** The last twelve months with a snapshot of their last day, the newest first. */
export const listWorthMonths = endpoint({
  title: '货值月末',
  method: 'GET',
  path: `${base}/months`,
  permission: VIEW,
  reply: z.array(MonthRow),
});

const Changed = z.object({ month: Month, state: MonthState, version: z.int() });

/** Freezes the worth of a month that is over: it never changes until it is opened again. */
export const freezeMonth = endpoint({
  title: '冻结月末货值',
  method: 'POST',
  path: `${base}/freeze`,
  permission: CLOSE,
  body: z.object({ month: Month, version: z.int().min(0) }),
  reply: Changed,
});

/** Opens a frozen month again; from then on it follows the ledger. */
export const reopenMonth = endpoint({
  title: '解冻月末货值',
  method: 'POST',
  path: `${base}/reopen`,
  permission: REOPEN,
  body: z.object({ month: Month, version: z.int().min(1), reason: Text(200, '原因') }),
  reply: Changed,
});

export const WriteDownRow = z.object({
  disposition: Disposition,
  validFrom: Day.nullable().meta({ title: '生效日' }),
  percent: Decimal.meta({ title: '减值比例(%)' }),
});
export type WriteDownRow = z.infer<typeof WriteDownRow>;

/** Of each disposition what holds today, and what was set when; `validFrom` null is the usual one. */
export const readWriteDowns = endpoint({
  title: '减值比例',
  method: 'GET',
  path: `${base}/writeDowns`,
  permission: VIEW,
  reply: z.object({ now: z.array(WriteDownRow), history: z.array(WriteDownRow) }),
});

const Percent = Decimal.refine((value) => Number(value) >= 0 && Number(value) <= 100, '减值比例应在 0 到 100 之间');

/** Sets a percentage from a day on, of months that are not frozen; what follows is made anew. */
export const saveWriteDown = endpoint({
  title: '修改减值比例',
  method: 'POST',
  path: `${base}/writeDowns/save`,
  permission: EDIT,
  body: z.object({
    disposition: Disposition,
    validFrom: Day.meta({ title: '生效日' }),
    percent: Percent.meta({ title: '减值比例(%)' }),
  }),
  reply: z.object({ saved: z.literal(true) }),
});

/** Makes the days of months that are not frozen anew, from a day on, in the background. */
export const rebuildWorth = endpoint({
  title: '补算库存货值',
  method: 'POST',
  path: `${base}/rebuild`,
  permission: EDIT,
  body: z.object({ from: Day.meta({ title: '起始日期' }) }),
  reply: z.object({ days: z.int() }),
});
