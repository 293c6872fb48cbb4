import { test as base, chromium as launcher } from '@playwright/test';

/** Flags for a machine without a GPU, a desktop or a user other than root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--disable-background-networking',
];

async function executable(): Promise<string> {
  // The package unpacks the shared libraries that it brings along only where it believes to be on a bare machine.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  const path = await chromium.executablePath();
  // Its own font list knows no Chinese; a machine that has a Chinese font should show it.
  delete process.env.FONTCONFIG_PATH;
  return path;
}

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
