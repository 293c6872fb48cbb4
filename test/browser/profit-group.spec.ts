import type { Page } from '@playwright/test';
import { listGroup } from '../../src/modules/profit/contract/group.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const YEAR = { from: dayAgo(360), to: dayAgo(0) };

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo's money is still being read and counted when it opens.
  await expect
    .poll(async () => (await callAs(page, listGroup, { body: { filter: { date: YEAR } } })).total)
    .toBeGreaterThan(1);
});
test.afterAll(() => page.context().close());

const drawer = () => page.getByRole('dialog');

test('stores are held against one another, and one of them opens to its waterfall and its SKUs', async () => {
  await openScreen(page, '/finance/profitGroup', '店铺利润');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await expect(page.getByRole('img', { name: '利润', exact: true })).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/profit-group-stores.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await page.locator('.ag-row .ag-cell').first().dblclick();
  await expect(drawer().getByRole('img', { name: '利润构成' })).toBeVisible();
  await page.screenshot({ path: 'test-results/profit-group-waterfall.png' });
  await drawer().getByRole('tab', { name: 'SKU贡献' }).click();
  const parts = drawer().getByRole('table', { name: 'SKU贡献', exact: true }).last().locator('tbody tr');
  await expect(parts.first()).toContainText('%');
  await page.screenshot({ path: 'test-results/profit-group-skus.png' });
  await page.keyboard.press('Escape');
});

test('the statement has a column for each month, and its commission opens to lines that add up', async () => {
  await openScreen(page, '/finance/profitGroup?f.view=monthly', '店铺利润');
  const table = page.getByRole('table', { name: '月度结算', exact: true });
  await expect(table.getByRole('row', { name: /^毛利润/ })).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/profit-group-monthly.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await table.getByRole('row', { name: /^佣金/ }).getByRole('button').last().click();
  await expect(drawer().locator('.proof.is-exact').first()).toContainText('与报表一致');
  await page.keyboard.press('Escape');
});

test('profit is read by brand, owner and month', async () => {
  for (const dimension of ['品牌', '负责人', '月']) {
    await openScreen(page, '/finance/profitReport', '利润报表');
    await page.getByRole('tab', { name: dimension, exact: true }).click();
    await expect(page.locator('.ag-row').first()).toBeVisible();
    await settled(page);
  }
  await page.screenshot({ path: 'test-results/profit-months.png' });
  expect(await seriousFaults(page)).toEqual([]);
});
