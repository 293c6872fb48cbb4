import { defineConfig } from '@playwright/test';

const PORT = Number(process.env.BROWSER_TEST_PORT ?? 18080);
const DATA = process.env.BROWSER_TEST_DATA ?? 'test-results/product';

/**
 * Stories of what happens, on screens whose looks others show: told in one theme only, for a run on two cores has to end
 * within forty minutes.
 */
const TOLD_ONCE = ['**/{mfa,operator,people,purchase-story,reference,self,switch,tasks}.spec.ts'];

/** Every other story is told once in each theme, each time on a product and data of its own. */
const THEMES = [
  { theme: 'light', port: PORT, testIgnore: [] },
  { theme: 'black', port: PORT + 10, testIgnore: TOLD_ONCE },
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
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // Both themes at once, the stories of one theme one after the other: they share a company.
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
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
