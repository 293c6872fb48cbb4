import type { Ctx } from '../context.ts';
import type { Runtime } from '../runtime.ts';
import type { DataScope } from '../scope.ts';

/**
 * Background work of the product itself. It runs at least once: a worker may die after the effect and before the
 * receipt, so what it does must be repeatable.
 */
export interface JobDef<P = never> {
  name: string;
  run: (runtime: Runtime, payload: P) => Promise<void>;
}

export function job<P>(name: string, run: (runtime: Runtime, payload: P) => Promise<void>): JobDef {
  return { name, run } as JobDef;
}

export interface CronItem {
  /** Crontab pattern in UTC, e.g. "*\/5 * * * *". */
  pattern: string;
  job: string;
  payload?: object;
  /** Also when a worker starts: for what a new installation cannot wait for. */
  atStart?: boolean;
}

/** Handle of a long task: how it reports, and how it learns that the user changed his mind. */
export interface TaskHandle {
  id: string;
  companyId: string;
  userId: string | null;
  userName: string;
  /** What the starter may reach; the task's transactions are bound to it: see taskPrincipal(). */
  dataScope: DataScope | undefined;
  /** Whole percent and a short Chinese text; written at most twice a second. Throws TaskCancelled when asked to stop. */
  progress(percent: number, detail?: string): Promise<void>;
}

export interface TaskResult {
  fileId?: string | null;
  detail?: string;
  result?: unknown;
}

/** Work that a person starts and waits for: an export, an import. Shown with progress, cancel, retry and result. */
export interface TaskDef<P = never> {
  type: string;
  run: (runtime: Runtime, task: TaskHandle, payload: P) => Promise<TaskResult>;
}

export function task<P>(
  type: string,
  run: (runtime: Runtime, task: TaskHandle, payload: P) => Promise<TaskResult>,
): TaskDef {
  return { type, run } as TaskDef;
}

/** Thrown inside a task when its owner cancelled it. */
export class TaskCancelled extends Error {
  constructor() {
    super('任务已取消');
  }
}

export interface EnqueueOptions {
  /** Jobs of one queue run one after the other. */
  queue?: string;
  runAt?: Date;
  /** A queued job with this key is replaced instead of doubled. */
  key?: string;
  /** 'preserve_run_at' keeps the earlier time of a replaced job. */
  keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  /** Smaller runs earlier; default 0. */
  priority?: number;
  maxAttempts?: number;
}

/** A job that waits for the end of the transaction that queued it. */
export interface QueuedJob {
  job: string;
  payload: object;
  options: EnqueueOptions;
}

/** A whole context, or an open transaction alone, into which jobs are written at once. */
export type EnqueueContext = Pick<Ctx, 'db'> & Partial<Pick<Ctx, 'queued'>>;
