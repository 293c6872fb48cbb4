import { type Config, ConfigError } from '#kit/server/config.ts';
import { createApi } from './api.ts';
import { migrated } from './database.ts';
import { listenOn } from './listen.ts';
import { openRuntime } from './runtime.ts';
import { Shutdown } from './shutdown.ts';
import { work } from './work.ts';

function requireUrl(config: Config): string {
  if (!config.databaseUrl) throw new ConfigError('请设置 DATABASE_URL：多个进程必须使用同一个数据库');
  return config.databaseUrl;
}

/** API and page only; any number of these may share one database. */
export async function runServe(config: Config): Promise<void> {
  const url = requireUrl(config);
  await migrated(url);
  const shutdown = new Shutdown();
  const runtime = await openRuntime(config, url);
  shutdown.add(() => runtime.connections.close());
  const app = await createApi(runtime);
  shutdown.add(() => app.close());
  process.stdout.write(`已启动：${await listenOn(app, config)}\n`);
}

/** Background work only; any number of these may share one database. */
export async function runWorker(config: Config): Promise<void> {
  const url = requireUrl(config);
  await migrated(url);
  const shutdown = new Shutdown();
  const runtime = await openRuntime(config, url);
  shutdown.add(() => runtime.connections.close());
  const handle = await work(runtime);
  shutdown.add(() => handle.stop());
  process.stdout.write('后台任务已启动\n');
}
