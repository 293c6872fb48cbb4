import { join } from 'node:path';
import { pino } from 'pino';
import { type Clock, ShiftedClock } from '#kit/server/clock.ts';
import type { Config } from '#kit/server/config.ts';
import { ensureDataDir } from '#kit/server/data-dir.ts';
import { Connections } from '#kit/server/db/database.ts';
import { listen } from '#kit/server/events.ts';
import { DiskFileStore } from '#kit/server/files.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { loadSecrets } from '#kit/server/secrets.ts';
import { modules } from './modules.ts';

/** Codes of the operator of the product. */
const operatorCodes: ReadonlySet<string> = new Set(
  modules.flatMap((module) => Object.keys(module.operatorPermissions ?? {})),
);

/** Codes of companies that the operator holds as well. */
const sharedCodes: ReadonlySet<string> = new Set(modules.flatMap((module) => module.operatorToo ?? []));

/** Every permission code of every module that a company can hold. */
const allCodes: ReadonlySet<string> = new Set(
  modules
    .flatMap((module) => [
      ...Object.keys(module.permissions ?? {}),
      ...(module.routes ?? []).map((route) => route.endpoint.permission),
    ])
    .filter((code) => code !== 'public' && code !== 'login' && !operatorCodes.has(code)),
);

/** Opens what a process of the product needs on a migrated database; `clock` is that of the configuration unless given. */
export async function openRuntime(
  config: Config,
  databaseUrl: string,
  clock: Clock = new ShiftedClock(config.clockShiftMs),
): Promise<Runtime> {
  await ensureDataDir(config.dataDir);
  listen(modules.flatMap((module) => module.on ?? []));
  return {
    config,
    clock,
    connections: new Connections(databaseUrl, config.poolSize, clock),
    files: new DiskFileStore(join(config.dataDir, 'files')),
    secrets: await loadSecrets(config),
    log: pino({ level: config.logLevel, base: null }),
    modules,
    codes: allCodes,
    operatorCodes,
    sharedCodes,
  };
}
