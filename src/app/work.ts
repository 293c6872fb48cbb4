import type { CronItem, JobDef } from '#kit/server/jobs/define.ts';
import { taskRunner } from '#kit/server/jobs/tasks.ts';
import { startWorker, type WorkerHandle } from '#kit/server/jobs/worker.ts';
import { messageCrons, messageJobs } from '#kit/server/messaging/post.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { modules } from './modules.ts';

/** Every background job of every module, and the runner of the long tasks. */
export const jobs: readonly JobDef[] = [
  ...modules.flatMap((module) => module.jobs ?? []),
  ...messageJobs,
  taskRunner(modules.flatMap((module) => module.tasks ?? [])),
];

export const crons: readonly CronItem[] = [...modules.flatMap((module) => module.crons ?? []), ...messageCrons];

/** Works the queue in this thread; who begins the periodic work himself wants no crons. */
export function work(runtime: Runtime, options: { crons: boolean } = { crons: true }): Promise<WorkerHandle> {
  return startWorker(runtime, jobs, options.crons ? crons : []);
}
