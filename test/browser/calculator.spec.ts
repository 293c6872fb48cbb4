import type { Page } from '@playwright/test';
import { saveProduct } from '../../src/modules/product/contract/material.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

const SKU = `CALC-${Date.now().toString(36).toUpperCase()}`;
let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(() => page.context().close());

async function chooseDay(day: string) {
  const field = page.getByLabel('生效日期');
  await field.click();
  await expect(page.locator('.ant-picker-dropdown')).toBeVisible();
  await field.fill(day);
  await field.press('Enter');
  await expect(field).toHaveValue(day);
}

test('what a box brings is reckoned at once, and moves with its price', async () => {
  await openScreen(page, '/amazon/profit/calculator', '利润计算');
  const result = page.getByRole('table', { name: '测算结果' }).getByRole('row', { name: /美国/ });
  await expect(result).toContainText('请先维护产品尺寸和重量');
  const fill = async (label: string, value: string) => {
    await page.getByRole('spinbutton', { name: label, exact: true }).fill(value);
    await page.getByRole('spinbutton', { name: label, exact: true }).press('Tab');
  };
  await chooseDay('2026-06-01');
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
  await expect(page.getByRole('region', { name: '保本图' })).toContainText('保本价 $');
  await fill('月固定成本(¥)', '7000');
  await expect(page.getByText(/保本件数 [\d,]+ 件\/月/)).toBeVisible();
  await expect(page.getByRole('table', { name: '测算结果' }).getByRole('row', { name: /日本/ })).toContainText(
    '配送费率未核验',
  );
  await expect(page.getByRole('table', { name: '测算结果' }).getByRole('row', { name: /墨西哥/ })).toContainText(
    '尚无 墨西哥 的费率表',
  );
  await settled(page);
  await page.getByRole('img', { name: '美国利润随售价' }).scrollIntoViewIfNeeded();
  await page.screenshot({ path: `test-results/break-even-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
});

test('the fees themselves are shown as they are valid on a day', async () => {
  await openScreen(page, '/amazon/profit/fbafee', 'FBA费用');
  await chooseDay('2026-06-01');
  await expect(
    page
      .getByRole('table', { name: '配送费' })
      .getByRole('row', { name: /大号标准尺寸.*2\.5 磅/ })
      .nth(1),
  ).toContainText('6.10');
  await settled(page);
  await page.screenshot({ path: `test-results/fees-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);

  await page.getByText('附加费', { exact: true }).first().click();
  await expect(
    page.getByRole('table', { name: '附加费' }).getByRole('row', { name: /燃油与物流附加费/ }),
  ).toContainText('配送费 × 3.5%');
  await settled(page);
  await page.screenshot({ path: `test-results/surcharges-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
});

test('what the fees mean for own goods: measured ones beside Amazon’s, and a change of the card', async () => {
  await openScreen(page, '/amazon/profit/fbafee', 'FBA费用');
  await page.getByRole('button', { name: '影响分析' }).click();
  const dialog = page.getByRole('dialog', { name: '影响分析' });
  await expect(dialog.getByRole('status')).toContainText(/比较 [\d,]+ 个商品，[\d,]+ 个费用变化/);
  await settled(page);
  await page.screenshot({ path: `test-results/impact-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByText('实测对比', { exact: true }).click();
  await expect(
    page
      .getByRole('columnheader', { name: /月预计超收/ })
      .or(page.getByText('还没有'))
      .first(),
  ).toBeVisible();
  await settled(page);
  await page.screenshot({ path: `test-results/measured-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByText('配送费', { exact: true }).first().click();
  await expect(page.getByRole('table', { name: '配送费' })).toBeVisible();
});

test('a plan fills in what each country takes, and what was reckoned is kept under the product', async () => {
  await callAs(page, saveProduct, { body: { sku: SKU, name: '收纳盒', supplies: [] } });
  await openScreen(page, '/amazon/profit/config', '利润方案');
  await page.getByRole('button', { name: '新建方案' }).first().click();
  await page.getByRole('textbox', { name: '方案名称' }).fill('海运标准');
  await page.getByRole('spinbutton', { name: '美国 头程单价(¥/kg)' }).fill('12');
  await page.getByRole('spinbutton', { name: '美国 广告(%)' }).fill('130');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByText('美国：广告不能超过100%')).toBeVisible();
  await page.getByRole('spinbutton', { name: '美国 广告(%)' }).fill('8');
  await settled(page);
  await page.screenshot({ path: `test-results/plan-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '保存', exact: true }).click();
  const plans = page.getByRole('table', { name: '利润方案' });
  await expect(plans.getByRole('row', { name: /海运标准/ })).toContainText('广告(%) 8');

  await openScreen(page, '/amazon/profit/calculator', '利润计算');
  await expect(page.getByText('按方案「海运标准」各站点分别计算')).toBeVisible();
  await chooseDay('2026-06-01');
  await choose(page.getByRole('combobox', { name: '选择产品，带出尺寸、重量和成本' }), SKU, SKU);
  for (const [label, value] of [
    ['长(cm)', '30.48'],
    ['宽(cm)', '22.86'],
    ['高(cm)', '7.62'],
    ['重量(kg)', '0.635'],
    ['美国汇率', '7'],
  ] as const) {
    await page.getByRole('spinbutton', { name: label, exact: true }).fill(value);
    await page.getByRole('spinbutton', { name: label, exact: true }).press('Tab');
  }
  // 0.8849 kg of volume at 12.00 is 10.62 yuan, at 7 to the dollar 1.52.
  await settled(page);
  await page.screenshot({ path: `test-results/planned-${test.info().project.name}.png` });
  await page.getByRole('button', { name: '保存测算' }).click();
  await page.getByRole('textbox', { name: '备注' }).fill('旺季');
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByText(/已保存 \d 个站点的测算/)).toBeVisible();

  await openScreen(page, '/amazon/profit/estimates', '测算记录');
  await expect(page.getByText('旺季').first()).toBeVisible();
  await settled(page);
  await page.screenshot({ path: `test-results/estimates-${test.info().project.name}.png` });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '打开' }).first().click();
  await expect(page.getByRole('spinbutton', { name: '美国汇率', exact: true })).toHaveValue('7');
  await expect(page.getByText('海运标准（测算时）').first()).toBeVisible();
});
