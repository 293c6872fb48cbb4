import type { Page } from '@playwright/test';
import { worthSummary } from '../../src/modules/worth/contract/worth.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('what stock is worth opens down to the layers of the place it lies in', async () => {
  await expect.poll(async () => (await callAs(page, worthSummary, { body: { filter: {} } })).known).toBe(true);
  await openScreen(page, '/amazon/inventory/worth', '库存货值');
  // The chart above has a table of the same stages for those who cannot see it.
  const list = page.getByRole('grid');
  await list
    .getByRole('row', { name: /国内仓/ })
    .first()
    .dblclick();
  const layers = page.locator('.detail-drawer').getByRole('table', { name: '成本层' });
  await expect(layers.getByRole('row').nth(1)).toBeVisible();
  await expect(layers.getByRole('cell', { name: '海外仓' })).toHaveCount(0);
  expect(await seriousFaults(page)).toEqual([]);
});
