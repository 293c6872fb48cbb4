import type { Page } from '@playwright/test';
import { writeWorkbook } from '../../src/kit/server/excel/workbook.ts';
import { countBindings } from '../../src/modules/channel/contract/bindings.ts';
import { salesVolume } from '../../src/modules/channel/contract/volume.ts';
import { saveProduct } from '../../src/modules/product/contract/material.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const RUN = Date.now().toString(36).toUpperCase();
// Behind the products that the demo sells at its other shops.
const SKU = `ZZ-CUP-${RUN}`;
const THEIRS = `EB-${RUN}`;
const TITLES = '平台* 店铺* 订单号* 下单日期* 国家* 平台SKU* 数量* 销售额* 邮费 平台佣金 币种*'.split(' ');
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

let page: Page;

const sheet = (qty: string) =>
  writeWorkbook([
    {
      title: '订单',
      rows: [
        TITLES,
        ['eBay', `海外店${RUN}`, `E-${RUN}`, yesterday(), 'US', THEIRS, qty, '59.97', '9.5', '7.2', 'USD'],
      ],
    },
  ]);

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL);
  await callAs(page, saveProduct, { body: { sku: SKU, name: '保温杯', supplies: [] } });
});
test.afterAll(() => page.context().close());

test('a sheet with a SKU that nobody knows is imported, the SKU is bound, and its sales are seen', async () => {
  // The demo's first minutes keep the workers busy.
  test.setTimeout(400_000);
  await openScreen(page, '/erp/sales/report', 'ERP销售报表');
  await page.getByRole('button', { name: '导入订单' }).click();
  const dialog = page.getByRole('dialog', { name: '导入平台订单' });
  const file = async (qty: string) =>
    dialog.getByLabel('选择文件').setInputFiles({
      name: '订单.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await sheet(qty),
    });
  await file('-3');
  await expect(dialog).toContainText('数量须为非负整数');
  await dialog.getByRole('button', { name: '换文件' }).click();
  await file('3');
  await expect(dialog).toContainText('1 个平台SKU待配对');
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await dialog.getByRole('button', { name: '写入 1 行' }).click();
  await expect(dialog).toBeHidden();

  await page
    .getByText(/^SKU配对/)
    .first()
    .click();
  const row = page.getByRole('grid').getByRole('row', { name: new RegExp(THEIRS) });
  await expect(row).toContainText('待配对');
  await row.getByRole('button', { name: '配对' }).click();
  const binding = page.getByRole('dialog', { name: `配对 ${THEIRS}` });
  await binding.getByRole('combobox', { name: /输入 SKU/ }).fill(SKU);
  await page.locator('.ant-select-item-option', { hasText: SKU }).click();
  await binding.getByLabel('每件含').fill('2');
  await binding.getByRole('button', { name: '保存配对' }).click();
  await expect(binding).toBeHidden();
  await expect(row).toContainText('已配对');

  await expect
    .poll(async () => (await callAs(page, salesVolume, { body: { filter: { skus: [SKU] } } })).records[0]?.u7, {
      timeout: 120_000,
    })
    .toBe('6');
  await openScreen(page, '/erp/sales/volume', 'ERP销量');
  await page.getByPlaceholder('本地SKU/品名').fill(SKU);
  await page.getByPlaceholder('本地SKU/品名').press('Enter');
  const sold = page.getByRole('grid').getByRole('row', { name: new RegExp(SKU) });
  await expect(sold).toContainText('eBay 100.00%');
  await sold.dblclick();
  const drawer = page.locator('.detail-drawer');
  await expect(drawer.getByRole('table', { name: '每天销量' })).toContainText('eBay');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
});

test('each of the lists can be read by everybody', async () => {
  test.setTimeout(500_000);
  await expect
    .poll(async () => (await callAs(page, countBindings, { body: {} })).all, { timeout: 400_000 })
    .toBeGreaterThan(5);
  for (const [path, title] of [
    ['/erp/sales/report', 'ERP销售报表'],
    ['/erp/sales/volume', 'ERP销量'],
    ['/erp/sales/report?view=orders', 'ERP销售报表'],
    ['/erp/sales/report?view=bindings', 'ERP销售报表'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: title }).first()).toBeVisible();
    await expect(page.getByRole('grid').getByRole('row').nth(2)).toBeVisible();
    await settled(page);
    expect(await seriousFaults(page)).toEqual([]);
  }
});
