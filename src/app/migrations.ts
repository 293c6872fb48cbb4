import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '#kit/server/db/migrate.ts';
import { modules } from './modules.ts';

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The kit's migrations, then each module's, in the order in which modules need each other. */
export function migrationSets(): MigrationSet[] {
  return [
    { module: 'kit', directory: here('../kit/server/migrations') },
    ...modules.map((module) => ({ module: module.name, directory: here(`../modules/${module.name}/migrations`) })),
  ];
}
