import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Config } from '#kit/server/config.ts';

/** Starts the worker thread; resolves when it takes jobs. The returned function stops it after its running jobs. */
export async function startWorkerThread(config: Config, databaseUrl: string): Promise<() => Promise<void>> {
  const thread = new Worker(new URL('./worker-thread.ts', import.meta.url), { workerData: { config, databaseUrl } });
  thread.on('error', (error) => {
    console.error('后台任务线程异常退出：', error);
    process.exit(1);
  });
  await once(thread, 'message');
  return async () => {
    const exited = once(thread, 'exit');
    thread.postMessage('stop');
    await exited;
  };
}
