import { defineConfig } from '@playwright/test';

const PORT = Number(process.env.BROWSER_TEST_PORT ?? 18080);
const DATA = process.env.BROWSER_TEST_DATA ?? 'test-results/product';

/**
 * Stories of goods and suppliers, on screens whose looks others show: each is told in one theme only, so that the two
 * themes, which run at once, take equally long. Everything about people, their rights, the frame, the system and the main
 * job is told in both.
 */
const TOLD_ONCE = {
  light: ['**/{purchase,purchase-story}.spec.ts'],
  black: ['**/{scan,stock,warehouse}.spec.ts'],
};

/** Every other story is told once in each theme, each time on a product and data of its own. */
const THEMES = [
  { theme: 'light', port: PORT, testIgnore: TOLD_ONCE.black },
  { theme: 'black', port: PORT + 10, testIgnore: TOLD_ONCE.light },
].map((one) => ({ ...one, address: `http://localhost:${one.port}`, dataDir: `${DATA}-${one.theme}` }));

/** Directory of the data of the product that the project of this name drives. */
export function dataDirOf(project: string): string {
  const found = THEMES.find(({ theme }) => theme === project);
  if (!found) throw new Error(`no product for ${project}`);
  return found.dataDir;
}

/** Browser tests drive the product as `npm start` starts it, on data that came over the sandbox's wire only. */
export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/support/executable.ts',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // Both themes at once, the stories of one theme one after the other: they share a company.
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 25_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Nothing to wait for between a click and what it opens.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Following every step costs time in every story; --trace on follows one that failed.
    trace: 'off',
  },
  projects: THEMES.map(({ theme, address, testIgnore }) => ({
    name: theme,
    testIgnore,
    workers: 1,
    use: {
      baseURL: address,
      storageState: { cookies: [], origins: [{ origin: address, localStorage: [{ name: 'theme', value: theme }] }] },
    },
  })),
  webServer: THEMES.map(({ port, address, dataDir }) => ({
    command: 'node src/main.ts --fresh --yes',
    url: `${address}/healthz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: { PORT: String(port), DATA_DIR: dataDir, CAPTCHA: 'on', LOG_LEVEL: 'warn' },
    stdout: 'ignore',
    stderr: 'pipe',
  })),
});
