// The gate: everything that must hold, complete in meaning, at most twelve minutes on two cores. With names of files or
// folders it runs their tests alone. What only depth can show is `npm run proof`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openScratch } from '../test/support/scratch.ts';
import { run, runLanes, runSteps } from './commands.ts';
import { Measured } from './measured.ts';
import { checks, types } from './steps.ts';

const only = process.argv.slice(2);
if (only.length > 0) process.exit(await run('vitest', ['run', ...only]));

const scratch = openScratch();
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const measured = new Measured(scratch, 'gate.json');

// The compiler keeps one core busy for longer than all other checks take: tests begin beside it.
const typed = runLanes([[types]]);
const tested =
  (await runLanes([
    [
      ...checks,
      { title: 'generated table types are current', command: 'node', args: ['scripts/db-types.ts', '--verify'] },
      { title: 'page', command: 'node', args: ['scripts/build-page.ts'] },
    ],
  ])) || (await runSteps([{ title: 'tests', command: 'vitest', args: ['run', ...measured.vitest] }]));
const code =
  (await typed) ||
  tested ||
  (await runSteps([
    {
      title: 'browser',
      command: 'playwright',
      args: ['test'],
      env: { ...measured.playwright, BROWSER_TEST_DATA: join(scratch, 'product') },
    },
  ]));
measured.tell(code === 0);
process.exit(code);
