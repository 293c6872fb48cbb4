import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { mfaStatus } from '../../src/modules/identity/contract/mfa.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { rowsOf } from './support/captcha.ts';
import { type Colleague, emptyBrowser, firstLogIn, hire, knock } from './support/people.ts';
import { openScreen, pageOf } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;
let who: Colleague;
let secret = '';
let recovery: string[] = [];

test.beforeAll(async ({ browser, baseURL }) => {
  const owner = await pageOf(browser, baseURL);
  who = await hire(owner, '许知远');
  await owner.context().close();
  page = await emptyBrowser(browser, baseURL);
  await firstLogIn(page, who);
});
test.afterAll(() => page.context().close());

/** What the authenticator app shows. A code works once, so the last one is forgotten as if it had been long ago. */
async function appCode(): Promise<string> {
  await rowsOf('UPDATE identity.mfa SET last_step = 0 WHERE member_id = $1', [who.id]);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
const codeField = () => page.getByLabel('动态验证码', { exact: true });
const enter = () => page.getByRole('button', { name: '验证并登录' }).click();

test('the second factor is set up to the end, and eight recovery codes are shown once', async () => {
  await openScreen(page, '/usercenter', '个人中心');
  await page.getByRole('button', { name: '启用' }).click();
  const dialog = page.getByRole('dialog', { name: '启用动态验证码' });
  await dialog.getByLabel('登录密码').fill(who.password);
  await dialog.getByRole('button', { name: '下一步' }).click();
  secret = (await dialog.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await dialog.getByLabel('动态验证码', { exact: true }).fill(await appCode());
  await dialog.getByRole('button', { name: '下一步' }).click();
  const codes = dialog.getByRole('region', { name: '恢复码' }).locator('code');
  await expect(codes).toHaveCount(8);
  recovery = await codes.allTextContents();
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await expect(page.getByText('剩余恢复码 8 个')).toBeVisible();
  expect(await callAs(page, mfaStatus, {})).toMatchObject({ enabled: true, recoveryLeft: 8 });
});

test('a log-in asks for the code; a wrong one is refused, the right one lets in', async () => {
  await page.evaluate(() => localStorage.removeItem('jsessionid'));
  await knock(page, who.account, who.password);
  await expect(codeField()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('jsessionid'))).toBeNull();
  const code = await appCode();
  await codeField().fill(wrong(code));
  await enter();
  await expect(page.locator('.login-error')).toHaveText('动态验证码错误');
  await codeField().fill(code);
  await enter();
  await expect(page).toHaveURL(/\/home/);
  await expect(page.locator('.frame-account')).toContainText(who.name);
});

test('without the phone a recovery code lets in, once', async () => {
  await page.evaluate(() => localStorage.removeItem('jsessionid'));
  await knock(page, who.account, who.password);
  await codeField().fill(recovery[0] ?? '');
  await enter();
  await expect(page).toHaveURL(/\/home/);
  expect((await callAs(page, mfaStatus, {})).recoveryLeft).toBe(7);
  await page.evaluate(() => localStorage.removeItem('jsessionid'));
  await knock(page, who.account, who.password);
  await codeField().fill(recovery[0] ?? '');
  await enter();
  await expect(page.locator('.login-error')).toHaveText('动态验证码错误');
  await codeField().fill(recovery[1] ?? '');
  await enter();
  await expect(page).toHaveURL(/\/home/);
});

test('new recovery codes make the old ones worthless, and the factor is given up by password and code', async () => {
  await openScreen(page, '/usercenter', '个人中心');
  await page.getByRole('button', { name: '恢复码', exact: true }).click();
  const renew = page.getByRole('dialog', { name: '重新生成恢复码' });
  await renew.getByLabel('登录密码').fill(who.password);
  await renew.getByLabel('动态验证码', { exact: true }).fill(await appCode());
  await renew.getByRole('button', { name: '下一步' }).click();
  const codes = renew.getByRole('region', { name: '恢复码' }).locator('code');
  await expect(codes).toHaveCount(8);
  const fresh = await codes.allTextContents();
  expect(fresh.filter((code) => recovery.includes(code))).toEqual([]);
  await renew.getByRole('button', { name: '我已保存' }).click();

  await page.getByRole('button', { name: '停用', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '停用动态验证码' });
  await dialog.getByLabel('登录密码').fill(who.password);
  await dialog.getByLabel('动态验证码', { exact: true }).fill(recovery[2] ?? '');
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('动态验证码错误');
  await dialog.getByLabel('动态验证码', { exact: true }).fill(await appCode());
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(page.getByText('动态验证码已停用')).toBeVisible();
  await expect(page.getByText('未启用', { exact: true })).toBeVisible();
  expect((await callAs(page, mfaStatus, {})).enabled).toBe(false);

  await page.evaluate(() => localStorage.removeItem('jsessionid'));
  await knock(page, who.account, who.password);
  await expect(page).toHaveURL(/\/home/);
});
