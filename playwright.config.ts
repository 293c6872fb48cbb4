import { defineConfig } from '@playwright/test';
import { freePorts } from './test/browser/support/free-ports.ts';

const DATA = process.env.BROWSER_TEST_DATA ?? 'test-results/product';
const PROOF = process.env.DEPTH === 'proof';

/**
 * Which stories are told in which theme. The gate tells each once, half of them in each theme, so that the two products,
 * which run at once, take equally long; those of other systems to log in at or from, of second factors, of one's own
 * account, of sets of columns, of invoices and of orders that are split are held by the API's tests and told by the proof. That tells the stories
 * about people, their rights, the frame, the system and the main job in both themes, and those of goods and suppliers, on
 * screens whose looks others show, in one.
 */
const IN_GATE = {
  light:
    '**/{cash-forecast,doors,erp-sales,forecast,home,job-costing,listing-page,listing-work,main-job,mcf,messages,month-end,order-money,packing,performance,purchase-story,returns,sales,settlement-sku,tasks,worth}.spec.ts',
  black:
    '**/{accounting,accounts,calculator,closing,cost,expense,fields,login,operator,organisation,people,profit-group,purchase,rank,removal,scan,shell,ship,stock,system,views,warehouse,ways}.spec.ts',
};
const GOODS = {
  light: ['mcf', 'purchase', 'purchase-parts', 'purchase-story'],
  black: ['listing-page', 'listing-work', 'purchase-invoice', 'scan', 'ship', 'stock', 'warehouse', 'worth'],
};
const IN_PROOF = {
  light: { testIgnore: `**/{${GOODS.black.join()}}.spec.ts` },
  black: { testIgnore: `**/{${GOODS.light.join()}}.spec.ts` },
};

const [light = 0, lightMarket = 0, black = 0, blackMarket = 0] = freePorts('BROWSER_TEST_PORTS', 4);

/** A product for each theme, with data of its own. */
const THEMES = [
  { theme: 'light', port: light, sandboxPort: lightMarket },
  { theme: 'black', port: black, sandboxPort: blackMarket },
] as const;

const addressOf = (port: number) => `http://localhost:${port}`;
const dataOf = (theme: string) => `${DATA}-${theme}`;

/** Directory of the data of the product that the project of this name drives. */
export function dataDirOf(project: string): string {
  const found = THEMES.find(({ theme }) => theme === project);
  if (!found) throw new Error(`no product for ${project}`);
  return dataOf(found.theme);
}

/** Address of the marketplace behind the product that the project of this name drives. */
export function marketOf(project: string): string {
  const found = THEMES.find(({ theme }) => theme === project);
  if (!found) throw new Error(`no product for ${project}`);
  return `http://127.0.0.1:${found.sandboxPort}`;
}

/** Browser tests drive the product as `npm start` starts it, on data that came over the sandbox's wire only. */
export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/support/executable.ts',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // Both products at once, the stories of one of them one after the other: they share a company.
  workers: 2,
  // Long enough for a machine that has other work: what never comes is rare, and a slow minute is no fault.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // A story that needs its second try is named at the end: it is a defect that waits to be found.
  retries: PROOF ? 0 : 1,
  reporter: [
    ['list'],
    ['./test/browser/support/told.ts'],
    ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['json'] as const] : []),
  ],
  use: {
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    // Nothing to wait for between a click and what it opens.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Following every step costs time in every story.
    trace: 'on-first-retry',
  },
  projects: THEMES.map(({ theme, port }) => ({
    name: theme,
    ...(PROOF ? IN_PROOF[theme] : { testMatch: IN_GATE[theme] }),
    workers: 1,
    use: {
      baseURL: addressOf(port),
      storageState: {
        cookies: [],
        origins: [{ origin: addressOf(port), localStorage: [{ name: 'theme', value: theme }] }],
      },
    },
  })),
  webServer: THEMES.map(({ theme, port, sandboxPort }) => ({
    command: 'node test/browser/support/product.ts',
    url: `${addressOf(port)}/healthz`,
    timeout: 600_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: dataOf(theme),
      CAPTCHA: 'on',
      // A month and a half of business is synchronised in half the time, and lists, settlements and reports have all that they need.
      ...(PROOF ? {} : { SANDBOX_DAYS: '45', ORDER_HISTORY_DAYS: '120' }),
      LOG_LEVEL: 'warn',
    },
    // What the product warns of stands beside the story in which it happened.
    stdout: 'pipe',
    stderr: 'pipe',
  })),
});
