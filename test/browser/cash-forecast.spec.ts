import type { Page } from '@playwright/test';
import { readForecast } from '../../src/modules/cashflow/contract/forecast.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo's money, purchases and periods are still being made when it opens.
  await expect
    .poll(async () => {
      const { kinds, opening } = await callAs(page, readForecast, { body: { horizon: 'D90' } });
      return kinds.filter(({ items }) => items > 0).length >= 3 && Number(opening) > 0;
    })
    .toBe(true);
});
test.afterAll(() => page.context().close());

test('what the accounts will hold is looked at by day, and a day opens what it is made of', async () => {
  await openScreen(page, '/finance/cashForecast', '现金流预测');
  const strip = page.locator('.figure-strip');
  await expect(strip).toContainText('最低余额');
  await settled(page);
  await page.screenshot({ path: 'test-results/cash-forecast.png', fullPage: true });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByText('90天', { exact: true }).click();
  await page.getByText('按周', { exact: true }).click();
  const busy = page.getByRole('button', { name: /^20\d\d-\d\d-\d\d [1-9]\d* 笔收付/ }).first();
  const day = ((await busy.getAttribute('aria-label')) ?? '').slice(0, 10);
  await busy.click();
  const items = page.getByRole('region', { name: `${day} 的收付` }).getByRole('table', { name: '当日收付' });
  await expect(items.getByRole('link').first()).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/cash-forecast-day.png', fullPage: true });
});

test('a floor marks the days below it, and what is expected is a list with its documents', async () => {
  // A story that runs again sets a floor that is not there yet.
  const floor = String(90_000_000 + test.info().retry);
  await openScreen(page, '/finance/cashForecast', '现金流预测');
  await page.getByRole('button', { name: '设置', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '现金流预测设置' });
  await dialog.getByLabel('最低安全余额').fill(floor);
  await page.screenshot({ path: 'test-results/cash-forecast-setting.png' });
  await dialog.getByRole('button', { name: '保存', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('.figure-strip')).toContainText('30 天低于安全余额');
  await settled(page);
  await page.screenshot({ path: 'test-results/cash-forecast-gap.png', fullPage: true });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '预计收付明细' }).click();
  const row = page.getByRole('grid').getByRole('row').nth(2);
  await expect(row).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/cash-forecast-items.png' });
  expect(await seriousFaults(page)).toEqual([]);
});
