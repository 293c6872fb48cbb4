import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { TestProject } from 'vitest/node';
import { startClusters } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the run's servers, one for each worker, with {database} in place of the name. */
    databaseUrls: readonly string[];
  }
}

/**
 * One PostgreSQL for each worker: a snapshot waits for no transaction of another worker's tests. In each `erp` is migrated
 * and cloned by every test file.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startClusters(project.vitest.config.maxWorkers);
  project.provide(
    'databaseUrls',
    servers.map((server) => server.url('{database}')),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(tmpdir(), { recursive: true, force: true });
  };
}
