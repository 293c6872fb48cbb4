import type { Page } from '@playwright/test';
import { listMenus } from '../../src/modules/identity/contract/menu-editor.ts';
import { menuRoute } from '../../src/modules/identity/contract/menus.ts';
import { listCustomers } from '../../src/modules/identity/contract/operator.ts';
import { listPlatforms } from '../../src/modules/system/contract/platforms.ts';
import { inTurn } from '../support/depth.ts';
import { callAs, sendAs } from './support/api.ts';
import { expect, inProof, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const COMPANY = '启航家居';
const PLAN = '专业版';

let operator: Page;
let owner: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  operator = await pageOf(browser, baseURL, { account: 'operator@example.com' });
  owner = await pageOf(browser, baseURL);
});
test.afterAll(async () => {
  for (const page of [operator, owner]) await page.context().close();
});

test('a customer is found, and gets a plan; no customer sees the others', async () => {
  await openScreen(operator, '/sys/customer', '客户');
  await operator.getByPlaceholder('公司名称、主账号').fill(COMPANY);
  await operator.keyboard.press('Enter');
  await operator.locator('.ag-row').filter({ hasText: 'demo@example.com' }).first().dblclick();
  const drawer = operator.getByRole('dialog', { name: `${COMPANY} demo@example.com` });
  await drawer.getByLabel('套餐').fill(PLAN);
  await drawer.getByRole('button', { name: /保\s*存/ }).click();
  await expect(operator.getByText('客户已保存')).toBeVisible();
  const body = { currentpage: 1, pagesize: 5, filter: { search: COMPANY } };
  const { records } = await callAs(operator, listCustomers, { body });
  expect(records.find((row) => row.ownerAccount === 'demo@example.com')?.planName).toBe(PLAN);
  await expect(operator.locator('.ag-row').filter({ hasText: PLAN }).first()).toBeVisible();
  expect((await sendAs(owner, listCustomers, { body })).status).toBe(403);
});

inProof('an entry of the menu is hidden from all companies, and shown again', async () => {
  const path = '/sys/holiday';
  const seen = async () => JSON.stringify(await callAs(owner, menuRoute, {})).includes(path);
  await openScreen(operator, '/sys/menu', '菜单与权限');
  const shown = operator.getByRole('switch', { name: '节假日 显示' });
  await expect(shown).toBeChecked();
  expect(await seen()).toBe(true);
  await shown.click();
  await expect(operator.getByText('已保存，几秒内对所有公司生效')).toBeVisible();
  await expect(shown).not.toBeChecked();
  await expect.poll(seen).toBe(false);
  await owner.goto('/home');
  const section = owner.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '系统' });
  const menu = owner.getByRole('navigation', { name: '系统菜单' });
  await section.hover();
  await expect(menu.getByRole('button', { name: '数据字典', exact: true }).first()).toBeVisible();
  await expect(menu.getByRole('button', { name: '节假日', exact: true })).toHaveCount(0);

  await shown.click();
  await expect(shown).toBeChecked();
  await expect.poll(seen).toBe(true);
  expect((await callAs(operator, listMenus, {})).find((row) => row.path === path)?.visible).toBe(true);
  await owner.reload();
  await section.hover();
  await expect(menu.getByRole('button', { name: '节假日', exact: true }).first()).toBeVisible();
});

test('a marketplace is opened for all companies, and closed again', async () => {
  const enabled = async () => (await callAs(owner, listPlatforms, {})).find((row) => row.code === 'ebay')?.enabled;
  await openScreen(operator, '/sys/platform', '平台管理');
  const toggle = operator.getByRole('switch', { name: '启用 eBay' });
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(operator.getByText('eBay 已启用')).toBeVisible();
  expect(await enabled()).toBe(true);
  await toggle.click();
  await expect(operator.getByText('eBay 已关闭')).toBeVisible();
  await expect(toggle).not.toBeChecked();
  expect(await enabled()).toBe(false);
});

inProof('the screens of the operator are accessible', async () => {
  const screens = [
    ['/sys/customer', '客户'],
    ['/sys/client', '客户端'],
    ['/sys/menu', '菜单与权限'],
    ['/sys/platform', '平台管理'],
  ] as const;
  for (const [path, title] of inTurn(screens, 4)) {
    await openScreen(operator, path, title);
    await settled(operator);
    expect(await seriousFaults(operator), title).toEqual([]);
  }
});
