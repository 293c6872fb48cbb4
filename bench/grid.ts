import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import Fastify from 'fastify';
import { buildPage } from '#src/app/page.ts';
import { type Frames, openBrowser, scrolled, visitor } from './support/browser.ts';
import { median, report, step } from './support/measure.ts';
import { type BenchWorld, OWNER } from './support/world.ts';

const LIST = '/orders/manager/list';
const SCREEN = '/amazon/sale/order/list?title=订单列表&path=/amazon/sale/order/list';
const BODY = '.ag-grid-viewport';
const ROW_HEIGHT = 56;
const MS = 3000;
const ROUNDS = 3;
/** One row a frame is a quick drag of the wheel, seven the scroll bar. */
const SPEEDS = [
  { name: 'wheel', step: ROW_HEIGHT },
  { name: 'scroll bar', step: 7 * ROW_HEIGHT },
] as const;

type Row = Record<string, unknown>;

export function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `A1~111-0000000-${String(n).padStart(7, '0')}`,
    amazonOrderId: `111-0000000-${String(n).padStart(7, '0')}`,
    product: { name: `Garden chair, set of ${n % 500}`, code: `SKU-${n % 500}`, image: null, extra: `B0${n % 500}` },
    store: { name: '店铺', country: 'US' },
    status: ['SHIPPED', 'UNSHIPPED', 'CANCELLED'][n % 3],
    purchasedAt: new Date(Date.UTC(2026, 5, 1) - n * 600_000).toISOString(),
    localDate: '2026-06-01',
    quantity: 1 + (n % 3),
    itemAmount: `${10 + (n % 90)}.99`,
    discountAmount: '0',
    orderTotal: `${11 + (n % 90)}.99`,
    currency: 'USD',
    fulfilledBy: 'AMAZON',
    isBusiness: false,
    isReplacement: false,
    latestShipAt: null,
    updatedAt: new Date(Date.UTC(2026, 5, 2) - n * 600_000).toISOString(),
    shipTo: 'US WA',
    tags: [],
    remark: null,
  }));
}

/** The same rows in the same grid with text cells only: no React, no renderers, no product. */
function plainPage(rows: readonly Row[]): string {
  const flat = rows.map((row) => ({ ...row, product: (row.product as Row).name, store: (row.store as Row).name }));
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><script src="/grid.js"></script></head>
<body style="margin:0"><div id="grid" style="height:600px;width:1400px"></div><script>
const rows = ${JSON.stringify(flat)};
const shown = ['amazonOrderId','product','store','status','purchasedAt','quantity','itemAmount','discountAmount','orderTotal','fulfilledBy','isBusiness','tags','remark'];
agGrid.createGrid(document.getElementById('grid'), { rowData: rows, rowHeight: ${ROW_HEIGHT}, animateRows: false,
  columnDefs: shown.map((field) => ({ field, cellDataType: false, width: 130, ...(field === 'amazonOrderId' ? { pinned: 'left' } : {}) })) });
</script></body></html>`;
}

async function measured(page: Page, pixels: number): Promise<Frames> {
  const seen: Frames[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seen.push(await scrolled(page, BODY, MS, pixels));
  const middle = (of: (one: Frames) => number) => median(seen.map(of));
  return {
    perSecond: middle((one) => one.perSecond),
    dropped: middle((one) => one.dropped),
    worstMs: middle((one) => one.worstMs),
  };
}

/** The order screen of the product, whose list call is answered with all rows at once. */
async function ourScreen(browser: Browser, address: string, session: Record<string, string>, rows: readonly Row[]) {
  const context = await visitor(browser, session);
  const page = await context.newPage();
  const body = JSON.stringify({ code: 201, msg: '', data: { records: rows, total: rows.length, totals: {} } });
  await page.route(
    (url) => url.pathname.endsWith(LIST),
    (route) => route.fulfill({ contentType: 'application/json', body }),
  );
  await page.goto(`${address}${SCREEN}`, { waitUntil: 'networkidle' });
  await page.waitForSelector(`${BODY} [row-index="3"]`);
  return { page, context };
}

async function plainScreen(browser: Browser, rows: readonly Row[]) {
  const script = await readFile(
    new URL('../node_modules/ag-grid-community/dist/ag-grid-community.min.js', import.meta.url),
  );
  const server = Fastify();
  server.get('/', async (_request, reply) => reply.type('text/html').send(plainPage(rows)));
  server.get('/grid.js', async (_request, reply) => reply.type('text/javascript').send(script));
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const context = await visitor(browser);
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForSelector(`${BODY} [row-index="3"]`);
  return { page, context, server };
}

const words = (frames: Frames) =>
  `${(frames.dropped * 100).toFixed(0)}% dropped, worst ${frames.worstMs.toFixed(0)} ms`;

/** Scrolling `count` rows on the order screen against a page with nothing but the same grid and plain text cells. */
export async function gridScroll(world: BenchWorld, count: number): Promise<void> {
  await step('build', buildPage);
  await world.company();
  const { app, address } = await world.api();
  const login = await app.inject({ method: 'POST', url: '/auth/login', payload: OWNER });
  const { session, id } = login.json<{ data: { session: string; id: string } }>().data;
  const stored = { jsessionid: session, jsessiontime: String(Date.now()), uid: id, logintype: 'api', theme: 'light' };
  const rows = rowsOf(count);
  const browser = await openBrowser();
  try {
    const plain = await plainScreen(browser, rows);
    const ours = await ourScreen(browser, address, stored, rows);
    for (const { name, step: pixels } of SPEEDS) {
      await plain.page.bringToFront();
      const baseline = await measured(plain.page, pixels);
      await ours.page.bringToFront();
      const frames = await measured(ours.page, pixels);
      const note = `${words(frames)}; baseline ${words(baseline)}`;
      report(`grid of ${count} rows, ${name}`, frames.perSecond, baseline.perSecond, 'fps', '-', note);
    }
    await plain.server.close();
  } finally {
    await browser.close();
  }
}
