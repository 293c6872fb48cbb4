import type { Page } from '@playwright/test';
import { listOrderProfit } from '../../src/modules/profit/contract/order.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const NUMBER = /(\d{3}|S\d{2})-\d{7}-\d{7}/;

let page: Page;
test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL);
});
test.afterAll(() => page.context().close());

test('an order is followed from what it brought to the lines that it is made of, and to the order itself', async () => {
  // The demo's first minutes keep the workers busy.
  test.setTimeout(400_000);
  const first = async () => (await callAs(page, listOrderProfit, { body: { filter: {} } })).records[0];
  await expect.poll(first, { timeout: 300_000 }).toBeTruthy();
  await openScreen(page, '/amazon/sale/order/profit', '订单利润');
  const row = page.getByRole('grid').getByRole('row').nth(2);
  await expect(row).toContainText(NUMBER);
  const number = NUMBER.exec((await row.textContent()) ?? '')?.[0] ?? '';
  await row.dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer).toContainText(number);
  await expect(drawer.getByText('收支明细合计与到账净额一致')).toBeVisible();
  await expect(drawer.getByRole('table', { name: '收支明细' })).toContainText('销售额');
  expect(await seriousFaults(page, '.ant-drawer')).toEqual([]);
  await drawer.getByText('打开订单').click();
  await settled(page);
  await expect(page.getByRole('heading', { name: number })).toBeVisible();
  await expect(page.getByRole('tab', { name: '利润', exact: true })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('收支明细合计与到账净额一致')).toBeVisible();
});

test('a threshold is lowered, orders that pass it now are found, seen to, and are no longer to be done', async () => {
  test.setTimeout(400_000);
  await openScreen(page, '/amazon/sale/order/abnormal', '异常订单');
  await page.getByRole('button', { name: '异常规则' }).click();
  const rules = page.getByRole('dialog', { name: '异常规则' });
  await rules.getByRole('row').filter({ hasText: '数量异常' }).dblclick();
  await rules.getByLabel('阈值').fill('-2');
  await rules.getByRole('button', { name: '保存规则' }).click();
  await expect(rules).toContainText('阈值不能小于 0');
  await rules.getByLabel('阈值').fill('2');
  await rules.getByRole('button', { name: '保存规则' }).click();
  await expect(page.getByText('规则已保存，正在重新检查')).toBeVisible();
  await expect(rules).toBeHidden();
  const rows = page.getByRole('grid').getByRole('row');
  const row = rows.filter({ hasText: '数量异常' }).first();
  await expect(async () => {
    await page.getByRole('button', { name: '查询' }).click();
    await expect(row).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 300_000 });
  const number = NUMBER.exec((await row.textContent()) ?? '')?.[0] ?? '';
  await row.getByText('处理', { exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '处理 1 条异常' });
  await dialog.getByLabel('处理说明').fill('老客户补货');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();
  await expect(rows.filter({ hasText: number })).toHaveCount(0);
  await page.getByRole('tab', { name: /^已处理/ }).click();
  await expect(rows.filter({ hasText: number })).toContainText('老客户补货');
});
