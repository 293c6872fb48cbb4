import type { Page } from '@playwright/test';
import { expect } from './browser.ts';
import { drag, sliderAnswer } from './captcha.ts';

const PICTURE = 310;
const SHOWN = 330;

/** Logs in as a person does: account, password, slider. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByPlaceholder('手机号或邮箱').fill('demo@example.com');
  await page.getByPlaceholder('请输入密码').fill('Demo-2026!');
  await page.keyboard.press('Enter');
  await expect(page.locator('.captcha-piece')).toBeVisible();
  await drag(page, ((await sliderAnswer()) * SHOWN) / PICTURE);
  await expect(page).toHaveURL(/\/home/);
}

/** Opens a screen in its tab, as the menu would. */
export async function openScreen(page: Page, path: string, title: string): Promise<void> {
  await page.goto(`${path}?title=${encodeURIComponent(title)}&path=${path}`);
  await expect(page.getByRole('tab', { name: title })).toBeVisible();
}
