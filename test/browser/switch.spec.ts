import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from './support/browser.ts';
import { emptyBrowser, firstLogIn, hire, roleWith } from './support/people.ts';
import { logIn, openHome } from './support/session.ts';

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
  await openHome(page);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('oversea'))).toBe('true');
  const mine = await sessionOf(page);
  const hired = await hire(page, '换账号的同事', [await roleWith(page, '换账号', [])]);
  const colleague = await emptyBrowser(browser, baseURL);
  await firstLogIn(colleague, hired);
  const other = await sessionOf(colleague);
  await colleague.context().close();
  const { account, password } = hired;
  const bound = { account, password, appType: 'web' };
  expect(await call('/admin/api/v1/users/sysrole/openidbind', bound, mine)).toMatchObject({ code: 201 });
  const { data: enrolment } = await call<{ secret: string }>('/admin/api/v1/users/mfa/enrol', { password }, other);
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
    await page.getByRole('menuitem', { name: new RegExp(account) }).click({ timeout: 20_000 });
  }).toPass();
  const dialog = page.getByRole('dialog', { name: new RegExp(account) });
  await dialog.getByLabel('动态验证码').fill('000000');
  await dialog.getByRole('button', { name: '验证并登录' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('动态验证码错误');
  // A code of the app works once, and that one is spent.
  await dialog.getByLabel('动态验证码').fill(first);
  await dialog.getByRole('button', { name: '验证并登录' }).click();
  await expect(dialog).toBeHidden();
  await page.waitForURL('**/home');
  await expect(page.locator('.frame-account')).toContainText(hired.name);
  const now = await sessionOf(page);
  expect(now).not.toBe(mine);
  expect((await call('/admin/api/v1/notify/getRemind', {}, mine)).code).toBe(401);

  expect((await call('/admin/api/v1/users/mfa/disable', { password, code: second }, now)).code).toBe(201);
  await api.dispose();
});
