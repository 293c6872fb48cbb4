import { sql } from 'kysely';
import type { MarketplaceConfig } from '#kit/server/config.ts';
import { refused } from '#kit/server/errors.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

/** The configured marketplace; refuses in words where none is. */
export function configOf(runtime: Pick<Runtime, 'config'>): MarketplaceConfig {
  const { marketplace } = runtime.config;
  if (!marketplace) throw refused('尚未配置亚马逊接口地址，请联系管理员', 'B0300');
  return marketplace;
}

const TIMEOUT_MS = 5_000;

/** Now as the marketplace counts it: the database's clock, or the address that the configuration names. */
export async function marketplaceNow(runtime: Runtime): Promise<Date> {
  const { clock } = configOf(runtime);
  if (clock === 'database') {
    return inSystem(runtime, async (db) => {
      const { rows } = await sql<{ now: string }>`SELECT kit.instant() AS now`.execute(db);
      return new Date(rows[0]?.now ?? runtime.clock.ms());
    });
  }
  const response = await fetch(clock, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = (await response.json()) as { now: number | string };
  return new Date(body.now);
}
