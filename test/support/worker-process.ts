import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketplaceWorld } from './marketplace.ts';

/** The settings of a process that works for this world. */
export function workerEnvironment(world: MarketplaceWorld): NodeJS.ProcessEnv {
  const { config } = world.runtime;
  const { marketplace } = config;
  if (!marketplace?.ads) throw new Error('this world has no marketplace');
  const { ads } = marketplace;
  return {
    ...process.env,
    DATABASE_URL: world.databaseUrl,
    DATA_DIR: config.dataDir,
    LEASE_SEC: String(config.leaseSec),
    LOG_LEVEL: 'silent',
    RATE_FEED: 'off',
    RETRY_BASE_MS: String(config.retryBaseMs),
    REPORT_MINUTE_MS: String(config.reportMinuteMs),
    BACKGROUND_DELAY_SEC: String(config.backgroundDelaySec),
    ORDER_HISTORY_DAYS: String(config.orderHistoryDays),
    FEED_PAUSE_SEC: String(config.feedPauseSec),
    CLOCK_SHIFT_SEC: String(Math.round(world.clock.shiftMs / 1_000)),
    SPAPI_BASE_NA: marketplace.spApiBase.na,
    SPAPI_BASE_EU: marketplace.spApiBase.eu,
    SPAPI_BASE_FE: marketplace.spApiBase.fe,
    LWA_TOKEN_URL: marketplace.lwaTokenUrl,
    SP_CONSENT_BASE: marketplace.consentBase,
    SP_APPLICATION_ID: marketplace.applicationId,
    SP_CLIENT_ID: marketplace.clientId,
    SP_CLIENT_SECRET: marketplace.clientSecret,
    ADS_BASE_NA: ads.base.na,
    ADS_BASE_EU: ads.base.eu,
    ADS_BASE_FE: ads.base.fe,
    ADS_CONSENT_BASE: ads.consentBase,
    ADS_TOKEN_URL: ads.tokenUrl,
    ADS_CLIENT_ID: ads.clientId,
    ADS_CLIENT_SECRET: ads.clientSecret,
    SQS_QUEUE_URL: marketplace.queue?.url,
    SQS_QUEUE_ARN: marketplace.queue?.arn,
    SQS_ACCESS_KEY_ID: marketplace.queue?.accessKeyId,
    SQS_SECRET_ACCESS_KEY: marketplace.queue?.secretAccessKey,
    MARKETPLACE_CLOCK: marketplace.clock,
  };
}

/** Reads the product, which is most of a start, and waits for a word before the worker begins. */
const READ_AND_WAIT = `data:text/javascript,${encodeURIComponent(`
  await import(${JSON.stringify(new URL('../../src/app/run-parts.ts', import.meta.url).href)});
  (await import('node:module')).flushCompileCache?.();
  await new Promise((begin) => process.stdin.once('data', begin));
  process.stdin.destroy();`)}`;

/** A worker as `npm run worker` starts it, which does nothing before {@link begin}. */
export function standBy(world: MarketplaceWorld): ChildProcess {
  const child = spawn(process.execPath, ['--import', READ_AND_WAIT, 'src/main.ts', 'worker'], {
    // What one has compiled the next ones need not: a third of a start.
    env: { ...workerEnvironment(world), NODE_COMPILE_CACHE: join(tmpdir(), 'compiled') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  world.workers.add(child);
  return child;
}

/** Has a worker that stands by begin, and waits until it works. */
export async function begin(child: ChildProcess): Promise<ChildProcess> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('this worker hears nothing');
  const works = once(stdout, 'data');
  stdin.write('begin\n');
  await works;
  return child;
}

/** A worker that works, ready to be killed. */
export function spawnWorker(world: MarketplaceWorld): Promise<ChildProcess> {
  return begin(standBy(world));
}

/** Ends it the hard way, in the middle of whatever it does. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
