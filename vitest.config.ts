import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { openScratch } from './test/support/scratch.ts';

// Every temporary directory of the run, of its workers and of what they start, is below this one.
process.env.TMPDIR = openScratch();

/** What stands in for a module of Node or of a package, and would do so for every file after it. */
const STAND_INS = ['src/app/test/problems.test.ts', 'src/modules/identity/test/password-cost.test.ts'];

const EVERY = ['src/**/test/**/*.test.ts', 'src/**/test/**/*.test.tsx', 'test/**/*.test.ts'];

/** Kills, crowds and truths over many days take minutes each: `npm run proof` runs them, and all others at full depth. */
const ONLY_IN_PROOF = process.env.DEPTH === 'proof' ? [] : ['**/*.proof.test.ts'];

/** Walks over all calls and faults take longest: told last, one of them would keep one core waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.startsWith(`${import.meta.dirname}/test/`);
    // A worker keeps what it has read of the product from one file to the next, so the few others come before all of these.
    const turn = (file: TestSpecification) => (file.project.name === 'stand-ins' ? 0 : isLong(file) ? 1 : 2);
    return (await super.sort(files)).sort((a, b) => turn(a) - turn(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global.ts'],
    setupFiles: ['test/support/seed.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers: 2,
    // Walks over all calls and tables grow with the product, and machines do other things besides; what hangs is told all
    // the same.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    projects: [
      // The product is read once for each worker and not once for each file: every world has a database and a server of
      // its own, and nothing in a module remembers another.
      {
        extends: true,
        test: {
          name: 'worlds',
          include: EVERY,
          exclude: [...configDefaults.exclude, ...STAND_INS, ...ONLY_IN_PROOF],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'stand-ins', include: STAND_INS } },
    ],
  },
});
