import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Quantity } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { TaskState } from '../contract.ts';
import { base } from './shared.ts';

export const JobRow = z.object({
  id: Id,
  title: z.string().meta({ title: '任务', width: 280, pinned: 'left' }),
  userName: z.string().nullable().meta({ title: '发起人', kind: 'person', width: 120 }),
  state: TaskState.meta({ width: 90 }),
  progress: Quantity.meta({ title: '进度', width: 130 }),
  detail: z.string().nullable().meta({ title: '说明', width: 220 }),
  /** Seconds of work until now. */
  took: z.int().nullable().meta({ title: '耗时', kind: 'integer', width: 90 }),
  fileId: Id.nullable(),
  fileName: z.string().nullable().meta({ title: '结果文件', width: 200 }),
  createdAt: Instant.meta({ title: '发起时间', width: 110 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 110 }),
  attempts: z.int().meta({ title: '执行次数', kind: 'integer', width: 90, optional: true }),
  /** Started by the caller: the result file is his. */
  mine: z.boolean(),
});
export type JobRow = z.infer<typeof JobRow>;

export const JobFilter = z.object({
  state: TaskState,
  search: z.string().trim().max(50).meta({ title: '任务、发起人' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '发起时间', kind: 'date' }),
});
const AnyJobFilter = JobFilter.partial();
export type JobFilter = z.infer<typeof AnyJobFilter>;

const jobs = `${base}/jobs`;

export const listJobs = endpoint({
  title: '长任务列表',
  method: 'POST',
  path: jobs,
  permission: 'sys:task:view',
  access: 'read',
  body: PageQuery(JobFilter),
  sortable: ['progress', 'createdAt', 'finishedAt'],
  reply: Page(JobRow),
});

export const countJobs = endpoint({
  title: '长任务数量',
  method: 'POST',
  path: `${jobs}/counts`,
  permission: 'sys:task:view',
  access: 'read',
  body: z.object({ filter: JobFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** What happened to a task, oldest first. */
export const jobLog = endpoint({
  title: '长任务日志',
  method: 'GET',
  path: `${jobs}/:id/log`,
  permission: 'sys:task:view',
  params: z.object({ id: Id }),
  reply: z.array(
    z.object({ at: Instant, state: TaskState, progress: z.int(), attempt: z.int(), text: z.string().nullable() }),
  ),
});

/** Progress of one of the caller's tasks, by its id. */
export const sysProgress = endpoint({
  title: '任务进度',
  method: 'GET',
  path: `${base}/sysprogress`,
  permission: 'login',
  concurrent: true,
  query: z.object({ key: Id.meta({ title: '任务编号' }) }),
  reply: z.object({
    key: Id,
    state: TaskState,
    progress: z.int(),
    detail: z.string().nullable(),
    error: z.string().nullable(),
    fileId: Id.nullable(),
  }),
});
