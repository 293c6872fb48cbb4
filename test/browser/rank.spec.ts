import type { Page } from '@playwright/test';
import { countRanks, listRanks } from '../../src/modules/analysis/contract/ranks.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('who has the Buy Box of what is on sale, since when somebody else has it, and how its rank went', async () => {
  // Ranks and offers come with the first readings of the marketplace.
  await expect
    .poll(async () => {
      const { lost } = await callAs(page, countRanks, { body: { filter: {} } });
      const { records } = await callAs(page, listRanks, { body: { filter: {} } });
      return (lost ?? 0) > 0 && records.some((row) => row.classRank !== null);
    })
    .toBe(true);
  await openScreen(page, '/amazon/sales/rank', '排名与购物车');
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('row').nth(2)).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('tab', { name: /掉车中/ }).click();
  const row = grid.getByRole('row').nth(2);
  await expect(row).toContainText(/A[0-9A-Z]{12}|无/);
  await expect(row).not.toContainText('自己');
  await row.dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: '每日数据' }).getByRole('row')).toHaveCount(31);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await drawer.getByRole('tab', { name: /失去购物车/ }).click();
  const lost = drawer.getByRole('table', { name: '失去购物车' }).getByRole('row').nth(1);
  await expect(lost).toContainText('至今');
  await drawer.getByRole('link', { name: '竞争报价' }).click();
  await expect(page.getByRole('table', { name: '当前报价' })).toBeVisible();
});

test('from ranks to the rules of their alerts', async () => {
  await openScreen(page, '/amazon/sales/rank', '排名与购物车');
  await page.getByRole('link', { name: '预警规则' }).click();
  await expect(page.getByRole('tab', { name: /预警中心$/ }).first()).toBeVisible();
  await page.getByRole('button', { name: '预警设置' }).click();
  const kind = page.getByRole('dialog', { name: '预警设置' }).getByLabel('类型');
  await choose(kind, '排名下跌');
  await expect(page.getByText('不低于时预警，默认 30 %')).toBeVisible();
});
