import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';
import {
  approveOwn,
  choose,
  demoStock,
  STOCKED_MS,
  type Stock,
  type StockApi,
  stockApi,
  WAREHOUSE,
} from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;
let api: StockApi;
let goods: Stock[];

const row = (text: string) => page.locator('[role="row"]:visible').filter({ hasText: text });

/** Figures of a card line, e.g. 平均库存. */
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
  const records = await api.list<{ action: string; qty: number }>('inventory/record/list', {
    sku: code,
    period: { from },
  });
  const gone = records.filter(({ action }) => action.endsWith('出库')).reduce((sum, { qty }) => sum - qty, 0);
  expect(gone).toBe(pieces);
});

test('an age opens its layers, whose sources open their documents', async () => {
  await openScreen(page, '/erp/inventory/report/age', '库龄与成本层');
  await page
    .getByRole('button', { name: /181-365天/ })
    .first()
    .click();
  await expect(page).toHaveURL(/f\.bucket=D365/);
  await settled(page);
  expect(await page.locator('[role="row"]:visible [col-id="bucket"]').nth(1).textContent()).toBe('181-365天');
});

test('the list of a third-party warehouse is held against the books, and its difference corrected', async () => {
  const one = product(1);
  const name = '纽约三方仓';
  const { id: warehouseId } = await api.send<{ id: string }>('warehouse/save', {
    name,
    code: 'NY-3',
    kind: 'THIRD_PARTY',
    group: '纽约仓',
    country: 'US',
  });
  const lines = [{ productId: one.productId, qty: 8 }];
  const { id } = await api.send<{ id: string }>('inventory/dispatchform/saveData', {
    warehouseId: one.warehouseId,
    toWarehouseId: warehouseId,
    lines,
  });
  await api.send('inventory/dispatchform/submit', { id });
  await api.send('inventory/dispatchform/direct', { id });
  await openScreen(page, '/erp/oversea/inv', '三方仓对账');
  await page.getByRole('button', { name: '上传库存' }).click();
  const upload = page.getByRole('dialog', { name: '上传三方仓库存' });
  await choose(page, upload.getByRole('combobox', { name: '仓库' }), name);
  const text = `SKU,可用,锁定,在途\n${one.product.code},6,0,0\nNOT-OURS,3,0,0\n`;
  await upload
    .locator('input[type="file"]')
    .setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await expect(upload.getByText('1 个 SKU 未绑定产品')).toBeVisible();
  await upload.getByRole('button', { name: '写入' }).click();
  await expect(row(one.product.code)).toContainText('对方少');
  await expect(row('NOT-OURS')).toContainText('未绑定产品');
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await row(one.product.code).getByText('生成校正单').click();
  const dialog = page.getByRole('dialog', { name: /生成校正单：1 个产品，盘盈 0 件，盘亏 2 件/ });
  await dialog.getByRole('textbox').fill('对方实盘');
  await dialog.getByRole('button', { name: '校正账面' }).click();
  await expect(row(one.product.code)).toContainText('一致');
});

test('a cost that comes late goes into its layer and is told in the record', async () => {
  const { code } = product(2).product;
  await openScreen(page, '/erp/inventory/report/age', '库龄与成本层');
  await page.getByRole('button', { name: '重置' }).click();
  await search(code);
  await row(code).filter({ hasText: WAREHOUSE }).first().getByText('补录成本').click();
  const dialog = page.getByRole('dialog', { name: /补录成本/ });
  await dialog.locator('[data-field="amount"] input').fill('12.5');
  await dialog.locator('[data-field="reason"]').getByRole('textbox').fill('头程账单');
  await dialog.getByRole('button', { name: '补录' }).click();
  await expect(dialog).toBeHidden();
  await openScreen(page, '/erp/inventory/layer', '成本补录记录');
  await expect(row(code).first()).toContainText('12.50');
  expect(await seriousFaults(page)).toEqual([]);
});
