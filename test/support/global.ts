import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import { migrationSets } from '#src/app/migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL with {database} in place of the name. */
    databaseUrl: string;
  }
}

/** One PostgreSQL for the whole run; `erp` is migrated once and cloned by every test file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-test-'));
  const server = await startEmbedded({ dataDir, durable: false });
  await migrate(server.url('erp'), migrationSets());
  project.provide('databaseUrl', server.url('{database}'));
  return async () => {
    await server.stop();
    await rm(tmpdir(), { recursive: true, force: true });
  };
}
