import type { Page } from '@playwright/test';
import { incoming } from '../../src/modules/returns/contract/receipts.ts';
import { returns } from '../../src/modules/returns/contract/returns.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('a return is looked at, somebody answers for it, and the three views open into each other', async () => {
  // They come with the reports of the demo's first minutes, account by account: the list grows while it is looked at.
  const newest = async () => (await callAs(page, returns.list, { body: { filter: { channel: 'FBA' } } })).records[0];
  await expect.poll(newest, { timeout: 420_000 }).toBeDefined();
  const orderId = (await newest())?.orderId ?? '';
  await openScreen(page, `/amazon/sale/order/refund?f.orderId=${orderId}`, '退货订单');
  const grid = page.getByRole('grid');
  const row = grid.getByRole('row').filter({ hasText: orderId }).first();
  await row.getByRole('button', { name: '归因' }).click();
  const dialog = page.getByRole('dialog', { name: /^退货归因/ });
  await dialog.getByLabel('责任方').click();
  await page.locator('.ant-select-item-option', { hasText: '物流' }).click();
  await dialog.getByLabel('归因备注').fill('运输破损');
  await dialog.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('物流');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/returns-rows.png' });
  await openScreen(page, '/amazon/sale/order/refund?f.view=skus', '退货订单');
  await expect(grid).toContainText('未成熟');
  await settled(page);
  await page.screenshot({ path: 'test-results/returns-skus.png' });
  await page.getByRole('tab', { name: '分析' }).click();
  await expect(page.getByRole('heading', { name: '退货最多的SKU' })).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/returns-reasons.png' });
});

test('refunds stand beside what came back', async () => {
  await openScreen(page, '/amazon/sale/order/refundCheck', '退款对账');
  await expect(page.getByRole('grid').getByRole('row').nth(2)).toContainText(/\d{3}-\d{7}-\d{7}/);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/returns-reconcile.png' });
});

test('what comes back is taken in by grade, never more than was sent, and a receipt is taken back', async () => {
  const coming = async () => (await callAs(page, incoming.list, { body: { filter: { state: 'coming' } } })).records;
  await expect.poll(async () => (await coming()).length, { timeout: 420_000 }).toBeGreaterThan(0);
  const [parcel] = await coming();
  if (!parcel) throw new Error('nothing is on its way');
  await openScreen(page, `/amazon/sale/order/incoming?f.tracking=${parcel.tracking}`, '退件验收');
  const row = page.getByRole('grid').getByRole('row').nth(2);
  await expect(row).toContainText('在途');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await row.getByRole('button', { name: '登记收货' }).click();
  const dialog = page.getByRole('dialog', { name: /^登记收货/ });
  await dialog.getByLabel('良品', { exact: true }).fill('0');
  await dialog.getByLabel('报废').fill(String(parcel.sent + 1));
  await dialog.getByRole('button', { name: /^收\s?货$/ }).click();
  await expect(dialog).toContainText(`最多还可收 ${parcel.sent} 件`);
  await page.screenshot({ path: 'test-results/returns-receive.png' });
  await dialog.getByLabel('报废').fill(String(parcel.sent));
  await dialog.getByRole('button', { name: /^收\s?货$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('已入库');
  await row.dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: '收货记录' })).toContainText(/TJ\d{10}/);
  await page.screenshot({ path: 'test-results/returns-receipts.png' });
  await drawer.getByRole('button', { name: /^撤\s?销$/ }).click();
  await expect(row).toContainText('在途');
});
