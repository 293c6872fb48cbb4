import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Logger, parseCronItems, run } from 'graphile-worker';
import pg from 'pg';
import type { Runtime } from '../runtime.ts';
import type { CronItem, JobDef } from './define.ts';

const HEARTBEATS_PER_LEASE = 4;
const MAX_SILENCE_SEC = 20;

/**
 * Gives the jobs of workers that stopped reporting back to the queue. The queue by itself waits four hours for a dead
 * worker, and a seller whose process was killed must not.
 */
async function freeJobsOfTheDead(pool: pg.Pool, silenceSec: number): Promise<void> {
  const silence = `make_interval(secs => ${silenceSec})`;
  await pool.query(`DELETE FROM kit.worker WHERE seen_at < now() - ${silence}`);
  const locked = await pool.query<{ locked_by: string }>(
    `SELECT DISTINCT locked_by FROM (
       SELECT locked_by, locked_at FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL
       UNION ALL
       SELECT locked_by, locked_at FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL) AS held
     WHERE locked_at < now() - ${silence}
       AND NOT EXISTS (SELECT FROM kit.worker WHERE held.locked_by = ANY (locks_as))`,
  );
  if (locked.rows.length === 0) return;
  await pool.query('SELECT graphile_worker.force_unlock_workers($1)', [locked.rows.map((row) => row.locked_by)]);
}

function quietLogger(runtime: Runtime): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error') runtime.log.error({ ...meta }, message);
    else if (level === 'warning') runtime.log.warn({ ...meta }, message);
  });
}

function cronItems(crons: readonly CronItem[]) {
  return parseCronItems(
    crons.map((item) => ({
      task: item.job,
      match: item.pattern,
      identifier: `${item.job}:${JSON.stringify(item.payload ?? {})}`,
      payload: (item.payload ?? {}) as Record<string, unknown>,
    })),
  );
}

export interface WorkerHandle {
  stop(): Promise<void>;
}

/**
 * Works the job queue of `runtime`'s database until stopped. A clean stop lets running jobs end; after a kill another
 * worker takes them over within half a minute.
 */
export async function startWorker(
  runtime: Runtime,
  jobs: readonly JobDef[],
  crons: readonly CronItem[],
  { concurrency = 4 }: { concurrency?: number } = {},
): Promise<WorkerHandle> {
  const me = `w-${randomUUID()}`;
  const silenceSec = Math.min(MAX_SILENCE_SEC, runtime.config.leaseSec);
  // The queue's tables belong to the migrating role, so this pool does not take the application's role on.
  const pool = new pg.Pool({
    connectionString: runtime.connections.url,
    max: concurrency + 3,
    application_name: 'erp-worker',
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const locksAs = new Set<string>();
  const events = new EventEmitter();
  events.on('worker:create', ({ worker }: { worker: { workerId: string } }) => locksAs.add(worker.workerId));
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => locksAs.add(workerPool.id));
  const beat = async () => {
    await pool.query(
      'INSERT INTO kit.worker (id, locks_as) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = now(), locks_as = excluded.locks_as',
      [me, [...locksAs]],
    );
    await freeJobsOfTheDead(pool, silenceSec);
  };
  const runner = await run({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: runtime.config.jobPollMs,
    events,
    logger: quietLogger(runtime),
    taskList: Object.fromEntries(
      jobs.map((def) => [def.name, (payload: unknown) => def.run(runtime, payload as never)]),
    ),
    parsedCronItems: cronItems(crons),
  });
  await beat();
  for (const { job, payload } of crons.filter(({ atStart }) => atStart)) {
    await runner.addJob(job, payload ?? {}, { jobKey: `${job}:start` });
  }
  const timer = setInterval(
    () => {
      beat().catch((error: unknown) => runtime.log.warn({ err: error }, 'worker heartbeat failed'));
    },
    (silenceSec * 1000) / HEARTBEATS_PER_LEASE,
  );
  return {
    async stop() {
      clearInterval(timer);
      await runner.stop();
      await pool.query('DELETE FROM kit.worker WHERE id = $1', [me]).catch(() => {});
      await pool.end();
    },
  };
}
