import type { Page } from '@playwright/test';
import { listDetails } from '../../src/modules/salesreport/contract/details.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo's orders come over the wire and are summed up after that.
  const rows = async () => (await callAs(page, listDetails, { body: { filter: {} } })).total;
  await expect.poll(rows, { timeout: 300_000 }).toBeGreaterThan(0);
});
test.afterAll(() => page.context().close());

const shot = (name: string) => page.screenshot({ path: `test-results/sales-${name}.png` });

test('sales are split by SKU and week, a row is followed, and its orders are looked at', async () => {
  await openScreen(page, '/amazon/sales/details', '销量详情');
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('row').nth(2)).toContainText(/\d/);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await shot('details-day');
  await openScreen(page, '/amazon/sales/details?f.grain=week&f.measure=netSales&f.currency=CNY', '销量详情');
  await expect(grid.getByRole('columnheader', { name: /~/ }).first()).toBeVisible();
  await expect(page.getByText(/按每日汇率折算为 CNY/)).toBeVisible();
  await settled(page);
  await shot('details-week');
  await page.getByRole('tab', { name: '父ASIN' }).click();
  await expect(grid.getByRole('columnheader', { name: '父ASIN' })).toBeVisible();
  await settled(page);
  await shot('details-parent');
  await page.getByRole('tab', { name: 'MSKU' }).click();
  await expect(grid.getByRole('columnheader', { name: 'MSKU' })).toBeVisible();
  await grid.getByRole('row').nth(2).dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('img', { name: /净销售额走势/ })).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await shot('details-drawer');
  await drawer.getByRole('link', { name: '查看订单' }).click();
  await expect(page.getByRole('heading', { name: '订单列表' })).toBeVisible();
});

test('weeks are summed up by store, and a week opens its details', async () => {
  await openScreen(page, '/amazon/sale/order/summary', '周/月汇总');
  await page.getByRole('tab', { name: '店铺' }).click();
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('row').nth(2)).toContainText(/\d/);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await shot('summary');
  await grid.getByRole('row').nth(2).dblclick();
  await expect(page.getByRole('heading', { name: '销量详情' })).toBeVisible();
});

test('units and orders stand beside the days before, with their mean', async () => {
  await openScreen(page, '/amazon/sales/report', '销售报表');
  await expect(page.getByRole('img', { name: '订单数走势' })).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await shot('report');
});
