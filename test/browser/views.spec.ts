import type { Page } from '@playwright/test';
import { listViews, removeView } from '../../src/modules/system/contract/views.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

const REPORT = '/amazon/sales/report';
const filterOf = (name: string) => page.locator('.filter-bar').getByRole('combobox', { name });
const viewButton = () => page.getByRole('button', { name: /视图/ });

async function chooseFilter(name: string, option: string): Promise<void> {
  await filterOf(name).click();
  await page.locator('.ant-select-item-option', { hasText: option }).click();
}

/** The story begins without views of its own, also where it is told again. */
async function withoutViews(): Promise<void> {
  const views = await callAs(page, listViews, { query: { queryname: 'salesreport/report' } });
  for (const { id, isMine } of views) if (isMine) await callAs(page, removeView, { params: { id } });
}

test('what a report is asked for is kept under a name, opened by keys and made what the page opens with', async () => {
  await withoutViews();
  await expect(async () => {
    await openScreen(page, REPORT, '销售报表');
    await settled(page);
    // A company that has sold nothing yet has nothing to filter.
    await expect(filterOf('周期')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await chooseFilter('周期', '周');
  await page.locator('.filter-bar').getByLabel('日期').first().click();
  await page.getByText('近 30 天', { exact: true }).click();
  await viewButton().click();
  await page.getByRole('menuitem', { name: '保存当前筛选…' }).click();
  const dialog = page.getByRole('dialog', { name: '保存当前筛选' });
  await dialog.getByLabel('视图名称').fill('近30天按周');
  await expect(dialog.getByRole('radio', { name: /近 30 天/ })).toBeChecked();
  await settled(page);
  await page.screenshot({ path: 'test-results/views-save.png' });
  await dialog.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(viewButton()).toContainText('近30天按周');

  await page.goto(REPORT);
  await page.reload();
  await settled(page);
  await viewButton().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: /近30天按周/ })).toBeFocused();
  await settled(page);
  await page.screenshot({ path: 'test-results/views-menu.png' });
  await page.keyboard.press('Enter');
  await expect(viewButton()).toContainText('近30天按周');
  await expect(page).toHaveURL(/f\.grain=week/);
  await expect(page).toHaveURL(/f\.dates=\d{4}-\d\d-\d\d(~|%7E)\d{4}-\d\d-\d\d/);

  await viewButton().click();
  await page.getByRole('menuitem', { name: '管理视图…' }).click();
  const manage = page.getByRole('dialog', { name: '管理视图' });
  await manage.getByRole('button', { name: '设为默认' }).click();
  await expect(manage.getByRole('button', { name: '取消默认' })).toBeVisible();
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/views-manage.png' });

  // A fresh visit by the address without a query opens with it.
  await page.goto('/home');
  await page.goto(REPORT);
  await expect(page).toHaveURL(/f\.grain=week/);
  await expect(viewButton()).toContainText('近30天按周');
});

test('a report is subscribed to, sent once by hand, paused and given up', async () => {
  await openScreen(page, REPORT, '销售报表');
  await settled(page);
  await page.getByRole('button', { name: '定时发送' }).click();
  const dialog = page.getByRole('dialog', { name: '定时发送' });
  await dialog.getByRole('button', { name: '新建订阅' }).click();
  const form = page.getByRole('dialog', { name: '新建订阅' });
  await form.getByLabel('订阅名称').fill('周一销量');
  await form.getByLabel('收件人').click();
  await page.locator('.ant-select-item-option', { hasText: '演示管理员' }).click();
  await page.keyboard.press('Escape');
  await settled(page);
  await page.screenshot({ path: 'test-results/views-subscribe.png' });
  await form.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(form).toBeHidden();
  const row = dialog.getByRole('listitem').filter({ hasText: '周一销量' });
  await expect(row).toContainText('每周一 08:00');
  await row.getByRole('button', { name: '立即发送一份给我' }).click();
  // The demo has no mail server: what would have been sent lies in the operator's outbox.
  await expect(row).toContainText('未配置邮件服务');
  await row.getByRole('button', { name: '暂停' }).click();
  await expect(row).toContainText('已暂停');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/views-subscriptions.png' });
  await row.getByRole('button', { name: /删\s?除/ }).click();
  await expect(row).toHaveCount(0);
});

test('other lists keep views too', async () => {
  await openScreen(page, '/amazon/sale/order/list', '订单列表');
  await settled(page);
  await viewButton().click();
  await expect(page.getByRole('menuitem', { name: '保存当前筛选…' })).toBeVisible();
  await page.keyboard.press('Escape');
});
