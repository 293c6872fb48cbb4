import { defineConfig } from 'vitest/config';

/** What stands in for a module of Node or of a package, and would do so for every file after it. */
const STAND_INS = ['src/app/test/problems.test.ts', 'src/modules/identity/test/password-cost.test.ts'];

const EVERY = ['src/**/test/**/*.test.ts', 'src/**/test/**/*.test.tsx', 'test/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Walks over all calls and tables grow with the product; what hangs is told all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      // The product is read once for each worker and not once for each file: every world has a database and a server of
      // its own, and nothing in a module remembers another.
      { extends: true, test: { name: 'worlds', include: EVERY, exclude: STAND_INS, isolate: false } },
      { extends: true, test: { name: 'stand-ins', include: STAND_INS } },
    ],
  },
});
