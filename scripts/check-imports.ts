// Checks who imports whom: kit <- modules (only those in `needs`, only through their faces) <- shell, app.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forbiddenTables } from './check-tables.ts';
import { needsOf, SRC, sources } from './tree.ts';

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"\n;]*?(?:[^'"]*?from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** What a file belongs to: a room of the house, and the module if it is one. */
export interface Place {
  room: 'kit/contract' | 'kit/server' | 'kit/web' | 'shell' | 'module' | 'sandbox' | 'app' | 'outside';
  module?: string;
  /** Inside a module: contract, server, web, test, manifest, migrations. */
  part?: string;
}

/** The place of a path relative to src/. */
export function placeOf(path: string): Place {
  const [first = '', second = '', third = ''] = path.split('/');
  if (first === 'kit') {
    if (second === 'contract' || second === 'server' || second === 'web') return { room: `kit/${second}` };
    return { room: 'outside' };
  }
  if (first === 'shell') return { room: 'shell' };
  if (first === 'sandbox') return { room: 'sandbox' };
  if (first === 'app' || first === 'main.ts') return { room: 'app' };
  if (first !== 'modules') return { room: 'outside' };
  const part = third.startsWith('contract') ? 'contract' : third === 'module.ts' ? 'manifest' : third;
  return { room: 'module', module: second, part };
}

const FACES = /^modules\/[^/]+\/(server\/index\.ts|contract\.ts|contract\/[^/]+\.ts|web\/index\.tsx?|module\.ts)$/;

/** Why `from` may not import `to` (paths relative to src/), or undefined. `needs` are the modules that a module names. */
export function problemOf(from: string, to: string, needs: ReadonlyMap<string, readonly string[]>): string | undefined {
  const a = placeOf(from);
  const b = placeOf(to);
  const test = /(^|\/)test\//.test(from);
  if (a.room === 'sandbox') return b.room === 'sandbox' ? undefined : 'the sandbox imports nothing of the product';
  if (b.room === 'sandbox') return test ? undefined : 'the product reaches the sandbox over HTTP only';
  if (a.room === 'app' || b.room === 'outside') return undefined;
  if (b.room === 'app') return test ? undefined : 'nothing imports the composition root';
  if (a.room === 'kit/contract' && b.room !== 'kit/contract') return 'kit/contract stands alone';
  if (a.room === 'kit/server' && b.room !== 'kit/server' && b.room !== 'kit/contract')
    return test ? undefined : 'kit/server knows no business';
  if (a.room === 'kit/web') {
    const calls = b.room === 'module' && b.part === 'contract' && ['identity', 'system'].includes(b.module ?? '');
    if (b.room !== 'kit/web' && b.room !== 'kit/contract' && !calls) return 'kit/web knows no business';
  }
  if (a.room === 'shell' && b.room === 'kit/server') return 'the page imports no server code';
  if (b.room === 'shell' && a.room !== 'shell') return 'only the entry knows the shell';
  if (b.room !== 'module')
    return a.part === 'web' && b.room === 'kit/server' ? 'the page imports no server code' : undefined;
  if (a.room === 'shell')
    return b.part === 'contract' || b.part === 'web' ? undefined : 'the shell knows contracts and screens only';
  if (a.room !== 'module') return undefined;
  if (a.part === 'web' && b.part === 'server') return 'the page imports no server code';
  if (a.part === 'contract' && b.part !== 'contract') return 'a contract imports contracts only';
  if (a.module === b.module) return undefined;
  if (!FACES.test(to)) return `only the face of module ${b.module} may be imported`;
  if (b.part === 'manifest') return 'manifests are read by the composition root';
  if (test) return undefined;
  return needs.get(a.module ?? '')?.includes(b.module ?? '')
    ? undefined
    : `module ${a.module} does not name ${b.module} in its needs`;
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#src/')) return specifier.slice(5);
  if (/^#(kit|shell|modules|sandbox)\//.test(specifier)) return specifier.slice(1);
  if (specifier.startsWith('.')) return relative(SRC, resolve(dirname(file), specifier));
  return undefined;
}

/** Every forbidden import of the tree, one line each. */
export function forbiddenImports(): string[] {
  const needs = needsOf();
  const problems: string[] = [];
  for (const file of sources(SRC)) {
    const from = relative(SRC, file);
    for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const to = targetOf(file, match[1] ?? match[2] ?? '');
      if (to === undefined || to.startsWith('..')) continue;
      const problem = problemOf(from, to, needs);
      if (problem) problems.push(`src/${from} -> src/${to}: ${problem}`);
    }
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = [...forbiddenImports(), ...forbiddenTables()];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
