import type { Step } from './commands.ts';

/** What can be said without running the product. */
export const checks: readonly Step[] = [
  { title: 'types', command: 'tsc', args: ['--noEmit', '-p', '.'] },
  { title: 'lint and format', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { title: 'import rules', command: 'node', args: ['scripts/check-imports.ts'] },
  { title: 'unused code', command: 'knip', args: [] },
];
