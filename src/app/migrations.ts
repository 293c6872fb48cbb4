import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '#kit/server/db/migrate.ts';
import { modules } from './modules.ts';

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * Roles and the functions that all tables call, the kit's tables, then each module's, in the order in which modules need
 * each other.
 */
export function migrationSets(): MigrationSet[] {
  const base = '../kit/server/base';
  return [
    { module: 'base', directory: here(`${base}/migrations`), stored: here(`${base}/stored`) },
    { module: 'kit', directory: here('../kit/server/migrations'), stored: here('../kit/server/stored') },
    ...modules.map(({ name }) => ({
      module: name,
      directory: here(`../modules/${name}/migrations`),
      stored: here(`../modules/${name}/stored`),
    })),
  ];
}
