import type { Page } from '@playwright/test';
import { addAddress, listAddresses } from '../../src/modules/marketplace/contract/addresses.ts';
import { orderDetail } from '../../src/modules/order/contract/orders.ts';
import { selfDetail } from '../../src/modules/shipping/contract/self/calls.ts';
import type { WaitingRow } from '../../src/modules/shipping/contract/self/rows.ts';
import { buildSelf, listWaiting, openLines } from '../../src/modules/shipping/contract/self/waiting.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { logIn, seriousFaults } from './support/session.ts';
import { pickByPhone } from './support/shipping.ts';
import { demoStock, STOCKED_MS, type StockApi, stockApi } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

const US = 'ATVPDKIKX0DER';

let page: Page;
let phone: Page;
let api: StockApi;
let warehouseId: string;
let order: WaitingRow;
let id: string;
let number: string;

const front = () => page.locator('.page-document:visible');
const document = async () => (await callAs(page, selfDetail, { params: { id } })).document;

/** An order of the American site of which everything lies in the warehouse. */
async function sendable(): Promise<WaitingRow> {
  const { records } = await callAs(page, listWaiting, { body: { pagesize: 100 } });
  for (const row of records) {
    if (row.marketplaceId !== US || row.unmatched || row.cancelAsked) continue;
    const lines = await callAs(page, openLines, { body: { orders: [row.id], warehouseId } });
    if (lines.length > 0 && lines.every((line) => line.available >= line.open)) return row;
  }
  throw new Error('no order of the demo can be sent');
}

test.beforeAll(async ({ browser, baseURL, playwright }) => {
  test.setTimeout(STOCKED_MS + 60_000);
  const open = async (width: number, height: number) => {
    const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: { width, height }, locale: 'zh-CN' });
    return context.newPage();
  };
  page = await open(1600, 900);
  phone = await open(390, 844);
  for (const each of [page, phone]) await logIn(each);
  api = await stockApi(page, playwright, baseURL);
  const [first] = await demoStock(api);
  warehouseId = first?.warehouseId ?? '';
  // Carriers fetch parcels in the country of the site.
  const { records } = await callAs(page, listAddresses, { body: { pagesize: 100 } });
  for (const storeId of new Set(records.map((row) => row.storeId))) {
    await callAs(page, addAddress, {
      body: {
        storeId,
        marketplaceId: US,
        name: 'Detroit Warehouse',
        country: 'US',
        state: 'MI',
        city: 'Detroit',
        line1: '300 Turnbull Ave',
        postalCode: '48123',
        phone: '+1 313 555 0100',
        email: 'ship@example.com',
        isDefault: true,
      },
    });
  }
  order = await sendable();
});
test.afterAll(async () => {
  await api.close();
  await phone.context().close();
  await page.context().close();
});

test('at the desk an order becomes a document with a label, by the service that is recommended', async () => {
  const { ids } = await callAs(page, buildSelf, { body: { warehouseId, groups: [{ orders: [order.id] }] } });
  [id = ''] = ids;
  ({ number } = await document());
  await page.goto(`/shipping/details?id=${id}&title=${number}`);
  await page.locator('.action-bar:visible').getByRole('button', { name: '审核', exact: true }).click();
  await expect(front().locator('.document-head .tag').first()).toHaveText('待打单');
  await front().getByRole('button', { name: '申请运单' }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of [
    ['重量(g)', '640'],
    ['长(cm)', '24'],
    ['宽(cm)', '18'],
    ['高(cm)', '9'],
  ] as const) {
    await dialog.getByLabel(label).fill(value);
  }
  await dialog.getByRole('button', { name: '查询运费' }).click();
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await page.screenshot({ path: 'test-results/packing-rates.png' });
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: '申请运单' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await document()).labelState).toBe('bought');
  const { trackingNo, actualFee, weightG } = await document();
  expect(trackingNo).not.toBe('');
  expect(actualFee).not.toBeNull();
  expect(weightG).toBe(640);
  await page.reload();
  await front().getByRole('tab', { name: '面单' }).click();
  await expect(front().getByRole('table', { name: '面单' })).toContainText(trackingNo);
  await page.screenshot({ path: 'test-results/packing-label.png' });
});

test('a packer takes the pieces and sends them with a phone, and the order shows the parcel once', async () => {
  await phone.goto('/scancode');
  await expect(phone.getByRole('textbox', { name: '扫描' })).toBeFocused();
  await phone.getByRole('combobox', { name: '仓库' }).selectOption(warehouseId);
  await phone.getByRole('textbox', { name: '扫描' }).focus();
  await phone.keyboard.type(number);
  await phone.keyboard.press('Enter');
  await expect(phone.getByText(/已完成 0 \/ \d+ 行/)).toBeVisible();
  await pickByPhone(phone);
  await phone.screenshot({ path: 'test-results/packing-phone.png' });
  await phone.getByRole('button', { name: '出库' }).click();
  await expect(phone.locator('.scan-state')).toHaveText('已同步');
  await expect.poll(async () => (await document()).state).toBe('shipped');
  const { trackingNo } = await document();
  const { packages } = await callAs(page, orderDetail, { params: { id: order.id } });
  expect(packages.filter((one) => one.tracking === trackingNo)).toHaveLength(1);
  expect(packages).toHaveLength(1);
});
