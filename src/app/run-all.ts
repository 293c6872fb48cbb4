import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { type Config, ConfigError } from '#kit/server/config.ts';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { createApi } from './api.ts';
import { migrated } from './database.ts';
import { DEMO, ensureDemo } from './demo.ts';
import { listenOn } from './listen.ts';
import { buildPage } from './page.ts';
import { openRuntime } from './runtime.ts';
import { sandboxAddresses, startSandbox } from './sandbox.ts';
import { Shutdown } from './shutdown.ts';
import { startWorkerThread } from './threads.ts';

export interface RunOptions {
  fresh: boolean;
  /** Takes "yes" for granted, for scripts. */
  yes: boolean;
}

async function beginAnew(config: Config, yes: boolean): Promise<void> {
  if (config.databaseUrl) throw new ConfigError('--fresh 只适用于内置数据库');
  if (!yes) {
    const ask = createInterface({ input: process.stdin, output: process.stdout });
    const reply = await ask.question(`将删除 ${config.dataDir} 中的全部数据且不可恢复，输入 yes 继续：`);
    ask.close();
    if (reply.trim() !== 'yes') throw new ConfigError('已取消');
  }
  await rm(config.dataDir, { recursive: true, force: true });
}

async function openDatabase(config: Config, shutdown: Shutdown): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  const server = await startEmbedded({ dataDir: config.dataDir });
  shutdown.add(() => server.stop());
  return server.url('erp');
}

/** Everything in one go: database, migrations, page, sandbox marketplace, API, worker, demo data. */
export async function runAll(base: Config, options: RunOptions): Promise<void> {
  if (options.fresh) await beginAnew(base, options.yes);
  const shutdown = new Shutdown();
  try {
    const [databaseUrl, sandbox] = await Promise.all([
      openDatabase(base, shutdown).then(async (url) => {
        await migrated(url);
        return url;
      }),
      base.sandbox ? startSandbox(base) : undefined,
      buildPage(),
    ]);
    if (sandbox) shutdown.add(sandbox.stop);
    const config: Config = sandbox ? { ...base, marketplace: sandboxAddresses(sandbox.base) } : base;
    const runtime = await openRuntime(config, databaseUrl);
    shutdown.add(() => runtime.connections.close());
    const app = await createApi(runtime, sandbox ? [sandbox.base] : []);
    shutdown.add(() => app.close());
    const address = await listenOn(app, config);
    const demo = base.databaseUrl ? false : await ensureDemo(runtime);
    shutdown.add(await startWorkerThread(config, databaseUrl));
    const open = address.replace('127.0.0.1', 'localhost');
    process.stdout.write(`\n  跨境电商 ERP 已启动：${open}\n`);
    if (demo) process.stdout.write(`  演示账号：${DEMO.account}　密码：${DEMO.password}\n`);
    if (sandbox) process.stdout.write(`  沙箱市场：${sandbox.base}\n`);
    process.stdout.write('  按 Ctrl-C 停止\n\n');
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}
