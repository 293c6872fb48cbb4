import type { Config } from '#kit/server/config.ts';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { createApi } from './api.ts';
import { ensureReachable, migrated } from './database.ts';
import { DEMO, ensureDemo } from './demo.ts';
import { OPERATOR } from './demo-people.ts';
import { stockDemo } from './demo-stock.ts';
import { beginAnew } from './fresh.ts';
import { ensureFree, listenOn } from './listen.ts';
import { buildPage } from './page.ts';
import { openRuntime } from './runtime.ts';
import { sandboxAddresses, sandboxAlibaba, sandboxRates, sandboxWechat, startSandbox } from './sandbox.ts';
import { Shutdown } from './shutdown.ts';
import { startWorkerThread } from './threads.ts';

export interface RunOptions {
  fresh: boolean;
  /** Takes "yes" for granted, for scripts. */
  yes: boolean;
}

/** Without its database the process can do nothing, not even close in order. */
function endWith(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

async function openDatabase(config: Config, shutdown: Shutdown): Promise<string> {
  if (config.databaseUrl) {
    // Said before anything else is started and a page is built for nothing.
    await ensureReachable(config.databaseUrl);
    return config.databaseUrl;
  }
  const server = await startEmbedded({ dataDir: config.dataDir, onLost: endWith });
  shutdown.add(() => server.stop());
  return server.url('erp');
}

/** Waits for all of them, even when one fails, so that whatever was started can be stopped. */
async function together(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function sandboxFor(config: Config, shutdown: Shutdown): Promise<string | undefined> {
  if (!config.sandbox) return undefined;
  const sandbox = await startSandbox(config);
  shutdown.add(sandbox.stop);
  return sandbox.base;
}

/** Everything in one go: database, migrations, page, sandbox marketplace, API, worker, demo data. */
export async function runAll(base: Config, options: RunOptions): Promise<void> {
  await ensureFree(base.host, base.port, 'PORT');
  if (base.sandbox) await ensureFree('127.0.0.1', base.sandboxPort, 'SANDBOX_PORT');
  if (options.fresh) await beginAnew(base, options.yes);
  const shutdown = new Shutdown();
  try {
    const databaseUrl = await openDatabase(base, shutdown);
    const sandboxStarting = sandboxFor(base, shutdown);
    await together([migrated(databaseUrl), sandboxStarting, buildPage()]);
    const sandbox = await sandboxStarting;
    const config: Config = sandbox
      ? {
          ...base,
          marketplace: sandboxAddresses(sandbox),
          mediaUrl: base.mediaUrl ?? `http://127.0.0.1:${base.port}`,
          wechat: base.wechat ?? sandboxWechat(sandbox),
          alibaba: base.alibaba ?? sandboxAlibaba(sandbox),
          rateFeed: base.rateFeed ?? sandboxRates(sandbox),
        }
      : base;
    const runtime = await openRuntime(config, databaseUrl);
    shutdown.add(() => runtime.connections.close());
    const app = await createApi(runtime, sandbox ? [sandbox] : []);
    shutdown.add(() => app.close());
    const address = await listenOn(app, config);
    const demo = base.databaseUrl ? [] : await ensureDemo(runtime);
    shutdown.add(await startWorkerThread(config, databaseUrl));
    announce(address, sandbox, demo);
    if (demo.length > 0) stockWhenKnown(runtime, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

/** Goes on beside everything else; a demo without stock is no reason to stop. */
function stockWhenKnown(runtime: Runtime, shutdown: Shutdown): void {
  const ended = new AbortController();
  const stocking = stockDemo(runtime, ended.signal).catch((error: unknown) =>
    runtime.log.error({ err: error }, 'the demo got no stock'),
  );
  shutdown.add(() => {
    ended.abort();
    return stocking;
  });
}

function announce(address: string, sandbox: string | undefined, demo: readonly string[]): void {
  process.stdout.write(`\n  跨境电商 ERP 已启动：${address.replace('127.0.0.1', 'localhost')}\n`);
  for (const account of demo) {
    const who = account === OPERATOR.account ? '平台运营' : '演示账号';
    process.stdout.write(`  ${who}：${account}　密码：${DEMO.password}\n`);
  }
  if (sandbox) process.stdout.write(`  沙箱市场：${sandbox}\n`);
  process.stdout.write('  按 Ctrl-C 停止\n\n');
}
