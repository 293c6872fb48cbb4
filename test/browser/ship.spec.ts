import type { Page } from '@playwright/test';
import { Decimal } from '../../src/kit/contract/decimal.ts';
import { syncNow } from '../../src/modules/marketplace/contract/sync.ts';
import { listClaims } from '../../src/modules/shipping/contract/claim/calls.ts';
import { listShipOrders, shipOrderDetail } from '../../src/modules/shipping/contract/order-calls.ts';
import { boxReceipts } from '../../src/modules/shipping/contract/receipt/calls.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults } from './support/session.ts';
import {
  type Books,
  booksOf,
  changeOf,
  FORWARDER,
  heardFromMarket,
  type Place,
  pickByPhone,
  placeToSend,
  saidByMarket,
  tellMarket,
  throughAmazon,
} from './support/shipping.ts';
import { approveOwn, demoStock, STOCKED_MS, type StockApi, stockApi, WAREHOUSE } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

/** Pieces of the two listings that are planned, and how many of the first never come. */
const PLANNED = [6, 4] as const;
const MISSING = 3;

let page: Page;
let phone: Page;
let api: StockApi;
let place: Place;
let order = { id: '', number: '', shipmentNos: '' };
let before: Books;
let closed: Books;
let late: Books;

const front = () => page.locator('.page-document:visible');
const field = (name: string) => front().locator(`[data-field="${name}"]`).getByRole('combobox');
const steps = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });
const state = () => front().locator('.document-head .tag').first();
const dialog = () => page.getByRole('dialog');
const detail = () => callAs(page, shipOrderDetail, { params: { id: order.id } });
const openDetail = () => page.goto(`/shipmentdetails?id=${order.id}&title=${order.number}`);
const shipments = () => order.shipmentNos.split(/[^A-Z0-9]+/).filter(Boolean);

const books = () =>
  booksOf(
    page,
    place.listings.map(({ local }) => local),
  );
/** What has changed in stock, cost layers (CNY) and payables (CNY) since before the order. */
const moved = async () => changeOf(before, await books());
/** The goods have left our warehouse and are on their way. */
const GONE = { home: -10, away: 0, transit: 10, transitLayers: 10 };
/** Seven came, three are lost. */
const CAME = { home: -10, away: 7, transit: 0, transitLayers: 0 };
const CLOSED = { shipped: 10, received: 7, statuses: ['CLOSED'] };

async function take(step: string, then: string): Promise<void> {
  await steps(step).click();
  await expect(state()).toHaveText(then);
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
  await approveOwn(api);
  await demoStock(api);
  place = await placeToSend(page, 12);
  before = await books();
});
test.afterAll(async () => {
  await api.close();
  await phone.context().close();
  await page.context().close();
});

