import type { Page } from '@playwright/test';
import { listSettled } from '../../src/modules/profit/contract/settled.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;
let settlementId = '';

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const LATELY = { from: dayAgo(89), to: dayAgo(0) };

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(400_000);
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  const sold = async () => {
    const { records } = await callAs(page, listSettled, { body: { filter: { date: LATELY, view: 'settlement' } } });
    return records.find((row) => row.sku !== '' && row.settlementId !== null)?.settlementId ?? '';
  };
  // The demo's settlements are still being read when it opens.
  await expect.poll(sold, { timeout: 300_000 }).not.toBe('');
  settlementId = await sold();
});
test.afterAll(() => page.context().close());

const rows = () => page.getByRole('grid').getByRole('row');
const drawer = () => page.locator('.detail-drawer');

test('a SKU is followed into the settlements that it was paid in, and to the lines of one', async () => {
  await openScreen(page, '/finance/settlementsku', '账期SKU');
  await expect(rows().filter({ hasText: '店铺费用' }).first()).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/settlement-sku.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await page.locator('.ag-row .ag-cell').first().dblclick();
  const periods = drawer().getByRole('table', { name: '所在账期' });
  await expect(periods.getByRole('row').nth(1)).toContainText(/\d{6}/);
  await page.screenshot({ path: 'test-results/settlement-sku-periods.png' });
  await periods.getByRole('row').nth(1).click();
  await expect(drawer().locator('.proof.is-exact')).toContainText('行合计与该金额一致');
  await expect(drawer().getByRole('table', { name: '结算明细行' })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('a settlement is its rows and its balances to the cent', async () => {
  await openScreen(
    page,
    `/finance/settlementsku?f.view=settlement&f.currency=ORIGINAL&f.settlementId=${settlementId}`,
    '账期SKU',
  );
  await expect(page.locator('.settled-proof .proof.is-exact').first()).toContainText('核对一致');
  await expect(rows().filter({ hasText: settlementId }).first()).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/settlement-sku-proof.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await page.locator('.ag-row .ag-cell').first().dblclick();
  await expect(drawer().locator('.proof.is-exact')).toContainText('行合计与该金额一致');
});
