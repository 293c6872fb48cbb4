import { type Browser, chromium as launcher, type Page } from '@playwright/test';
import Fastify from 'fastify';
import { createApi } from '#src/app/api.ts';
import { buildPage } from '#src/app/page.ts';
import { median, report } from './support/measure.ts';
import { type BenchWorld, OWNER } from './support/world.ts';

const BARE = '<!doctype html><html lang="zh-CN"><head><title>bare</title></head><body><h1>登录</h1></body></html>';
const ROUNDS = 7;

async function openBrowser(): Promise<Browser> {
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  return launcher.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', '--disable-gpu'] });
}

interface Visit {
  paintMs: number;
  scriptKb: number;
}

/** First contentful paint and the scripts' size as sent, of a first visit with an empty cache. */
async function visit(browser: Browser, url: string, session?: Record<string, string>): Promise<Visit> {
  const context = await browser.newContext();
  if (session) {
    await context.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, session);
  }
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const seen = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    scriptKb:
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter((entry) => entry.name.endsWith('.js'))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0) / 1024,
  }));
  await context.close();
  return seen;
}

async function visits(browser: Browser, url: string, session?: Record<string, string>): Promise<Visit> {
  const seen: Visit[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seen.push(await visit(browser, url, session));
  return { paintMs: median(seen.map((one) => one.paintMs)), scriptKb: seen[0]?.scriptKb ?? 0 };
}

/** From the click on a tab to the frame in which its page is shown again. */
async function tabSwitch(page: Page, address: string): Promise<number> {
  await page.goto(`${address}/home`, { waitUntil: 'networkidle' });
  await page.goto(`${address}/amazon/storeAuth?title=店铺管理&path=/amazon/storeAuth`, { waitUntil: 'networkidle' });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    const name = round % 2 === 0 ? '首页' : '店铺管理';
    times.push(
      await page.evaluate(async (title) => {
        const tab = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((one) =>
          one.textContent?.includes(title),
        );
        const begin = performance.now();
        tab?.click();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - begin;
      }, name),
    );
  }
  return median(times);
}

/** What a browser does with the page, against a page that says nothing but a heading. */
export async function pageLoad(world: BenchWorld): Promise<void> {
  await buildPage();
  await world.company();
  const app = await createApi(world.runtime);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const bare = Fastify();
  bare.get('/', async (_request, reply) => reply.type('text/html').send(BARE));
  const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 });
  const login = await app.inject({ method: 'POST', url: '/auth/login', payload: OWNER });
  const { session, id } = login.json<{ data: { session: string; id: string } }>().data;
  const stored = { jsessionid: session, jsessiontime: String(Date.now()), uid: id, logintype: 'api' };
  const browser = await openBrowser();
  try {
    const nothing = await visits(browser, bareAddress);
    const first = await visits(browser, `${address}/login`);
    const home = await visits(browser, `${address}/home`, stored);
    report(
      'login page, first paint',
      first.paintMs,
      nothing.paintMs,
      'ms',
      '-',
      `scripts ${first.scriptKb.toFixed(0)} kB`,
    );
    report('home, first paint', home.paintMs, nothing.paintMs, 'ms', '-', `scripts ${home.scriptKb.toFixed(0)} kB`);
    const context = await browser.newContext();
    await context.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, stored);
    const page = await context.newPage();
    report(
      'tab switch to the next frame',
      await tabSwitch(page, address),
      1000 / 30,
      'ms',
      '<= 3',
      'baseline: two frames',
    );
  } finally {
    await browser.close();
    await bare.close();
    await app.close();
  }
}
