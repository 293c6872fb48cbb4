import type { Page } from '@playwright/test';
import { forecastState, runForecast } from '../../src/modules/forecast/contract/forecast.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('what a product will sell is looked at, changed with a reason, and taken back', async () => {
  // The demo's first forecast may have been made before its sales were read.
  await callAs(page, runForecast, { body: {} });
  await expect
    .poll(async () => {
      const { items, running } = await callAs(page, forecastState, {});
      return items > 0 && !running;
    })
    .toBe(true);
  await openScreen(page, '/amazon/sales/forecast', '销售预测');
  const row = page.getByRole('grid').getByRole('row').nth(2);
  await expect(row).toContainText(/\d+\.\d\d/);
  await row.dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: '按月预测' }).getByRole('row')).toHaveCount(6);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '干预' }).click();
  const dialog = page.getByRole('dialog', { name: /^干预预测/ });
  await dialog.getByLabel('开始').fill(dayFromNow(10));
  await dialog.getByLabel('开始').press('Enter');
  await dialog.getByLabel('结束').fill(dayFromNow(16));
  await dialog.getByLabel('结束').press('Enter');
  await dialog.getByLabel('数值').fill('1.5');
  await dialog.getByLabel('原因').fill('黑五秒杀');
  await dialog.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(dialog).toBeHidden();
  await drawer.getByRole('tab', { name: /人工干预/ }).click();
  const change = drawer.getByRole('table', { name: '人工干预' }).getByRole('row', { name: /黑五秒杀/ });
  await expect(change).toContainText('1.5');
  await change.getByRole('button', { name: '撤销' }).click();
  await expect(change).toContainText('演示管理员');
  await expect(change.getByRole('button', { name: '撤销' })).toHaveCount(0);
});

test('how forecasts did is told in all and by group', async () => {
  await openScreen(page, '/amazon/sales/forecast/accuracy', '预测准确率');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
});
