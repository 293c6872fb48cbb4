import type { Download, Page } from '@playwright/test';
import { readSheet } from 'read-excel-file/node';
import { inTurn } from '../support/depth.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';
import { visitor } from './support/visit.ts';

const SYNC_MS = 300_000;
const EXPORT_MS = 120_000;

test.describe.configure({ mode: 'serial' });

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
});
test.afterAll(() => page.context().close());

test('the seller authorises a store on the consent page', async () => {
  await openScreen(page, '/amazon/storeAuth', '店铺管理');
  await page.getByRole('button', { name: '店铺授权' }).click();
  const dialog = page.getByRole('dialog', { name: '店铺授权' });
  await dialog.getByRole('combobox', { name: '店铺名称' }).click();
  await page.locator('.ant-select-item-option', { hasText: '启航家居' }).click();
  await dialog.getByRole('combobox', { name: '站点' }).fill('德国');
  await page.locator('.ant-select-item-option', { hasText: '德国' }).click();
  await dialog.getByRole('button', { name: '获取授权链接' }).click();
  await dialog.getByRole('link', { name: '登录亚马逊授权' }).click();
  await expect(page).toHaveURL(/\/consent\/de\//);
  await page.getByRole('button', { name: /同意授权/ }).click();
  await expect(page.getByText('授权成功，请返回列表并刷新')).toBeVisible();
  await page.getByRole('link', { name: '返回店铺列表' }).click();
  await expect(page.getByText('启航家居-欧洲')).toBeVisible();
});

test('while it synchronises, every entry of the menu opens a screen that stands', async ({ browser, baseURL }) => {
  const who = await visitor(browser, baseURL);
  const { screens, wrong } = await who.throughMenu();
  expect(screens).toBeGreaterThan(90);
  expect(wrong).toEqual([]);
  await who.leave();
});

test('the first synchronisation comes to its end', async () => {
  test.setTimeout(SYNC_MS + 60_000);
  await expect.poll(() => firstSyncDone(page), { timeout: SYNC_MS, intervals: [1000] }).toBe(true);
});

/** Asks the API, with the session of the page, whether every account has everything that its first sync asks for. */
async function firstSyncDone(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const headers = { jsessionid: localStorage.getItem('jsessionid') ?? '' };
    const get = async (path: string) => (await (await fetch(path, { headers })).json()).data;
    const { stores } = await get('/api/amazon/api/v1/amzauthority/getBindSeller');
    for (const store of stores) {
      for (const account of store.regionslist) {
        const health = await get(`/api/amazon/api/v1/sync/status?authid=${account.authid}`);
        if (!health.firstSyncDone) return false;
      }
    }
    return true;
  });
}

test('orders: list, filter by state, detail whose lines add up, export', async () => {
  await openScreen(page, '/amazon/sale/order/list', '订单列表');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await page.getByRole('tab', { name: /^已发货/ }).click();
  await expect(page).toHaveURL(/SHIPPED/);
  await expect(page.locator('.ag-row').first()).toContainText('已发货');
  await page.locator('.ag-row').first().getByText('详情').click();
  await expect(page.getByText(/差额/).first()).toContainText('0');
  await page.keyboard.press('Escape');

  // Few enough that the file comes at once, not as a task in the background.
  await page.getByRole('tab', { name: /^未发货/ }).click();
  await expect(page).toHaveURL(/UNSHIPPED/);
  await expect(page.locator('.ag-row').first()).toContainText('未发货');
  const [head, first] = await readSheet(await exported(page));
  expect(head).toEqual(expect.arrayContaining(['订单号', '商品信息', '数量', '订单总金额']));
  expect(String(first?.[head?.indexOf('订单号') ?? -1])).toMatch(/^\d{3}-\d{7}-\d{7}$/);
});

test('each day that is over is counted as Amazon counts it', async () => {
  await openScreen(page, '/amazon/sale/order/check', '销售核对');
  await page.getByRole('tab', { name: /^一致/ }).click();
  await expect(page).toHaveURL(/equal/);
  await expect(page.locator('.ag-row').first()).toContainText('一致');
  await page.locator('.ag-row .ag-cell').first().dblclick();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('table', { name: '两边的数' })).toContainText('商品销售额');
  await expect(drawer).toContainText('两边一致。');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
});

/** The file that 导出 gives: at once, or from the panel of tasks when it was made in the background. */
async function exported(page: Page): Promise<string> {
  const arrives = page.waitForEvent('download', { timeout: EXPORT_MS });
  await page.getByRole('button', { name: /导出$/ }).click();
  await page.getByRole('menuitem', { name: /xlsx/ }).click();
  const file: Download = await arrives;
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  return file.path();
}