test('a need is planned and handed in, and becomes an order that somebody agrees to', async () => {
  for (const [at, { msku }] of place.listings.entries()) {
    await openScreen(page, `/erp/ship/ship_plan?f.keyword=${msku}`, 'FBA发货规划');
    const row = page.getByRole('row', { name: new RegExp(`${msku}.*${place.country}`, 's') }).first();
    await row.getByRole('button', { name: '计划', exact: true }).click();
    await dialog().locator('[data-field="qty"] input').fill(String(PLANNED[at]));
    await choose(dialog().locator('[data-field="warehouseId"]').getByRole('combobox'), WAREHOUSE);
    await dialog().getByRole('button', { name: '保存' }).click();
    await expect(dialog()).toBeHidden();
  }
  await openScreen(page, '/erp/ship/ship_plan?f.planned=true', 'FBA发货规划');
  for (const { msku } of place.listings) {
    await page
      .getByRole('row', { name: new RegExp(msku) })
      .getByRole('checkbox')
      .first()
      .check();
  }
  await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '提交计划' }).click();
  await expect(front().getByRole('heading', { name: '提交发货计划' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await steps('提交').click();
  await expect(page.getByRole('heading', { name: '发货单' })).toBeVisible();
  const [made] = (await callAs(page, listShipOrders, { body: { filter: {} } })).records;
  order = { ...order, id: made?.id ?? '', number: made?.number ?? '' };

  await openDetail();
  await take('提交', '待审核');
  await take('通过', '待配货');
  expect(await seriousFaults(page)).toEqual([]);
  expect((await detail()).lines.map(({ msku, qty }) => [msku, qty]).sort()).toEqual(
    place.listings.map(({ msku }, at) => [msku, PLANNED[at]]).sort(),
  );
});

test('it is picked by phone, packed into two mixed boxes and goes out as Amazon asks', async () => {
  await phone.goto(`/scancode?c=PS.${order.id}`);
  await expect(phone.getByText(/已完成 0 \/ \d 行/)).toBeVisible();
  await pickByPhone(phone);
  await expect.poll(async () => (await detail()).order.state).toBe('packing');

  await page.reload();
  await expect(state()).toHaveText('待装箱');
  await front().getByRole('tab', { name: /装箱/ }).click();
  const cell = (no: number, title: string) => front().getByRole('spinbutton', { name: `第 ${no} 箱 ${title}` });
  await front().getByRole('button', { name: '其余装一箱' }).click();
  for (const [at, { msku }] of place.listings.entries()) await cell(1, msku).fill(String((PLANNED[at] ?? 0) / 2));
  await front().getByRole('button', { name: '其余装一箱' }).click();
  const sizes = { '长(cm)': '40', '宽(cm)': '30', '高(cm)': '30', '重量(kg)': '6.5' };
  for (const no of [1, 2]) for (const [title, value] of Object.entries(sizes)) await cell(no, title).fill(value);
  await front().getByRole('button', { name: '保存装箱' }).click();
  await expect(page.getByText('已保存 2 箱')).toBeVisible();
  await take('完成装箱', '待出库');
  await throughAmazon(page, front());
  await expect(state()).toHaveText('已完成');
  await openDetail();
  await expect(state()).toHaveText('已发货');
  order.shipmentNos = (await detail()).order.shipmentNos;
  expect(await moved()).toEqual({ ...GONE, layers: '0', owed: '0' });
  expect(await saidByMarket(shipments())).toEqual({ shipped: 10, received: 0, statuses: ['SHIPPED'] });
});

test('the sheet to pick by is a page of its own, with the code that opens it on a phone', async () => {
  await page.goto(`/orderblank?shipmentid=${order.id}`);
  await expect(page.getByRole('heading', { name: '配货单' })).toBeVisible();
  await expect(page.getByRole('img', { name: '扫码配货' })).toBeVisible();
  await expect(page.getByText(order.number)).toBeVisible();
  for (const { msku } of place.listings) {
    await expect(page.getByRole('row', { name: new RegExp(msku) })).toBeVisible();
  }
});

/** A bill of the forwarder's for the order, entered and agreed to. */
async function billed(billNo: string, kind: string | undefined, amount: string): Promise<void> {
  await openScreen(page, '/erp/ship/freight/edit', '新增物流账单');
  await choose(field('carrierId'), FORWARDER);
  await front().getByRole('textbox', { name: '账单号' }).fill(billNo);
  await front().getByRole('textbox', { name: '第 1 行 单号' }).fill(order.number);
  if (kind) await choose(front().getByRole('combobox', { name: '第 1 行 费用类型' }), kind);
  await expect(front().getByRole('row', { name: new RegExp(order.number) })).toBeVisible();
  await front().getByRole('spinbutton', { name: '第 1 行 金额' }).fill(amount);
  await steps('提交审核').click();
  await expect(state()).toHaveText('待审核');
  await take('确认入账', '已入账');
  await front()
    .getByRole('tab', { name: /分摊明细/ })
    .click();
  const shares = front().getByRole('table', { name: '分摊明细' });
  for (const { local } of place.listings) await expect(shares).toContainText(local);
}

test("the forwarder's bill goes into the cost of what is on its way", async () => {
  await billed(`YH-${order.number}`, undefined, '88.00');
  expect(await seriousFaults(page)).toEqual([]);
  expect(await moved()).toEqual({ ...GONE, layers: '88', owed: '88' });
  expect(await saidByMarket(shipments())).toMatchObject({ shipped: 10, received: 0 });
  await openDetail();
  await front().getByRole('tab', { name: '费用' }).click();
  await expect(front().locator('.document-content')).toContainText('已入账 ¥88.00');
});

test('Amazon counts three too few and closes; they are lost with what they cost', async () => {
  const { msku } = place.listings[0];
  await tellMarket({ action: 'found', shipment: shipments()[0], lines: [{ msku, missing: MISSING }] });
  for (const shipment of shipments()) await tellMarket({ action: 'move', shipment, status: 'CLOSED' });
  const synced = async () => {
    await callAs(page, syncNow, { body: { authid: place.authid } });
    return (await detail()).order.state;
  };
  await expect.poll(synced, { intervals: [2_000], timeout: 120_000 }).toBe('done');
  const lines = Object.fromEntries((await detail()).lines.map((line) => [line.msku, line]));
  expect(lines[msku]).toMatchObject({ shippedQty: 6, receivedQty: 3, lostQty: 3 });
  expect(await saidByMarket(shipments())).toEqual(CLOSED);
  expect(await heardFromMarket(page, shipments())).toEqual(CLOSED);
  // What was lost left the layers with what its case says that it was worth, the freight on it included.
  const { records } = await callAs(page, listClaims, { body: { filter: { keyword: shipments()[0] ?? '' } } });
  expect(records).toMatchObject([{ msku, qty: MISSING, state: 'found' }]);
  closed = await books();
  const kept = new Decimal(88).minus(records[0]?.value ?? '0').toFixed();
  expect(changeOf(before, closed)).toEqual({ ...CAME, layers: kept, owed: '88' });
  const { skus } = await callAs(page, boxReceipts, { params: { id: order.id } });
  expect(skus.map((row) => row.inBoxes).reduce((total, pieces) => total + pieces, 0)).toBe(7);
  await openDetail();
  await expect(state()).toHaveText('已完成');

  await front().getByRole('tab', { name: '按箱收货' }).click();
  await expect(front().getByRole('table', { name: '按箱收货' }).getByRole('row')).toHaveCount(3);
  expect(await seriousFaults(page)).toEqual([]);
});

test('a surcharge comes late: what falls on the lost pieces goes into no layer', async () => {
  await billed(`FJ-${order.number}`, '附加费', '20.00');
  late = await books();
  const { layers, ...others } = changeOf(closed, late);
  expect(others).toEqual({ home: 0, away: 0, transit: 0, transitLayers: 0, owed: '20' });
  expect(new Decimal(layers).gt(0) && new Decimal(layers).lt(20), layers).toBe(true);
  expect(await saidByMarket(shipments())).toEqual(CLOSED);
  await openDetail();
  await front().getByRole('tab', { name: '费用' }).click();
  await expect(front().locator('.document-content')).toContainText('已入账 ¥108.00');
});

test('what did not come is claimed and paid', async () => {
  await openScreen(page, `/erp/ship/discrepancy?f.keyword=${shipments()[0]}`, '差异与索赔');
  await page.getByRole('link', { name: /^CY/ }).first().click();
  await expect(state()).toHaveText('待核查');
  const say = async (button: string, ok: string, then: string, write?: () => Promise<void>) => {
    await front().locator('.document-head').getByRole('button', { name: button }).click();
    await write?.();
    await dialog().getByRole('button', { name: ok }).click();
    await expect(state()).toHaveText(then);
  };
  await say('核查', '确定', '待索赔');
  await say('提交索赔', '确定', '已提交', () => dialog().getByLabel('案件号').fill('17012345'));
  await say('登记赔付', '登记', '已赔付', async () => {
    await dialog().getByLabel('赔偿编号').fill('R-1');
    await dialog().getByLabel('赔付金额').fill('37.5');
  });
  expect(await seriousFaults(page)).toEqual([]);
  // Amazon's money is no matter of stock, of cost, or of what the forwarder gets.
  expect(await books()).toEqual(late);
  expect(await saidByMarket(shipments())).toEqual(CLOSED);
  expect(await heardFromMarket(page, shipments())).toEqual(CLOSED);
});
