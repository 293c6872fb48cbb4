import type { Page } from '@playwright/test';
import { authMarketplace } from '../../src/modules/marketplace/contract/stores.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(240_000);
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo may not have its stores yet.
  const stores = async () => (await callAs(page, authMarketplace, {})).length;
  await expect.poll(stores, { timeout: 180_000 }).toBeGreaterThan(0);
});
test.afterAll(() => page.context().close());

const grid = () => page.getByRole('grid');

test('a cost of one SKU is booked, put right and taken back with a reason', async () => {
  const sku = `SKU-${Date.now()}`;
  await openScreen(page, '/finance/itemFee', '其他成本');
  await settled(page);
  await page.getByRole('button', { name: '添加其他成本' }).first().click();
  const dialog = page.getByRole('dialog', { name: '添加其他成本' });
  await choose(dialog.getByRole('combobox', { name: /^店铺/ }), /美国|US/);
  await dialog.getByRole('textbox', { name: /^SKU/ }).fill(sku);
  await choose(dialog.getByRole('combobox', { name: /^费用名称/ }), '样品');
  await dialog.getByLabel(/^金额/).fill('128.5');
  await settled(page);
  await page.screenshot({ path: `test-results/item-dialog-${test.info().project.name}.png` });
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: '保存', exact: true }).click();
  await expect(dialog).toBeHidden();
  const row = grid().getByRole('row', { name: new RegExp(sku) });
  await expect(row).toContainText('¥128.50');
  await row.getByRole('button', { name: '编辑' }).click();
  const editing = page.getByRole('dialog', { name: '修改其他成本' });
  await editing.getByLabel(/^金额/).fill('130');
  await editing.getByRole('button', { name: '保存', exact: true }).click();
  await expect(row).toContainText('¥130.00');
  await settled(page);
  await page.screenshot({ path: `test-results/item-list-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await row.locator('.ant-dropdown-trigger').click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  const asking = page.getByRole('dialog', { name: `删除其他成本 ${sku}` });
  await asking.getByRole('textbox', { name: '原因' }).fill('重复登记');
  await asking.getByRole('button', { name: '删除' }).click();
  await expect(row).toHaveCount(0);
});

test('a cost is shared by a rule of fixed shares, which is written once and deleted', async () => {
  const name = `规则${Date.now()}`;
  await openScreen(page, '/f/c/e', '添加费用');
  await settled(page);
  const menu = page.getByRole('button', { name: '按固定比例' });
  await menu.click();
  await page.getByRole('menuitem', { name: '管理规则' }).click();
  const dialog = page.getByRole('dialog', { name: '固定比例规则' });
  await dialog.getByRole('button', { name: '新建规则' }).click();
  await dialog.getByLabel('规则名称').fill(name);
  await choose(dialog.getByLabel('第1行店铺'), /美国|US/);
  await dialog.getByLabel('第1行SKU').fill('A');
  await dialog.getByLabel('第1行比例').fill('66.67');
  await dialog.getByRole('button', { name: '添加一行' }).click();
  await choose(dialog.getByLabel('第2行店铺'), /美国|US/);
  await dialog.getByLabel('第2行比例').fill('30');
  await dialog.getByRole('button', { name: '保存规则' }).click();
  await expect(page.getByText('比例合计须为 100%，现为 96.67%')).toBeVisible();
  await dialog.getByLabel('第2行比例').fill('33.33');
  await settled(page);
  await page.screenshot({ path: `test-results/share-rule-${test.info().project.name}.png` });
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: '保存规则' }).click();
  await expect(dialog.getByText(name)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await choose(page.getByRole('combobox', { name: /^费用类型/ }), '软件');
  await page.getByLabel(/^金额/).fill('100');
  await page.getByLabel(/^分摊开始/).fill('2026-10-01');
  await page.keyboard.press('Enter');
  await page.getByLabel(/^分摊结束/).fill('2026-10-31');
  await page.keyboard.press('Enter');
  await menu.click();
  await page.getByRole('menuitem', { name }).click();
  await expect(page.getByLabel('第1行分摊金额')).toHaveValue('66.67');
  await expect(page.getByLabel('第2行分摊金额')).toHaveValue('33.33');
  await settled(page);
  await page.screenshot({ path: `test-results/cost-edit-${test.info().project.name}.png` });

  await menu.click();
  await page.getByRole('menuitem', { name: '管理规则' }).click();
  const row = dialog.locator('.cost-type').filter({ hasText: name });
  await row.getByRole('button', { name: '删除' }).click();
  await page
    .locator('.ant-popconfirm')
    .getByRole('button', { name: /^删\s?除$/ })
    .click();
  await expect(row).toHaveCount(0);
});
