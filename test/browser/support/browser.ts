import { test as base, chromium as launcher } from '@playwright/test';
import { proof } from '../../support/depth.ts';
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

/** A story that only the proof tells: what it is about is held by others, or through the API. */
export const inProof = proof ? test : test.skip;

export { expect } from '@playwright/test';
