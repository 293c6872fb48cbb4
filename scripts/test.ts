// Everything that must hold: checks, then unit, scenario and property tests on a real PostgreSQL, then the browser.
import { run, runSteps } from './commands.ts';
import { checks } from './steps.ts';

const only = process.argv.slice(2);
if (only.length > 0) process.exit(await run('vitest', ['run', ...only]));

await runSteps([
  ...checks,
  { title: 'generated table types are current', command: 'node', args: ['scripts/db-types.ts', '--verify'] },
  { title: 'page', command: 'node', args: ['scripts/build-page.ts'] },
  { title: 'tests', command: 'vitest', args: ['run'] },
  { title: 'browser', command: 'playwright', args: ['test'] },
]);
