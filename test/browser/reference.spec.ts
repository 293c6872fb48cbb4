import { expect, test } from './support/browser.ts';

test('the API reads as a page, under a policy that lets its own script run and no other', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.goto('/doc/reference/');
  await expect(page.getByText('是否启用单点登录').first()).toBeVisible({ timeout: 60_000 });
  expect(refused.filter((text) => /inline script/.test(text))).toEqual([]);
});
