import type { Step } from './commands.ts';

/** Takes as long as all other checks together, which run beside it: more than one checker would do much of its work twice. */
export const types: Step = { title: 'types', command: 'tsc', args: ['--noEmit', '-p', '.', '--checkers', '1'] };

/** What else can be said without running the product. */
export const checks: readonly Step[] = [
  { title: 'lint and format', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { title: 'import rules', command: 'node', args: ['scripts/check-imports.ts'] },
  { title: 'one clock', command: 'node', args: ['scripts/check-clock.ts'] },
  { title: 'unused code', command: 'knip', args: [] },
];
