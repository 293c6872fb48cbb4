import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { logIn, openScreen, settled } from './support/session.ts';
import { approveOwn, demoStock, STOCKED_MS, type Stock, type StockApi, stockApi } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;
let api: StockApi;
let goods: Stock[];

const row = (text: string) => page.locator('[role="row"]:visible').filter({ hasText: text });

const search = async (text: string) => {
  await page.getByRole('textbox', { name: /SKU\/名称/ }).fill(text);
  await page.getByRole('button', { name: '查询' }).click();
};

const product = (index: number): Stock => {
  const found = goods[index];
  if (!found) throw new Error(`the demo data has no product ${index}`);
  return found;
};

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  test.setTimeout(STOCKED_MS + 60_000);
  const viewport = { width: 1600, height: 900 };
  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport, locale: 'zh-CN' });
  page = await context.newPage();
  await logIn(page);
  api = await stockApi(page, playwright, baseURL);
  await approveOwn(api);
  goods = (await demoStock(api, 60)).slice(6);
});
test.afterAll(async () => {
  await api.close();
  await page.context().close();
});

test('a figure of the turnover opens the entries of its product in the days of the report', async () => {
  const { code } = product(0).product;
  await openScreen(page, '/erp/inventory/report/turns', '周转报告');
  await expect(page.getByRole('img', { name: '每日库存与出库' })).toBeVisible();
  await search(code);
  await expect(row(code)).toHaveCount(1);
  const sold = row(code).locator('[col-id="sold"]');
  const pieces = Number((await sold.textContent())?.replace(',', ''));
  await sold.getByRole('link').or(sold.getByRole('button')).click();
  await expect(page.getByRole('tab', { name: '出入库明细' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/f\.period=/);
  const address = new URL(page.url());
  const [from] = (address.searchParams.get('f.period') ?? '').split('~');
  const records = await api.list<{ number: string; action: string; qty: number }>('inventory/record/list', {
    sku: code,
    period: { from },
  });
  // Pieces that were sent to another warehouse of ours (DB, HW) are not gone.
  const sent = records.filter(({ number, action }) => action.endsWith('出库') && !/^(DB|HW)/.test(number));
  const gone = sent.reduce((sum, { qty }) => sum - qty, 0);
  expect(gone).toBe(pieces);
});

test('an age opens its layers, whose sources open their documents', async () => {
  await openScreen(page, '/erp/inventory/report/age', '库龄与成本层');
  await page.locator('.figure-line > *').filter({ hasText: '181-365天' }).getByRole('button').click();
  await expect(page).toHaveURL(/f\.bucket=D365/);
  await settled(page);
  await expect(page.locator('[role="row"]:visible [col-id="bucket"]').nth(1)).toHaveText('181-365天');
});
