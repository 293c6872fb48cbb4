import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

test('what a box brings is reckoned at once, and moves with its price', async () => {
  await openScreen(page, '/amazon/profit/calculator', '利润计算');
  const result = page.getByRole('table', { name: '测算结果' }).getByRole('row', { name: /美国/ });
  await expect(result).toContainText('请先维护产品尺寸和重量');
  const fill = async (label: string, value: string) => {
    await page.getByRole('spinbutton', { name: label, exact: true }).fill(value);
    await page.getByRole('spinbutton', { name: label, exact: true }).press('Tab');
  };
  await page.getByLabel('生效日期').fill('2026-06-01');
  for (const [label, value] of [
    ['长(cm)', '30.48'],
    ['宽(cm)', '22.86'],
    ['高(cm)', '7.62'],
    ['重量(kg)', '0.635'],
    ['美国售价', '24.99'],
    ['美国汇率', '7'],
  ] as const)
    await fill(label, value);
  await expect(result).toContainText('大号标准尺寸');
  for (const figure of ['3.75', '6.10', '0.21', '0.15']) await expect(result).toContainText(figure);
  await page.getByRole('slider', { name: '美国售价' }).press('ArrowRight');
  await expect(result).toContainText('25.00');
  await expect(page.getByRole('table', { name: '目标售价' }).getByRole('row', { name: /美国/ })).toHaveCount(7);
  await settled(page);
  await page.screenshot({ path: `test-results/calculator-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
});

test('the fees themselves are shown as they are valid on a day', async () => {
  await openScreen(page, '/amazon/profit/fbafee', 'FBA费用');
  await page.getByLabel('生效日期').fill('2026-06-01');
  await expect(
    page
      .getByRole('table', { name: '配送费' })
      .getByRole('row', { name: /大号标准尺寸.*2\.5 磅/ })
      .nth(1),
  ).toContainText('6.10');
  await settled(page);
  await page.screenshot({ path: `test-results/fees-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
});
