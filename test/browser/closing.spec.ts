import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

/** "yyyy-MM" of the month so many before this one. */
function monthBefore(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}

test('a month is closed after a look at what is missing, and opened again with a reason', async () => {
  await openScreen(page, '/finance/period', '利润关账');
  const months = page.getByRole('table', { name: '利润关账' });
  // So long ago that the demo has no money in it: other stories see no closed month.
  const month = monthBefore(12);
  const row = months.getByRole('row', { name: new RegExp(month) });
  await expect(row).toContainText('未关账');
  await row.getByRole('button', { name: '关账' }).click();
  const dialog = page.getByRole('dialog', { name: `关账 ${month}` });
  await expect(dialog.getByRole('list', { name: '关账检查' })).toContainText('检查通过');
  await settled(page);
  await page.screenshot({ path: `test-results/closing-${test.info().project.name}.png` });
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: '关账' }).click();
  await expect(row).toContainText('已关账');
  await row.getByRole('button', { name: '反关账' }).click();
  const asking = page.getByRole('dialog', { name: `反关账 ${month}` });
  await asking.getByRole('button', { name: '反关账' }).click();
  await expect(asking).toContainText('原因不能为空');
  await asking.getByRole('textbox', { name: '原因' }).fill('补录运费');
  await asking.getByRole('button', { name: '反关账' }).click();
  await expect(row).toContainText('未关账');
  await expect(row).toContainText('补录运费');
  await settled(page);
  await page.screenshot({ path: `test-results/periods-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
});

test('what each ledger misses in a month stands on one page, and leads to where it is put right', async () => {
  await openScreen(page, '/finance/closing', '月末检查');
  await settled(page);
  const profit = page.getByRole('region', { name: '利润', exact: true });
  await expect(profit).toContainText('未关账');
  await expect(profit.getByRole('listitem').first()).toBeVisible();
  await page.screenshot({ path: `test-results/month-end-checks-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await profit.getByRole('link', { name: '利润关账' }).click();
  await expect(page.getByRole('table', { name: '利润关账' })).toBeVisible();
});
