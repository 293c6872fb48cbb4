import type { Page } from '@playwright/test';
import { syncNow } from '../../src/modules/marketplace/contract/sync.ts';
import { listShipOrders, shipOrderDetail } from '../../src/modules/shipping/contract/order-calls.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults } from './support/session.ts';
import {
  countedAtAmazon,
  FORWARDER,
  type Place,
  pickByPhone,
  placeToSend,
  tellMarket,
  throughAmazon,
  worthOf,
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
let before = { amount: 0, transit: 0, owed: 0 };

const front = () => page.locator('.page-document:visible');
const field = (name: string) => front().locator(`[data-field="${name}"]`).getByRole('combobox');
const steps = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });
const state = () => front().locator('.document-head .tag').first();
const dialog = () => page.getByRole('dialog');
const detail = () => callAs(page, shipOrderDetail, { params: { id: order.id } });
const openDetail = () => page.goto(`/shipmentdetails?id=${order.id}&title=${order.number}`);
const shipments = () => order.shipmentNos.split(/[^A-Z0-9]+/).filter(Boolean);

/** How the goods stand now against how they stood before the order: CNY in layers, pieces on their way, CNY owed. */
async function moved() {
  const now = await worthOf(
    page,
    place.listings.map(({ local }) => local),
  );
  const since = (key: keyof typeof now) => Math.round((now[key] - before[key]) * 100) / 100;
  return { amount: since('amount'), transit: since('transit'), owed: since('owed') };
}

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
  before = await moved();
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
  expect(await moved()).toEqual({ amount: 0, transit: 10, owed: 0 });
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
  expect(await moved()).toEqual({ amount: 88, transit: 10, owed: 88 });
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
  expect(await countedAtAmazon(page, shipments())).toEqual([10, 7]);
  const now = await moved();
  expect(now).toMatchObject({ transit: 0, owed: 88 });
  expect(now.amount).toBeLessThan(88);
  await openDetail();
  await expect(state()).toHaveText('已完成');

  // A surcharge comes late: what falls on the lost pieces goes into no layer.
  await billed(`FJ-${order.number}`, '附加费', '20.00');
  const late = await moved();
  expect(late.owed).toBe(108);
  expect(late.amount - now.amount).toBeGreaterThan(0);
  expect(late.amount - now.amount).toBeLessThan(20);
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
});
