import type { Page } from '@playwright/test';
import { marketOf } from '../../playwright.config.ts';
import { syncNow } from '../../src/modules/marketplace/contract/sync.ts';
import {
  findShipListings,
  listShipOrders,
  type ShipListing,
  shipChoices,
  shipOrderDetail,
} from '../../src/modules/shipping/contract/order-calls.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { logIn, openScreen, seriousFaults } from './support/session.ts';
import { approveOwn, demoStock, STOCKED_MS, type StockApi, stockApi, WAREHOUSE } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

interface Place {
  store: string;
  country: string;
  listing: ShipListing;
}

let page: Page;
let phone: Page;
let api: StockApi;
let place: Place;

const front = () => page.locator('.page-document:visible');
const field = (name: string) => front().locator(`[data-field="${name}"]`).getByRole('combobox');
const steps = (name: string) => page.locator('.action-bar:visible').getByRole('button', { name, exact: true });
const state = () => front().locator('.document-head .tag').first();
const newest = async () => (await callAs(page, listShipOrders, { body: { filter: {} } })).records[0];

async function take(step: string, then: string): Promise<void> {
  await steps(step).click();
  await expect(state()).toHaveText(then);
}

/** What happens at Amazon. */
async function tellMarket(body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${marketOf(test.info().project.name)}/control/inbound`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.text()).toBe(200);
}

const openDetail = (id: string, number: string) => page.goto(`/shipmentdetails?id=${id}&title=${number}`);

/** What Amazon asks: how it is prepared, where it goes, who carries it and when; the labels, the way out, the numbers. */
async function throughAmazon(): Promise<void> {
  const says = (words: string | RegExp) => front().locator('.inbound-wait').getByText(words);
  const sure = (name: string) => page.locator('.ant-popconfirm').getByRole('button', { name });
  await front().getByRole('button', { name: '货件处理' }).click();
  await expect(says(/没有预处理分类|请比较并选择配送方案/)).toBeVisible();
  if (await says('没有预处理分类').isVisible()) await front().getByRole('button', { name: '保存并继续' }).click();
  await expect(says('请比较并选择配送方案')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await front().locator('button.inbound-offer').first().click();
  await front().locator('.inbound-act').getByRole('button').click();
  await sure('接受并确认').click();

  await expect(says('请为每个货件选择承运方式与送达窗口')).toBeVisible();
  await choose(front().getByRole('combobox', { name: /承运方式/ }), /自有承运.*小包裹/);
  await choose(front().getByRole('combobox', { name: /送达窗口/ }), '可约');
  await front().locator('.inbound-act').getByRole('button').click();
  await sure('确认承运').click();

  await expect(says('标签已就绪，等待发货出库')).toBeVisible();
  await expect(front().getByRole('button', { name: '箱标签' })).toBeEnabled();
  await front().locator('.inbound-wait').getByRole('button', { name: '发货出库' }).click();
  await expect(says(/请填写追踪号/)).toBeVisible();
  await front().getByRole('textbox', { name: '第 1 箱追踪号' }).fill('1Z999AA10123456784');
  await front().getByRole('button', { name: '保存追踪号' }).click();
  await expect(state()).toHaveText('已完成');
}

/** A listing of some store and site that can be put together in the main warehouse. */
async function somewhere(): Promise<Place> {
  const { stores, warehouses } = await callAs(page, shipChoices, {});
  const warehouseId = warehouses.find(({ name }) => name === WAREHOUSE)?.id ?? '';
  for (const store of stores) {
    for (const { marketplaceId, country } of store.sites) {
      const body = { authid: store.id, marketplaceId, warehouseId };
      const listing = (await callAs(page, findShipListings, { body })).find(({ available }) => available >= 8);
      if (listing) return { store: store.name, country, listing };
    }
  }
  throw new Error('the demo data has nothing to send');
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
  place = await somewhere();
});
test.afterAll(async () => {
  await api.close();
  await phone.context().close();
  await page.context().close();
});

test('an order is written, agreed to, picked by phone, packed, sent and received but for one piece', async () => {
  const { msku } = place.listing;
  await openScreen(page, '/erp/ship/shipment_add/list', '发货单');
  await page.getByRole('button', { name: '新增发货单' }).first().click();
  await expect(front().getByRole('heading', { name: '新增发货单' })).toBeVisible();
  await choose(field('authid'), place.store);
  await choose(field('marketplaceId'), place.country);
  await choose(field('warehouseId'), WAREHOUSE);
  await choose(front().getByRole('combobox', { name: '输入平台SKU、ASIN或标题添加' }), msku, msku);
  await front()
    .getByRole('spinbutton', { name: `${msku} 数量` })
    .fill('4');
  await steps('保存并提交').click();
  await expect(state()).toHaveText('待审核');
  await take('通过', '待配货');
  expect(await seriousFaults(page)).toEqual([]);

  const { id = '', number = '' } = (await newest()) ?? {};
  const detail = () => callAs(page, shipOrderDetail, { params: { id } });
  await phone.goto(`/scancode?c=PS.${id}`);
  await expect(phone.getByText('已完成 0 / 1 行')).toBeVisible();
  const codes = (await detail()).lines.map((line) => line.local);
  for (let piece = 0; piece < 4; piece += 1) {
    await phone.keyboard.type(codes[0] ?? '');
    await phone.keyboard.press('Enter');
  }
  await phone.getByRole('button', { name: '本行完成' }).click();
  await expect.poll(async () => (await detail()).order.state).toBe('packing');

  await page.reload();
  await expect(state()).toHaveText('待装箱');
  await front().getByRole('tab', { name: /装箱/ }).click();
  await front().getByRole('button', { name: '其余装一箱' }).click();
  const sizes = { '长(cm)': '40', '宽(cm)': '30', '高(cm)': '30', '重量(kg)': '6.5' };
  for (const [title, value] of Object.entries(sizes)) {
    await front()
      .getByRole('spinbutton', { name: `第 1 箱 ${title}` })
      .fill(value);
  }
  await front().getByRole('button', { name: '保存装箱' }).click();
  await expect(page.getByText('已保存 1 箱')).toBeVisible();
  await take('完成装箱', '待出库');
  await throughAmazon();
  await openDetail(id, number);
  await expect(state()).toHaveText('已发货');

  // Amazon counts one too few and closes the shipment; what is read of it ends the order.
  const shipment = (await detail()).order.shipmentNos;
  await tellMarket({ action: 'found', shipment, lines: [{ msku, missing: 1 }] });
  await tellMarket({ action: 'move', shipment, status: 'CLOSED' });
  const { stores } = await callAs(page, shipChoices, {});
  const authid = stores.find(({ name }) => name === place.store)?.id ?? '';
  const synced = async () => {
    await callAs(page, syncNow, { body: { authid } });
    return (await detail()).order.state;
  };
  await expect.poll(synced, { intervals: [2_000], timeout: 120_000 }).toBe('done');
  expect((await detail()).lines).toMatchObject([{ shippedQty: 4, receivedQty: 3, lostQty: 1 }]);
  await page.reload();
  await expect(state()).toHaveText('已完成');
  await expect(front().getByRole('heading', { name: number })).toBeVisible();
});

test('the sheet to pick by is a page of its own, with the code that opens it on a phone', async () => {
  const { id = '', number = '' } = (await newest()) ?? {};
  await page.goto(`/orderblank?shipmentid=${id}`);
  await expect(page.getByRole('heading', { name: '配货单' })).toBeVisible();
  await expect(page.getByRole('img', { name: '扫码配货' })).toBeVisible();
  await expect(page.getByText(number)).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(place.listing.msku) })).toBeVisible();
});

test("the forwarder's bill goes into its cost; the piece that did not come is claimed and paid", async () => {
  const { id = '', number = '' } = (await newest()) ?? {};
  await openScreen(page, '/erp/ship/freight/edit', '新增物流账单');
  await choose(field('carrierId'), '深圳远航货运代理');
  await front().getByRole('textbox', { name: '账单号' }).fill(`YH-${number}`);
  await front().getByRole('textbox', { name: '第 1 行 单号' }).fill(number);
  await expect(front().getByRole('row', { name: new RegExp(number) })).toBeVisible();
  await front().getByRole('spinbutton', { name: '第 1 行 金额' }).fill('88');
  await steps('提交审核').click();
  await expect(state()).toHaveText('待审核');
  await take('确认入账', '已入账');
  await front()
    .getByRole('tab', { name: /分摊明细/ })
    .click();
  await expect(front().getByRole('table', { name: '分摊明细' })).toContainText('88.00');
  expect(await seriousFaults(page)).toEqual([]);

  await openDetail(id, number);
  await front().getByRole('tab', { name: '费用' }).click();
  await expect(front().locator('.document-content')).toContainText('已入账 ¥88.00');

  await openScreen(page, '/erp/ship/discrepancy', '差异与索赔');
  await page.getByRole('link', { name: /^CY/ }).first().click();
  await expect(state()).toHaveText('待核查');
  const say = async (button: string, ok: string, then: string, write?: () => Promise<void>) => {
    await front().locator('.document-head').getByRole('button', { name: button }).click();
    await write?.();
    await page.getByRole('dialog').getByRole('button', { name: ok }).click();
    await expect(state()).toHaveText(then);
  };
  const dialog = page.getByRole('dialog');
  await say('核查', '确定', '待索赔');
  await say('提交索赔', '确定', '已提交', () => dialog.getByLabel('案件号').fill('17012345'));
  await say('登记赔付', '登记', '已赔付', async () => {
    await dialog.getByLabel('赔偿编号').fill('R-1');
    await dialog.getByLabel('赔付金额').fill('12.5');
  });
  expect(await seriousFaults(page)).toEqual([]);
});
