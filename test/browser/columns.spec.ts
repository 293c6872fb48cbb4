import type { Page } from '@playwright/test';
import { inTurn } from '../support/depth.ts';
import { expect, inProof, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const SET = '发货视图';
let owner: Page;
let member: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await pageOf(browser, baseURL);
  member = await pageOf(browser, baseURL, { account: 'yunying@example.com' });
});
test.afterAll(async () => {
  for (const page of [owner, member]) await page.context().close();
});

const drawerOf = (page: Page) => page.getByRole('dialog', { name: /列设置/ });
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });

async function openColumns(page: Page): Promise<void> {
  await openScreen(page, '/amazon/sale/order/list', '订单列表');
  await page.getByRole('button', { name: /列设置/ }).click();
  await expect(drawerOf(page)).toBeVisible();
}

async function chooseSet(page: Page, name: string | RegExp): Promise<void> {
  await drawerOf(page).getByRole('combobox', { name: '列方案' }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
}

inProof('a set of columns is saved under a name and lent to the company', async () => {
  await openColumns(owner);
  const drawer = drawerOf(owner);
  await drawer.getByRole('checkbox', { name: /^折扣/ }).uncheck();
  await drawer.getByRole('button', { name: '另存为' }).click();
  await owner.getByLabel('方案名称').fill(SET);
  await owner.keyboard.press('Enter');
  await expect(owner.getByText(`已另存为「${SET}」`)).toBeVisible();
  await drawer.getByRole('button', { name: '更多' }).click();
  await owner.getByRole('menuitem', { name: '共享给公司' }).click();
  await expect(owner.getByText(`「${SET}」已共享给公司`)).toBeVisible();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(header(owner, '折扣')).toHaveCount(0);
});

inProof('a colleague uses it, cannot change it, and keeps a copy of his own', async () => {
  await openColumns(member);
  const drawer = drawerOf(member);
  await expect(header(member, '折扣')).toBeVisible();
  await chooseSet(member, SET);
  await expect(member.getByText(`已使用「${SET}」`)).toBeVisible();
  await expect(header(member, '折扣')).toHaveCount(0);
  await expect(drawer.getByText(/由 .+ 共享，只有创建人或管理员可以修改/)).toBeVisible();
  await drawer.getByRole('button', { name: '更多' }).click();
  await expect(member.getByRole('menuitem', { name: '删除当前方案' })).toBeDisabled();
  await member.keyboard.press('Escape');
  if (!(await drawer.isVisible())) await member.getByRole('button', { name: /列设置/ }).click();
  await drawer.getByRole('checkbox', { name: /^折扣/ }).check();
  await expect(drawer.getByRole('button', { name: '完成' })).toBeDisabled();
  await drawer.getByRole('button', { name: '另存为' }).click();
  await member.getByLabel('方案名称').fill('我的');
  await member.keyboard.press('Enter');
  await expect(member.getByText('已另存为「我的」')).toBeVisible();
  await expect(header(member, '折扣')).toBeVisible();
  await openColumns(member);
  expect(await seriousFaults(member, '.columns-drawer')).toEqual([]);
  await chooseSet(member, SET);
  await expect(member.getByText(`已使用「${SET}」`)).toBeVisible();
});

inProof('taken back, its users have the columns of the list again', async () => {
  await openColumns(owner);
  await drawerOf(owner).getByRole('button', { name: '更多' }).click();
  await owner.getByRole('menuitem', { name: '取消共享' }).click();
  await expect(owner.getByText(`「${SET}」不再共享`)).toBeVisible();
  await chooseSet(owner, '默认');
  await openScreen(member, '/amazon/sale/order/list', '订单列表');
  await expect(member.getByRole('button', { name: /列设置 · 默认/ })).toBeVisible();
  await expect(header(member, '折扣')).toBeVisible();
});

test('every list and the stores have the drawer', async () => {
  const screens = [
    ['/amazon/storeAuth', '店铺管理'],
    ['/sys/operlog', '操作日志'],
    ['/sys/message', '消息中心'],
    ['/sys/subuser', '子账号'],
  ] as const;
  for (const [path, title] of inTurn(screens, 4)) {
    await openScreen(owner, path, title);
    await owner.getByRole('button', { name: /列设置/ }).click();
    await expect(drawerOf(owner)).toContainText(title);
    await owner.keyboard.press('Escape');
  }
});
