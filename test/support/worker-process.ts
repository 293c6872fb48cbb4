import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
    MARKETPLACE_CLOCK: marketplace.clock,
  };
}

/** A worker as `npm run worker` starts it, ready to be killed. */
export async function spawnWorker(world: MarketplaceWorld): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['src/main.ts', 'worker'], {
    env: workerEnvironment(world),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  world.workers.add(child);
  await once(child.stdout, 'data');
  return child;
}

/** Ends it the hard way, in the middle of whatever it does. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
