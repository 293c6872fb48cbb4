import type { Page } from '@playwright/test';
import { countExpenses } from '../../src/modules/expense/contract/calls.ts';
import { savePartner } from '../../src/modules/finance/contract/payables.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;
let finance: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  finance = await pageOf(browser, baseURL, { account: 'caiwu@example.com' });
});
test.afterAll(async () => {
  await page.context().close();
  await finance.context().close();
});

const today = () => new Date().toISOString().slice(0, 10);
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

test('a rent of two departments is written, agreed to, spread over months and asked to be paid', async () => {
  const payee = `园区物业${test.info().retry}-${Date.now()}`;
  await callAs(page, savePartner, { body: { name: payee } });
  await openScreen(page, '/f/e/e', '新增费用单');
  await choose(page.getByRole('combobox', { name: /^收款方/ }), payee);
  await page.getByLabel(/^费用日期/).fill(today());
  await page.getByLabel(/^费用日期/).press('Enter');
  await choose(page.getByRole('combobox', { name: /^归属/ }), '部门');
  await page.getByLabel(/^摊销月数/).fill('3');
  await choose(page.getByRole('combobox', { name: '第1行费用类型' }), '其它');
  await field('第1行金额').fill('100');
  await page.getByRole('radiogroup', { name: '分摊方式' }).getByText('按比例').click();
  await choose(page.getByRole('combobox', { name: '第1行部门' }), '运营部');
  await field('第1行比例').fill('33.333');
  await expect(page.getByRole('status').filter({ hasText: '还差' })).toContainText('66.67');
  await page.getByRole('button', { name: '添加归属' }).click();
  await choose(page.getByRole('combobox', { name: '第2行部门' }), '采购部');
  await field('第2行比例').fill('66.667');
  await expect(field('第1行分摊金额')).toHaveValue('33.33');
  await expect(field('第2行分摊金额')).toHaveValue('66.67');
  await expect(page.getByRole('status').filter({ hasText: '还差' })).toBeHidden();
  const months = page.getByRole('region', { name: '摊销预览' });
  await expect(months).toContainText('33.34');
  await page.screenshot({ path: `test-results/expense-edit-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '提交审核' }).click();
  await expect(page).toHaveURL(/\/f\/e\/d/);
  const address = page.url();
  const id = new URL(address).searchParams.get('id') ?? '';

  await openScreen(finance, `/f/e/d?id=${id}`, '费用单');
  await finance.getByRole('button', { name: '通过', exact: true }).click();
  await expect(finance.getByRole('button', { name: '申请付款' })).toBeVisible();
  await finance.getByRole('button', { name: '申请付款' }).click();
  await finance.getByRole('button', { name: '提交请款单' }).click();
  await expect(finance.getByRole('link', { name: /^PA-/ })).toBeVisible();
  await settled(finance);
  await finance.screenshot({ path: `test-results/expense-detail-${test.info().project.name}.png` });
  expect(await seriousFaults(finance)).toEqual([]);
  await finance.getByRole('tab', { name: /摊销与入账/ }).click();
  const rows = finance.getByRole('table', { name: '摊销明细' });
  await expect(rows.getByRole('row').nth(1)).toContainText('33.34');
  await finance.screenshot({ path: `test-results/expense-months-${test.info().project.name}.png` });
  await finance.getByRole('button', { name: '设为周期费用' }).click();
  const dialog = finance.getByRole('dialog', { name: /^设为周期费用/ });
  await dialog.getByRole('button', { name: '保存', exact: true }).click();
  await expect(dialog).toBeHidden();
});

test('expenses stand by state, and what no store bears by month', async () => {
  await expect
    .poll(async () => (await callAs(page, countExpenses, { body: {} })).paid ?? 0, { timeout: 420_000 })
    .toBeGreaterThan(0);
  await openScreen(page, '/finance/expense', '费用管理');
  await expect(page.locator('.ag-row').first()).toBeVisible();
  await settled(page);
  await page.screenshot({ path: `test-results/expense-list-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('radiogroup', { name: '视图' }).getByText('期间费用').click();
  await expect(page.locator('.ag-row').first()).toContainText(/\d{4}-\d\d/);
  await settled(page);
  await page.screenshot({ path: `test-results/expense-period-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('radiogroup', { name: '视图' }).getByText('周期费用').click();
  await expect(page.locator('.ag-row').first()).toContainText('园区物业');
  await settled(page);
  await page.screenshot({ path: `test-results/expense-recurring-${test.info().project.name}.png` });
});
