import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from './support/browser.ts';
import { logIn, pageOf } from './support/session.ts';

const PASSWORD = 'Demo-2026!';
const FINANCE = 'caiwu@example.com';

const sessionOf = (page: Page) => page.evaluate(() => localStorage.getItem('jsessionid') ?? '');

test('an account with a second factor asks for it when somebody changes to it, and the old session is over', async ({
  page,
  browser,
  baseURL,
  playwright,
}) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  const call = async <T = unknown>(path: string, data: object, jsessionid?: string) => {
    const response = await api.post(`/api${path}`, { data, headers: jsessionid ? { jsessionid } : {} });
    return (await response.json()) as { code: number; msg: string; data: T };
  };
  await logIn(page);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('oversea'))).toBe('true');
  const mine = await sessionOf(page);
  const bound = { account: FINANCE, password: PASSWORD, appType: 'web' };
  expect(await call('/admin/api/v1/users/sysrole/openidbind', bound, mine)).toMatchObject({ code: 201 });
  const colleague = await pageOf(browser, baseURL, { account: FINANCE });
  const other = await sessionOf(colleague);
  await colleague.context().close();
  const { data: enrolment } = await call<{ secret: string }>(
    '/admin/api/v1/users/mfa/enrol',
    { password: PASSWORD },
    other,
  );
  const code = new TOTP({ secret: Secret.fromBase32(enrolment.secret) }).generate();
  const { data: confirmed } = await call<{ recoveryCodes: string[] }>(
    '/admin/api/v1/users/mfa/confirm',
    { code },
    other,
  );
  const [first = '', second = ''] = confirmed.recoveryCodes;

  await page.getByRole('button', { name: '账号', exact: true }).click();
  await expect(async () => {
    await page.getByRole('menuitem', { name: '切换账号' }).hover();
    await page.getByRole('menuitem', { name: new RegExp(FINANCE) }).click({ timeout: 3000 });
  }).toPass();
  const dialog = page.getByRole('dialog', { name: new RegExp(FINANCE) });
  await dialog.getByLabel('动态验证码').fill('000000');
  await dialog.getByRole('button', { name: '验证并登录' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('动态验证码错误');
  // A code of the app works once, and that one is spent.
  await dialog.getByLabel('动态验证码').fill(first);
  await dialog.getByRole('button', { name: '验证并登录' }).click();
  await expect(dialog).toBeHidden();
  await page.waitForURL('**/home');
  const now = await sessionOf(page);
  expect(now).not.toBe(mine);
  expect((await call('/admin/api/v1/notify/getRemind', {}, mine)).code).toBe(401);

  expect((await call('/admin/api/v1/users/mfa/disable', { password: PASSWORD, code: second }, now)).code).toBe(201);
  await api.dispose();
});
