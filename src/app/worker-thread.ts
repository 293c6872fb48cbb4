// The worker beside the API: same process, own event loop, so that parsing a large report delays no page.
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '#kit/server/config.ts';
import { openRuntime } from './runtime.ts';
import { work } from './work.ts';

const { config, databaseUrl } = workerData as { config: Config; databaseUrl: string };
const runtime = await openRuntime(config, databaseUrl);
const handle = await work(runtime);

parentPort?.once('message', async () => {
  await handle.stop();
  await runtime.connections.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
