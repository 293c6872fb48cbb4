import { test as base, chromium as launcher } from '@playwright/test';
import executable from './executable.ts';

/** Flags for a machine without a GPU, a desktop or a user other than root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--disable-background-networking',
];

/** Tests in the Chromium that npm brought. */
export const test = base.extend({
  browser: [
    async ({ headless }, use) => {
      const browser = await launcher.launch({ headless, executablePath: await executable(), args: FLAGS });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
