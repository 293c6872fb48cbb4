// A worker as `src/main.ts worker` runs it, which says at its end what it did: how many jobs, how many of them failed
// and how much processor time they took. One line of JSON, on SIGTERM.
import { readConfig } from '#kit/server/config.ts';
import { startWorker } from '#kit/server/jobs/worker.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { crons, jobs } from '#src/app/work.ts';

const config = readConfig();
const runtime = await openRuntime(config, config.databaseUrl ?? '');
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
    }
  },
}));
const handle = await startWorker(runtime, counted, crons);
process.once('SIGTERM', async () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ ...done, cpuMs: Math.round((user + system) / 1000) })}\n`);
  await handle.stop();
  await runtime.connections.close();
  process.exit(0);
});
process.stdout.write('ready\n');
