import type { Page } from '@playwright/test';
import { listPerformance } from '../../src/modules/performance/contract/report.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
  // The demo's money is still being read and counted when it opens.
  await expect
    .poll(async () => {
      const { records } = await callAs(page, listPerformance, { body: {} });
      return (
        records.some(({ id, units }) => id === 'none' || units > 0) && records.some(({ target }) => target !== null)
      );
    })
    .toBe(true);
});
test.afterAll(() => page.context().close());

test('people are held against their targets, and one of them is given another one', async () => {
  // A story that runs again gives a target that is not there yet.
  const amount = String(50_001 + test.info().retry);
  await openScreen(page, '/finance/performance', '业绩报告');
  const person = page.locator('.ag-row').filter({ hasText: '演示管理员' }).first();
  await expect(person).toBeVisible();
  await settled(page);
  await page.screenshot({ path: 'test-results/performance-list.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await person.locator('.ag-cell').first().dblclick();
  const aim = page.locator('.detail-drawer').getByRole('button', { name: '设置目标' });
  await aim.click();
  const dialog = page.getByRole('dialog', { name: '毛利润目标（人民币）' });
  await expect(dialog.getByLabel('12月')).not.toHaveValue('');
  await dialog.getByLabel('12月').fill(amount);
  await page.screenshot({ path: 'test-results/performance-targets.png' });
  await dialog.getByRole('button', { name: '保存', exact: true }).click();
  await expect(dialog).toBeHidden();
  await aim.click();
  await expect(dialog.getByLabel('12月')).toHaveValue(new RegExp(`^${amount}(\\.00)?$`));
  await dialog.getByRole('button', { name: '取消', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Escape');
});

test('a person opens to the months, and the rule of commission is told', async () => {
  await openScreen(page, '/finance/performance', '业绩报告');
  await page.locator('.ag-row .ag-cell').first().dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: '月度业绩' }).locator('tbody tr').first()).toContainText(
    /^20\d\d-\d\d/,
  );
  await settled(page);
  await page.screenshot({ path: 'test-results/performance-months.png' });
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await page.getByRole('button', { name: '提成规则' }).click();
  const rules = page.getByRole('dialog', { name: '提成规则' });
  await expect(rules.getByRole('table', { name: '提成规则' })).toContainText('以上');
  await page.screenshot({ path: 'test-results/performance-rules.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await rules.getByRole('button', { name: '新规则' }).click();
  await expect(page.getByRole('dialog', { name: '新提成规则' }).getByLabel('生效月份')).toBeVisible();
  await page.screenshot({ path: 'test-results/performance-rule.png' });
});
