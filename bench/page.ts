import type { Browser, Page } from '@playwright/test';
import Fastify from 'fastify';
import { buildPage } from '#src/app/page.ts';
import { openBrowser, visitor } from './support/browser.ts';
import { median, report, step } from './support/measure.ts';
import { type BenchWorld, OWNER } from './support/world.ts';

const BARE = '<!doctype html><html lang="zh-CN"><head><title>bare</title></head><body><h1>登录</h1></body></html>';
const ROUNDS = 7;
const STORES = '/amazon/storeAuth?title=店铺管理&path=/amazon/storeAuth';

interface Visit {
  paintMs: number;
  /** Until the page's own content stands where the skeleton was. */
  readyMs: number;
  scriptKb: number;
}

/** A first visit with an empty cache. Sizes are those of the wire, compressed. `ready` is what the page shows at last. */
async function visit(browser: Browser, url: string, ready: string, session?: Record<string, string>): Promise<Visit> {
  const context = await visitor(browser, session);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector(ready);
  const readyMs = await page.evaluate(() => performance.now());
  await page.waitForLoadState('networkidle');
  const seen = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    scriptKb:
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter((entry) => entry.name.endsWith('.js'))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0) / 1024,
  }));
  await context.close();
  if (seen.paintMs === 0) throw new Error(`${url} painted nothing`);
  return { ...seen, readyMs };
}

async function visits(browser: Browser, url: string, ready: string, session?: Record<string, string>): Promise<Visit> {
  const seen: Visit[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seen.push(await visit(browser, url, ready, session));
  const middle = (of: (one: Visit) => number) => median(seen.map(of));
  return {
    paintMs: middle((one) => one.paintMs),
    readyMs: middle((one) => one.readyMs),
    scriptKb: middle((one) => one.scriptKb),
  };
}

async function firstPaint(browser: Browser, address: string, session: Record<string, string>): Promise<void> {
  const bare = Fastify();
  bare.get('/', async (_request, reply) => reply.type('text/html').send(BARE));
  const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 });
  try {
    const nothing = await visits(browser, bareAddress, 'h1');
    for (const [name, path, ready, as] of [
      ['login', '/login', 'input[type=password]', undefined],
      ['home', '/home', '[role=tab]', session],
    ] as const) {
      const seen = await visits(browser, `${address}${path}`, ready, as);
      const note = `scripts ${seen.scriptKb.toFixed(0)} kB compressed`;
      report(`${name}, first paint`, seen.paintMs, nothing.paintMs, 'ms', '-', note);
      report(`${name}, until it can be used`, seen.readyMs, nothing.readyMs, 'ms', '-');
    }
  } finally {
    await bare.close();
  }
}

/** From the click on a tab until its page is on the screen: two frames after the tab says that it is chosen. */
async function switchTo(page: Page, title: string): Promise<number> {
  return page.evaluate(async (name) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const tab = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((one) =>
      one.textContent?.includes(name),
    );
    if (!tab) throw new Error(`no tab ${name}`);
    const begin = performance.now();
    tab.click();
    while (tab.getAttribute('aria-selected') !== 'true') {
      if (performance.now() - begin > 5000) throw new Error(`${name} was not chosen`);
      await frame();
    }
    await frame();
    await frame();
    return performance.now() - begin;
  }, title);
}

async function twoFrames(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const begin = performance.now();
    await frame();
    await frame();
    return performance.now() - begin;
  });
}

/** Both tabs stay alive: a switch shows what is there. The baseline is what two frames take on the same page. */
async function tabSwitch(browser: Browser, address: string, session: Record<string, string>): Promise<void> {
  const context = await visitor(browser, session);
  const page = await context.newPage();
  await page.goto(`${address}/home`, { waitUntil: 'networkidle' });
  await page.goto(`${address}${STORES}`, { waitUntil: 'networkidle' });
  const ours: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    frames.push(await twoFrames(page));
    ours.push(await switchTo(page, round % 2 === 0 ? '首页' : '店铺管理'));
    await page.waitForTimeout(100);
  }
  report('tab switch', median(ours), median(frames), 'ms', '-', 'baseline: two frames of the page at rest');
  await context.close();
}

/** What a browser does with the page, against a page that says nothing but a heading. */
export async function pageLoad(world: BenchWorld): Promise<void> {
  await step('build', buildPage);
  await world.company();
  const { app, address } = await world.api();
  const login = await app.inject({ method: 'POST', url: '/auth/login', payload: OWNER });
  const { session, id } = login.json<{ data: { session: string; id: string } }>().data;
  const stored = { jsessionid: session, jsessiontime: String(Date.now()), uid: id, logintype: 'api', theme: 'light' };
  const browser = await openBrowser();
  try {
    await step('first paint', () => firstPaint(browser, address, stored));
    await step('tabs', () => tabSwitch(browser, address, stored));
  } finally {
    await browser.close();
  }
}
