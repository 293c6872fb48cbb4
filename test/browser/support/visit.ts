import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { ScreenRoute } from '../../../src/kit/web/tabs/scope.ts';
import { type MenuEntry, menuRoute } from '../../../src/modules/identity/contract/menus.ts';
import { callAs } from './api.ts';
import { openHome, pageOf } from './session.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A screen that broke, one that does not exist, and what could not be fetched, where its data would stand. */
const BROKEN = '.error-screen, .message-screen, .state[role="alert"]';
/** A screen that broke, whatever it says of a record that none was named for. */
const THROWN = '.error-screen';

interface Place {
  path: string;
  title: string;
}

/** Somebody who goes through screens and notes what is broken. */
export interface Visitor {
  /** Opens every entry of the menu; how many there are, and what is wrong, one line each. */
  throughMenu(): Promise<{ screens: number; wrong: string[] }>;
  /** Opens forms and pages beside the menu, which say that what they show is missing; what breaks, one line each. */
  besideMenu(): Promise<string[]>;
  leave(): Promise<void>;
}

/** Every entry of the menu that opens a screen. */
function screensOf(menu: readonly MenuEntry[]): Place[] {
  return menu.flatMap(({ path, meta, component, children }) => [
    ...(component && path ? [{ path, title: meta.title }] : []),
    ...screensOf(children),
  ]);
}

/** Addresses beside the menu that name no record. */
async function declaredPlaces(): Promise<Place[]> {
  const files = globSync('src/modules/*/web/routes.ts', { cwd: ROOT });
  const all = await Promise.all(
    files.map(async (file) => (await import(`${ROOT}/${file}`)) as { routes: readonly ScreenRoute[] }),
  );
  return all.flatMap(({ routes }) => routes.filter((route) => !route.public && !/[:*]/.test(route.path)));
}

/** Goes to a screen as a link of the frame does, in the place of the one before, and waits until it stands; its signs of a fault. */
function open(page: Page, { path, title }: Place, signs: string): Promise<string[]> {
  return page.evaluate(
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
      return [...(front()?.querySelectorAll(selector) ?? [])].map((sign) => sign.textContent);
    },
    [`${path}?title=${encodeURIComponent(title)}&path=${path}&replace=true`, title, signs] as const,
  );
}

/** A visitor in a browser of his own, logged in as the owner of the demo company. */
export async function visitor(browser: Browser, baseURL: string | undefined): Promise<Visitor> {
  const page = await pageOf(browser, baseURL);
  // A window as low as this draws few rows: whether a row can be drawn is shown by one of them.
  await page.setViewportSize({ width: 1280, height: 500 });
  /** Scripts that threw and faults of the server since the last look. */
  let faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('response', (answer) => {
    if (answer.status() >= 500) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await openHome(page);
  const through = async (places: readonly Place[], signs: string): Promise<string[]> => {
    const wrong: string[] = [];
    for (const place of places) {
      faults = [];
      const said = await open(page, place, signs);
      wrong.push(...[...said, ...faults].map((each) => `${place.title} ${place.path}: ${each}`));
    }
    return wrong;
  };
  return {
    async throughMenu() {
      const menu = screensOf(await callAs(page, menuRoute, {}));
      return { screens: menu.length, wrong: await through(menu, BROKEN) };
    },
    besideMenu: async () => through(await declaredPlaces(), THROWN),
    leave: () => page.context().close(),
  };
}
