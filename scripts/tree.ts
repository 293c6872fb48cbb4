import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Every TypeScript file below a directory. */
export function sources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The modules that each module names in its manifest. */
export function needsOf(): Map<string, readonly string[]> {
  const needs = new Map<string, readonly string[]>();
  for (const name of readdirSync(join(SRC, 'modules'))) {
    const manifest = join(SRC, 'modules', name, 'module.ts');
    if (!existsSync(manifest)) continue;
    const list = /needs:\s*\[([^\]]*)\]/.exec(readFileSync(manifest, 'utf8'))?.[1] ?? '';
    needs.set(
      name,
      [...list.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''),
    );
  }
  return needs;
}
