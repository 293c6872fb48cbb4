import { createCanvas } from '@napi-rs/canvas';
import type { Page } from '@playwright/test';
import { expect, inProof, test } from './support/browser.ts';
import { logIn, openHome, openScreen, seriousFaults } from './support/session.ts';

const PASSWORD = 'Demo-2026!';
const BUYER = 'caigou@example.com';

test.describe.configure({ mode: 'serial' });

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
  await openHome(page);
});
test.afterAll(() => page.context().close());

/** Opens the menu of the account at the right of the header. */
async function openMenu(on: Page) {
  await on.getByRole('button', { name: '账号', exact: true }).click();
}

/**
 * Takes an entry of 切换账号; as a person would, points at it again where the list of accounts closed on the way. A click
 * that was only slow must not count as missed: what it opens covers the menu.
 */
async function chooseAccount(on: Page, name: string | RegExp) {
  await openMenu(on);
  await expect(async () => {
    await on.getByRole('menuitem', { name: '切换账号' }).hover();
    await on.getByRole('menuitem', { name }).click({ timeout: 20_000, noWaitAfter: true });
  }).toPass();
}

test('the user centre opens from the header; a name with markup is text, a portrait is drawn anew', async () => {
  await openMenu(page);
  await page.getByRole('menuitem', { name: '个人中心' }).click();
  await expect(page.getByRole('heading', { name: /演示管理员/ })).toBeVisible();
  await page.getByRole('button', { name: '编辑个人信息' }).click();
  const dialog = page.getByRole('dialog', { name: '编辑个人信息' });
  await dialog.getByRole('textbox', { name: /用户名/ }).fill('<b>演示</b>');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(page.locator('.self-who h1')).toContainText('<b>演示</b>');
  await page.getByRole('button', { name: '编辑个人信息' }).click();
  await dialog.getByRole('textbox', { name: /用户名/ }).fill('演示管理员');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(page.locator('.self-who h1')).toContainText('演示管理员');
  const buffer = createCanvas(400, 300).toBuffer('image/png');
  await page.locator('.self-page input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await expect(page.locator('.self-portrait img')).toBeVisible();
  await expect(page.locator('.frame-account img')).toBeVisible();
});

test('the second factor is set up by password and picture', async () => {
  await page.getByRole('button', { name: '启用' }).click();
  const dialog = page.getByRole('dialog', { name: '启用动态验证码' });
  await dialog.getByLabel('登录密码').fill('falsch');
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('账号或密码错误');
  await dialog.getByLabel('登录密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog.getByRole('img', { name: '动态验证码二维码' })).toBeVisible();
  await dialog.getByLabel('动态验证码', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('动态验证码错误');
  await dialog.getByRole('button', { name: '取消' }).click();
});

inProof('WeChat: bound by a scan, then log-in by a scan', async ({ browser, baseURL }) => {
  await page.getByRole('tab', { name: '微信绑定' }).click();
  await page.getByRole('button', { name: '微信扫码绑定' }).click();
  await page.getByRole('button', { name: '模拟扫码并确认登录' }).click();
  await expect(page.getByText('微信绑定成功')).toBeVisible();
  await expect(page.getByText('林小满')).toBeVisible();
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'zh-CN' });
  const phone = await context.newPage();
  await phone.goto('/login');
  await phone.getByRole('button', { name: '微信扫码登录' }).click();
  await phone.getByRole('button', { name: '模拟扫码并确认登录' }).click();
  await expect(phone).toHaveURL(/\/home/);
  await context.close();
});

test('the user centre has no serious accessibility fault', async () => {
  await openScreen(page, '/usercenter', '个人中心');
  await expect(page.getByText('登录设备')).toBeVisible();
  expect(await seriousFaults(page, '.self-page')).toEqual([]);
});

inProof('another account is bound and changed to; the other tab of the browser notices and reloads', async () => {
  await page.goto('/home');
  const other = await page.context().newPage();
  await other.goto('/home');
  await expect(other.locator('.frame-account')).toContainText('演示管理员');
  await chooseAccount(page, '添加账号');
  const dialog = page.getByRole('dialog', { name: '绑定其它账号' });
  await expect(dialog.locator('.ant-modal-container, .ant-modal-content').first()).toHaveCSS('width', '560px');
  await dialog.getByRole('button', { name: /绑\s*定/ }).click();
  await expect(dialog.getByRole('alert').first()).toContainText('请输入要绑定的账号');
  // A name to log in with is one line.
  await expect(dialog.locator('textarea')).toHaveCount(0);
  await dialog.getByPlaceholder('请输入要绑定的账号').fill(BUYER);
  await dialog.getByPlaceholder('请输入密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: /绑\s*定/ }).click();
  await expect(page.getByText('账号绑定成功')).toBeVisible();
  // The other tab says so for a moment only, before it begins anew.
  await Promise.all([
    other.getByText('账户异常，正在刷新浏览器').waitFor({ timeout: 90_000 }),
    chooseAccount(page, new RegExp(BUYER)),
  ]);
  await expect(page.locator('.frame-account')).toContainText('陈浩');
  await expect(other.locator('.frame-account')).toContainText('陈浩');
  // Nothing of the first account's tabs is left.
  await expect(page.getByRole('tab', { name: '个人中心' })).toHaveCount(0);

  // Parted again: the list says so, and the way back is the password alone.
  await openScreen(page, '/usercenter', '个人中心');
  await page.getByRole('tab', { name: '账号解绑' }).click();
  const bound = page.getByRole('row').filter({ hasText: '演示管理员' });
  await bound.getByRole('button', { name: '解绑' }).click();
  const question = page.getByRole('dialog', { name: /^解绑「.+」的账号？$/ });
  await expect(question).toContainText('解绑后须使用密码登录该账号');
  await question.getByRole('button', { name: '解绑' }).click();
  await expect(page.getByText('账号已解绑')).toBeVisible();
  await expect(bound).toHaveCount(0);
  await page.getByRole('button', { name: '账号', exact: true }).click();
  await page.getByRole('menuitem', { name: '切换账号' }).hover();
  await expect(page.getByRole('menuitem', { name: '添加账号' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /演示管理员/ })).toHaveCount(0);
});