test('listings and FBA stock show the products with pictures and numbers', async () => {
  await openScreen(page, '/amazon/listing/products', '在线商品');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await expect(page.locator('.ag-row img').first()).toBeVisible();
  await openScreen(page, '/amazon/inventory/quantity', 'FBA库存');
  await expect(page.locator('.ag-row').first()).toBeVisible();
});

test('a settlement proves that its lines add up to the header', async () => {
  await openScreen(page, '/amazon/payment/record', '结算记录');
  await page.locator('.ag-row').first().getByText('查看详情').click();
  await expect(page.getByText(/差额/).first()).toBeVisible();

  // Each figure of the head opens to lines that are it.
  for (const name of ['存款总计', '订单量', '平台费用合计']) {
    await page.locator('.figure', { hasText: name }).getByRole('button').click();
    const lines = page.getByRole('dialog').filter({ hasText: name });
    await expect(lines.locator('.proof.is-exact')).toContainText('行合计与该');
    await page.keyboard.press('Escape');
    await expect(lines).toBeHidden();
  }
});

test('profit opens from the report to the waterfall of one SKU', async () => {
  await openScreen(page, '/finance/profitReport', '利润报表');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await page.locator('.ag-row .ag-cell').first().dblclick();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('tab', { name: '利润构成' })).toHaveAttribute('aria-selected', 'true');
  const picture = drawer.getByRole('img', { name: '利润构成' });
  const steps = drawer.getByRole('table', { name: '利润构成', exact: true }).locator('tbody tr');
  await expect(steps.first()).toContainText('销售额');
  await expect(steps.last()).toContainText('毛利润');
  // One filled bar at least for every step of the way from the sales to the profit.
  const bars = picture.locator('path[fill]:not([fill="none"]):not([fill="transparent"])');
  expect(await bars.count()).toBeGreaterThanOrEqual(await steps.count());

  const line = drawer.getByRole('table', { name: '利润构成明细' }).locator('tbody tr', { hasText: '佣金' }).first();
  await line.getByRole('button', { name: '费用行' }).click();
  const charges = drawer.getByRole('table', { name: '费用行' }).locator('tbody tr');
  await expect(charges.filter({ hasText: 'Commission' }).first()).toBeVisible();
  await expect(drawer.locator('.proof.is-exact').first()).toContainText('与报表一致');
  await page.keyboard.press('Escape');
});

test('a report of his own: file, meaning of its columns, check, write', async () => {
  await openScreen(page, '/amazon/reportUpload', '上传报表');
  await page.getByRole('button', { name: '上传报表' }).first().click();
  const dialog = page.getByRole('dialog', { name: '上传报表' });
  await dialog.getByRole('combobox', { name: '店铺与站点' }).click();
  await page.locator('.ant-select-item-option', { hasText: '启航家居' }).first().click();
  await dialog.getByRole('combobox', { name: '报表类型' }).fill('订单列表');
  await page.locator('.ant-select-item-option', { hasText: '订单列表' }).click();
  const lines = ['Auftrag,Tag,Stk,Artikel,Summe', '900-0000001-0000001,2026-01-15,2,KD-1,19.98'];
  const buffer = Buffer.from(`${lines.join('\n')}\n`);
  await dialog.locator('input[type="file"]').setInputFiles({ name: '我的订单.csv', mimeType: 'text/csv', buffer });

  // Nobody knows these headers: the user says what they mean.
  const meanings = { 订单号: 'Auftrag', 下单日期: 'Tag', 数量: 'Stk', SKU: 'Artikel', 金额: 'Summe' };
  for (const [field, header] of Object.entries(meanings)) {
    await choose(dialog.getByRole('combobox', { name: field, exact: true }), header, header);
  }
  await dialog.getByRole('button', { name: '保存映射并预检' }).click();
  await expect(dialog.getByText(/1 行订单 · 2 件/)).toBeVisible();
  await dialog.getByRole('button', { name: '写入 1 行' }).click();
  await expect(dialog.getByRole('heading', { name: /已入库/ })).toBeVisible();
  await expect(dialog.getByText('新增 1')).toBeVisible();
  await dialog.getByRole('button', { name: '完成', exact: true }).click();
  await expect(page.locator('.ag-row').first()).toContainText('我的订单.csv');
});

test('home and lists have no serious accessibility fault', async () => {
  const screens = [
    ['/home', '首页'],
    ['/amazon/sale/order/list', '订单列表'],
    ['/finance/profitReport', '利润报表'],
  ] as const;
  for (const [path, title] of inTurn(screens, 3)) {
    await openScreen(page, path, title);
    await settled(page);
    expect(await seriousFaults(page), title).toEqual([]);
  }
});
