import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/test/**/*.test.ts', 'src/**/test/**/*.test.tsx', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Walks over all calls and tables grow with the product; what hangs is told all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
