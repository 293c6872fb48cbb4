// A worker as `src/main.ts worker` runs it, which says at its end what it did: how many jobs, how many of them failed
// and how much processor time they took. One line of JSON, on SIGTERM. Started with a channel to its parent, it lives by the
// parent's clock, says each job that is done as it ends, and leaves the periodic work to the parent.
import { readConfig } from '#kit/server/config.ts';
import { startWorker } from '#kit/server/jobs/worker.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { crons, jobs } from '#src/app/work.ts';
import { ToldClock } from './told-clock.ts';

/** Who is told the time looks into the queue so often, ms: the queue says nothing of what becomes due by another clock. */
const POLL_MS = 100;

const told = process.send ? new ToldClock(Number(process.env.TOLD_AT)) : undefined;
const config = { ...readConfig(), ...(told ? { jobPollMs: POLL_MS } : {}) };
const runtime = await openRuntime(config, config.databaseUrl ?? '', told);
const done = { jobs: 0, failed: 0 };
const counted = jobs.map((def) => ({
  ...def,
  run: async (...args: Parameters<typeof def.run>) => {
    try {
      await def.run(...args);
      done.jobs += 1;
    } catch (error) {
      done.failed += 1;
      throw error;
    } finally {
      process.send?.('done');
    }
  },
}));
if (told) process.on('message', (at: number) => told.tell(at));
const handle = await startWorker(runtime, counted, told ? [] : crons);
process.once('SIGTERM', async () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ ...done, cpuMs: Math.round((user + system) / 1000) })}\n`);
  await handle.stop();
  await runtime.connections.close();
  process.exit(0);
});
process.stdout.write('ready\n');
