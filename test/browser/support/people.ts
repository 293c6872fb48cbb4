import type { Browser, Page } from '@playwright/test';
import { addRole, saveRolePermissions } from '../../../src/modules/identity/contract/roles.ts';
import { addSubUser } from '../../../src/modules/identity/contract/sub-users.ts';
import { callAs } from './api.ts';
import { expect } from './browser.ts';
import { passCaptcha } from './captcha.ts';

/** What a colleague chooses for himself. */
const OWN_PASSWORD = 'Hafen-2026!';

export interface Colleague {
  id: string;
  name: string;
  account: string;
  /** The password of the moment. */
  password: string;
}

/** Tells one run from the next on the same data. */
const run = Date.now().toString(36);
let people = 0;

/** A role of the owner's company that holds exactly these permissions; answers its id. */
export async function roleWith(owner: Page, name: string, codes: readonly string[]): Promise<string> {
  const id = await callAs(owner, addRole, { body: { name: `${name} ${run}` } });
  await callAs(owner, saveRolePermissions, { params: { id }, body: { version: 0, codes: [...codes] } });
  return id;
}

/** The owner hires somebody, whose first password the server makes up. */
export async function hire(owner: Page, name: string, roleIds: readonly string[] = []): Promise<Colleague> {
  people += 1;
  const account = `${run}-${people}@example.com`;
  const body = { name, account, email: account, roleIds: [...roleIds] };
  const { id, password } = await callAs(owner, addSubUser, { body });
  return { id, name, account, password: password ?? '' };
}

/** Account, password and captcha; says nothing of what comes then. */
export async function knock(page: Page, account: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByPlaceholder('手机号或邮箱').fill(account);
  await page.getByPlaceholder('请输入密码').fill(password);
  await page.keyboard.press('Enter');
  await passCaptcha(page);
}

/** Comes in with a password that somebody else made up, and is let further only with one of his own. */
export async function firstLogIn(page: Page, who: Colleague, own = OWN_PASSWORD): Promise<void> {
  await knock(page, who.account, who.password);
  await expect(page.getByText('您正在使用一次性密码，请先设置自己的密码')).toBeVisible();
  await page.getByLabel('一次性密码').fill(who.password);
  await page.getByLabel('新密码', { exact: true }).fill(own);
  await page.getByLabel('确认新密码').fill(own);
  await page.getByRole('button', { name: '保存并进入系统' }).click();
  await expect(page.locator('.frame-account')).toContainText(who.name);
  who.password = own;
}

/** A browser in which nobody is logged in. */
export async function emptyBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const viewport = { width: 1600, height: 900 };
  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport, locale: 'zh-CN' });
  return context.newPage();
}
