import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modules } from '#src/app/modules.ts';
import { SRC, sources } from '../scripts/tree.ts';

test('whatever is written into the operation log has a name in Chinese', () => {
  const named = new Set(modules.flatMap((module) => Object.keys(module.objects ?? {})));
  const written = sources(join(SRC, 'modules'))
    .filter((path) => path.includes('/server/'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\bresource: '([^']+)'/g)])
    .map(([, name]) => name ?? '');
  expect(new Set(written).size).toBeGreaterThan(10);
  expect([...new Set(written)].filter((name) => !named.has(name))).toEqual([]);
});
