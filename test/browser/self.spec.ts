import { createCanvas } from '@napi-rs/canvas';
import type { Locator, Page } from '@playwright/test';
import { getSmsCode } from '../../src/modules/identity/contract/codes.ts';
import { register } from '../../src/modules/identity/contract/registration.ts';
import { listDevices, userDetail } from '../../src/modules/identity/contract/self.ts';
import { callAs, sendAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { rowsOf, sentCode } from './support/captcha.ts';
import { emptyBrowser, knock } from './support/people.ts';
import { logIn, openScreen, pageOf } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const PASSWORD = 'Hafen-2026!';
const NEW_PASSWORD = 'Leuchtturm-7';
const digits = String(Date.now()).slice(-8);
const FIRST = `135${digits}`;
const SECOND = `136${digits}`;
const COMPANY = `晴川家居${digits}`;

let page: Page;

/** An owner whose company is his alone: he may do to his account whatever he likes. */
test.beforeAll(async ({ browser, baseURL }) => {
  page = await emptyBrowser(browser, baseURL);
  await page.goto('/login');
  const key = await callAs(page, getSmsCode, { query: { mobile: FIRST, ftype: 'register' } });
  const code = await sentCode(FIRST);
  const words = { password: PASSWORD, oldpassword: PASSWORD, name: '陆晴川', company: COMPANY };
  await callAs(page, register, { body: { account: FIRST, email: `${digits}@example.com`, key, code, ...words } });
  await logIn(page, { account: FIRST, password: PASSWORD });
  await openScreen(page, '/usercenter', '个人中心');
});
test.afterAll(() => page.context().close());

/** As if the last code to this target had been sent more than a minute ago. */
const coolDown = (target: string) =>
  rowsOf("UPDATE identity.verify_code SET created_at = created_at - interval '61 seconds' WHERE target = $1", [target]);

/** Has a code sent by the button of a dialog, and reads it where it went. */
async function freshCode(dialog: Locator, target: string): Promise<string> {
  const sent = page.waitForResponse((answer) => answer.url().includes('/users/sendSelfCode'));
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await sent;
  return sentCode(target);
}

const dialogOf = (name: string) => page.getByRole('dialog', { name });
const row = (title: string) => page.locator('.self-row').filter({ has: page.getByText(title, { exact: true }) });
const detail = () => callAs(page, userDetail, {});

test('a portrait has to be a picture, whatever its name says', async () => {
  const file = page.locator('.self-page input[type=file]');
  const send = (name: string, buffer: Buffer) => file.setInputFiles({ name, mimeType: 'image/png', buffer });
  await send('me.txt', Buffer.from('kein Bild'));
  await expect(page.getByText('文件格式不支持，请上传 png、jpg、jpeg、bmp 图片')).toBeVisible();
  const refused = page.waitForResponse((answer) => answer.url().includes('/users/saveImage'));
  await send('me.png', Buffer.from('<svg onload="alert(1)"/>'));
  expect((await (await refused).json()).code).toBe(400);
  expect((await detail()).image).toBeNull();
  await expect(page.locator('.self-portrait img')).toHaveCount(0);
  await send('me.png', createCanvas(300, 300).toBuffer('image/png'));
  await expect(page.locator('.self-portrait img')).toBeVisible();
  expect((await detail()).image).not.toBeNull();
});

test('an e-mail address counts once the code that was sent to it is given', async () => {
  const email = `neu-${digits}@example.com`;
  await row('邮箱').getByRole('button').click();
  const dialog = dialogOf('激活邮箱');
  await dialog.getByLabel('邮箱', { exact: true }).fill(email);
  const code = await freshCode(dialog, email);
  await expect(page.getByText('验证码已发送，请注意查收')).toBeVisible();
  await dialog.getByLabel('验证码').fill(code === '000000' ? '000001' : '000000');
  await dialog.getByRole('button', { name: /确\s*定/ }).click();
  await expect(dialog.getByRole('alert')).toHaveText('验证码错误或已失效');
  await dialog.getByLabel('验证码').fill(code);
  await dialog.getByRole('button', { name: /确\s*定/ }).click();
  await expect(page.getByText('邮箱已激活')).toBeVisible();
  await expect(row('邮箱')).toContainText(email);
  expect(await detail()).toMatchObject({ email, emailVerified: true });
});

test('another device is seen, and signed out from here', async ({ browser, baseURL }) => {
  const other = await pageOf(browser, baseURL, { account: FIRST, password: PASSWORD });
  await page.reload();
  const devices = page.getByRole('region', { name: '登录设备' });
  await expect(devices.locator('.self-row')).toHaveCount(2);
  await devices.getByRole('button', { name: '下线' }).click();
  await expect(page.getByText('设备已下线')).toBeVisible();
  await expect(devices.locator('.self-row')).toHaveCount(1);
  expect((await sendAs(other, userDetail, {})).status).toBe(401);
  await other.goto('/usercenter');
  await expect(other).toHaveURL(/\/login/);
  await other.context().close();
});

test('a new password needs the old one, and throws the other devices out', async ({ browser, baseURL }) => {
  const other = await pageOf(browser, baseURL, { account: FIRST, password: PASSWORD });
  await row('密码').getByRole('button', { name: '修改' }).click();
  const dialog = dialogOf('修改密码');
  const save = dialog.getByRole('button', { name: /保\s*存/ });
  await dialog.getByLabel('原密码').fill('falsch-1A');
  await dialog.getByLabel('新密码', { exact: true }).fill(NEW_PASSWORD);
  await dialog.getByLabel('确认新密码').fill('etwas anderes');
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText('两次输入的密码不一致');
  await dialog.getByLabel('确认新密码').fill(NEW_PASSWORD);
  await save.click();
  await expect(dialog.getByRole('alert')).not.toHaveText('两次输入的密码不一致');
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByLabel('原密码').fill(PASSWORD);
  await save.click();
  await expect(page.getByText('密码已修改，其他设备须重新登录')).toBeVisible();
  expect((await sendAs(other, userDetail, {})).status).toBe(401);
  expect(await callAs(page, listDevices, {})).toHaveLength(1);
  await other.context().close();
});

test('another phone to log in with: password, a code to the old one, a code to the new one', async () => {
  await coolDown(FIRST);
  await row('账户').getByRole('button', { name: '更换' }).click();
  const dialog = dialogOf('更换登录账号');
  const next = dialog.getByRole('button', { name: '下一步' });
  await dialog.getByLabel('登录密码').fill(NEW_PASSWORD);
  await dialog.getByLabel('验证码').fill(await freshCode(dialog, FIRST));
  await next.click();
  await dialog.getByLabel('新账号').fill(SECOND);
  await dialog.getByLabel('验证码').fill(await freshCode(dialog, SECOND));
  await next.click();
  await expect(dialog.getByText('登录账号已更换')).toBeVisible();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(row('账户')).toContainText(SECOND);
  expect((await detail()).account).toBe(SECOND);
});

test('who asks to be forgotten is out at once; a log-in within the week takes it back', async () => {
  await coolDown(SECOND);
  await page.getByRole('tab', { name: '账号注销' }).click();
  await expect(page.getByText('提交后有 7 天冷静期，期间重新登录即撤销注销。')).toBeVisible();
  await page.getByRole('button', { name: '申请注销' }).click();
  const dialog = dialogOf('注销账号');
  const confirm = dialog.getByRole('button', { name: '确认注销' });
  await dialog.getByLabel('登录密码').fill(NEW_PASSWORD);
  await dialog.getByLabel('验证码').fill(await freshCode(dialog, SECOND));
  await dialog.getByLabel('公司名称').fill('别的公司');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText('请输入公司名称以确认注销');
  await dialog.getByLabel('公司名称').fill(COMPANY);
  await confirm.click();
  await expect(page).toHaveURL(/\/login/);

  await knock(page, FIRST, NEW_PASSWORD);
  await expect(page.getByText('登录失败：账号或密码错误')).toBeVisible();
  await logIn(page, { account: SECOND, password: NEW_PASSWORD });
  await expect(page.locator('.frame-account')).toContainText(COMPANY);
  expect((await detail()).account).toBe(SECOND);
});
