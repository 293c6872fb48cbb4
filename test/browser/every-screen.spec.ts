import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { ScreenRoute } from '../../src/kit/web/tabs/scope.ts';
import { type MenuEntry, menuRoute } from '../../src/modules/identity/contract/menus.ts';
import { callAs } from './support/api.ts';
import { expect, inProof, test } from './support/browser.ts';
import { openHome, pageOf } from './support/session.ts';

interface Place {
  path: string;
  title: string;
}

/** A screen that broke, one that does not exist, and what could not be fetched, where its data would stand. */
const BROKEN = '.error-screen, .message-screen, .state[role="alert"]';

let page: Page;
/** What broke since somebody looked last: scripts that threw, faults of the server. */
let faults: string[] = [];

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL);
  // A window as low as this draws few rows: whether a row can be drawn is shown by one of them.
  await page.setViewportSize({ width: 1280, height: 500 });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('response', (answer) => {
    if (answer.status() >= 500) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await openHome(page);
});
test.afterAll(() => page.context().close());

/** Every entry of the menu that opens a screen. */
function screensOf(menu: readonly MenuEntry[]): Place[] {
  return menu.flatMap(({ path, meta, component, children }) => [
    ...(component && path ? [{ path, title: meta.title }] : []),
    ...screensOf(children),
  ]);
}

/** Addresses beside the menu that name no record. */
async function declaredPlaces(): Promise<Place[]> {
  const files = globSync('src/modules/*/web/routes.ts', { cwd: resolve(import.meta.dirname, '../..') });
  const all = await Promise.all(
    files.map(async (file) => (await import(`../../${file}`)) as { routes: readonly ScreenRoute[] }),
  );
  return all.flatMap(({ routes }) => routes.filter((route) => !route.public && !/[:*]/.test(route.path)));
}

/** Goes to a screen as a link of the frame does, in the place of the one before, waits until it stands; tells what is broken. */
async function visit({ path, title }: Place, broken: string): Promise<string[]> {
  faults = [];
  const words = await page.evaluate(
    async ([address, name, selector]) => {
      window.history.pushState(null, '', address);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
      const selected = () => document.querySelector('[role="tab"][aria-selected="true"]')?.textContent ?? '';
      const front = () => [...document.querySelectorAll<HTMLElement>('.tab-page')].find((box) => box.checkVisibility());
      const stands = (box = front()) =>
        selected().includes(name) &&
        box !== undefined &&
        box.childElementCount > 0 &&
        !box.querySelector('[aria-busy="true"], .ant-skeleton, .ant-spin-spinning') &&
        !box.textContent.includes('正在加载');
      // Twice in a row: between a screen and what it asks for there may be a moment without a sign.
      for (let seen = 0; seen < 2; seen = stands() ? seen + 1 : 0) await new Promise((done) => setTimeout(done, 25));
      const signs = front()?.querySelectorAll<HTMLElement>(selector) ?? [];
      return [...signs].map((sign) => sign.textContent);
    },
    [`${path}?title=${encodeURIComponent(title)}&path=${path}&replace=true`, title, broken] as const,
  );
  return [...words, ...faults].map((each) => `${title} ${path}: ${each}`);
}

test('every entry of the menu opens a screen that stands', async () => {
  const menu = screensOf(await callAs(page, menuRoute, {}));
  expect(menu.length).toBeGreaterThan(90);
  const wrong: string[] = [];
  for (const place of menu) wrong.push(...(await visit(place, BROKEN)));
  expect(wrong).toEqual([]);
});

// A page about a record that none was named for says so; none of them breaks.
inProof('forms and pages beside the menu stand without a record', async () => {
  const wrong: string[] = [];
  for (const place of await declaredPlaces()) wrong.push(...(await visit(place, '.error-screen')));
  expect(wrong).toEqual([]);
});
