import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { TimeZones } from '#kit/contract/zones.ts';
import { base } from './shared.ts';

export const ScheduleState = States({
  active: { title: '运行中', tone: 'done' },
  paused: { title: '已暂停', tone: 'off' },
});

export const RunState = States(
  {
    queued: { title: '排队', tone: 'off' },
    running: { title: '执行中', tone: 'running' },
    done: { title: '成功', tone: 'done' },
    failed: { title: '失败', tone: 'trouble' },
  },
  '上次结果',
);

export const ScheduleRow = z.object({
  id: Id,
  title: z.string().meta({ title: '名称', width: 200, pinned: 'left' }),
  group: z.string().meta({ title: '分组', width: 90 }),
  state: ScheduleState.meta({ width: 90 }),
  cron: z.string().meta({ title: '执行时间', kind: 'code', width: 120, tip: 'cron 表达式：分 时 日 月 周' }),
  timeZone: z.string().meta({ title: '时区', width: 130 }),
  priority: z.int().meta({ title: '优先级', kind: 'integer', width: 80 }),
  description: z.string().meta({ title: '描述', width: 260 }),
  lastState: RunState.nullable().meta({ width: 100 }),
  lastRunAt: Instant.nullable().meta({ title: '上次执行', width: 110 }),
  lastResult: z.string().nullable().meta({ title: '结果说明', width: 220 }),
  nextRunAt: Instant.nullable().meta({ title: '下次执行', width: 110 }),
  version: z.int(),
});
export type ScheduleRow = z.infer<typeof ScheduleRow>;

export const ScheduleFilter = z.object({
  state: ScheduleState,
  search: z.string().trim().max(50).meta({ title: '名称' }),
});

const path = `${base}/task`;
const ById = z.object({ id: Id });

export const listSchedules = endpoint({
  title: '定时任务列表',
  method: 'POST',
  path: `${path}/list`,
  permission: 'sys:task:view',
  access: 'read',
  body: PageQuery(ScheduleFilter),
  reply: Page(ScheduleRow),
});

export const saveSchedule = endpoint({
  title: '修改定时任务',
  method: 'POST',
  path: `${path}/save`,
  permission: 'sys:task:config',
  body: z.object({
    id: Id,
    cron: Text(60, '执行时间'),
    timeZone: Choice(TimeZones, '时区'),
    priority: z.int().min(-100).max(100).default(0).meta({ title: '优先级', tip: '数字小的先执行' }),
    description: z.string().trim().max(200).default('').meta({ title: '描述' }),
    version: z.int().optional().meta({ title: '版本', hidden: true }),
  }),
  reply: z.object({ nextRunAt: Instant }),
});

const act = (title: string, verb: string, permission: string) =>
  endpoint({
    title,
    method: 'POST',
    path: `${path}/${verb}` as `/${string}`,
    permission,
    body: ById,
    reply: z.literal('success'),
  });

/** Runs the handler once, now, beside its schedule. */
export const runSchedule = act('执行一次', 'run', 'sys:task:run');
export const pauseSchedule = act('暂停定时任务', 'pause', 'sys:task:config');
export const resumeSchedule = act('恢复定时任务', 'resume', 'sys:task:config');

export const scheduleRuns = endpoint({
  title: '定时任务执行记录',
  method: 'GET',
  path: `${path}/runs`,
  permission: 'sys:task:view',
  query: ById,
  reply: z.array(
    z.object({
      fireTime: Instant.meta({ title: '触发时间', width: 130 }),
      state: RunState.meta({ title: '结果', width: 90 }),
      /** Milliseconds. */
      took: z.int().nullable().meta({ title: '耗时（毫秒）', kind: 'integer', width: 110 }),
      askedBy: z.string().nullable().meta({ title: '手动执行', width: 90 }),
      result: z.string().nullable().meta({ title: '说明', width: 300 }),
    }),
  ),
});
