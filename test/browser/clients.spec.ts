import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { passCaptcha } from './support/captcha.ts';
import { type ClientApp, startClientApp } from './support/client-app.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let app: ClientApp;
let operator: Page;
let person: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  app = await startClientApp();
  operator = await pageOf(browser, baseURL, { account: 'operator@example.com' });
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  person = await context.newPage();
});
test.afterAll(async () => {
  await operator.context().close();
  await person.context().close();
  await app.close();
});

/** Logs in on the page that came up by itself. */
async function logInHere(): Promise<void> {
  await expect(person).toHaveURL(/\/login/);
  await person.getByPlaceholder('手机号或邮箱').fill('demo@example.com');
  await person.getByPlaceholder('请输入密码').fill('Demo-2026!');
  await person.keyboard.press('Enter');
  await passCaptcha(person);
}

const agree = () => person.getByRole('button', { name: '同意并登录' });

test('the operator enters another system and hands on what is told once', async () => {
  await openScreen(operator, '/sys/client', '客户端');
  await operator.getByRole('button', { name: '新增客户端' }).first().click();
  const dialog = operator.getByRole('dialog');
  await dialog.getByLabel('客户端ID').fill('report-portal');
  await dialog.getByLabel('名称').fill('报表门户');
  await dialog.getByLabel('回调地址').fill(app.back);
  await dialog.getByLabel('回调地址').press('Enter');
  await dialog.getByRole('button', { name: '保存' }).click();
  const told = operator.getByRole('dialog', { name: '请记下密钥' });
  await expect(told.locator('.code')).toHaveCount(3);
  const [id = '', secret = '', discovery = ''] = await told.locator('.code').allTextContents();
  expect(id).toBe('report-portal');
  await told.getByRole('button', { name: '已记下' }).click();
  await app.configure(discovery, id, secret);
  await expect(operator.getByRole('row', { name: /report-portal/ })).toBeVisible();
});

test('a person who comes there logs in here first, reads what it asks for, and is in', async () => {
  await person.goto(app.address);
  await logInHere();
  await expect(person.getByRole('heading', { name: '登录「报表门户」' })).toBeVisible();
  await expect(person.getByText(`同意后将前往 ${new URL(app.back).host}`)).toBeVisible();
  await expect(person.getByText('姓名、账号与公司名称')).toBeVisible();
  await expect(person.getByText('手机号')).toHaveCount(0);
  expect(await seriousFaults(person)).toEqual([]);
  await agree().click();
  await expect(person.getByText(/^welcome 演示管理员 of /)).toBeVisible();
});

test('the next time nobody asks, unless the system wants the question; a no is told to it', async () => {
  await person.goto(app.address);
  await expect(person.getByText(/^welcome /)).toBeVisible();
  await person.goto(`${app.address}/?prompt=consent`);
  await expect(agree()).toBeVisible();
  await person.getByRole('button', { name: '拒绝' }).click();
  await expect(person.getByText('refused: access_denied')).toBeVisible();
});

test('a system that insists on it has people log in anew, and they come back to where they were', async () => {
  await person.goto(`${app.address}/?prompt=login`);
  await person.getByRole('button', { name: '重新登录' }).click();
  await logInHere();
  await expect(person.getByRole('heading', { name: '登录「报表门户」' })).toBeVisible();
  await agree().click();
  await expect(person.getByText(/^welcome /)).toBeVisible();
});

test('a log-in that somebody else began is not finished here', async () => {
  await operator.goto(`${app.address}/?prompt=consent`);
  await expect(operator.getByRole('button', { name: '同意并登录' })).toBeVisible();
  await person.goto(operator.url());
  await expect(person.getByRole('alert')).toHaveText('登录请求无效或已过期，请回到原应用重新登录');
});

test('who leaves the product is out there too', async () => {
  await person.goto(`${app.address}/me`);
  await expect(person.getByText('still in')).toBeVisible();
  await person.goto('/home');
  await person.getByRole('button', { name: '账号', exact: true }).click();
  await person.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(person).toHaveURL(/\/login/);
  await person.goto(`${app.address}/me`);
  await expect(person.getByText('refused: invalid_token')).toBeVisible();
});

test('a system that the operator takes out of service is refused in words', async () => {
  await openScreen(operator, '/sys/client', '客户端');
  await operator
    .getByRole('row', { name: /report-portal/ })
    .getByText('编辑')
    .click();
  const dialog = operator.getByRole('dialog');
  await dialog.getByLabel('停用').click();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();
  await person.goto(app.address);
  await expect(person.getByRole('alert')).toHaveText('该应用未登记或已停用，请联系应用的管理员');
});
