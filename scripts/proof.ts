// The proof: every test at full depth, and those that only it runs. `--seed N` repeats a run's drawings; names of files or
// folders narrow it down, and `-t <name>` to tests of that name.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openScratch } from '../test/support/scratch.ts';
import { run } from './commands.ts';
import { Measured } from './measured.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, t: { type: 'string', short: 't' } },
});
const seed = values.seed ?? String(1 + Math.floor(Math.random() * 2 ** 30));
if (!/^\d{1,10}$/.test(seed)) {
  console.error(`--seed takes a whole number, not ${seed}`);
  process.exit(2);
}
const named = values.t === undefined ? [] : ['-t', values.t];
const isStory = (path: string) => path.includes('test/browser') || path.endsWith('.spec.ts');
const stories = positionals.filter(isStory);
const tests = positionals.filter((path) => !isStory(path));

const scratch = openScratch();
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const measured = new Measured(scratch, 'proof.json');
const depth = { DEPTH: 'proof', SEED: seed };
console.log(`proof with --seed ${seed}`);

const outcomes: { title: string; code: number }[] = [];
if (tests.length > 0 || stories.length === 0) {
  const code = await run('vitest', ['run', ...measured.vitest, ...named, ...tests], depth);
  outcomes.push({ title: 'tests', code });
}
if ((stories.length > 0 || tests.length === 0) && values.t === undefined) {
  const built = await run('node', ['scripts/build-page.ts']);
  const env = { ...depth, ...measured.playwright, BROWSER_TEST_DATA: join(scratch, 'product') };
  outcomes.push({ title: 'browser', code: built || (await run('playwright', ['test', ...stories], env)) });
}

measured.tell(outcomes.every(({ code }) => code === 0));
for (const { title, code } of outcomes) console.log(`${code === 0 ? '✓' : '✗'} ${title}`);
console.log(`again with: npm run proof -- --seed ${seed}`);
process.exit(outcomes.find(({ code }) => code !== 0)?.code ?? 0);
