import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
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
