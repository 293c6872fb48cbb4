import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { drag, sliderAnswer } from './support/captcha.ts';

const PICTURE = 310;
const SHOWN = 330;

async function fill(page: Page, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByPlaceholder('手机号或邮箱').fill('demo@example.com');
  await page.getByPlaceholder('请输入密码').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('请完成安全验证')).toBeVisible();
  await expect(page.locator('.captcha-piece')).toBeVisible();
}

test('a seller logs in with the slider and returns to where he wanted to go', async ({ page }) => {
  await page.goto('/amazon/storeAuth?title=店铺管理&path=/amazon/storeAuth');
  await expect(page).toHaveURL(/\/login/);
  await page.getByPlaceholder('手机号或邮箱').fill('demo@example.com');
  await page.getByPlaceholder('请输入密码').fill('Demo-2026!');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.locator('.captcha-piece')).toBeVisible();
  await drag(page, ((await sliderAnswer()) * SHOWN) / PICTURE);
  await expect(page.getByText(/\d+\.\d\ds验证成功/)).toBeVisible();
  await expect(page).toHaveURL(/storeAuth/);
  await expect(page.getByRole('tab', { name: '店铺管理' })).toBeVisible();
});

test('a piece put in the wrong place is refused, and the picture is changed', async ({ page }) => {
  await fill(page, 'Demo-2026!');
  const answer = (await sliderAnswer()) * (SHOWN / PICTURE);
  await drag(page, answer > 150 ? answer - 60 : answer + 60);
  await expect(page.getByText('验证失败')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test('a wrong password says so and nothing more', async ({ page }) => {
  await fill(page, 'not the password 1A');
  await drag(page, ((await sliderAnswer()) * SHOWN) / PICTURE);
  await expect(page.getByText('登录失败：账号或密码错误')).toBeVisible();
});
