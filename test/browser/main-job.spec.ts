import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';

const SYNC_MS = 90_000;

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

test('the seller authorises a store on the consent page and watches its first synchronisation', async () => {
  test.setTimeout(SYNC_MS + 60_000);
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
});

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
});

test('profit opens from the report to the waterfall of one SKU', async () => {
  await openScreen(page, '/finance/profitReport', '利润报表');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await page.locator('.ag-row .ag-cell').first().dblclick();
  await expect(page.getByText('利润构成').first()).toBeVisible();
});

test('home and lists have no serious accessibility fault', async () => {
  for (const [path, title] of [
    ['/home', '首页'],
    ['/amazon/sale/order/list', '订单列表'],
    ['/finance/profitReport', '利润报表'],
  ] as const) {
    await openScreen(page, path, title);
    await settled(page);
    expect(await seriousFaults(page), title).toEqual([]);
  }
});
