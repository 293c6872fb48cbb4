// Everything that must hold: checks, then unit, scenario and property tests on a real PostgreSQL, then the browser.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openScratch } from '../test/support/scratch.ts';
import { run, runSteps } from './commands.ts';
import { checks } from './steps.ts';

const only = process.argv.slice(2);
if (only.length > 0) process.exit(await run('vitest', ['run', ...only]));

const scratch = openScratch();
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

await runSteps([
  ...checks,
  { title: 'generated table types are current', command: 'node', args: ['scripts/db-types.ts', '--verify'] },
  { title: 'page', command: 'node', args: ['scripts/build-page.ts'] },
  { title: 'tests', command: 'vitest', args: ['run'] },
  {
    title: 'browser',
    command: 'playwright',
    args: ['test'],
    env: { BROWSER_TEST_DATA: join(scratch, 'product') },
  },
]);
