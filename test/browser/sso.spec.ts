import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { type SsoProduct, startSsoProduct } from './support/sso.ts';

test.describe.configure({ mode: 'serial' });

let product: SsoProduct;
let page: Page;

test.beforeAll(async ({ browser }) => {
  product = await startSsoProduct();
  product.provider.people.set('caigou', { email: 'caigou@example.com', email_verified: true, name: '采购' });
  product.provider.people.set('nobody', { email: 'nobody@example.com', email_verified: true });
  const context = await browser.newContext({
    baseURL: product.pages,
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
});

/** Logs in on the provider's own pages and agrees there. */
async function atProvider(sub: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${product.provider.issuer}/interaction/`));
  await page.locator('input[name=login]').fill(sub);
  await page.locator('input[name=password]').fill('x');
  await page.locator('button[type=submit]').click();
  await expect(page.locator('input[name=login]')).toHaveCount(0);
  await page.locator('button[type=submit]').click();
}

const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test('the way leads through the provider and back to where one wanted to go, without a trace in the address', async () => {
  const seen: string[] = [];
  page.on('framenavigated', (frame) => void seen.push(frame.url()));
  await page.goto('/usercenter?title=个人中心&path=/usercenter');
  await atProvider('caigou');
  await expect(page).toHaveURL(/\/usercenter/);
  await expect(page.getByRole('button', { name: '账号', exact: true })).toBeVisible();
  expect(await stored('logintype')).toBe('sso');
  expect(await stored('authserver')).toBe(`${product.pages}/sso`);
  expect(await stored('uid')).toMatch(/^[0-9a-f-]{36}$/);
  // The one page that carried the id has been replaced in the history: going back never shows it.
  expect(seen.some((url) => url.includes('jsessionid='))).toBe(true);
  await page.goBack();
  expect(page.url()).not.toContain('jsessionid');
  await page.goForward();
});

test('logging out ends it at the provider too, and the log-in page offers the way back in', async () => {
  await page.goto('/home');
  await page.getByRole('button', { name: '账号', exact: true }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page).toHaveURL(new RegExp(`^${product.provider.issuer}/session/end`));
  await page.locator('button[value=yes]').click();
  await expect(page).toHaveURL(`${product.pages}/login`);
  expect(await stored('jsessionid')).toBeNull();
  await page.getByRole('button', { name: '单点登录' }).click();
  await expect(page.locator('input[name=login]')).toBeVisible();
});

test('who has no account here reads so, and is not sent round', async () => {
  await atProvider('nobody');
  await expect(page.getByRole('alert')).toHaveText('该账号尚未开通，请联系管理员');
  await expect(page).toHaveURL(`${product.pages}/ssologin`);
  await page.getByRole('button', { name: '使用密码登录' }).click();
  await expect(page.getByPlaceholder('手机号或邮箱')).toBeVisible();
});

test('a provider that lets in whom the product does not keep ends on a page, not in a circle', async () => {
  // The provider knows this browser: each way through it takes no question.
  await page.evaluate(() => sessionStorage.setItem('ssoRounds', `${Date.now() - 2000},${Date.now() - 1000}`));
  await page.goto('/ssologin');
  await expect(page.getByRole('alert')).toHaveText('多次登录均未成功，请稍后重试或联系管理员');
  await page.getByRole('button', { name: '重新登录' }).click();
  await expect(page.getByRole('alert')).toHaveText('该账号尚未开通，请联系管理员');
});
